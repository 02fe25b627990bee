import Stage

/// The reports of the nodes of a conductor: log lines, counters, refusals and degradations.
final class ConductorReport {
  /// Receives every line that a stage logs.
  var log: ((Conductor.LogLine) -> Void)?
  /// By node.
  private(set) var counters: [String: [String: Int]] = [:]
  /// By node, then by topic or call and reason.
  private(set) var refusals: [String: [String: Int]] = [:]
  /// By node; absent if it is not degraded.
  private(set) var degraded: [String: String] = [:]

  func write(_ level: LogLevel, _ text: String, of node: String) {
    log?(Conductor.LogLine(level: level, node: node, text: text))
  }

  func count(_ counter: String, by amount: Int, at node: String) {
    counters[node, default: [:]][counter, default: 0] += amount
  }

  /// Counts and logs a refused event.
  func refuse(_ refusal: Refusal, at node: String, place: String) {
    refusals[node, default: [:]]["\(place) \(refusal.reason)", default: 0] += 1
    write(.warning, "\(place): \(refusal.sentence(at: place))", of: node)
  }

  /// Sets the reason why a node is degraded; nil if it is not.
  func setDegraded(_ reason: String?, of node: String) { degraded[node] = reason }
}
