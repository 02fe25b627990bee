import BusProtocol
import DequeModule
import ZMQ

/// The sending side of a node: numbers its messages, and keeps what a new broker needs.
struct Outbox: ~Copyable {
  struct Event {
    var frame: Frame
    var at: MonotonicTime
    var isSent: Bool
  }

  static let eventMS: Int64 = 30_000
  static let maximumEventBytes = 32 << 20

  private let socket: Socket
  private var gathering: SendBatch
  /// Number of messages that waited and then found no room, in the current turn.
  private var refusedLate = 0
  private let table: TopicTable
  private let source: String
  private var run: UInt64
  private let tellsClass: Bool
  var states: [String: [String: (frame: Frame, isSent: Bool)]] = [:]
  var events = Deque<Event>()
  var eventBytes = 0
  /// Whether refused states or events are waiting.
  private(set) var hasUnsent = false
  private var lines: [Line] = []
  /// Index of each topic's line.
  private var lineNumbers: [String: Int] = [:]
  /// Index of the line that was written last, which is usually needed next.
  private var lastLine = 0

  /// Number of the last message of a topic; nil if none was published.
  func lastSequence(of topic: String) -> UInt64? {
    lineNumbers[topic].map { lines[$0].counters.lastSequence }
  }

  /// State of one published topic.
  private struct Line {
    let topic: String
    let leaf: String
    let name: [UInt8]
    let mark: TopicHash
    let traits: TopicTraits
    let maximumBytes: Int
    var header: HeaderTemplate
    var counters = PublicationCounters()

    init(_ topic: String, _ traits: TopicTraits, _ header: HeaderTemplate) {
      self.topic = topic
      leaf = TopicName.split(topic).leaf
      name = Array(topic.utf8)
      mark = name.withUnsafeBytes { TopicHash(of: $0) }
      self.traits = traits
      maximumBytes = min(traits.maximumBytes ?? .max, Socket.maximumPartBytes)
      self.header = header
    }

    /// Numbers a publication and sends it, or lets `waiting` hold it.
    ///
    /// A publication for which there is no room keeps its number unless `willRetry`.
    mutating func send(
      _ publication: borrowing Publication, wallNS: Int64, willRetry: Bool,
      over socket: borrowing Socket, orInto waiting: Message?
    ) -> PublishResult {
      let sequence = counters.lastSequence + 1
      header.fill(publication, sequence: sequence, wallNS: wallNS)
      guard publication.payload.count <= maximumBytes,
        header.bytes.count <= SinglePartFrame.maximumHeaderBytes
      else {
        counters.refused += 1
        counters.oversize += 1
        return .refused(.tooLarge)
      }
      let isSent =
        waiting?.joins(mark, name, header.bytes, publication.payload)
        ?? socket.sendsJoined(mark, name, header.bytes, publication.payload)
      if !isSent, willRetry { return .refused(.full) }
      counters.lastSequence = sequence
      if isSent { counters.sent += 1 } else { counters.refused += 1 }
      return isSent ? .sent : .refused(.full)
    }
  }

  /// The counters summed over all vehicles, by the topic without its vehicle.
  var countersByLeaf: [String: PublicationCounters] {
    var all: [String: PublicationCounters] = [:]
    // By index, since copying a line costs more than reading its counters.
    for index in lines.indices {
      all[lines[index].leaf, default: PublicationCounters()].add(lines[index].counters)
    }
    return all
  }

  var counters: [String: PublicationCounters] {
    Dictionary(uniqueKeysWithValues: lines.map { ($0.topic, $0.counters) })
  }

  /// With `tellsClass`, messages contain their topic's class, because the node does not register.
  init(
    _ socket: consuming Socket, table: TopicTable, source: String, run: UInt64, tellsClass: Bool,
    rateLimits: MessageRate.Limits = MessageRate.Limits()
  ) {
    gathering = SendBatch(rateLimits)
    self.socket = socket
    self.table = table
    self.source = source
    self.run = run
    self.tellsClass = tellsClass
  }

  /// Publishes under another run from now on; numbers restart.
  mutating func change(run: UInt64) {
    self.run = run
    for index in lines.indices {
      lines[index].header = template(lines[index].header.schema, lines[index].traits)
      lines[index].counters.lastSequence = 0
    }
  }

  /// Whether a broker is connected and has room.
  borrowing func isWritable() -> Bool {
    var items = [PollItem(writable: socket)]
    return pollOrPause(&items, timeoutMS: 0)
  }

  /// Numbers a publication and hands it to libzmq.
  ///
  /// A publication that is refused for lack of room also has a number, so that readers see a gap.
  /// With `willRetry`, a refusal changes nothing.
  mutating func publish(
    _ publication: Publication, willRetry: Bool = false,
    now: @autoclosure () -> MonotonicTime
  ) -> PublishResult {
    guard let index = line(of: publication.topic, schema: publication.schema) else {
      return .refused(.badTopic)
    }
    let wallNS = wallClockNS()
    let waiting = waitingMessage(on: index, willRetry: willRetry)
    let result = lines[index].send(
      publication, wallNS: wallNS, willRetry: willRetry, over: socket, orInto: waiting)
    if let waiting { keep(waiting, line: index, result, nowNS: wallNS) }
    guard result == .sent || (result == .refused(.full) && !willRetry) else { return result }
    let deliveryClass = lines[index].traits.deliveryClass
    if deliveryClass != .stream {
      let header = Header(
        sequence: lines[index].counters.lastSequence, stampNS: publication.stampNS, source: source,
        run: run,
        schema: publication.schema, cause: publication.cause, key: publication.key,
        id: publication.id, ttlMS: publication.ttlMS, nextMS: publication.nextMS, wallNS: wallNS,
        deliveryClass: tellsClass ? deliveryClass : nil)
      keep(
        Frame(topic: publication.topic, header: header, payload: publication.payload),
        deliveryClass, isSent: result == .sent, now: now())
    }
    return result
  }

  /// Starts a turn of the node's loop, in which messages of streams may be sent together.
  mutating func beginTurn() { gathering.beginTurn() }

  /// Ends a turn: waiting messages are sent or refused; returns how many found no room.
  mutating func endTurn(now: MonotonicTime) -> Int {
    refuseUnsendable()
    gathering.endTurn(at: now)
    defer { refusedLate = 0 }
    return refusedLate
  }

  /// A message to put the next one of a line into; nil if that must be sent immediately.
  ///
  /// No message overtakes a waiting one.
  private mutating func waitingMessage(on index: Int, willRetry: Bool) -> Message? {
    let mayWait = !willRetry && lines[index].traits.deliveryClass == .stream
    if mayWait, let message = gathering.next() { return message }
    refuseUnsendable()
    return nil
  }

  private mutating func keep(
    _ message: Message, line: Int, _ result: PublishResult, nowNS: Int64
  ) {
    guard result == .sent else { return }
    if gathering.append(message, line: line, nowNS: nowNS) { _ = flushBatch() }
  }

  /// Sends waiting messages in order; false if there is not enough room for all of them.
  mutating func flushBatch() -> Bool {
    while let entry = gathering.first {
      if !socket.sends(entry.message) {
        socket.processPeerEvents()
        guard socket.sends(entry.message) else { return false }
      }
      gathering.removeFirst()
    }
    return true
  }

  /// Sends waiting messages; those that find no room are counted as refused.
  private mutating func refuseUnsendable() {
    while !flushBatch(), let entry = gathering.first {
      lines[entry.line].counters.sent -= 1
      lines[entry.line].counters.refused += 1
      refusedLate += 1
      gathering.removeFirst()
    }
  }

  /// Index of a topic's line; nil if the name is invalid.
  private mutating func line(of topic: String, schema: String) -> Int? {
    let isLast = lastLine < lines.count && lines[lastLine].topic == topic
    if let known = isLast ? lastLine : lineNumbers[topic] {
      lastLine = known
      if lines[known].header.schema != schema {
        lines[known].header = template(schema, lines[known].traits)
      }
      return known
    }
    guard TopicName.isValid(topic) else { return nil }
    let traits = table[topic]
    lineNumbers[topic] = lines.count
    lines.append(Line(topic, traits, template(schema, traits)))
    return lines.count - 1
  }

  private borrowing func template(_ schema: String, _ traits: TopicTraits) -> HeaderTemplate {
    HeaderTemplate(
      source: source, run: run, schema: schema,
      deliveryClass: tellsClass ? traits.deliveryClass : nil)
  }

  private borrowing func send(_ frame: Frame) -> Bool {
    let name = Array(frame.topic.utf8)
    let mark = name.withUnsafeBytes { TopicHash(of: $0) }
    return socket.sendsJoined(mark, name, frame.header.encoded(), frame.payload)
  }

  private mutating func keep(
    _ frame: Frame, _ deliveryClass: DeliveryClass, isSent: Bool, now: MonotonicTime
  ) {
    switch deliveryClass {
    case .stream: return
    case .state: states[frame.topic, default: [:]][frame.header.key ?? ""] = (frame, isSent)
    case .event:
      events.append(Event(frame: frame, at: now, isSent: isSent))
      eventBytes += frame.payload.count
      while let oldest = events.first,
        eventBytes > Self.maximumEventBytes || now.milliseconds(since: oldest.at) > Self.eventMS
      {
        _ = events.popFirst()
        eventBytes -= oldest.frame.payload.count
      }
    }
    if !isSent { hasUnsent = true }
  }

  /// Sends the last values and recent events to a new broker, under their own run and numbers.
  mutating func repeatAll() {
    for (topic, keys) in states.sorted(by: { $0.key < $1.key }) {
      for (key, value) in keys.sorted(by: {
        $0.value.frame.header.age < $1.value.frame.header.age
      }) {
        let isSent = sendAgain(value.frame)
        states[topic]?[key]?.isSent = isSent
      }
    }
    var again = Deque<Event>()
    for var event in events {
      event.isSent = sendAgain(event.frame)
      again.append(event)
    }
    events = again
    hasUnsent = false
  }

  /// Sends previously refused messages, in order.
  mutating func repeatUnsent() {
    guard hasUnsent, isWritable() else { return }
    hasUnsent = false
    for (topic, keys) in states {
      for (key, value) in keys where !value.isSent {
        let isSent = send(value.frame)
        states[topic]?[key]?.isSent = isSent
      }
    }
    var again = Deque<Event>()
    for var event in events {
      if !event.isSent { event.isSent = send(event.frame) }
      again.append(event)
    }
    events = again
  }

  private borrowing func sendAgain(_ frame: Frame) -> Bool {
    send(Frame(topic: frame.topic, header: frame.header.latched, payload: frame.payload))
  }
}
