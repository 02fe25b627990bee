public import MessagePack

/// A message of the control socket, in either direction; documented in `Protocols/control.md`.
package struct Control: Hashable, Sendable {
  package enum Operation: String, Hashable, Sendable, CaseIterable {
    case register
    case welcome
    case rejected
    case ping
    case pong
    case bye
    case alive
    case refused
    case sync
    case snapshot
    case refill
    case history
    case item
    case end
    case list
    case listing
    case call
    case reply
    case cancel
    case handover
    case handled
    case marks
    case weigh
    case weight
    case inherit
    case rescale
    case shadow
    case outcome
    case marker
    case freeze
    case frozen
    case `import`
    case imported
    case release
    case retire
    case resume
    case dismiss
    case error
  }

  package var operation: Operation
  /// Matches an answer to its request.
  package var token: UInt64?
  /// Name of a node or of a call.
  package var name: String?
  package var run: UInt64?
  package var isKnown: Bool?
  package var kind: String?
  package var version: String?
  package var pid: UInt64?
  package var publishes: [TopicTraits] = []
  package var subscribes: [String] = []
  package var serves: [String] = []
  package var patterns: [String] = []
  package var topic: String?
  package var source: String?
  package var from: UInt64?
  package var to: UInt64?
  package var sinceMS: UInt64?
  package var id: String?
  package var vehicle: String?
  package var timeoutMS: UInt64?
  package var isOK: Bool?
  package var code: String?
  package var message: String?
  package var field: String?
  package var count: UInt64?
  /// First and last number of each range that the ring no longer has.
  package var missing: [UInt64] = []
  package var what: String?
  package var topics: [TopicReport] = []
  package var nodes: [NodeReport] = []
  package var services: [ServiceReport] = []
  package var counters: [String: UInt64] = [:]
  /// Names of vehicles.
  package var vehicles: [String] = []
  /// The numbers that silent topics have reached.
  package var tails: [Origin] = []
  package var sequence: UInt64?
  package var limitMS: UInt64?
  package var heldMS: Double?
  package var bytes: UInt64?
  package var moves: UInt64?
  package var isStandby: Bool?
  package var isReady: Bool?
  package var group: String?
  package var lane: UInt64?
  package var lanes: [UInt64] = []
  /// First and last slot of each run; nil for all slots.
  package var slots: [UInt64]?
  /// Number of messages that a shadow compared, and how many of them were different.
  package var compared: UInt64?
  package var different: UInt64?
  package var difference: String?
  /// Whether everything without a vehicle belongs to `slots`, too.
  package var hasRest: Bool?
  /// Bytes of state, for each slot.
  package var sizes: [UInt64] = []
  /// Whether a node can be handed over in parts.
  package var inParts: Bool?
  /// Name of the machine that a node runs on.
  package var host: String?

  package init(_ operation: Operation, token: UInt64? = nil) {
    self.operation = operation
    self.token = token
  }
}

extension Control {
  private static let keys: [StaticString] = [
    "op", "token", "name", "run", "known", "kind", "version", "pid", "publishes", "subscribes",
    "serves", "patterns", "topic", "src", "from", "to", "since_ms", "id", "vehicle", "timeout_ms",
    "ok", "code", "message", "field", "count", "missing", "what", "topics", "nodes", "services",
    "counters", "seq", "limit_ms", "held_ms", "bytes", "moves", "standby", "ready", "group", "lane",
    "lanes", "slots", "compared", "different", "difference", "tails", "rest", "sizes", "parts",
    "host", "vehicles",
  ]

  package func encoded() -> [UInt8] {
    var packer = Packer()
    var map = packer.beginMap()
    packer.field(&map, "op", operation.rawValue)
    packer.field(&map, "token", token)
    packer.field(&map, "name", name)
    packer.field(&map, "run", run)
    packer.field(&map, "known", isKnown)
    packer.field(&map, "kind", kind)
    packer.field(&map, "version", version)
    packer.field(&map, "pid", pid)
    if !publishes.isEmpty { packer.field(&map, "publishes", publishes) }
    if !subscribes.isEmpty { packer.field(&map, "subscribes", subscribes) }
    if !serves.isEmpty { packer.field(&map, "serves", serves) }
    if !patterns.isEmpty { packer.field(&map, "patterns", patterns) }
    packer.field(&map, "topic", topic)
    packer.field(&map, "src", source)
    packer.field(&map, "from", from)
    packer.field(&map, "to", to)
    packer.field(&map, "since_ms", sinceMS)
    packer.field(&map, "id", id)
    packer.field(&map, "vehicle", vehicle)
    packer.field(&map, "timeout_ms", timeoutMS)
    packer.field(&map, "ok", isOK)
    packer.field(&map, "code", code)
    packer.field(&map, "message", message)
    packer.field(&map, "field", field)
    packer.field(&map, "count", count)
    if !missing.isEmpty { packer.field(&map, "missing", missing) }
    packer.field(&map, "what", what)
    if !topics.isEmpty { packer.field(&map, "topics", topics) }
    if !nodes.isEmpty { packer.field(&map, "nodes", nodes) }
    if !services.isEmpty { packer.field(&map, "services", services) }
    if !counters.isEmpty { packer.field(&map, "counters", counters) }
    if !tails.isEmpty { packer.field(&map, "tails", tails) }
    packer.field(&map, "host", host)
    if !vehicles.isEmpty { packer.field(&map, "vehicles", vehicles) }
    packHandover(&packer, &map)
    packer.endMap(map)
    return packer.bytes
  }

  /// Reads a head; unknown keys are ignored, an unknown `op` is refused.
  package init(decoding bytes: [UInt8]) throws(DecodeError) {
    var control = Control(.error)
    var reader = Unpacker(bytes)
    try reader.fields(Self.keys, required: 1) { (index, reader) throws(DecodeError) in
      switch index {
      case 0...10: try control.readIdentity(index, &reader)
      case 11...19: try control.readQuestion(index, &reader)
      case 20...30: try control.readAnswer(index, &reader)
      case 45: control.tails = try reader.list()
      case 46: control.hasRest = try reader.bool()
      case 47: control.sizes = try reader.list()
      case 48: control.inParts = try reader.bool()
      case 49: control.host = try reader.string()
      case 50: control.vehicles = try reader.list()
      default: try control.readHandover(index - 31, &reader)
      }
    }
    try reader.end()
    self = control
  }

  private mutating func readIdentity(_ index: Int, _ reader: inout Unpacker) throws(DecodeError) {
    switch index {
    case 0:
      let word = try reader.string()
      guard let known = Operation(rawValue: word) else {
        throw reader.fault(.unknownWord, at: 0, field: "op", "\"\(word)\" is not an operation")
      }
      operation = known
    case 1: token = try reader.uint()
    case 2: name = try reader.string()
    case 3: run = try reader.uint()
    case 4: isKnown = try reader.bool()
    case 5: kind = try reader.string()
    case 6: version = try reader.string()
    case 7: pid = try reader.uint()
    case 8: publishes = try reader.list()
    case 9: subscribes = try reader.list()
    default: serves = try reader.list()
    }
  }

  private mutating func readQuestion(_ index: Int, _ reader: inout Unpacker) throws(DecodeError) {
    switch index {
    case 11: patterns = try reader.list()
    case 12: topic = try reader.string()
    case 13: source = try reader.string()
    case 14: from = try reader.uint()
    case 15: to = try reader.uint()
    case 16: sinceMS = try reader.uint()
    case 17: id = try reader.string()
    case 18: vehicle = try reader.string()
    default: timeoutMS = try reader.uint()
    }
  }

  private mutating func readAnswer(_ index: Int, _ reader: inout Unpacker) throws(DecodeError) {
    switch index {
    case 20: isOK = try reader.bool()
    case 21: code = try reader.string()
    case 22: message = try reader.string()
    case 23: field = try reader.string()
    case 24: count = try reader.uint()
    case 25: missing = try reader.list()
    case 26: what = try reader.string()
    case 27: topics = try reader.list()
    case 28: nodes = try reader.list()
    case 29: services = try reader.list()
    default: counters = try reader.map()
    }
  }
}

extension TopicTraits: Packable {
  private static let keys: [StaticString] = [
    "topic", "class", "max_size", "many_writers", "one_by_one",
  ]

  public func pack(into packer: inout Packer) {
    var map = packer.beginMap()
    packer.field(&map, "topic", leaf)
    packer.field(&map, "class", deliveryClass.rawValue)
    packer.field(&map, "max_size", maximumBytes.map(UInt64.init))
    if hasManyWriters { packer.field(&map, "many_writers", true) }
    if isSeenOneByOne { packer.field(&map, "one_by_one", true) }
    packer.endMap(map)
  }

  public init(from reader: inout Unpacker) throws(DecodeError) {
    var traits = TopicTraits("", .stream)
    try reader.fields(Self.keys, required: 0b11) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: traits.leaf = try reader.string()
      case 1:
        let start = reader.offset
        let word = try reader.string()
        guard let known = DeliveryClass(rawValue: word) else {
          throw reader.fault(.unknownWord, at: start, "\"\(word)\" is not a delivery class")
        }
        traits.deliveryClass = known
      case 2: traits.maximumBytes = Int(clamping: try reader.uint())
      case 3: traits.hasManyWriters = try reader.bool()
      default: traits.isSeenOneByOne = try reader.bool()
      }
    }
    self = traits
  }
}
