import BusProtocol

/// A peer of the control socket, as libzmq names it.
typealias Identity = [UInt8]

/// The nodes that registered at the bus, until they fall silent or hang up.
struct NodeRegistry {
  struct Node {
    var identity: Identity
    var name: String
    var run: UInt64
    var kind: String
    var version: String
    var pid: UInt64
    var host: String
    var publishes: [TopicTraits]
    var subscribes: [String]
    var serves: [String]
    var lastHeard: MonotonicTime
    /// The subscriptions that a successor must have as well.
    var inputs: [String] = []
    /// The node's place among replicas.
    var place: ReplicaPlace?
    var role = Role.holder
    /// Whether a standby's or a replica's subscriptions are in place.
    var isReady = false
    /// Run of the process from which it took over.
    var predecessor: UInt64?
    /// Whether it hands over and takes over a few slots at a time.
    var handsOverInParts = false
    /// Number of times it came back as a new process.
    var restarts: UInt64 = 0
  }

  /// Whether a process has its node's name.
  enum Role {
    case holder
    /// The process waits to take over.
    case standby
    /// Another process has taken over from it.
    case retired
  }

  /// Silence after which a node counts as gone; its library pings twice a second.
  static let silenceMS: Int64 = 3_000
  /// Maximum number of departed nodes kept for reports; beyond it, the oldest are forgotten.
  static let maximumGone = 1_000

  private(set) var nodes: [Identity: Node] = [:]
  private var identities: [String: Identity] = [:]
  private var standbys: [String: Identity] = [:]
  private(set) var gone: [String: Node] = [:]

  func node(at identity: Identity) -> Node? { nodes[identity] }
  func node(named name: String) -> Node? { identities[name].flatMap { nodes[$0] } }

  /// The process that waits to take over from a node.
  func standby(of name: String) -> Node? { standbys[name].flatMap { nodes[$0] } }

  /// Adds a standby; an earlier connection of the same run is removed.
  mutating func insert(standby node: Node) {
    if let old = standbys[node.name], old != node.identity { nodes[old] = nil }
    nodes[node.identity] = node
    standbys[node.name] = node.identity
  }

  /// Gives the name to `new`; from now on `old` only waits to end.
  mutating func replace(_ old: Identity, by new: Identity) {
    guard let node = nodes[new] else { return }
    nodes[old]?.role = .retired
    nodes[new]?.role = .holder
    let restarts = nodes[old]?.restarts ?? 0
    nodes[new]?.restarts = restarts
    identities[node.name] = new
    if standbys[node.name] == new { standbys[node.name] = nil }
    gone[node.name] = nil
  }

  /// Whether a name belongs to a node.
  enum Presence {
    case alive
    case gone
    /// The process never registered: an outsider or a one-shot tool.
    case stranger
  }

  func presence(of name: String) -> Presence {
    if identities[name] != nil { return .alive }
    return gone[name] == nil ? .stranger : .gone
  }

  /// Adds a node; an earlier one with its name is removed.
  mutating func insert(_ node: Node) {
    var node = node
    if let before = identities[node.name].flatMap({ nodes[$0] }) ?? gone[node.name] {
      node.restarts = before.restarts + (before.run == node.run ? 0 : 1)
    }
    if let old = identities[node.name], old != node.identity { nodes[old] = nil }
    if let before = nodes[node.identity], before.name != node.name { identities[before.name] = nil }
    nodes[node.identity] = node
    identities[node.name] = node.identity
    gone[node.name] = nil
  }

  /// The run number of the live process with this name; nil if there is none.
  func run(of name: String) -> UInt64? { node(named: name)?.run }

  /// Records that a node publishes under another run from now on.
  mutating func change(run: UInt64, at identity: Identity) { nodes[identity]?.run = run }

  mutating func renew(_ identity: Identity, now: MonotonicTime) {
    nodes[identity]?.lastHeard = now
  }

  /// Removes a connection; a node that is not `isReleased` is kept for reports as departed.
  mutating func remove(_ identity: Identity, isReleased: Bool = false) -> Node? {
    guard let node = nodes.removeValue(forKey: identity) else { return nil }
    if identities[node.name] == identity { identities[node.name] = nil }
    if standbys[node.name] == identity { standbys[node.name] = nil }
    guard node.role == .holder else { return node }
    if node.kind == "node", !isReleased {
      if gone.count >= Self.maximumGone,
        let oldest = gone.min(by: { $0.value.lastHeard < $1.value.lastHeard })
      {
        gone[oldest.key] = nil
      }
      gone[node.name] = node
    }
    return node
  }

  /// Extends the deadlines of all nodes by a pause during which the broker did not listen.
  ///
  /// A node that was received since then gets no more than it lost. No last reception may be later
  /// than `now`: otherwise the node could be silent for the length of the pause before the broker
  /// noticed.
  mutating func forgive(_ pauseMS: Int64, now: MonotonicTime) {
    for identity in nodes.keys {
      guard let heard = nodes[identity]?.lastHeard else { continue }
      nodes[identity]?.lastHeard = min(heard.advanced(byMS: pauseMS), now)
    }
  }

  /// The nodes that have been silent for too long.
  func silent(now: MonotonicTime) -> [Identity] {
    nodes.values.filter { now.milliseconds(since: $0.lastHeard) > Self.silenceMS }.map(\.identity)
  }

  func reports(now: MonotonicTime) -> [NodeReport] {
    (nodes.values.filter { $0.role == .holder }.map { ($0, true) } + gone.values.map { ($0, false) })
      .sorted { $0.0.name < $1.0.name }
      .map { node, isAlive in
        NodeReport(
          name: node.name, run: node.run, kind: node.kind, version: node.version, pid: node.pid,
          isAlive: isAlive, silenceMS: UInt64(max(0, now.milliseconds(since: node.lastHeard))),
          restarts: node.restarts, publishes: node.publishes.map(\.leaf),
          subscribes: node.subscribes, serves: node.serves, host: node.host)
      }
  }
}
