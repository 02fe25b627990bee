extension Supervisor {
  /// Stops all further starts, and stores the exit code; the first reason counts.
  mutating func beginStop(_ reason: String, _ code: Int32, _ actions: inout [Action]) {
    guard !isStopping else { return }
    stopCode = code
    actions.append(.announce("stopping: \(reason)"))
    for index in nodes.indices {
      switch nodes[index].phase {
      case .pending, .backoff, .resting: nodes[index].phase = .exited
      case .starting, .ready, .ending, .stopping, .leaving, .exited, .failed: break
      }
    }
    // A standby serves no vehicles, so it has nothing to finish.
    for node in nodes where node.role == .standby { dismiss(node.name, 0, &actions) }
  }

  /// Stops the processes that no other process needs any more; the bus last.
  mutating func advanceStop(_ now: Double, _ actions: inout [Action]) {
    guard !isFinished else { return }
    let live = nodes.filter(\.phase.isLive)
    for index in nodes.indices {
      switch nodes[index].phase {
      case .starting, .ready, .leaving: break
      case .pending, .ending, .backoff, .stopping, .resting, .exited, .failed: continue
      }
      let node = nodes[index].node
      let isNeeded = live.contains { other in
        other.node != node && (node == Self.bus || order.waits[other.node]?.contains(node) ?? false)
      }
      guard !isNeeded else { continue }
      requestStop(index, now, &actions)
    }
    guard live.isEmpty, let code = stopCode else { return }
    isFinished = true
    actions.append(.finished(code == 0 && hasKilled ? ExitCode.killed : code))
  }

  mutating func requestStop(_ index: Int, _ now: Double, _ actions: inout [Action]) {
    nodes[index].phase = .stopping(sinceS: now, isKilled: false)
    actions.append(.signal(nodes[index].name, .terminate))
  }

  mutating func endedInStop(
    _ index: Int, _ end: ProcessEnd, _ actions: inout [Action]
  ) {
    let node = nodes[index]
    nodes[index].phase = .exited
    let isKilled =
      switch node.phase {
      case .stopping(_, let isKilled), .ending(_, let isKilled): isKilled
      case .pending, .starting, .ready, .backoff, .leaving, .resting, .exited, .failed: false
      }
    guard !end.isOrderly, !isKilled, node.cause == nil else { return }
    actions.append(.announce("\(node.name) failed while stopping: \(end.text)"))
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
