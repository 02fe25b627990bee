import Messages

/// Number of messages that each node has missed, from its own report once per second.
struct LossCounts {
  /// By node and process: the counters of each process start anew.
  private var byProcess: [String: [UInt64: UInt64]] = [:]

  mutating func ingest(_ status: NodeStatus) {
    let lost = status.subscriptions.values.reduce(0) { $0 + $1.lost }
    // A process may continue under another run, with the same counters.
    let process = status.pid.map { UInt64(clamping: $0) } ?? status.run
    byProcess[status.node, default: [:]][process] = lost
  }

  /// The losses of a node; nil if it has not reported any figures.
  func known(of node: String) -> UInt64? { byProcess[node]?.values.reduce(0, +) }
  func lost(of node: String) -> UInt64 { known(of: node) ?? 0 }
}
