// Requests of people for single processes, and requests of a node's restart for its followers.
extension Supervisor {
  /// Stops a process until it is woken by a request.
  mutating func rest(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard !isStopping, let index = member(name) else { return }
    switch nodes[index].phase {
    case .starting, .ready: end(index, .rest, now, &actions)
    case .ending, .stopping: nodes[index].next = .rest
    case .pending, .backoff:
      nodes[index].phase = .resting
      nodes[index].wasAskedToEnd = true
    case .leaving, .resting, .exited, .failed: break
    }
  }

  /// Starts a process that is down; its failures are forgotten.
  mutating func wake(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard !isStopping, let index = member(name) else { return }
    nodes[index].troubles = 0
    nodes[index].failuresS = []
    switch nodes[index].phase {
    case .resting, .exited, .failed, .backoff: spawn(index, now, &actions)
    case .stopping: nodes[index].next = .again
    case .pending, .starting, .ready, .ending, .leaving: break
    }
  }

  /// Ends a process in good order and restarts it.
  mutating func renew(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard !isStopping, let index = member(name) else { return }
    switch nodes[index].phase {
    case .starting, .ready: end(index, .again, now, &actions)
    case .pending, .ending, .backoff, .stopping, .leaving, .resting, .exited, .failed:
      wake(name, now, &actions)
    }
  }

  /// Restarts the followers of a node that has died.
  mutating func restartFollowers(of node: String, _ now: Double, _ actions: inout [Action]) {
    for index in nodes.indices where nodes[index].follows && nodes[index].role == .member {
      guard order.written[nodes[index].node]?.contains(node) ?? false else { continue }
      switch nodes[index].phase {
      case .starting, .ready:
        actions.append(.announce("\(nodes[index].name) restarts with \(node)"))
        end(index, .again, now, &actions)
      case .pending, .ending, .backoff, .stopping, .leaving, .resting, .exited, .failed: break
      }
    }
  }

  mutating func endedAsRequested(
    _ index: Int, _ next: SupervisedProcess.Next, _ now: Double, _ actions: inout [Action]
  ) {
    let name = nodes[index].name
    nodes[index].next = nil
    nodes[index].cause = nil
    switch next {
    case .rest:
      nodes[index].phase = .resting
      actions.append(.say(node: name, "stopped on request"))
    case .again:
      nodes[index].restarts += 1
      restartFollowers(of: nodes[index].node, now, &actions)
      // A process that must be ready before it may not be ready.
      nodes[index].phase = .pending
    }
  }

  private mutating func end(
    _ index: Int, _ next: SupervisedProcess.Next, _ now: Double, _ actions: inout [Action]
  ) {
    nodes[index].next = next
    requestStop(index, now, &actions)
  }

  private func member(_ name: String) -> Int? {
    nodes.firstIndex { $0.name == name && $0.role == .member }
  }
}
