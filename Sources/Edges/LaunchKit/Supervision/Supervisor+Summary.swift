extension Supervisor {
  /// The state of the stack in one sentence: how many processes are ready, and what the others do.
  public var summary: String {
    let members = nodes.filter { $0.role == .member }
    if isStopping {
      let live = nodes.filter(\.phase.isLive).map(\.name)
      return live.isEmpty ? "stopped" : "stopping: \(Self.list(live))"
    }
    let ready = members.count { $0.isReady || $0.phase == .exited }
    let others = members.filter { !$0.isReady && $0.phase != .exited }
    guard !others.isEmpty else { return "\(members.count) processes are ready" }
    let words = others.map { "\($0.name) \($0.phase.word)" }
    let verb = hasAnnouncedReady ? "ready" : "starting"
    return "\(verb): \(ready) of \(members.count) processes are ready; \(Self.list(words))"
  }

  /// The first names of a list, and the number of the others.
  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(5).joined(separator: ", ")
    return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
  }
}
