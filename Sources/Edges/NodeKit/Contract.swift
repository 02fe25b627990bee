public import Bus
public import EventTime
import Messages
public import Stage

/// What nodes take from the contract in Protocols/.
public enum Contract {
  public static let clockTopic = "_clock"

  /// The traits of all topics, as the bus wants them.
  public static let table = TopicTable(
    Topics.all.map { topic in
      TopicTraits(
        topic.name, DeliveryClass(topic.deliveryClass), maximumBytes: topic.maxSizeBytes,
        hasManyWriters: topic.hasManyWriters, isSeenOneByOne: topic.isSeenOneByOne)
    })

  /// The traits of all topics, and those of a node's own topics under the names that they have on the bus.
  public static func table(wired wiring: Wiring) -> TopicTable {
    var wired = table
    for (name, onBus) in wiring.names {
      guard var traits = table.declared("ego/\(name)") else { continue }
      traits.leaf = onBus
      wired.insert(traits)
    }
    return wired
  }

  /// `location_raw/1.0`; empty for a topic that the contract does not know.
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

  /// Why a schema is not the one that readers of a topic understand; nil where it is.
  ///
  /// The major version must be the same; a topic or schema that is not known is not judged.
  public static func mismatch(of schema: String, onTopic leaf: String) -> String? {
    guard !schema.isEmpty, let known = Topics.declaration(of: leaf)?.schema,
      schema != known, major(schema) != major(known)
    else { return nil }
    return "\(leaf) comes as \(schema), understood is \(known)"
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
