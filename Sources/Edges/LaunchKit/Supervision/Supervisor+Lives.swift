extension Supervisor {
  /// Starts the nodes that need not wait for others any more.
  mutating func advanceStart(_ now: Double, _ actions: inout [Action]) {
    for index in nodes.indices where nodes[index].phase == .pending {
      switch obstacle(nodes[index]) {
      case .none: spawn(index, now, &actions)
      case .wait: break
      case .failed(let other):
        fail(index, "it waits for \(other), which failed", ExitCode.failure, &actions)
      }
    }
    guard !isStopping else { return advanceStop(now, &actions) }
    let members = nodes.filter { $0.role == .member }
    let isSettled = members.allSatisfy { $0.hasBeenReady || $0.isDone }
    if isSettled, !hasAnnouncedReady {
      hasAnnouncedReady = true
      actions.append(.allReady)
    }
    let stages = members.filter { $0.name != Self.bus }
    if !stages.isEmpty, stages.allSatisfy(\.isDone) {
      beginStop("all nodes have ended", ExitCode.success, &actions)
      advanceStop(now, &actions)
    }
  }

  /// Extends all running deadlines by the seconds for which the supervisor was paused.
  ///
  /// Processes that have ended are not affected.
  mutating func extendDeadlines(_ seconds: Double, _ now: Double) {
    func later(_ since: Double) -> Double { min(now, since + seconds) }
    for index in nodes.indices {
      switch nodes[index].phase {
      case .starting(let since): nodes[index].phase = .starting(sinceS: later(since))
      case .ready: nodes[index].lastSignS = now
      case .ending(let since, let isKilled):
        nodes[index].phase = .ending(sinceS: later(since), isKilled: isKilled)
      case .stopping(let since, let isKilled):
        nodes[index].phase = .stopping(sinceS: later(since), isKilled: isKilled)
      case .leaving(let since): nodes[index].phase = .leaving(sinceS: later(since))
      case .pending, .backoff, .resting, .exited, .failed: break
      }
      nodes[index].failuresS = nodes[index].failuresS.map { later($0) }
    }
  }

  private enum Obstacle {
    case none
    case wait
    case failed(String)
  }

  private func obstacle(_ life: SupervisedProcess) -> Obstacle {
    if life.name != Self.bus, let bus = nodes.first(where: { $0.name == Self.bus }),
      !bus.hasBeenReady
    {
      return .wait
    }
    let waits = order.waits[life.node] ?? []
    for other in nodes where other.role == .member && waits.contains(other.node) {
      let isWritten = order.written[life.node]?.contains(other.node) ?? false
      // A node that follows another waits for it each time.
      let isFollowed = life.follows && isWritten
      if other.phase == .exited || (other.hasBeenReady && !isFollowed) { continue }
      switch other.phase {
      case .failed:
        if isWritten { return .failed(other.name) }
      case .backoff:
        // A node that only reads its topics need not wait for its restart.
        if isWritten { return .wait }
      case .ready, .exited, .resting: break
      case .pending, .starting, .ending, .stopping, .leaving: return .wait
      }
    }
    return .none
  }

  /// Handles the end of a process: whether it was intended, and what follows.
  mutating func ended(
    _ name: String, _ end: ProcessEnd, _ now: Double,
    _ generator: inout some RandomNumberGenerator, _ actions: inout [Action]
  ) {
    guard let index = index(name), nodes[index].phase.isLive else { return }
    nodes[index].forgive(atS: now)
    let livedS = max(0, now - nodes[index].startedS)
    nodes[index].pastS += livedS
    let reason = nodes[index].cause.map { "\($0) (\(end.text))" } ?? end.text
    nodes[index].lastEnd = reason
    nodes[index].lastEndS = now
    nodes[index].wasAskedToEnd = nodes[index].next != nil
    guard nodes[index].role == .member else { return leave(index, reason, &actions) }
    guard !isStopping else { return endedInStop(index, end, &actions) }
    if let next = nodes[index].next { return endedAsRequested(index, next, now, &actions) }
    if nodes[index].mayLeave {
      // Its successor may have its place, however it ended; otherwise it is restarted then.
      if end != .code(0) {
        nodes[index].hasDiedLeaving = true
        actions.append(.announce("\(name) died during its handover: \(reason)"))
      }
      nodes[index].phase = .resting
      return
    }
    let isFailure = end != .code(0) || nodes[index].cause != nil
    nodes[index].cause = nil
    let policy = nodes[index].policy
    guard isFailure || policy.restart == .always else {
      nodes[index].phase = .exited
      if policy.readiness == .exit { nodes[index].hasBeenReady = true }
      actions.append(
        .say(node: name, "ended after \(Figures.duration(seconds: livedS)), as expected"))
      if policy.endsStack { beginStop("\(name) has ended", ExitCode.success, &actions) }
      return
    }
    let verb = isFailure ? "died" : "ended"
    let what = "\(name) \(verb): \(reason) after \(Figures.duration(seconds: livedS))"
    if case .code(let code) = end, [64, 78].contains(code) {
      fail(index, "\(what); a restart cannot fix that", ExitCode.failure, &actions)
    } else if policy.restart == .never {
      fail(index, what, ExitCode.failure, &actions)
    } else {
      restart(index, what, now, &generator, &actions)
    }
  }

  private mutating func restart(
    _ index: Int, _ what: String, _ now: Double,
    _ generator: inout some RandomNumberGenerator, _ actions: inout [Action]
  ) {
    let policy = nodes[index].policy
    guard let wait = nodes[index].backoffS(atS: now, using: &generator) else {
      let span = Figures.duration(seconds: policy.giveUpWithinS)
      let text = "\(what); crash loop: \(policy.giveUpTimes) failures within \(span)"
      return fail(index, text, ExitCode.crashLoop, &actions)
    }
    nodes[index].restarts += 1
    restartFollowers(of: nodes[index].node, now, &actions)
    let when = wait == 0 ? "at once" : "in \(Figures.duration(seconds: wait))"
    actions.append(.announce("\(what); restart \(nodes[index].restarts) \(when)"))
    if wait == 0 {
      spawn(index, now, &actions)
    } else {
      nodes[index].phase = .backoff(untilS: now + wait)
    }
  }

  /// Marks a node as permanently failed; a required node ends the stack.
  private mutating func fail(
    _ index: Int, _ reason: String, _ code: Int32, _ actions: inout [Action]
  ) {
    let node = nodes[index]
    nodes[index].phase = .failed(reason)
    nodes[index].lastEnd = nodes[index].lastEnd ?? reason
    actions.append(.announce(reason.hasPrefix(node.name) ? reason : "\(node.name): \(reason)"))
    actions.append(.blame(node.name))
    if node.isRequired {
      beginStop("\(node.name) has failed and is required", code, &actions)
    } else {
      actions.append(.announce("\(node.name) stays down; the stack continues without it"))
    }
  }
}

extension SupervisedProcess {
  /// Whether it has ended and will not be started again.
  var isDone: Bool {
    switch phase {
    case .exited, .failed: true
    case .pending, .starting, .ready, .ending, .backoff, .stopping, .leaving, .resting: false
    }
  }
}
