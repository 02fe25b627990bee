/// What Protocols/ says of one topic.
public struct TopicDeclaration: Sendable {
  /// What a topic promises to its readers.
  public enum Delivery: String, Hashable, Sendable, CaseIterable {
    /// Newest wins; every drop is counted at the reader.
    case stream
    /// Eventually the last value of each key; never an older one after a newer one.
    case state
    /// Complete and in order while an outage is shorter than the ring.
    case event
  }

  /// Without the vehicle: `location/raw`, or `_node/<name>/status` with a part that varies.
  public let name: String
  /// `location_raw/1.0`.
  public let schema: String
  public let deliveryClass: Delivery
  /// A reader must see each message of this stream, not only the newest.
  public let isSeenOneByOne: Bool
  /// What the key of a keyed state is; nil where the topic has none.
  public let key: String?
  /// Messages a second of event time, where their headers do not say when the next one comes; nil
  /// where none are to be expected.
  public let expectHz: Double?
  /// Seconds of event time without a message after which an input counts as stale.
  public let staleS: Double?
  /// The writer may fall silent at any time: silence is no fault.
  public let isPausing: Bool
  /// The topic whose pace this one has: one message for each of that; nil where it has its own.
  public let follows: String?
  public let maxSizeBytes: Int
  public let hasManyWriters: Bool
  public let message: any TopicMessage.Type

  /// True for `leaf` without the vehicle: equal but for the parts that vary.
  public func matches(_ leaf: some StringProtocol) -> Bool {
    let own = name.split(separator: "/", omittingEmptySubsequences: false)
    let other = leaf.split(separator: "/", omittingEmptySubsequences: false)
    return own.count == other.count
      && zip(own, other).allSatisfy { $0 == $1 || ($0.hasPrefix("<") && !$1.isEmpty) }
  }
}

/// What Protocols/ says of one call.
public struct CallDeclaration: Sendable {
  /// `route/calculate`.
  public let name: String
  /// The stage that answers it.
  public let server: String
  /// Seconds that a caller should wait when nothing else is said.
  public let timeoutS: Double
  /// Of request and reply.
  public let maxSizeBytes: Int
  /// Codes of its own errors, beside those of every call.
  public let errors: [String]
  public let request: any RequestMessage.Type
  public let reply: any CallMessage.Type
}

extension Topics {
  /// The declaration of a topic by its name without the vehicle; nil for one that is not in the contract.
  public static func declaration(of leaf: some StringProtocol) -> TopicDeclaration? {
    byName[String(leaf)] ?? all.first { $0.matches(leaf) }
  }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension Calls {
  /// The declaration of a call; nil for one that is not in the contract.
  public static func declaration(of name: some StringProtocol) -> CallDeclaration? {
    byName[String(name)]
  }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
