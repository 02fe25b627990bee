import Messages
import Watch

@testable import BusProtocol

/// A picture of a stack that was never there: location -> matcher -> navigator -> voice.
struct DrawnStack {
  struct Node {
    var reads: [String: WireSubscriptionStatus] = [:]
    var writes: [String] = []
    var state = NodeStatus.State.ready
    var why: String?
    var silenceMS: UInt64 = 100
    var isAlive = true
    var statusAgeMS: UInt64 = 400
    var speaks = true
    var program: String?
    var uptimeS = 60.0
    var serves: [String] = []
    var ageMS: UInt64 = 300
    var host = "one"
  }

  var nodes: [String: Node] = [
    "location": Node(writes: ["location/raw", "_clock"]),
    "matcher": Node(reads: ["location/raw": .well], writes: ["location/matched"]),
    "navigator": Node(
      reads: ["location/matched": .well, "route/better": WireSubscriptionStatus()],
      writes: ["guidance/progress"]),
    "voice": Node(reads: ["guidance/progress": .well, "guidance/warning": .never]),
  ]
  /// Messages and bytes of each topic, all written by whoever says so.
  var counts: [String: UInt64] = [:]
  /// Writers that no node is.
  var strangers: [String: String] = [:]
  /// The same by whole names.
  var foreign: [String: String] = [:]
  var services: [ServiceReport] = []
  /// Refused input by node.
  var refused: [String: [WireRefusedInput]] = [:]
  var atS = 0.0

  var picture: StackSnapshot {
    var topics: [TopicReport] = []
    var reports: [NodeReport] = []
    var statuses: [String: NodeStatus] = [:]
    for (name, node) in nodes {
      reports.append(
        NodeReport(
          name: name, run: 1, kind: "node", version: "", pid: 7, isAlive: node.isAlive,
          silenceMS: node.silenceMS, restarts: 2, publishes: node.writes + ["_log/<node>"],
          subscribes: node.reads.keys.map { "ego/\($0)" }, serves: node.serves,
          host: node.host))
      for leaf in node.writes {
        topics.append(
          topic(leaf.hasPrefix("_") ? leaf : "ego/\(leaf)", by: name, ageMS: node.ageMS))
      }
      guard node.speaks else { continue }
      statuses[name] = NodeStatus(
        node: name, program: node.program, state: node.state, why: node.why,
        sinceNs: 43_480_000_000_000, run: 1, uptimeS: node.uptimeS, loopAgeMs: 14, queue: 0,
        memoryBytes: 3 << 20, cpuFraction: 0.021,
        subscriptions: node.reads, refused: refused[name] ?? [])
      topics.append(
        topic("_node/\(name)/status", by: name, ageMS: node.statusAgeMS, isCounted: false))
    }
    for (leaf, name) in strangers { topics.append(topic("ego/\(leaf)", by: name)) }
    for (whole, name) in foreign { topics.append(topic(whole, by: name)) }
    reports.append(
      NodeReport(
        name: "nav-99", run: 1, kind: "tool", version: "", pid: 9, isAlive: true, silenceMS: 0,
        restarts: 0, publishes: [], subscribes: ["_node/"], serves: []))
    return StackSnapshot(
      nodes: reports, topics: topics, services: services, statuses: statuses,
      at: MonotonicTime(nanoseconds: Int64(atS * 1e9)))
  }

  private func topic(
    _ name: String, by source: String, ageMS: UInt64 = 300, isCounted: Bool = true
  ) -> TopicReport {
    let count = isCounted ? counts[name] ?? 1 : 1
    return TopicReport(
      name: name, deliveryClass: .stream, schema: "", source: source, messages: count,
      bytes: count * 100, oversize: 0, refused: 0, lastSequence: count, lastStampNS: 0,
      ageMS: ageMS, readers: [])
  }
}

extension WireSubscriptionStatus {
  static var well: Self { Self(received: 100, health: .ok, rateHz: 1, expectHz: 1) }
  static var never: Self { Self(health: .never) }
  static var awaited: Self { Self(health: .never, expectHz: 1) }
  static var slow: Self { Self(received: 60, lost: 3, health: .slow, rateHz: 0.61, expectHz: 1) }
  static var stale: Self { Self(received: 60, health: .stale, expectHz: 1, silenceS: 3.4) }
}
