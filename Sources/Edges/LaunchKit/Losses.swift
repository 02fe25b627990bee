import Messages

/// How many messages each node has missed, by what it says of itself once a second.
struct Losses {
  /// By node and process: counters begin anew with each.
  private var byProcess: [String: [UInt64: UInt64]] = [:]

  mutating func hear(_ status: NodeStatus) {
    let lost = status.subscriptions.values.reduce(0) { $0 + $1.lost }
    // A process may go on under another run; its counters go on with it.
    let process = status.pid.map { UInt64(clamping: $0) } ?? status.run
    byProcess[status.node, default: [:]][process] = lost
  }

  /// nil for a node that has said nothing.
  func known(of node: String) -> UInt64? { byProcess[node]?.values.reduce(0, +) }
  func lost(of node: String) -> UInt64 { known(of: node) ?? 0 }
}
