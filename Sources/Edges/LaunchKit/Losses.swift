import Messages

/// How many messages each node has missed, by what it says of itself once a second.
struct Losses {
  /// By node and by the run of its process: counters begin anew with each.
  private var byRun: [String: [UInt64: UInt64]] = [:]

  mutating func hear(_ status: NodeStatus) {
    let lost = status.subscriptions.values.reduce(0) { $0 + $1.lost }
    byRun[status.node, default: [:]][status.run] = lost
  }

  /// nil for a node that has said nothing.
  func known(of node: String) -> UInt64? { byRun[node]?.values.reduce(0, +) }
  func lost(of node: String) -> UInt64 { known(of: node) ?? 0 }
}
