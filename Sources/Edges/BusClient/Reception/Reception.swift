import BusProtocol
import ZMQ

/// The receiving side of a node: filters, orders and counts messages, and requests missing ones.
///
/// It uses no sockets and no clock: frames and times in, deliveries and requests out.
struct Reception {
  enum Output: Hashable {
    case deliver(Delivery)
    case refill(Refill)
    case snapshot(patterns: [String])
    /// The snapshot that was requested under this token is delivered.
    case settled(token: UInt64)
  }

  /// Sequence numbers of a source's events that did not arrive.
  struct Refill: Hashable {
    var topic: String
    var source: String
    var run: UInt64
    var from: UInt64
    var to: UInt64
  }

  /// Maximum time for which live messages wait for a snapshot.
  static let maximumHoldMS: Int64 = 3_000
  static let maximumHeld = 20_000

  struct Hold {
    var patterns: [String]
    var since: MonotonicTime
    var items: [(frame: Frame, isHistory: Bool)] = []
  }

  var table: TopicTable
  var outputs: [Output] = []
  private(set) var malformed: [String: UInt64] = [:]
  /// Number of snapshots that did not arrive in time.
  private(set) var unanswered: UInt64 = 0
  private(set) var filter = TopicFilter()
  var topics: [TopicReception] = []
  /// The numbers of the topics of each slot; the last entry has those without a vehicle.
  private(set) var numbersBySlot = [[Int]](repeating: [], count: SlotSet.count + 1)
  /// Index of a topic's reception, by the bytes of its name.
  private var index = NameIndex()
  /// Topics with a gap that will be requested again.
  ///
  /// Searching all topics would cost a fleet more than its messages.
  private var waiting: Set<Int> = []
  /// Topics of which the broker has reported a number that has not arrived.
  var unsettled: [Int: UInt64] = [:]
  /// The last round of reports after which an echo has arrived.
  var settledRound: UInt64 = 0
  private(set) var holds: [UInt64: Hold] = [:]
  private var held: [(frame: Frame, arrival: MonotonicTime)] = []
  /// Input that waits until this node may take over, for each of its handovers.
  var handovers: [HandoverBuffer] = []
  /// The slots whose streams are received: those that this process of a swap has; nil for all.
  var receivedSlots: SlotSet?

  init(table: TopicTable) { self.table = table }

  var patterns: [String] { filter.patterns }
  var counters: [String: ReceptionCounters] {
    let heard = topics.lazy.filter { $0.isHeard }.map { ($0.name, $0.counters) }
    return Dictionary(uniqueKeysWithValues: heard)
  }

  var countersByLeaf: [String: ReceptionCounters] {
    var all: [String: ReceptionCounters] = [:]
    // By index, since copying a topic costs more than reading its counters.
    for number in topics.indices where topics[number].isHeard {
      all[topics[number].place.leaf, default: ReceptionCounters()].add(topics[number].counters)
    }
    return all
  }

  /// Topics that lost messages since the last call, by name.
  mutating func drainLosses() -> [(topic: String, lost: UInt64)] {
    var losses: [(topic: String, lost: UInt64)] = []
    for number in topics.indices where topics[number].isHeard {
      let new = topics[number].drainLosses()
      if new > 0 { losses.append((topics[number].name, new)) }
    }
    return losses.sorted { $0.topic < $1.topic }
  }

  /// Adds patterns; returns the new ones.
  mutating func subscribe(_ patterns: [String]) -> [String] {
    defer { applyTopicFilter() }
    return patterns.filter { filter.insert($0) }
  }

  /// Removes patterns; returns those that were present.
  ///
  /// If it `forgets`, messages published until the topics are subscribed to again do not count as
  /// missing.
  mutating func unsubscribe(_ patterns: [String], forgets: Bool = false) -> [String] {
    defer { applyTopicFilter(forgets: forgets) }
    return patterns.filter { filter.remove($0) }
  }

  mutating func countMalformed(_ reason: String) { malformed[reason, default: 0] += 1 }

  mutating func countQueueDrops(_ numbers: [Int]) {
    for number in numbers {
      if topics[number].traits.deliveryClass == .state {
        topics[number].counters.replaced += 1
      } else {
        topics[number].counters.queueDrops += 1
      }
    }
  }

  /// Applies the filter to the known topics; the sources of those that it `forgets` start anew.
  private mutating func applyTopicFilter(forgets: Bool = false) {
    for number in topics.indices {
      let isWanted = wants(topics[number].name)
      if forgets, topics[number].isWanted, !isWanted {
        topics[number].forgetSources()
        waiting.remove(number)
        unsettled[number] = nil
      }
      topics[number].isWanted = isWanted
    }
  }

  /// Whether nothing in progress depends on time.
  var isAtRest: Bool {
    holds.isEmpty && waiting.isEmpty && unsettled.isEmpty && handovers.isEmpty
  }

  func wants(_ topic: String) -> Bool { filter.accepts(topic) }

  /// Holds live messages of these patterns until the snapshot under `token` has arrived.
  mutating func hold(_ patterns: [String], token: UInt64, now: MonotonicTime) {
    holds[token] = Hold(patterns: patterns, since: now)
  }

  /// Handles a message from the egress; copies only what is delivered.
  mutating func live(_ message: Message, now: MonotonicTime) {
    guard message.partCount == Message.parts else {
      return countMalformed(Frame.Malformed.partCount.rawValue)
    }
    // Messages of the vehicles that only others want are not even counted.
    if filter.isSentMore, !filter.accepts(message.topic) { return }
    guard let number = index.number(of: message.topic) ?? admit(message.topic) else {
      return countMalformed(Frame.Malformed.topic.rawValue)
    }
    guard topics[number].isWanted, receivedSlots == nil || !isForOther(number) else { return }
    guard message.payload.count <= topics[number].place.traits.maximumBytes ?? .max else {
      topics[number].counters.oversize += 1
      return
    }
    guard let scan = HeaderScan(message.header) else {
      return countMalformed(Frame.Malformed.header.rawValue)
    }
    live(
      Frame(
        topic: topics[number].name, header: topics[number].header(scan),
        payload: Array(message.payload)), number, now: now)
  }

  /// Handles a frame from the egress.
  mutating func live(_ frame: Frame, now: MonotonicTime) {
    guard let number = number(of: frame.topic), topics[number].isWanted else { return }
    live(frame, number, now: now)
  }

  private mutating func live(_ frame: consuming Frame, _ number: Int, now: MonotonicTime) {
    if !handovers.isEmpty,
      let hold = handovers.firstIndex(where: { $0.holds(slot: topics[number].slot) })
    {
      return handovers[hold].append(frame, now: now)
    }
    if !holds.isEmpty, held.count < Self.maximumHeld, isHeld(frame.topic) {
      held.append((frame, now))
    } else {
      handle(frame, number, origin: .live, now: now)
    }
  }

  private func isHeld(_ topic: String) -> Bool {
    holds.values.contains { hold in
      hold.patterns.contains { TopicName.matches($0, topic) }
    }
  }

  mutating func number(of topic: String) -> Int? {
    var topic = topic
    return topic.withUTF8 { bytes in
      let name = UnsafeRawBufferPointer(bytes)
      return index.number(of: name) ?? admit(name)
    }
  }

  /// Opens the reception of a new topic; nil if its name is invalid.
  private mutating func admit(_ name: UnsafeRawBufferPointer) -> Int? {
    guard TopicName.isValid(name) else { return nil }
    let topic = String(decoding: name, as: UTF8.self)
    let number = index.add(name)
    topics.append(TopicReception(topic, table[topic], number: number, isWanted: wants(topic)))
    numbersBySlot[topics[number].slot ?? SlotSet.count].append(number)
    return number
  }

  /// Handles an item of a snapshot, of a refill or of history.
  mutating func item(_ frame: Frame, token: UInt64, isHistory: Bool, now: MonotonicTime) {
    if holds[token] != nil {
      holds[token]?.items.append((frame, isHistory))
    } else {
      handle(frame, origin: isHistory ? .history : .refill, now: now)
    }
  }

  /// Restarts the time for which live messages wait for requested data.
  mutating func holdLonger(now: MonotonicTime) {
    for token in holds.keys { holds[token]?.since = now }
  }

  /// Ends a snapshot: its values are delivered first, then the live messages that arrived
  /// meanwhile.
  mutating func endSnapshot(_ token: UInt64, now: MonotonicTime) {
    guard let hold = holds.removeValue(forKey: token) else { return }
    for item in hold.items {
      handle(item.frame, origin: item.isHistory ? .history : .snapshot, now: now)
    }
    outputs.append(.settled(token: token))
    guard holds.isEmpty else { return }
    let waiting = held
    held = []
    for (frame, arrival) in waiting { handle(frame, origin: .live, now: arrival) }
  }

  /// Ends a refill; remaining gaps are requested again or counted as lost.
  mutating func endRefill(_ refill: Refill, now: MonotonicTime) {
    guard let number = number(of: refill.topic) else { return }
    topics[number].endRefill(refill, now: now)
    collect(number, now: now)
  }

  /// Handles what is due: snapshots that do not arrive, and gaps to request again.
  mutating func tick(now: MonotonicTime) {
    for (token, hold) in holds where now.milliseconds(since: hold.since) > Self.maximumHoldMS {
      unanswered += 1
      endSnapshot(token, now: now)
    }
    resolveDueGaps(now: now)
    for number in waiting {
      topics[number].requestAgain(now: now)
      collect(number, now: now)
    }
  }

  /// Handles a frame in its turn, if it is wanted.
  mutating func handle(
    _ frame: Frame, origin: TopicReception.FrameOrigin, now: MonotonicTime
  ) {
    guard let number = number(of: frame.topic), topics[number].isWanted else { return }
    handle(frame, number, origin: origin, now: now)
  }

  private mutating func handle(
    _ frame: consuming Frame, _ number: Int, origin: TopicReception.FrameOrigin, now: MonotonicTime
  ) {
    let place = topics[number].place
    if place.traits.deliveryClass == .stream {
      guard topics[number].acceptsStream(frame) else { return }
      outputs.append(.deliver(Delivery(frame, place, arrival: now)))
    } else {
      topics[number].handle(frame, origin: origin, now: now)
      collect(number, now: now)
    }
  }

  mutating func collect(_ number: Int, now: MonotonicTime) {
    for frame in topics[number].accepted {
      outputs.append(.deliver(Delivery(frame, topics[number].place, arrival: now)))
    }
    topics[number].accepted.removeAll(keepingCapacity: true)
    for refill in topics[number].refills { outputs.append(.refill(refill)) }
    topics[number].refills.removeAll()
    if topics[number].needsSnapshot {
      topics[number].needsSnapshot = false
      outputs.append(.snapshot(patterns: [topics[number].name]))
    }
    if topics[number].isWaiting {
      waiting.insert(number)
    } else if !waiting.isEmpty {
      waiting.remove(number)
    }
  }
}
