public import MessagePack

/// The cause of a message: another message, a call, or a tick of the stack clock.
///
/// A message is given by its topic without the vehicle, source, run of the source, and number. Run
/// and number are 0 for a call (`_svc/<call>` and the caller) and for a tick (`_clock`).
public struct Origin: Hashable, Sendable, Packable {
  public var topic: String
  public var source: String
  public var run: UInt64
  public var sequence: UInt64

  public init(topic: String, source: String, run: UInt64, sequence: UInt64) {
    self.topic = topic
    self.source = source
    self.run = run
    self.sequence = sequence
  }

  /// Whether it is a message, and not a call, a tick or a map.
  public var isMessage: Bool { sequence > 0 }

  /// Description for people: `location/matched 9 of matcher`, `the call navigate/start of page`.
  public var words: String {
    if isMessage { return "\(topic) \(sequence) of \(source)" }
    if topic == "_map" { return "a replaced map of \(source)" }
    guard topic.hasPrefix("_svc/") else { return "a tick of the clock at \(source)" }
    return "the call \(topic.dropFirst("_svc/".count)) of \(source)"
  }

  public func pack(into packer: inout Packer) {
    packer.packArrayHeader(4)
    packer.pack(topic)
    packer.pack(source)
    packer.pack(run)
    packer.pack(sequence)
  }

  public init(from reader: inout Unpacker) throws(DecodeError) {
    let start = reader.offset
    guard try reader.arrayHeader() == 4 else {
      throw reader.fault(.wrongType, at: start, "expected [topic, src, run, seq]")
    }
    topic = try reader.string()
    source = try reader.string()
    run = try reader.uint()
    sequence = try reader.uint()
  }
}

/// The second frame: what is known of a message without decoding its payload.
public struct Header: Hashable, Sendable {
  /// Sequence number of the message for this topic, source and run; starts at 1.
  public var sequence: UInt64
  /// Event time, nanoseconds since 1970.
  public var stampNS: Int64
  /// Name of the node that published it.
  public var source: String
  /// Incarnation of that node's process; a later one is greater.
  public var run: UInt64
  /// `location_raw/1.0`.
  public var schema: String
  public var cause: Origin?
  /// Key of a keyed state.
  public var key: String?
  /// Identity of the request that the message belongs to.
  public var id: String?
  /// Milliseconds after which the message is useless.
  public var ttlMS: UInt32?
  /// Maximum event time until this source's next message on this topic, in milliseconds.
  ///
  /// It is 0 if none is promised, and nil if the topic's documentation applies.
  public var nextMS: UInt32?
  /// Whether it is repeated: a state's last value for a late joiner, or a message resent to a new
  /// broker.
  public var isLatched: Bool
  /// When it was sent by the machine's clock, nanoseconds since 1970; for transport figures.
  public var wallNS: Int64?
  /// The topic's class, from a publisher that does not register, such as a one-shot tool.
  public var deliveryClass: DeliveryClass?

  @inlinable public init(
    sequence: UInt64, stampNS: Int64, source: String, run: UInt64, schema: String,
    cause: Origin? = nil, key: String? = nil, id: String? = nil, ttlMS: UInt32? = nil,
    nextMS: UInt32? = nil, isLatched: Bool = false, wallNS: Int64? = nil,
    deliveryClass: DeliveryClass? = nil
  ) {
    self.sequence = sequence
    self.stampNS = stampNS
    self.source = source
    self.run = run
    self.schema = schema
    self.cause = cause
    self.key = key
    self.id = id
    self.ttlMS = ttlMS
    self.nextMS = nextMS
    self.isLatched = isLatched
    self.wallNS = wallNS
    self.deliveryClass = deliveryClass
  }

  public func encoded() -> [UInt8] {
    var packer = Packer()
    var map = packer.beginMap()
    packer.field(&map, "seq", sequence)
    packer.field(&map, "stamp", stampNS)
    packer.field(&map, "src", source)
    packer.field(&map, "run", run)
    packer.field(&map, "schema", schema)
    packer.field(&map, "cause", cause)
    packer.field(&map, "key", key)
    packer.field(&map, "id", id)
    packer.field(&map, "ttl", ttlMS.map(UInt64.init))
    packer.field(&map, "next", nextMS.map(UInt64.init))
    if isLatched { packer.field(&map, "latched", true) }
    packer.field(&map, "wall", wallNS)
    packer.field(&map, "class", deliveryClass?.rawValue)
    packer.endMap(map)
    return packer.bytes
  }

  private static let keys: [StaticString] = [
    "seq", "stamp", "src", "run", "schema", "cause", "key", "id", "ttl", "latched", "wall", "class",
    "next",
  ]
  private static let required: UInt64 = 0b1_1111

  /// Reads a header; unknown keys are ignored.
  public init(decoding bytes: [UInt8]) throws(DecodeError) {
    var header = Header(sequence: 0, stampNS: 0, source: "", run: 0, schema: "")
    var reader = Unpacker(bytes)
    try reader.fields(Self.keys, required: Self.required) {
      (index, reader) throws(DecodeError) in try header.read(index, &reader)
    }
    try reader.end()
    guard !header.source.isEmpty, header.source.utf8.count <= 128, header.schema.utf8.count <= 128,
      header.key?.utf8.count ?? 0 <= 256, header.sequence > 0
    else {
      throw reader.fault(
        .outOfRange, at: 0,
        "src of 1 to 128 bytes, schema up to 128, key up to 256, seq from 1 expected")
    }
    self = header
  }

  private mutating func read(_ index: Int, _ reader: inout Unpacker) throws(DecodeError) {
    switch index {
    case 0: sequence = try reader.uint()
    case 1: stampNS = try reader.int()
    case 2: source = try reader.string()
    case 3: run = try reader.uint()
    case 4: schema = try reader.string()
    case 5: cause = try Origin(from: &reader)
    case 6: key = try reader.string()
    case 7: id = try reader.string()
    case 8: ttlMS = UInt32(clamping: try reader.int(0, Int64(UInt32.max)))
    case 9: isLatched = try reader.bool()
    case 10: wallNS = try reader.int()
    case 11: deliveryClass = DeliveryClass(rawValue: try reader.string())
    default: nextMS = UInt32(clamping: try reader.int(0, Int64(UInt32.max)))
    }
  }

  /// The same message, marked as repeated.
  public var latched: Header {
    var copy = self
    copy.isLatched = true
    return copy
  }

  /// Identity of the message's writer, for counting: source and run.
  package var writer: Writer { Writer(source: source, run: run) }
}

extension Header {
  /// Whether a value of a state replaces `old`.
  ///
  /// Of one source, the later value does. A value that is only repeated never replaces one of
  /// another source.
  ///
  /// A live value of another run also replaces `old`, whatever its run number. The broker has
  /// already checked which process has the name.
  package func isNewer(than old: Header) -> Bool {
    guard source == old.source else { return !isLatched }
    if run != old.run, !isLatched { return true }
    return (run, sequence) > (old.run, old.sequence)
  }
}

/// One incarnation of a source.
package struct Writer: Hashable {
  package var source: String
  package var run: UInt64

  package init(source: String, run: UInt64) {
    self.source = source
    self.run = run
  }
}

/// One message of the bus: topic, header, payload.
public struct Frame: Hashable, Sendable {
  public var topic: String
  public var header: Header
  public var payload: [UInt8]

  @inlinable public init(topic: String, header: Header, payload: [UInt8]) {
    self.topic = topic
    self.header = header
    self.payload = payload
  }

  /// The three parts that are sent.
  public var parts: [[UInt8]] { [Array(topic.utf8), header.encoded(), payload] }

  /// Decodes three parts.
  ///
  /// - Throws: `Malformed`, a reason that is used as the name of a counter.
  public init(_ parts: [[UInt8]]) throws(Malformed) {
    guard parts.count == 3 else { throw .partCount }
    guard TopicName.isValid(parts[0]) else { throw .topic }
    do {
      header = try Header(decoding: parts[1])
    } catch {
      throw .header
    }
    topic = String(decoding: parts[0], as: UTF8.self)
    payload = parts[2]
  }

  /// Reasons why parts are not a valid message of the bus.
  public enum Malformed: String, Error, Hashable, Sendable {
    case partCount = "part_count"
    case topic
    case header
  }
}
