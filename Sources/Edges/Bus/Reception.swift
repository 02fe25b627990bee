/// The receiving side of a node: filters, orders, counts, asks for what is missing.
///
/// No sockets and no clock: frames and times in, deliveries and questions out.
struct Reception {
  enum Output: Hashable {
    case deliver(Delivery)
    case refill(Refill)
    case snapshot(patterns: [String])
    /// The snapshot that was asked for under this token is delivered.
    case settled(token: UInt64)
  }

  /// Numbers of a source's events that did not come.
  struct Refill: Hashable {
    var topic: String
    var source: String
    var run: UInt64
    var from: UInt64
    var to: UInt64
  }

  /// Live messages wait no longer than this for a snapshot.
  static let maximumHoldMS: Int64 = 1_000
  static let maximumHeld = 20_000

  struct Hold {
    var patterns: [String]
    var since: MonotonicTime
    var items: [(frame: Frame, isHistory: Bool)] = []
  }

  var table: TopicTable
  var outputs: [Output] = []
  private(set) var malformed: [String: UInt64] = [:]
  /// Snapshots that did not come in time.
  private(set) var unanswered: UInt64 = 0
  private(set) var exact: Set<String> = []
  private(set) var subtrees: [String] = []
  var topics: [String: TopicReception] = [:]
  /// Topics with a gap that waits to be asked for again: looking through all would cost a fleet
  /// more than its messages.
  private var waiting: Set<String> = []
  private(set) var holds: [UInt64: Hold] = [:]
  private var held: [(frame: Frame, arrival: MonotonicTime)] = []
  /// Input that waits until this node may take over, for each handover that it takes part in.
  var handovers: [HandoverHold] = []

  init(table: TopicTable) { self.table = table }

  var patterns: [String] { exact.sorted() + subtrees }
  var counters: [String: ReceptionCounters] { topics.mapValues(\.counters) }

  /// Adds patterns; gives those that are new.
  mutating func subscribe(_ patterns: [String]) -> [String] {
    patterns.filter { pattern in
      if pattern.isEmpty || pattern.hasSuffix("/") {
        guard !subtrees.contains(pattern) else { return false }
        subtrees.append(pattern)
        return true
      }
      return exact.insert(pattern).inserted
    }
  }

  mutating func unsubscribe(_ patterns: [String]) {
    exact.subtract(patterns)
    subtrees.removeAll(where: patterns.contains)
  }

  mutating func countMalformed(_ reason: String) { malformed[reason, default: 0] += 1 }

  mutating func countQueueDrop(_ topic: String) {
    topics[topic]?.counters.queueDrops += 1
  }

  func wants(_ topic: String) -> Bool {
    exact.contains(topic) || subtrees.contains { topic.hasPrefix($0) }
  }

  /// Holds what comes live on these patterns until the snapshot under `token` has come.
  mutating func hold(_ patterns: [String], token: UInt64, now: MonotonicTime) {
    holds[token] = Hold(patterns: patterns, since: now)
  }

  /// Takes a message from the egress.
  mutating func live(_ frame: Frame, now: MonotonicTime) {
    guard wants(frame.topic) else { return }
    if !handovers.isEmpty, let hold = handovers.firstIndex(where: { $0.takes(frame.topic) }) {
      return handovers[hold].append(frame, now: now)
    }
    let isHeld = holds.values.contains { hold in
      hold.patterns.contains { TopicName.matches($0, frame.topic) }
    }
    if isHeld, held.count < Self.maximumHeld {
      held.append((frame, now))
    } else {
      take(frame, origin: .live, now: now)
    }
  }

  /// Takes an item of a snapshot, of a refill or of history.
  mutating func item(_ frame: Frame, token: UInt64, isHistory: Bool, now: MonotonicTime) {
    if holds[token] != nil {
      holds[token]?.items.append((frame, isHistory))
    } else if wants(frame.topic) {
      take(frame, origin: isHistory ? .history : .refill, now: now)
    }
  }

  /// Ends a snapshot: its values go first, then what came live meanwhile.
  mutating func endSnapshot(_ token: UInt64, now: MonotonicTime) {
    guard let hold = holds.removeValue(forKey: token) else { return }
    for item in hold.items where wants(item.frame.topic) {
      take(item.frame, origin: item.isHistory ? .history : .snapshot, now: now)
    }
    outputs.append(.settled(token: token))
    guard holds.isEmpty else { return }
    let waiting = held
    held = []
    for (frame, arrival) in waiting { take(frame, origin: .live, now: arrival) }
  }

  /// Ends a refill; what it left open is asked for again, or counted as lost.
  mutating func endRefill(_ refill: Refill, now: MonotonicTime) {
    guard var topic = topics[refill.topic] else { return }
    topic.endRefill(refill, now: now)
    collect(&topic, refill.topic, now: now)
  }

  /// Does what is due: snapshots that do not come, gaps to be asked for again.
  mutating func tick(now: MonotonicTime) {
    for (token, hold) in holds where now.milliseconds(since: hold.since) > Self.maximumHoldMS {
      unanswered += 1
      endSnapshot(token, now: now)
    }
    for name in waiting {
      guard var topic = topics.removeValue(forKey: name) else { continue }
      topic.askAgain(now: now)
      collect(&topic, name, now: now)
    }
  }

  mutating func take(
    _ frame: Frame, origin: TopicReception.FrameOrigin, now: MonotonicTime
  ) {
    let name = frame.topic
    // Taken out, so that its dictionaries are not copied when they change.
    var topic = topics.removeValue(forKey: name) ?? TopicReception(name, table[name])
    topic.take(frame, origin: origin, now: now)
    collect(&topic, name, now: now)
  }

  private mutating func collect(
    _ topic: inout TopicReception, _ name: String, now: MonotonicTime
  ) {
    for frame in topic.accepted {
      outputs.append(
        .deliver(
          Delivery(
            frame: frame, vehicle: topic.vehicle, leaf: topic.leaf, traits: topic.traits,
            arrival: now)))
    }
    topic.accepted.removeAll(keepingCapacity: true)
    for refill in topic.refills { outputs.append(.refill(refill)) }
    topic.refills.removeAll()
    if topic.needsSnapshot {
      topic.needsSnapshot = false
      outputs.append(.snapshot(patterns: [name]))
    }
    if topic.isWaiting {
      waiting.insert(name)
    } else if !waiting.isEmpty {
      waiting.remove(name)
    }
    topics[name] = topic
  }
}
