public import BusProtocol
public import Messages

/// The observed state of a running stack at one moment: the broker's lists and each node's own
/// status.
public struct StackSnapshot: Sendable {
  public struct Node: Sendable {
    public var name: String
    /// The broker's report on it; nil if it never registered.
    public var report: NodeReport?
    /// Its last status; nil if it has not published any.
    public var status: NodeStatus?
    /// Milliseconds since that status.
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

  /// The nodes by name; short-lived tools are not included.
  public var nodes: [String: Node]
  /// Sorted by name.
  public var topics: [TopicReport]
  public var services: [ServiceReport]
  /// Time of the observation, on the machine's monotonic clock.
  public var at: MonotonicTime

  /// Combines the lists; `statuses` by node.
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

  /// The name of a node; in a stack on several machines, with its machine.
  func title(of name: String) -> String {
    guard spansHosts, let host = nodes[name]?.host else { return name }
    return "\(name) (on \(host))"
  }

  /// `matcher` for `_node/matcher/status`; nil for another topic.
  static func node(ofStatus topic: String) -> String? {
    let words = topic.split(separator: "/", omittingEmptySubsequences: false)
    return words.count == 3 && words[0] == "_node" && words[2] == "status" ? String(words[1]) : nil
  }

  /// The reports of a topic by its name without the vehicle.
  public func topics(leaf: String) -> [TopicReport] {
    topics.filter { TopicName.split($0.name).leaf == leaf }
  }

  /// The report of a topic of one vehicle; nil if it was never published.
  func topics(leaf: String, vehicle: String) -> TopicReport? {
    topics.first { $0.name == "\(vehicle)/\(leaf)" }
  }

  /// The writers of a topic: the actual ones, or else the nodes that declare it.
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
    // Actual writers have priority; if there are none, the declared ones are used.
    return Set(writing.isEmpty ? declared : writing).sorted()
  }

  /// The nodes that read a topic as an input.
  public func readers(ofLeaf leaf: String) -> [String] {
    nodes.values.filter { $0.inputs.contains(leaf) }.map(\.name).sorted()
  }

  /// Number of messages of a topic that did not reach some reader, summed over all readers.
  public func lost(leaf: String) -> UInt64 {
    nodes.values.reduce(0) { sum, node in
      let seen = node.status?.subscriptions[leaf]
      return sum + (seen?.lost ?? 0) + (seen?.queueDrops ?? 0)
    }
  }
}

extension StackSnapshot.Node {
  /// The machine on which it runs; nil if it did not report one.
  public var host: String? { report.flatMap { $0.host.isEmpty ? nil : $0.host } }

  /// Topics without the vehicle that it reads, from its own status, or else from its subscriptions.
  public var inputs: Set<String> {
    if let status, !status.subscriptions.isEmpty { return Set(status.subscriptions.keys) }
    let leaves = (report?.subscribes ?? []).map { TopicName.split($0).leaf }
    return Set(leaves.filter { !$0.isEmpty && !$0.hasPrefix("_") && !$0.hasSuffix("/") })
  }

  /// Topics without the vehicle that it writes, except those that every node writes.
  public var outputs: Set<String> {
    let own: Set<String> = ["_log/<node>", "_state/<node>", "_node/<name>/status"]
    return Set(report?.publishes ?? []).subtracting(own)
  }

  /// The state of a node as observed from outside.
  public enum Condition: Hashable, Sendable {
    /// It hung up, or was silent for so many milliseconds that the broker removed it.
    case gone(silenceMS: UInt64)
    /// Its process does not run: it is stopped, or gets no processor time.
    case silent(silenceMS: UInt64)
    /// Its process lives, but its work loop does not turn.
    case stuck(silenceMS: UInt64)
    case says(NodeStatus.State)
    /// It is on the bus but publishes no status, so it is not a program of this project.
    case mute
  }

  /// Silence after which a process does not run; its library pings twice a second, also if busy.
  static let silenceMS: UInt64 = 1_000
  /// Age after which a status is missing; one is published each second.
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
