import BusClient
import BusProtocol
import MessagePack
import Messages
import Watch

/// One observation of a stack, from its first to its last reader.
struct StackObserver {
  private let client: BusClient
  private var watcher: StackWatcher
  private var rates = TopicRates()
  private var hops = HopLatencies()
  private var heard = RecentHeaders(capacity: 8_192)
  private(set) var decisions = DecisionLog()
  private var logs = NodeLogs()
  private var evidence = Evidence()
  private var picture: StackSnapshot?
  /// The vehicle whose hops are measured, and whether a reader has chosen it.
  private var vehicle: (name: String, isChosen: Bool)?
  private let beganAt = MonotonicTime.now
  private var matchesSince = MonotonicTime.now
  private var currentMatches: [String: Evidence.MatchedCount] = [:]

  /// Topics of the vehicle whose hops are measured, without the vehicle.
  private static let hopTopics = [
    LocationRaw.topic, LocationMatched.topic, RouteProgress.topic, GuidanceProgress.topic,
    GuidanceManeuver.topic, GuidanceRoad.topic, GuidanceSpeed.topic, SceneFrame.topic,
    VoiceAnnouncement.topic,
  ]
  /// Milliseconds of events before the start that are read as well; the broker keeps about as many.
  private static let historyMS: UInt64 = 30_000
  /// Milliseconds in which a receiver at one fix per second sends several.
  private static let matchesMS: Int64 = 5_000

  /// Subscribes to what is observed; nil if the broker does not answer.
  init?(_ client: BusClient) {
    self.client = client
    guard let watcher = StackWatcher(client) else { return nil }
    self.watcher = watcher
    client.subscribe([StackClock.topic, "*/\(Session.topic)"])
    client.subscribe(Decision.topics.map { "*/\($0)" } + ["_log/"], sinceMS: Self.historyMS)
  }

  /// Handles what has arrived, for at most `waitingMS` milliseconds of silence.
  mutating func receive(waitingMS: Int) {
    var event = client.next(waitingMS: waitingMS)
    while let current = event {
      if case .message(let delivery) = current { ingest(delivery) }
      event = client.next()
    }
  }

  private mutating func ingest(_ delivery: Delivery) {
    guard !watcher.ingest(delivery) else { return }
    let wallNS = wallClockNS() - (MonotonicTime.now.nanoseconds - delivery.arrival.nanoseconds)
    if delivery.topic.hasPrefix("_log/") {
      guard let decision = logs.ingest(delivery, receivedNS: wallNS) else { return }
      return decisions.append(decision)
    }
    let (owner, leaf) = (delivery.vehicle, delivery.leaf)
    if leaf == StackClock.topic || leaf == Session.topic {
      return evidence.ingest(owner, leaf, delivery.payload)
    }
    heard.ingest(delivery.frame)
    hops.ingest(delivery.frame, arrivalNS: wallNS)
    if leaf == LocationMatched.topic, let owner {
      countMatch(owner, delivery)
      decisions.ingestMatch(
        delivery.payload, of: owner, header: delivery.header,
        trail: CauseTrail(of: delivery.frame, through: heard).steps)
    }
    guard Decision.topics.contains(leaf),
      var decision = Decision(delivery.frame, vehicle: owner, leaf: leaf, receivedNS: wallNS)
    else { return }
    decision.trail = CauseTrail(of: delivery.frame, through: heard).steps
    decisions.append(decision)
  }

  /// Counts unmatched locations of the last seconds, which explain why a vehicle is not on a road.
  private mutating func countMatch(_ vehicle: String, _ delivery: Delivery) {
    var counted = Evidence()
    counted.matched = currentMatches
    counted.ingest(vehicle, LocationMatched.topic, delivery.payload)
    currentMatches = counted.matched
    guard MonotonicTime.now.milliseconds(since: matchesSince) > Self.matchesMS else { return }
    evidence.matched = currentMatches
    currentMatches = [:]
    matchesSince = .now
  }

  /// Reads the broker's lists, and returns the report; nil if the broker does not answer.
  mutating func report() -> MessagePackValue? {
    guard let picture = watcher.snapshot() else { return nil }
    self.picture = picture
    let processes = Evidence(of: picture, through: client)
    evidence.wallNS = processes.wallNS
    evidence.counters = processes.counters
    evidence.invalidTopic = processes.invalidTopic
    evidence.stack = processes.stack
    evidence.processes = processes.processes
    evidence.hasListened =
      MonotonicTime.now.milliseconds(since: beganAt) > Self.matchesMS && vehicle != nil
    decisions.ingest(picture, evidence, wallNS: wallClockNS())
    chooseVehicle(picture)
    return StackReport(
      picture: picture, evidence: evidence, topics: rates.ingest(picture), hops: hops.rows,
      vehicle: vehicle?.name
    ).value
  }

  /// The decisions, the newest first; nil if there are no new ones.
  mutating func newDecisions() -> MessagePackValue? {
    decisions.hasNews ? .array(decisions.drain().map(\.value)) : nil
  }

  /// Measures the hops of another vehicle from now on.
  mutating func watch(_ name: String) {
    guard TopicName.isValidVehicle(name) else { return }
    follow(name, isChosen: true)
  }

  /// Keeps to a vehicle while it drives; otherwise takes one that is guided, or any with locations.
  private mutating func chooseVehicle(_ picture: StackSnapshot) {
    guard vehicle?.isChosen != true else { return }
    func recent(_ leaf: String) -> [String] {
      picture.topics(leaf: leaf).filter { $0.ageMS < 10_000 }.compactMap {
        TopicName.split($0.name).vehicle
      }
    }
    let guided = recent(GuidanceProgress.topic)
    let located = recent(LocationMatched.topic)
    if let current = vehicle?.name,
      guided.contains(current) || (guided.isEmpty && located.contains(current))
    {
      return
    }
    guard let next = guided.min() ?? located.min() ?? recent(LocationRaw.topic).min() else {
      return
    }
    follow(next, isChosen: false)
  }

  private mutating func follow(_ name: String, isChosen: Bool) {
    let isSame = vehicle?.name == name
    if let old = vehicle?.name, !isSame {
      client.unsubscribe(Self.hopTopics.map { "\(old)/\($0)" }, forgets: true)
    }
    vehicle = (name, isChosen)
    guard !isSame else { return }
    hops = HopLatencies()
    currentMatches = [:]
    client.subscribe(Self.hopTopics.map { "\(name)/\($0)" })
  }

  /// The explanation of a node, a vehicle or a topic, as `nav why` gives it, with the log of a node.
  mutating func explain(_ name: String) -> MessagePackValue {
    guard let picture = watcher.snapshot() ?? picture else {
      return .fields(["kind": .string("none"), "lines": .texts(["the broker does not answer"])])
    }
    evidence.wallNS = wallClockNS()
    let isProcess = evidence.processes.contains { $0.name == name }
    if picture.nodes[name] != nil || isProcess {
      return answer("node", Explanation(node: name, in: picture, evidence: evidence)).adding([
        "log": .array(logs.lines(of: name).map(\.value)),
        "output": isProcess ? .texts(output(of: name)) : nil,
      ])
    }
    let members = picture.members(of: name)
    if !members.isEmpty {
      return answer(
        "group", Explanation(group: name, members: members, in: picture, evidence: evidence))
    }
    if picture.knows(vehicle: name) {
      return answer("vehicle", Explanation(vehicle: name, in: picture, evidence: evidence))
    }
    let (owner, leaf) = name.hasPrefix("*/") ? (nil, String(name.dropFirst(2))) : split(name)
    return answer(
      "topic", Explanation(topic: leaf, vehicle: owner, in: picture, evidence: evidence))
  }

  private func split(_ name: String) -> (String?, String) {
    Topics.declaration(of: name) != nil ? (nil, name) : TopicName.split(name)
  }

  private func answer(_ kind: String, _ explanation: Explanation) -> MessagePackValue {
    .fields([
      "kind": .string(kind), "deviates": .bool(explanation.deviates),
      "steps": .array(
        explanation.steps.map { step in
          .fields([
            "depth": .int(Int64(step.depth)), "text": .string(step.text), "node": .text(step.node),
            "topic": .text(step.topic), "first": .bool(step.isFirstDeviation),
          ])
        }),
    ])
  }

  /// The last lines of a process as its launcher received them, also those before a crash.
  private func output(of process: String) -> [String] {
    guard
      case .ok(let payload) = client.callAndWait(
        StackLogRequest.call, payload: StackLogRequest(node: process).encoded()),
      let reply = try? StackLogReply(decoding: payload)
    else { return [] }
    return reply.lines.suffix(60)
  }
}

extension MessagePackValue {
  /// A map with further keys.
  fileprivate func adding(
    _ pairs: KeyValuePairs<String, MessagePackValue?>
  ) -> MessagePackValue {
    guard case .map(let entries) = self, case .map(let more) = Self.fields(pairs) else {
      return self
    }
    return .map(entries + more)
  }
}
