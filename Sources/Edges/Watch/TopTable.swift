import BusProtocol
import Messages

/// The table of `nav top`: the activity of nodes and topics between two observations.
public struct TopTable: Sendable {
  public enum Order: String, CaseIterable, Sendable {
    case name, cpu, memory, rate

    public var next: Order {
      let all = Order.allCases
      guard let index = all.firstIndex(of: self) else { return .name }
      return all[(index + 1) % all.count]
    }
  }

  public struct NodeRow: Hashable, Sendable, Encodable {
    public var name: String
    public var state: String
    /// The machine on which it runs, if the stack uses several.
    public var host: String?
    public var pid: UInt64?
    /// Share of one core.
    public var cpuFraction: Double?
    public var memoryBytes: UInt64?
    public var queue: UInt64?
    public var loopAgeMS: Double?
    public var latencyP50MS: Double?
    public var latencyP99MS: Double?
    public var lost: UInt64
    public var restarts: UInt64
    public var why: String?
  }

  public struct TopicRow: Hashable, Sendable, Encodable {
    /// `*/location/matched` for that topic of all vehicles.
    public var name: String
    /// Number of vehicles with the topic; nil for a single topic.
    public var vehicles: Int?
    /// Messages per second of the machine's time.
    public var hz: Double
    public var bytesPerSecond: Double
    public var ageMS: UInt64
    /// `matcher.* (4)` for the replicas of a node.
    public var writer: String
    public var readers: [String]
    public var lost: UInt64
    /// The worst verdict of its readers; nil if none is expected.
    public var health: String?
  }

  public var nodes: [NodeRow]
  public var topics: [TopicRow]

  /// Computes the changes between two observations; without an earlier one, rates are 0.
  ///
  /// The topics of many vehicles are grouped according to `selection`.
  public init(
    _ picture: StackSnapshot, since earlier: StackSnapshot? = nil,
    selection: TopicGroups = TopicGroups()
  ) {
    let spansHosts = picture.spansHosts
    nodes = picture.nodes.values.sorted { $0.name < $1.name }.map { node in
      let status = node.status
      return NodeRow(
        name: node.name, state: node.word, host: spansHosts ? node.host ?? "-" : nil,
        pid: node.report?.pid, cpuFraction: status?.cpuFraction,
        memoryBytes: status?.memoryBytes, queue: status?.queue, loopAgeMS: status?.loopAgeMs,
        latencyP50MS: status?.latencyP50Ms, latencyP99MS: status?.latencyP99Ms,
        lost: (status?.subscriptions ?? [:]).values.reduce(0) { $0 + $1.lost + $1.queueDrops },
        restarts: node.report?.restarts ?? 0, why: status?.why)
    }
    let before = Dictionary(
      (earlier?.topics ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let seconds = earlier.map { Double(picture.at.nanoseconds - $0.at.nanoseconds) / 1e9 } ?? 0
    let single = picture.topics.map { topic in
      let old = before[topic.name]
      func rate(_ now: UInt64, _ then: UInt64?) -> Double {
        // The counters of a new broker start at 0.
        guard seconds > 0 else { return 0 }
        return Double(now - min(now, then ?? 0)) / seconds
      }
      let leaf = TopicName.split(topic.name).leaf
      return TopicRow(
        name: topic.name, hz: earlier == nil ? 0 : rate(topic.messages, old?.messages),
        bytesPerSecond: earlier == nil ? 0 : rate(topic.bytes, old?.bytes), ageMS: topic.ageMS,
        writer: topic.source, readers: topic.readers, lost: picture.lost(leaf: leaf),
        health: Self.health(leaf, picture))
    }
    topics = selection.rows(single, name: \.name, merge: Self.merged)
  }

  /// One row for a topic of several vehicles; losses and health already refer to the topic.
  private static func merged(_ name: String, _ rows: [TopicRow]) -> TopicRow {
    TopicRow(
      name: name, vehicles: rows.count, hz: rows.reduce(0) { $0 + $1.hz },
      bytesPerSecond: rows.reduce(0) { $0 + $1.bytesPerSecond },
      ageMS: rows.map(\.ageMS).min() ?? 0, writer: TopicGroups.nodes(rows.map(\.writer)),
      readers: Set(rows.flatMap(\.readers)).sorted(), lost: rows.map(\.lost).max() ?? 0,
      health: rows.first?.health)
  }

  private static func health(_ leaf: String, _ picture: StackSnapshot) -> String? {
    let found = picture.nodes.values.compactMap { $0.status?.subscriptions[leaf]?.health }
    let order: [WireSubscriptionStatus.Health] = [.invalid, .stale, .slow, .never, .ok]
    return order.first(where: found.contains)?.rawValue
  }

  public mutating func sort(by order: Order) {
    switch order {
    case .name:
      nodes.sort { $0.name < $1.name }
      topics.sort { $0.name < $1.name }
    case .cpu: nodes.sort { ($0.cpuFraction ?? 0, $1.name) > ($1.cpuFraction ?? 0, $0.name) }
    case .memory: nodes.sort { ($0.memoryBytes ?? 0, $1.name) > ($1.memoryBytes ?? 0, $0.name) }
    case .rate: topics.sort { ($0.hz, $1.name) > ($1.hz, $0.name) }
    }
  }
}
