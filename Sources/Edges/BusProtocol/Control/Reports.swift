public import MessagePack

/// The broker's report on a topic.
public struct TopicReport: Hashable, Sendable, Codable {
  public var name: String
  public var deliveryClass: DeliveryClass
  public var schema: String
  /// Last source that wrote it.
  public var source: String
  public var messages: UInt64
  public var bytes: UInt64
  /// Messages over the topic's maximum size, which were dropped.
  public var oversize: UInt64
  /// Messages of a second writer or of an earlier run, which were dropped.
  public var refused: UInt64
  public var lastSequence: UInt64
  /// Event time of the last message.
  public var lastStampNS: Int64
  /// Milliseconds since the last message arrived.
  public var ageMS: UInt64
  /// Names of the nodes that registered for it.
  public var readers: [String]

  package init(
    name: String, deliveryClass: DeliveryClass, schema: String, source: String, messages: UInt64,
    bytes: UInt64, oversize: UInt64, refused: UInt64, lastSequence: UInt64, lastStampNS: Int64,
    ageMS: UInt64, readers: [String]
  ) {
    self.name = name
    self.deliveryClass = deliveryClass
    self.schema = schema
    self.source = source
    self.messages = messages
    self.bytes = bytes
    self.oversize = oversize
    self.refused = refused
    self.lastSequence = lastSequence
    self.lastStampNS = lastStampNS
    self.ageMS = ageMS
    self.readers = readers
  }
}

/// The broker's report on a node.
public struct NodeReport: Hashable, Sendable, Codable {
  public var name: String
  public var run: UInt64
  /// `node` or `tool`.
  public var kind: String
  public var version: String
  public var pid: UInt64
  public var isAlive: Bool
  /// Milliseconds since the last sign of life.
  public var silenceMS: UInt64
  /// Number of times it came back as a new process since this broker started.
  public var restarts: UInt64
  public var publishes: [String]
  public var subscribes: [String]
  public var serves: [String]
  /// Name of the machine that it runs on; empty where it did not report one.
  public var host = ""

  package init(
    name: String, run: UInt64, kind: String, version: String, pid: UInt64, isAlive: Bool,
    silenceMS: UInt64, restarts: UInt64, publishes: [String], subscribes: [String],
    serves: [String], host: String = ""
  ) {
    self.name = name
    self.run = run
    self.kind = kind
    self.version = version
    self.pid = pid
    self.isAlive = isAlive
    self.silenceMS = silenceMS
    self.restarts = restarts
    self.publishes = publishes
    self.subscribes = subscribes
    self.serves = serves
    self.host = host
  }
}

/// The broker's report on a call.
public struct ServiceReport: Hashable, Sendable, Codable {
  public var name: String
  /// The node that serves it; empty if none does at the moment.
  public var server: String
  public var calls: UInt64
  public var failures: UInt64
  /// Number of calls in progress.
  public var pending: UInt64
  /// Failures by code.
  public var codes: [String: UInt64]
  /// Replies that arrived after their call had ended, and were dropped.
  public var late: UInt64
  /// Nodes that have made it, sorted by name.
  public var callers: [String]

  package init(
    name: String, server: String, calls: UInt64, failures: UInt64, pending: UInt64,
    codes: [String: UInt64], late: UInt64, callers: [String]
  ) {
    self.name = name
    self.server = server
    self.calls = calls
    self.failures = failures
    self.pending = pending
    self.codes = codes
    self.late = late
    self.callers = callers
  }
}

extension TopicReport: Packable {
  private static let keys: [StaticString] = [
    "name", "class", "schema", "src", "messages", "bytes", "oversize", "refused", "last_seq",
    "last_stamp", "age_ms", "readers",
  ]

  public func pack(into packer: inout Packer) {
    var map = packer.beginMap()
    packer.field(&map, "name", name)
    packer.field(&map, "class", deliveryClass.rawValue)
    packer.field(&map, "schema", schema)
    packer.field(&map, "src", source)
    packer.field(&map, "messages", messages)
    packer.field(&map, "bytes", bytes)
    packer.field(&map, "oversize", oversize)
    packer.field(&map, "refused", refused)
    packer.field(&map, "last_seq", lastSequence)
    packer.field(&map, "last_stamp", lastStampNS)
    packer.field(&map, "age_ms", ageMS)
    packer.field(&map, "readers", readers)
    packer.endMap(map)
  }

  public init(from reader: inout Unpacker) throws(DecodeError) {
    var report = TopicReport(
      name: "", deliveryClass: .stream, schema: "", source: "", messages: 0, bytes: 0, oversize: 0,
      refused: 0, lastSequence: 0, lastStampNS: 0, ageMS: 0, readers: [])
    try reader.fields(Self.keys, required: 1) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: report.name = try reader.string()
      case 1: report.deliveryClass = DeliveryClass(rawValue: try reader.string()) ?? .stream
      case 2: report.schema = try reader.string()
      case 3: report.source = try reader.string()
      case 4: report.messages = try reader.uint()
      case 5: report.bytes = try reader.uint()
      case 6: report.oversize = try reader.uint()
      case 7: report.refused = try reader.uint()
      case 8: report.lastSequence = try reader.uint()
      case 9: report.lastStampNS = try reader.int()
      case 10: report.ageMS = try reader.uint()
      default: report.readers = try reader.list()
      }
    }
    self = report
  }
}

extension NodeReport: Packable {
  private static let keys: [StaticString] = [
    "name", "run", "kind", "version", "pid", "alive", "silence_ms", "publishes", "subscribes",
    "serves", "restarts", "host",
  ]

  public func pack(into packer: inout Packer) {
    var map = packer.beginMap()
    packer.field(&map, "name", name)
    packer.field(&map, "run", run)
    packer.field(&map, "kind", kind)
    packer.field(&map, "version", version)
    packer.field(&map, "pid", pid)
    packer.field(&map, "alive", isAlive)
    packer.field(&map, "silence_ms", silenceMS)
    packer.field(&map, "publishes", publishes)
    packer.field(&map, "subscribes", subscribes)
    packer.field(&map, "serves", serves)
    packer.field(&map, "restarts", restarts)
    packer.field(&map, "host", host)
    packer.endMap(map)
  }

  public init(from reader: inout Unpacker) throws(DecodeError) {
    var report = NodeReport(
      name: "", run: 0, kind: "", version: "", pid: 0, isAlive: false, silenceMS: 0, restarts: 0,
      publishes: [],
      subscribes: [], serves: [])
    try reader.fields(Self.keys, required: 1) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: report.name = try reader.string()
      case 1: report.run = try reader.uint()
      case 2: report.kind = try reader.string()
      case 3: report.version = try reader.string()
      case 4: report.pid = try reader.uint()
      case 5: report.isAlive = try reader.bool()
      case 6: report.silenceMS = try reader.uint()
      case 7: report.publishes = try reader.list()
      case 8: report.subscribes = try reader.list()
      case 9: report.serves = try reader.list()
      case 10: report.restarts = try reader.uint()
      default: report.host = try reader.string()
      }
    }
    self = report
  }
}

extension ServiceReport: Packable {
  private static let keys: [StaticString] = [
    "name", "server", "calls", "failures", "pending", "codes", "late", "callers",
  ]

  public func pack(into packer: inout Packer) {
    var map = packer.beginMap()
    packer.field(&map, "name", name)
    packer.field(&map, "server", server)
    packer.field(&map, "calls", calls)
    packer.field(&map, "failures", failures)
    packer.field(&map, "pending", pending)
    packer.field(&map, "codes", codes)
    packer.field(&map, "late", late)
    packer.field(&map, "callers", callers)
    packer.endMap(map)
  }

  public init(from reader: inout Unpacker) throws(DecodeError) {
    var report = ServiceReport(
      name: "", server: "", calls: 0, failures: 0, pending: 0, codes: [:], late: 0,
      callers: [])
    try reader.fields(Self.keys, required: 1) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: report.name = try reader.string()
      case 1: report.server = try reader.string()
      case 2: report.calls = try reader.uint()
      case 3: report.failures = try reader.uint()
      case 4: report.pending = try reader.uint()
      case 5: report.codes = try reader.map()
      case 6: report.late = try reader.uint()
      default: report.callers = try reader.list()
      }
    }
    self = report
  }
}
