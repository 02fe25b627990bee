import BusProtocol
import ZMQ

/// The logic of the broker: messages in, messages out; no sockets, no clock.
struct BrokerCore {
  /// An action to perform at the sockets, in this order.
  enum Outgoing: Hashable {
    /// Send a message on each of the lanes.
    case egress(Message, EgressSet)
    case control(Identity, [[UInt8]])
    /// Bind the socket of a lane; if that fails, `laneFailed` is called.
    case openLane(Int)
    case closeLane(Int)
  }

  /// Maximum number of topics; messages of further topics are dropped and counted.
  ///
  /// It allows 20,000 vehicles with 25 topics each, whose records take at most about 300 MiB.
  static let maximumTopics = 524_288
  /// Silence after which an unregistered writer has left its topic.
  static let strangerSilenceMS: Int64 = 3_000

  /// Name under which the broker publishes.
  static let name = "nav-bus"

  let run: UInt64
  var table: TopicTable
  var topics: [TopicRecord] = []
  /// The number of a topic's record, by the bytes of the first frame.
  private var topicIndex = NameIndex()
  var states = StateCache()
  var events: EventRing
  var registry = NodeRegistry()
  var callTable = CallTable()
  var mirrors = CallMirrors()
  /// Prefixes of topic names to which plain SUB sockets subscribe.
  private(set) var plainBeginnings: Set<String> = []
  /// Event time of the last message that had one, of the clock or of a stream.
  private(set) var stampNS: Int64 = 0
  /// Invalid messages by reason, not counted for any topic.
  var counters: [String: UInt64] = [:]
  /// The last topic name that was rejected as malformed, in printable form.
  private(set) var malformedTopic: String?
  var outgoing: [Outgoing] = []
  var syncCount: UInt64 = 0
  var quiet = QuietTopics()
  var resends = LatchedResends()
  /// The lanes that are bound or about to be; the shared one always is.
  private(set) var openLanes: EgressSet = .shared
  /// Stages that several replicas share, by name.
  var groups: [String: ReplicaGroup] = [:]
  /// The lanes that get the messages of each slot.
  var slotLanes = [EgressSet](repeating: .shared, count: SlotSet.count)
  /// The handover, or series of handovers, in progress.
  var handover: HandoverOrder?
  /// The number of the last handover; greater than at any earlier broker, since runs grow.
  var handoverCount: UInt64
  /// Processes that failed to take over when they might have started.
  var revoked: Set<Writer> = []
  /// Detects whether the broker itself runs regularly, so that it may judge others silent.
  private var silence = LivenessTimeout()
  /// The taps that get each accepted message.
  var taps: [any BrokerTap] = []
  /// States that changed since they were last passed to the state file; nil without such a file.
  var changedStates: [Frame]?
  /// The machine's time for taps; the caller sets it while there are taps.
  var wallNS: Int64 = 0

  init(run: UInt64, table: TopicTable = TopicTable(), events: EventRing = EventRing()) {
    self.run = run
    handoverCount = run
    self.table = table
    self.events = events
  }

  mutating func count(_ reason: String) { counters[reason, default: 0] += 1 }

  /// Handles a message of the PULL socket.
  mutating func ingest(_ message: Message, now: MonotonicTime) {
    guard message.partCount == Message.parts else { return count("malformed_part_count") }
    guard let topic = topicIndex.number(of: message.topic) ?? admit(message.topic) else { return }
    if let mark = message.mark, mark != topics[topic].mark {
      topics[topic].malformed += 1
      return count("malformed_mark")
    }
    guard message.header.count <= SinglePartFrame.maximumHeaderBytes,
      let header = HeaderScan(message.header)
    else {
      topics[topic].malformed += 1
      return count("malformed_header")
    }
    guard !topics[topic].isReserved || mayMirror(header, on: topic) else {
      topics[topic].refused += 1
      return count("reserved_topic")
    }
    accept(message, header, on: topic, now: now)
  }

  /// Publishes and numbers a message of the broker itself, in the same order as all others.
  ///
  /// It passes through the cache, the ring and the taps like received messages.
  mutating func emit(
    _ topic: String, _ deliveryClass: DeliveryClass, schema: String, payload: [UInt8],
    stampNS: Int64 = 0, id: String? = nil, now: MonotonicTime
  ) {
    let name = Array(topic.utf8)
    let known = name.withUnsafeBytes { topicIndex.number(of: $0) ?? admit($0) }
    guard let known else { return }
    let header = Header(
      sequence: topics[known].messages + 1, stampNS: stampNS, source: Self.name, run: run,
      schema: schema, id: id, deliveryClass: deliveryClass)
    let message = Message([name, header.encoded(), payload])
    guard let scan = HeaderScan(message.header) else { return count("malformed_header") }
    accept(message, scan, on: known, now: now)
  }

  private mutating func accept(
    _ message: Message, _ header: HeaderScan, on topic: Int, now: MonotonicTime
  ) {
    let payload = message.payload
    guard payload.count <= topics[topic].maximumBytes else {
      topics[topic].oversize += 1
      return count("oversize")
    }
    if !topics[topic].isWriter(header), let refusal = refusal(of: header, on: topic, now: now) {
      return refuse(topic, Header(header), refusal)
    }
    topics[topic].record(header, size: payload.count, now: now)
    if !topics[topic].isWatched {
      topics[topic].isWatched = true
      quiet.watch(topic, now: now)
    }
    switch topics[topic].traits.deliveryClass {
    case .stream: if header.stampNS > 0 { stampNS = header.stampNS }
    case .state:
      if topics[topic].name == "_clock" { stampNS = header.stampNS }
      keep(topics[topic].name, Header(header), Array(payload))
    case .event: events.keep(topics[topic].name, Header(header), Array(payload), now: now)
    }
    for tap in taps {
      tap.record(message.topic, message.header, payload, wallNS: wallNS)
    }
    outgoing.append(.egress(message, lanes(of: topic)))
    if topics[topic].isOfHandovers {
      handoverPublished(Header(header).writer, sequence: header.sequence, now: now)
    }
  }

  private mutating func keep(_ topic: String, _ header: Header, _ payload: [UInt8]) {
    states.keep(topic, header, payload)
    if changedStates != nil, StateFile.keeps(topic) {
      changedStates?.append(Frame(topic: topic, header: header, payload: payload))
    }
  }

  /// Stores values of the previous broker.
  ///
  /// They are sent only to readers that ask for them.
  mutating func restore(_ frames: [Frame]) {
    for frame in frames { states.keep(frame.topic, frame.header, frame.payload) }
  }

  /// The reason why a message of a new writer is rejected; nil if it is accepted.
  private func refusal(
    of header: HeaderScan, on topic: Int, now: MonotonicTime
  ) -> TopicRecord.Refusal? {
    if !revoked.isEmpty, revoked.contains(Header(header).writer) { return .staleRun }
    if let handover, let slot = topics[topic].slot, handover.moved.contains(slot),
      let standby = handover.standby, standby.run == header.run,
      standby.name == String(decoding: header.source, as: UTF8.self)
    {
      return nil
    }
    if let slot = topics[topic].slot, !groups.isEmpty, let owner = topics[topic].owner,
      let mayFollow = mayFollow(
        owner.source, by: String(decoding: header.source, as: UTF8.self), slot: slot)
    {
      return mayFollow ? nil : .secondWriter
    }
    return topics[topic].refusal(of: header, registry: registry, now: now)
  }

  /// The record of a topic; nil if it was never seen.
  func record(of topic: String) -> TopicRecord? {
    var name = topic
    return name.withUTF8 { topicIndex.number(of: UnsafeRawBufferPointer($0)) }.map { topics[$0] }
  }

  /// The lanes that get an accepted message of a topic.
  private func lanes(of topic: Int) -> EgressSet {
    topics[topic].slot.map { slotLanes[$0] } ?? openLanes
  }

  mutating func openLane(_ lane: Int) {
    guard (1...EgressSet.last).contains(lane), openLanes.insert(.lane(lane)).inserted else {
      return
    }
    outgoing.append(.openLane(lane))
  }

  mutating func closeLane(_ lane: Int) {
    guard lane > 0, openLanes.remove(.lane(lane)) != nil else { return }
    mirrors.forget(lane: lane)
    outgoing.append(.closeLane(lane))
  }

  /// Handles the failure to bind a lane that was to be opened.
  mutating func laneFailed(_ lane: Int, _ error: BusError) {
    openLanes.remove(.lane(lane))
    count("lane_failed")
  }

  /// Opens the record of a new topic; nil if its name is invalid.
  private mutating func admit(_ name: UnsafeRawBufferPointer) -> Int? {
    guard TopicName.isValid(name) else {
      count("malformed_topic")
      malformedTopic = Self.printable(name)
      return nil
    }
    guard topics.count < Self.maximumTopics else {
      count("too_many_topics")
      return nil
    }
    let topic = String(decoding: name, as: UTF8.self)
    topics.append(TopicRecord(name: topic, declared: table.declared(topic)))
    return topicIndex.add(name)
  }

  /// The first 80 bytes of a name in quotes, with `?` for bytes that are not visible ASCII.
  private static func printable(_ name: UnsafeRawBufferPointer) -> String {
    let shown = name.prefix(80).map { (0x21...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
    return "\"\(String(decoding: shown, as: UTF8.self))\(name.count > 80 ? "..." : "")\""
  }

  private mutating func refuse(
    _ topic: Int, _ header: Header, _ refusal: TopicRecord.Refusal
  ) {
    count(refusal.rawValue)
    guard topics[topic].countRefusal(of: header.writer), let owner = topics[topic].owner,
      !isLeftOverOfHandover(topic, header, owner)
    else { return }
    // Both are informed once: a silent second writer would hide that a node was started twice.
    for party in Set([header.source, owner.source]) {
      guard let node = registry.node(named: party) else { continue }
      let notice = ControlMessage.Refused(
        name: owner.source, topic: topics[topic].name, src: header.source, code: refusal.rawValue)
      send(notice, to: node.identity)
    }
  }

  /// Whether a refused message comes from a process whose turn on the topic has just ended.
  ///
  /// In this case no node was started twice, and no report is needed.
  private func isLeftOverOfHandover(_ topic: Int, _ header: Header, _ owner: Writer) -> Bool {
    if header.source == owner.source {
      return revoked.contains(header.writer) || handover?.holder?.name == owner.source
    }
    guard let slot = topics[topic].slot else { return false }
    return mayFollow(owner.source, by: header.source, slot: slot) != nil
  }

  /// Handles a message of a lane's XPUB socket: a subscription starts or ends.
  mutating func subscription(_ parts: [[UInt8]], lane: Int) {
    guard parts.count == 1, let kind = parts[0].first, kind <= 1 else {
      return count("malformed_subscription")
    }
    let beginning = Array(parts[0].dropFirst())
    let pattern =
      lane == EgressSet.plainNumber
      ? String(validating: beginning, as: UTF8.self)
      : TopicHash.systemPattern(ofBeginning: beginning)
    guard let pattern else { return }
    mirrors.record(pattern, begins: kind == 1, lane: lane)
    if lane == EgressSet.plainNumber {
      if kind == 1 { plainBeginnings.insert(pattern) } else { plainBeginnings.remove(pattern) }
    }
    if kind == 1, lane == EgressSet.plainNumber { resend(pattern) }
  }

  mutating func send(
    _ body: some ControlBody, _ payload: [UInt8]? = nil, to identity: Identity
  ) {
    outgoing.append(.control(identity, [body.encoded()] + (payload.map { [$0] } ?? [])))
  }

  /// Time of the next action that should not wait for the next regular `tick`; nil for none.
  var nextDeadline: MonotonicTime? {
    [callTable.nextDeadline, handover?.pausedUntil].compactMap { $0 }.min()
  }

  /// Handles what is due: deadlines of calls, silent nodes, old events.
  mutating func tick(now: MonotonicTime) {
    for id in callTable.overdue(now: now) {
      if let call = callTable.call(id) {
        send(ControlMessage.Cancel(id: id), to: call.server)
      }
      endCall(id, code: "timeout", "the call was not answered in time", now: now)
    }
    let pauseMS = silence.turn(at: now)
    if pauseMS > 0 { registry.forgive(pauseMS, now: now) }
    for identity in registry.silent(now: now) { peerGone(identity, now: now) }
    handoverTick(now: now)
    recordQuietTopics(now: now)
    resendWaiting(now: now)
    events.forget(now: now)
  }
}
