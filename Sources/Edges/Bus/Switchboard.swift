/// The broker's mind: parts of messages in, parts of messages out; no sockets, no clock.
struct Switchboard {
  /// What is to be sent.
  enum Outgoing: Hashable {
    case egress([[UInt8]])
    case control(Identity, [[UInt8]])
  }

  /// More topics than this are not counted one by one, and have neither state nor events.
  static let maximumTopics = 65_536
  /// An unregistered writer that is silent for so long has left its topic.
  static let strangerSilenceMS: Int64 = 3_000

  /// Name under which the broker publishes.
  static let name = "nav-bus"

  let run: UInt64
  var table: TopicTable
  var topics: [TopicRecord] = []
  /// Where a topic's record is, by the first frame's bytes.
  private var topicIndex: [[UInt8]: Int] = [:]
  var states = StateCache()
  var events: EventRing
  var registry = NodeRegistry()
  var desk = CallDesk()
  /// Messages that were none, by reason; what no topic counts.
  var counters: [String: UInt64] = [:]
  var outgoing: [Outgoing] = []
  var syncCount: UInt64 = 0

  init(run: UInt64, table: TopicTable = TopicTable(), events: EventRing = EventRing()) {
    self.run = run
    self.table = table
    self.events = events
  }

  mutating func count(_ reason: String) { counters[reason, default: 0] += 1 }

  /// Takes what came in at the PULL socket.
  mutating func ingest(_ parts: [[UInt8]], now: MonotonicTime) {
    guard parts.count == 3 else { return count("malformed_part_count") }
    guard let topic = topicIndex[parts[0]] ?? admit(parts[0]) else { return }
    let header: Header
    do {
      header = try Header(decoding: parts[1])
    } catch {
      topics[topic].malformed += 1
      return count("malformed_header")
    }
    guard accept(parts[2], on: topic, header, now: now) else { return }
    outgoing.append(.egress(parts))
  }

  /// Opens the record of a topic that was never seen; nil where its name is none.
  private mutating func admit(_ name: [UInt8]) -> Int? {
    guard TopicName.isValid(name) else {
      count("malformed_topic")
      return nil
    }
    guard topics.count < Self.maximumTopics else {
      count("too_many_topics")
      return nil
    }
    let topic = String(decoding: name, as: UTF8.self)
    topicIndex[name] = topics.count
    topics.append(TopicRecord(name: topic, declared: table.declared(topic)))
    return topics.count - 1
  }

  private mutating func accept(
    _ payload: [UInt8], on topic: Int, _ header: Header, now: MonotonicTime
  ) -> Bool {
    guard payload.count <= topics[topic].traits.maximumBytes ?? .max else {
      topics[topic].oversize += 1
      count("oversize")
      return false
    }
    if let refusal = topics[topic].refusal(
      of: header, presence: { registry.presence(of: $0) }, now: now)
    {
      refuse(topic, header, refusal)
      return false
    }
    topics[topic].take(header, size: payload.count, now: now)
    switch topics[topic].traits.deliveryClass {
    case .stream: break
    case .state: states.keep(topics[topic].name, header, payload)
    case .event: events.keep(topics[topic].name, header, payload, now: now)
    }
    return true
  }

  private mutating func refuse(
    _ topic: Int, _ header: Header, _ refusal: TopicRecord.Refusal
  ) {
    count(refusal.rawValue)
    guard topics[topic].countRefusal(of: header.writer), let owner = topics[topic].owner else {
      return
    }
    // Both learn of it, once: a silent second writer would hide that a node was started twice.
    for party in Set([header.source, owner.source]) {
      guard let node = registry.node(named: party) else { continue }
      var notice = Control(.refused)
      notice.topic = topics[topic].name
      notice.source = header.source
      notice.name = owner.source
      notice.code = refusal.rawValue
      send(notice, to: node.identity)
    }
  }

  /// Takes what came in at the XPUB socket: a subscription begins or ends.
  mutating func subscription(_ parts: [[UInt8]]) {
    guard parts.count == 1, let kind = parts[0].first, kind <= 1 else {
      return count("malformed_subscription")
    }
    guard kind == 1 else { return }
    guard let pattern = String(validating: parts[0].dropFirst(), as: UTF8.self) else { return }
    // A plain SUB may ask for any prefix; what the contract knows as a whole name is none.
    let values =
      table.declared(pattern) == nil
      ? states.values(withPrefix: pattern) : states.values(matching: pattern)
    for frame in values { outgoing.append(.egress(frame.parts)) }
  }

  mutating func send(_ control: Control, _ payload: [UInt8]? = nil, to identity: Identity) {
    outgoing.append(.control(identity, [control.encoded()] + (payload.map { [$0] } ?? [])))
  }

  /// Does what is due: deadlines of calls, nodes that fell silent, events that grew old.
  mutating func tick(now: MonotonicTime) {
    for id in desk.overdue(now: now) {
      if let call = desk.call(id) {
        var cancel = Control(.cancel)
        cancel.id = id
        send(cancel, to: call.server)
      }
      endCall(id, code: "timeout", "the call was not answered in time", now: now)
    }
    for identity in registry.silent(now: now) { peerGone(identity, now: now) }
    events.forget(now: now)
  }
}

/// What the broker knows and counts of one topic.
struct TopicRecord {
  enum Refusal: String {
    case secondWriter = "second_writer"
    case staleRun = "stale_run"
  }

  let name: String
  var traits: TopicTraits
  /// Whether somebody who knows the contract told of it; the writers of others are not watched.
  var isDeclared: Bool
  var messages: UInt64 = 0
  var bytes: UInt64 = 0
  var malformed: UInt64 = 0
  var oversize: UInt64 = 0
  var refused: UInt64 = 0
  var last: Header?
  var owner: Writer?
  var lastSeen = MonotonicTime(nanoseconds: 0)
  private var notified: Set<Writer> = []

  init(name: String, declared: TopicTraits?) {
    self.name = name
    self.traits = declared ?? TopicTraits(TopicName.split(name).leaf, .stream)
    self.isDeclared = declared != nil
  }

  /// Why a message is not taken; nil where it is.
  func refusal(
    of header: Header, presence: (String) -> NodeRegistry.Presence, now: MonotonicTime
  ) -> Refusal? {
    guard isDeclared, !traits.hasManyWriters, let owner else { return nil }
    if owner.source == header.source { return header.run < owner.run ? .staleRun : nil }
    switch presence(owner.source) {
    case .alive: return .secondWriter
    case .gone: return nil
    case .stranger:
      // A node is believed before somebody whom nobody knows, even one who came first.
      if presence(header.source) == .alive { return nil }
      let isRecent = now.milliseconds(since: lastSeen) < Switchboard.strangerSilenceMS
      return isRecent ? .secondWriter : nil
    }
  }

  mutating func take(_ header: Header, size: Int, now: MonotonicTime) {
    messages += 1
    bytes += UInt64(size)
    last = header
    lastSeen = now
    if owner?.source != header.source || owner?.run != header.run { owner = header.writer }
    if !isDeclared, let told = header.deliveryClass { traits.deliveryClass = told }
  }

  /// Counts a refused message; true for the first of its writer.
  mutating func countRefusal(of writer: Writer) -> Bool {
    refused += 1
    return notified.count < 100 && notified.insert(writer).inserted
  }

  func report(readers: [String], now: MonotonicTime) -> TopicReport {
    TopicReport(
      name: name, deliveryClass: traits.deliveryClass, schema: last?.schema ?? "",
      source: last?.source ?? "", messages: messages, bytes: bytes, oversize: oversize,
      refused: refused, lastSequence: last?.sequence ?? 0, lastStampNS: last?.stampNS ?? 0,
      ageMS: messages == 0 ? 0 : UInt64(max(0, now.milliseconds(since: lastSeen))),
      readers: readers)
  }
}
