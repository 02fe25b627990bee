// Processes that join or leave while the stack runs: standbys, new replicas, and replaced
// processes.
extension Supervisor {
  mutating func admit(
    _ process: StackProcess, _ node: NodeSettings, _ role: SupervisedProcess.Role, _ now: Double,
    _ actions: inout [Action]
  ) {
    guard !isStopping, index(process.name) == nil else {
      let reason = isStopping ? "the stack is stopping" : "\(process.name) already exists"
      actions.append(.left(process.name, reason: reason))
      return
    }
    nodes.append(SupervisedProcess(process.name, of: node, role: role))
    spawn(nodes.count - 1, now, &actions)
  }

  /// Exchanges the names of two processes, so that figures, lines and policy stay with the member's
  /// name.
  mutating func adopt(
    _ standby: String, as name: String, _ now: Double, _ actions: inout [Action]
  ) {
    guard let new = index(standby), nodes[new].role == .standby else {
      // The process has died since, so the member is started with its new settings.
      keep(name, now, &actions)
      return renew(name, now, &actions)
    }
    nodes[new].role = .member
    guard standby != name, let old = index(name) else {
      nodes[new].name = name
      return
    }
    nodes[new].restarts = nodes[old].restarts
    nodes[new].pastS += nodes[old].uptimeS(atS: now)
    nodes[old].role = .retired
    (nodes[new].name, nodes[old].name) = (name, standby)
    leaveOrVanish(old, now)
  }

  /// Lets a process end in good order without further action, because another one is about to
  /// replace it.
  mutating func yield(_ name: String) {
    update(name) {
      $0.mayLeave = true
      $0.hasDiedLeaving = false
    }
  }

  /// Handles that no process has taken its place.
  mutating func keep(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard let index = index(name), nodes[index].mayLeave else { return }
    nodes[index].mayLeave = false
    guard nodes[index].phase == .resting else { return }
    if nodes[index].hasDiedLeaving {
      nodes[index].hasDiedLeaving = false
      nodes[index].restarts += 1
    }
    spawn(index, now, &actions)
  }

  mutating func retire(_ name: String, _ now: Double) {
    guard let index = index(name), nodes[index].role == .member else { return }
    nodes[index].role = .retired
    leaveOrVanish(index, now)
  }

  private mutating func leaveOrVanish(_ index: Int, _ now: Double) {
    switch nodes[index].phase {
    case .starting, .ready: nodes[index].phase = .leaving(sinceS: now)
    case .ending, .stopping, .leaving: break
    case .pending, .backoff, .resting, .exited, .failed: nodes.remove(at: index)
    }
  }

  /// Kills a process that holds nothing that others need, without waiting for it.
  mutating func dismiss(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard let index = index(name) else { return }
    nodes[index].role = .retired
    guard nodes[index].phase.isLive else {
      nodes.remove(at: index)
      return
    }
    nodes[index].phase = .stopping(sinceS: now, isKilled: true)
    actions.append(.signal(name, .kill))
  }

  /// Handles the end of a process that is not a member, which has no consequences here.
  mutating func leave(_ index: Int, _ reason: String, _ actions: inout [Action]) {
    let life = nodes.remove(at: index)
    actions.append(.left(life.name, reason: reason))
  }
}

extension SupervisedProcess {
  init(_ process: String, of node: NodeSettings, role: Role = .member) {
    self.init(
      name: process, node: node.name.value, policy: node.policy, isRequired: node.isRequired,
      follows: node.follows, role: role)
  }
}
