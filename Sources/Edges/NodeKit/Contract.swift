public import BusProtocol
public import Foundations
import Messages
public import Stage

/// The parts of the contract in Protocols/ that nodes need.
public enum Contract {
  public static let clockTopic = "_clock"

  /// The traits of all topics, in the form that the bus needs.
  public static let table = TopicTable(
    Topics.all.map { topic in
      TopicTraits(
        topic.name, DeliveryClass(topic.deliveryClass), maximumBytes: topic.maxSizeBytes,
        hasManyWriters: topic.hasManyWriters, isSeenOneByOne: topic.isSeenOneByOne)
    })

  /// The traits of all topics, and of a node's own topics under their names on the bus.
  public static func table(wired wiring: Wiring) -> TopicTable {
    var wired = table
    for (name, onBus) in wiring.names {
      guard var traits = table.declared("ego/\(name)") else { continue }
      traits.leaf = onBus
      wired.insert(traits)
    }
    return wired
  }

  /// The schema of a topic, `location_raw/1.0`; empty for a topic that is not in the contract.
  public static func schema(ofTopic leaf: String) -> String {
    Topics.declaration(of: leaf)?.schema ?? ""
  }

  public static func isState(_ leaf: String) -> Bool {
    Topics.declaration(of: leaf)?.deliveryClass == .state
  }

  public static func isStream(_ leaf: String) -> Bool {
    Topics.declaration(of: leaf)?.deliveryClass == .stream
  }

  public static func isEvent(_ leaf: String) -> Bool {
    Topics.declaration(of: leaf)?.deliveryClass == .event
  }

  /// The reason why readers of a topic do not understand a schema; nil if they do.
  ///
  /// The major version must be the same; an unknown topic or schema is not checked.
  public static func mismatch(of schema: String, onTopic leaf: String) -> String? {
    guard !schema.isEmpty, let known = Topics.declaration(of: leaf)?.schema,
      schema != known, major(schema) != major(known)
    else { return nil }
    return "\(leaf) is received as \(schema), expected \(known)"
  }

  private static func major(_ schema: String) -> Substring {
    schema.prefix { $0 != "." }
  }

  public static func clockPayload(
    now: Instant, rate: Double, isPaused: Bool, run: UInt64
  ) -> [UInt8] {
    StackClock(nowNs: now.nanoseconds, rate: rate, paused: isPaused, run: run).encoded()
  }
}

extension DeliveryClass {
  init(_ delivery: TopicDeclaration.Delivery) {
    switch delivery {
    case .stream: self = .stream
    case .state: self = .state
    case .event: self = .event
    }
  }
}
