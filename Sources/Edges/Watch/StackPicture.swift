public import Bus
public import Messages

/// What is known of a running stack at one moment: the broker's lists and each node's own word.
public struct StackPicture: Sendable {
  public struct Node: Sendable {
    public var name: String
    /// What the broker knows of it; nil where it never registered.
    public var report: NodeReport?
    /// What it said last; nil where it has said nothing.
    public var status: NodeStatus?
    /// Milliseconds since it said so.
    public var statusAgeMS: UInt64?

    public init(
      name: String, report: NodeReport? = nil, status: NodeStatus? = nil,
      statusAgeMS: UInt64? = nil
    ) {
      self.name = name
      self.report = report
      self.status = status
      self.statusAgeMS = statusAgeMS
    }
  }

  /// By name; tools that come and go are none of them.
  public var nodes: [String: Node]
  /// In the order of their names.
  public var topics: [TopicReport]
  public var services: [ServiceReport]
  /// When it was taken, on the machine's monotonic clock.
  public var at: MonotonicTime

  /// Puts the lists together; `statuses` by node.
  public init(
    nodes reports: [NodeReport], topics: [TopicReport], services: [ServiceReport],
    statuses: [String: NodeStatus], at: MonotonicTime
  ) {
    self.topics = topics.sorted { $0.name < $1.name }
    self.services = services.sorted { $0.name < $1.name }
    self.at = at
    nodes = [:]
    for report in reports where report.kind == "node" {
      nodes[report.name] = Node(name: report.name, report: report)
    }
    for (name, status) in statuses {
      nodes[name, default: Node(name: name)].status = status
    }
    for topic in topics {
      guard let name = Self.node(ofStatus: topic.name) else { continue }
      nodes[name]?.statusAgeMS = topic.ageMS
    }
  }

  /// Whether its nodes run on more than one machine.
  public var spansHosts: Bool {
    Set(nodes.values.compactMap(\.host)).count > 1
  }

  /// The name of a node; where the stack spans machines, with the one that it runs on.
  func title(of name: String) -> String {
    guard spansHosts, let host = nodes[name]?.host else { return name }
    return "\(name) (on \(host))"
  }

  /// `matcher` of `_node/matcher/status`; nil for another topic.
  static func node(ofStatus topic: String) -> String? {
    let words = topic.split(separator: "/", omittingEmptySubsequences: false)
    return words.count == 3 && words[0] == "_node" && words[2] == "status" ? String(words[1]) : nil
  }

  /// The reports of a topic by its name without the vehicle.
  public func topics(leaf: String) -> [TopicReport] {
    topics.filter { TopicName.split($0.name).leaf == leaf }
  }

  /// The report of a topic of one vehicle; nil where it was never published.
  func topics(leaf: String, vehicle: String) -> TopicReport? {
    topics.first { $0.name == "\(vehicle)/\(leaf)" }
  }

  /// Who writes a topic: those that do, and nodes that say they would.
  ///
  /// If `vehicles` is not empty, topics of other vehicles do not count.
  public func writers(ofLeaf leaf: String, vehicles: Set<String> = []) -> [String] {
    let writing = topics(leaf: leaf).filter { topic in
      guard !vehicles.isEmpty, let vehicle = TopicName.split(topic.name).vehicle else {
        return true
      }
      return vehicles.contains(vehicle)
    }.map(\.source).filter { !$0.isEmpty }
    let declared = nodes.values.filter { $0.report?.publishes.contains(leaf) == true }.map(\.name)
    // Who writes is asked first; where nobody does, whoever should.
    return Set(writing.isEmpty ? declared : writing).sorted()
  }

  /// The nodes that read a topic as an input of theirs.
  public func readers(ofLeaf leaf: String) -> [String] {
    nodes.values.filter { $0.inputs.contains(leaf) }.map(\.name).sorted()
  }

  /// Messages of a topic that never reached some reader, over all readers.
  public func lost(leaf: String) -> UInt64 {
    nodes.values.reduce(0) { sum, node in
      let seen = node.status?.subscriptions[leaf]
      return sum + (seen?.lost ?? 0) + (seen?.queueDrops ?? 0)
    }
  }
}

extension StackPicture.Node {
  /// The machine that it runs on; nil where it did not report one.
  public var host: String? { report.flatMap { $0.host.isEmpty ? nil : $0.host } }

  /// Topics without the vehicle that it reads, as it says itself; else what it subscribed to.
  public var inputs: Set<String> {
    if let status, !status.subscriptions.isEmpty { return Set(status.subscriptions.keys) }
    let leaves = (report?.subscribes ?? []).map { TopicName.split($0).leaf }
    return Set(leaves.filter { !$0.isEmpty && !$0.hasPrefix("_") && !$0.hasSuffix("/") })
  }

  /// Topics without the vehicle that it writes, but for what every node does.
  public var outputs: Set<String> {
    let own: Set<String> = ["_log/<node>", "_state/<node>", "_node/<name>/status"]
    return Set(report?.publishes ?? []).subtracting(own)
  }

  /// How a node is, as seen from outside.
  public enum Condition: Hashable, Sendable {
    /// It hung up, or was silent for so many milliseconds that the broker gave it up.
    case gone(silenceMS: UInt64)
    /// Its process does not move: stopped, or starved of the machine.
    case silent(silenceMS: UInt64)
    /// Its process lives, but its work loop does not turn.
    case stuck(silenceMS: UInt64)
    case says(NodeStatus.State)
    /// It is on the bus and says nothing: no program of ours.
    case mute
  }

  /// A library pings four times a second; so much silence is none of a busy machine.
  static let silenceMS: UInt64 = 1_000
  /// A status comes each second.
  static let statusMS: UInt64 = 2_500

  public var condition: Condition {
    if let report, !report.isAlive { return .gone(silenceMS: report.silenceMS) }
    if let report, report.silenceMS > Self.silenceMS { return .silent(silenceMS: report.silenceMS) }
    guard let status else { return .mute }
    if let statusAgeMS, statusAgeMS > Self.statusMS { return .stuck(silenceMS: statusAgeMS) }
    return .says(status.state)
  }

  /// One word for a table.
  public var word: String {
    switch condition {
    case .gone: "gone"
    case .silent: "silent"
    case .stuck: "stuck"
    case .says(let state): state.rawValue
    case .mute: "mute"
    }
  }
}
