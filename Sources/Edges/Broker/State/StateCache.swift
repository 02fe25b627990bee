import BusProtocol

/// The last value of each (topic, key) of state class; a deletion is a value with an empty payload.
struct StateCache {
  struct Value {
    var header: Header
    var payload: [UInt8]
  }

  /// Maximum number of stored values; further ones are still forwarded.
  static let maximumValues = 200_000

  private var topics: [String: [String: Value]] = [:]
  /// Names of the topics, for subscriptions.
  private var names = SortedNames()
  private(set) var count = 0
  /// Number of values for which there was no room.
  private(set) var refused: UInt64 = 0

  /// Stores a frame, unless it is latched and not newer than the stored value.
  mutating func keep(_ topic: String, _ header: Header, _ payload: [UInt8]) {
    let key = header.key ?? ""
    if let old = topics[topic]?[key] {
      // A live frame is newer than all earlier ones, because a writer's messages keep their order.
      guard !header.isLatched || header.isNewer(than: old.header) else { return }
    } else {
      guard count < Self.maximumValues else {
        refused += 1
        return
      }
      count += 1
    }
    if topics[topic] == nil { names.insert(topic) }
    topics[topic, default: [:]][key] = Value(header: header, payload: payload)
  }

  /// The stored values of a subscription, in order of topic and key, marked as repeated.
  func values(matching pattern: String) -> [Frame] {
    if pattern.isEmpty || pattern.hasSuffix("/") { return values(withPrefix: pattern) }
    guard TopicName.leafOfEveryVehicle(pattern) != nil else { return values(of: pattern) }
    return topics.keys.filter { TopicName.matches(pattern, $0) }.sorted().flatMap(values(of:))
  }

  /// The stored values of several subscriptions, each value once.
  func values(matching patterns: PatternSet) -> [Frame] {
    let wanted =
      patterns.isOpen
      ? topics.keys.filter(patterns.matches) : patterns.names.filter { topics[$0] != nil }
    return wanted.sorted().flatMap(values(of:))
  }

  func values(withPrefix prefix: String) -> [Frame] {
    topics(withPrefix: prefix).flatMap(values(of:))
  }

  /// The topics of a subscription that have values, sorted.
  func topics(matching pattern: String) -> [String] {
    if !pattern.isEmpty, !pattern.hasSuffix("/") { return topics[pattern] == nil ? [] : [pattern] }
    return topics(withPrefix: pattern)
  }

  func topics(withPrefix prefix: String) -> [String] { names.names(withPrefix: prefix) }

  private func values(of topic: String) -> [Frame] {
    (topics[topic] ?? [:]).sorted { $0.key < $1.key }.map {
      Frame(topic: topic, header: $0.value.header.latched, payload: $0.value.payload)
    }
  }
}
