/// The declaration of one topic in Protocols/.
public struct TopicDeclaration: Sendable {
  /// The delivery guarantee of a topic.
  public enum Delivery: String, Hashable, Sendable, CaseIterable {
    /// Newest wins; each reader counts its drops.
    case stream
    /// Eventually the last value of each key; never an older one after a newer one.
    case state
    /// Complete and in order, if an outage is shorter than the broker's ring.
    case event
  }

  /// Name without the vehicle: `location/raw`, or `_node/<name>/status` with a variable part.
  public let name: String
  /// `location_raw/1.0`.
  public let schema: String
  public let deliveryClass: Delivery
  /// Whether a reader must see each message of this stream, and not only the newest.
  public let isSeenOneByOne: Bool
  /// The meaning of the key of a keyed state; nil if the topic has none.
  public let key: String?
  /// Messages per second of event time, if their headers do not announce the next one; nil if none
  /// are expected.
  public let expectHz: Double?
  /// Seconds of event time without a message after which an input counts as stale.
  public let staleS: Double?
  /// Whether the writer may fall silent at any time, so that silence is no fault.
  public let isPausing: Bool
  /// The topic whose rate this one has: one message for each of that; nil if it has its own rate.
  public let follows: String?
  public let maxSizeBytes: Int
  public let hasManyWriters: Bool
  public let message: any TopicMessage.Type

  /// Whether this is the declaration for `leaf` without the vehicle: equal except for the variable
  /// parts.
  public func matches(_ leaf: some StringProtocol) -> Bool {
    let own = name.split(separator: "/", omittingEmptySubsequences: false)
    let other = leaf.split(separator: "/", omittingEmptySubsequences: false)
    return own.count == other.count
      && zip(own, other).allSatisfy { $0 == $1 || ($0.hasPrefix("<") && !$1.isEmpty) }
  }
}

/// The declaration of one call in Protocols/.
public struct CallDeclaration: Sendable {
  /// `route/calculate`.
  public let name: String
  /// The stage that serves it.
  public let server: String
  /// Default timeout of a caller in seconds.
  public let timeoutS: Double
  /// Maximum size of request and reply.
  public let maxSizeBytes: Int
  /// Codes of its own errors, in addition to those of every call.
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

  /// The case of a topic by its name without the vehicle; nil for one that is not in the contract.
  public static func name(of leaf: String) -> Name? { names[leaf] }

  private static let names = Dictionary(
    uniqueKeysWithValues: Name.allCases.map { ($0.rawValue, $0) })
}

extension Calls {
  /// The declaration of a call; nil for one that is not in the contract.
  public static func declaration(of name: some StringProtocol) -> CallDeclaration? {
    byName[String(name)]
  }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The case of a call by its name; nil for one that is not in the contract.
  public static func name(of call: String) -> Name? { names[call] }

  private static let names = Dictionary(
    uniqueKeysWithValues: Name.allCases.map { ($0.rawValue, $0) })
}
