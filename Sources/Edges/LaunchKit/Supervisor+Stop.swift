extension Supervisor {
  /// Starts nothing more, and remembers the exit code; the first reason counts.
  mutating func beginStop(_ reason: String, _ code: Int32, _ actions: inout [Action]) {
    guard !isStopping else { return }
    stopCode = code
    actions.append(.announce("stopping: \(reason)"))
    for index in nodes.indices {
      switch nodes[index].phase {
      case .pending, .backoff: nodes[index].phase = .exited
      case .starting, .ready, .ending, .stopping, .exited, .failed: break
      }
    }
  }

  /// Stops whoever nobody needs any more; the bus last.
  mutating func advanceStop(_ now: Double, _ actions: inout [Action]) {
    guard !isFinished else { return }
    let live = nodes.filter(\.phase.isLive).map(\.name)
    for index in nodes.indices {
      switch nodes[index].phase {
      case .starting, .ready: break
      case .pending, .ending, .backoff, .stopping, .exited, .failed: continue
      }
      let name = nodes[index].name
      let isNeeded = live.contains { other in
        other != name && (name == Self.bus || order.waits[other]?.contains(name) ?? false)
      }
      guard !isNeeded else { continue }
      nodes[index].phase = .stopping(sinceS: now, isKilled: false)
      actions.append(.signal(name, .terminate))
    }
    guard live.isEmpty, let code = stopCode else { return }
    isFinished = true
    actions.append(.finished(code == 0 && hasKilled ? ExitCode.killed : code))
  }

  mutating func endedInStop(
    _ index: Int, _ end: ProcessEnd, _ actions: inout [Action]
  ) {
    let node = nodes[index]
    nodes[index].phase = .exited
    let isKilled =
      switch node.phase {
      case .stopping(_, let isKilled), .ending(_, let isKilled): isKilled
      case .pending, .starting, .ready, .backoff, .exited, .failed: false
      }
    guard !end.isOrderly, !isKilled, node.cause == nil else { return }
    actions.append(.announce("\(node.name) ended badly while stopping: \(end.text)"))
    if node.isRequired, stopCode == ExitCode.success { stopCode = ExitCode.failure }
  }

  mutating func killAll(_ now: Double, _ actions: inout [Action]) {
    beginStop("killed", ExitCode.success, &actions)
    for index in nodes.indices where nodes[index].phase.isLive {
      nodes[index].phase = .stopping(sinceS: now, isKilled: true)
      hasKilled = true
      actions.append(.signal(nodes[index].name, .kill))
    }
  }
}
