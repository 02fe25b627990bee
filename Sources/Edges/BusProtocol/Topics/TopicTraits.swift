public import MessagePack

/// The delivery guarantee for a topic's messages.
public enum DeliveryClass: String, Hashable, Sendable, Codable {
  /// Newest wins; each reader counts its drops.
  case stream
  /// The last value of each key is stored and is the first message to a late joiner.
  case state
  /// Complete and in order, if an outage is shorter than the broker's ring.
  case event
}

/// What is known of a topic before its first message.
public struct TopicTraits: Hashable, Sendable {
  /// Topic without the vehicle, `route/active`; `<name>` stands for any one token.
  public var leaf: String
  public var deliveryClass: DeliveryClass
  /// Maximum payload in bytes; nil for the bus's own limit.
  public var maximumBytes: Int?
  /// Whether several sources may write it at the same time.
  public var hasManyWriters: Bool
  /// Whether a reader must see each message of a stream, and not only the newest.
  public var isSeenOneByOne: Bool

  public init(
    _ leaf: String, _ deliveryClass: DeliveryClass, maximumBytes: Int? = nil,
    hasManyWriters: Bool = false, isSeenOneByOne: Bool = false
  ) {
    self.leaf = leaf
    self.deliveryClass = deliveryClass
    self.maximumBytes = maximumBytes
    self.hasManyWriters = hasManyWriters
    self.isSeenOneByOne = isSeenOneByOne
  }
}

/// The traits of all known topics; an unknown topic is a stream with one writer.
public struct TopicTable: Hashable, Sendable {
  private var exact: [String: TopicTraits] = [:]
  private var patterns: [TopicTraits] = []

  public init(_ traits: [TopicTraits] = []) {
    for one in traits { insert(one) }
  }

  public var all: [TopicTraits] {
    exact.values.sorted { $0.leaf < $1.leaf } + patterns
  }

  public mutating func insert(_ traits: TopicTraits) {
    if traits.leaf.contains("<") {
      patterns.removeAll { $0.leaf == traits.leaf }
      patterns.append(traits)
    } else {
      exact[traits.leaf] = traits
    }
  }

  /// The traits of a whole name, `ego/route/active`; nil if they were not declared.
  public func declared(_ topic: String) -> TopicTraits? {
    let leaf = TopicName.split(topic).leaf
    if let found = exact[leaf] { return found }
    return patterns.first { Self.matches($0.leaf, leaf) }
  }

  public subscript(topic: String) -> TopicTraits {
    declared(topic) ?? TopicTraits(TopicName.split(topic).leaf, .stream)
  }

  private static func matches(_ pattern: String, _ leaf: String) -> Bool {
    let want = pattern.split(separator: "/")
    let have = leaf.split(separator: "/")
    return want.count == have.count
      && zip(want, have).allSatisfy { $0 == $1 || ($0.hasPrefix("<") && $0.hasSuffix(">")) }
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
