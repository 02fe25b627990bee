public import StackFile

/// Decides when each process of a stack is started, restarted and ended.
///
/// It owns no process and no clock. Events come in with their times (seconds of a clock that never
/// goes back), and actions are returned.
public struct Supervisor: Hashable, Sendable {
  public enum Event: Hashable, Sendable {
    case start
    case spawned(String)
    case spawnFailed(String, reason: String)
    /// READY=1, the line, or the port; `note` is the node's own status.
    case ready(String, note: String?)
    /// A sign of life: WATCHDOG=1.
    case sign(String)
    /// STOPPING=1: it ends by itself, and sends signs of life while it finishes.
    case finishing(String)
    case ended(String, ProcessEnd)
    case memory(String, bytes: Int)
    /// A process joins while the stack runs: a standby, or one more replica.
    case admit(StackProcess, NodeSettings, SupervisedProcess.Role)
    /// A member is about to give its place away, or has kept it after all.
    case yield(String)
    case keep(String)
    /// A standby has taken the place of the member `as`; the two exchange names, and the latter leaves.
    case adopt(String, as: String)
    /// A standby, or a replica that serves no vehicles yet, is not needed any more.
    case dismiss(String)
    /// A replica has given its vehicles away.
    case retire(String)
    /// A request to stop, start or restart a node.
    case rest(String)
    case wake(String)
    case renew(String)
    /// The stack must end; `code` is navlaunch's exit code if all goes well.
    case stop(reason: String, code: Int32)
    /// … and immediately.
    case kill
    /// The supervisor itself did not run for this many seconds, which count for no deadline.
    case paused(Double)
    /// A deadline may have passed.
    case tick
  }

  public enum Action: Hashable, Sendable {
    case spawn(String)
    case signal(String, StopSignal)
    /// A line in a node's log, from the supervisor.
    case say(node: String, String)
    /// A line of the launcher.
    case announce(String)
    /// The last lines of a node must be shown, because it has brought the stack down.
    case blame(String)
    /// A process has become ready.
    case becameReady(String)
    /// A standby or a retired process has ended, with the reason.
    case left(String, reason: String)
    /// All processes that must start have been ready or have ended; sent once.
    case allReady
    /// No process is left; contains the launcher's exit code.
    case finished(Int32)
  }

  /// The signal for stopping: SIGTERM goes to the process, the others to its whole process group.
  public enum StopSignal: Hashable, Sendable {
    case terminate
    case abort
    case kill
  }

  /// Exit codes of the launcher.
  public enum ExitCode {
    public static let success: Int32 = 0
    /// A required node failed, or an expectation is not met.
    public static let failure: Int32 = 1
    public static let invalidFile: Int32 = 2
    public static let crashLoop: Int32 = 70
    /// A node had to be killed when the stack was stopped.
    public static let killed: Int32 = 137
  }

  /// Name of the broker among the nodes.
  public static let bus = "bus"

  public internal(set) var nodes: [SupervisedProcess]
  let order: StartOrder
  var hasAnnouncedReady = false
  /// The exit code of the stop in progress; nil while the stack runs.
  public internal(set) var stopCode: Int32?
  var hasKilled = false
  var isFinished = false

  /// Creates a supervisor; the broker comes first if `busPolicy` is given.
  public init(_ nodes: [NodeSettings], order: StartOrder, busPolicy: NodePolicy? = NodePolicy()) {
    let inOrder = order.names.compactMap { name in nodes.first { $0.name.value == name } }
    var lives = inOrder.flatMap { node in node.processNames.map { SupervisedProcess($0, of: node) }
    }
    if let busPolicy {
      lives.insert(
        SupervisedProcess(name: Self.bus, node: Self.bus, policy: busPolicy, isRequired: true),
        at: 0)
    }
    self.nodes = lives
    self.order = order
  }

  public var isStopping: Bool { stopCode != nil }

  /// Time at which `tick` is due if nothing happens before; nil for never.
  public var nextDeadlineS: Double? { nodes.compactMap(\.deadlineS).min() }

  public mutating func handle(
    _ event: Event, atS now: Double, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .start: break
    case .spawned(let name): spawned(name, now)
    case .spawnFailed(let name, let reason):
      update(name) { $0.cause = reason }
      ended(name, .code(127), now, &generator, &actions)
    case .ready(let name, let note): ready(name, note, now, &actions)
    case .sign(let name): update(name) { $0.lastSignS = now }
    case .finishing(let name): update(name) { $0.departure.isFinishing = true }
    case .ended(let name, let end): ended(name, end, now, &generator, &actions)
    case .memory(let name, let bytes): checkMemory(name, bytes, now, &actions)
    case .admit(let process, let node, let role): admit(process, node, role, now, &actions)
    case .adopt(let standby, let name): adopt(standby, as: name, now, &actions)
    case .dismiss(let name): dismiss(name, now, &actions)
    case .yield(let name): yield(name)
    case .keep(let name): keep(name, now, &actions)
    case .retire(let name): retire(name, now)
    case .rest(let name): rest(name, now, &actions)
    case .wake(let name): wake(name, now, &actions)
    case .renew(let name): renew(name, now, &actions)
    case .stop(let reason, let code): beginStop(reason, code, &actions)
    case .kill: killAll(now, &actions)
    case .paused(let seconds): extendDeadlines(seconds, now)
    case .tick: tick(now, &actions)
    }
    if isStopping { advanceStop(now, &actions) } else { advanceStart(now, &actions) }
    return actions
  }

  func index(_ name: String) -> Int? { nodes.firstIndex { $0.name == name } }

  mutating func update(_ name: String, _ change: (inout SupervisedProcess) -> Void) {
    if let index = index(name) { change(&nodes[index]) }
  }

  private mutating func spawned(_ name: String, _ now: Double) {
    update(name) {
      $0.startedS = now
      $0.lastSignS = now
      // A stop may have overtaken the start, so the phase decides.
      if case .starting = $0.phase { $0.phase = .starting(sinceS: now) }
    }
  }

  private mutating func ready(
    _ name: String, _ note: String?, _ now: Double, _ actions: inout [Action]
  ) {
    guard let index = index(name), case .starting(let since) = nodes[index].phase else { return }
    nodes[index].phase = .ready(sinceS: now)
    nodes[index].hasBeenReady = true
    nodes[index].lastSignS = now
    let note = note.map { "  \($0)" } ?? ""
    actions.append(
      .say(node: name, "ready in \(Figures.duration(seconds: now - since))\(note)"))
    actions.append(.becameReady(name))
  }

  private mutating func checkMemory(
    _ name: String, _ bytes: Int, _ now: Double, _ actions: inout [Action]
  ) {
    guard let index = index(name), let limit = nodes[index].policy.memoryBytes, bytes > limit
    else { return }
    switch nodes[index].phase {
    case .starting, .ready:
      nodes[index].cause =
        "memory \(Figures.memory(bytes: bytes)) > \(Figures.memory(bytes: limit))"
      nodes[index].phase = .ending(sinceS: now, isKilled: true)
      actions.append(.signal(name, .kill))
    case .pending, .ending, .backoff, .stopping, .leaving, .resting, .exited, .failed: break
    }
  }

  private mutating func tick(_ now: Double, _ actions: inout [Action]) {
    for index in nodes.indices {
      guard let deadline = nodes[index].deadlineS, deadline <= now else { continue }
      let node = nodes[index]
      switch node.phase {
      case .starting:
        let limit = Figures.duration(seconds: node.policy.readyWithinS)
        actions.append(.say(node: node.name, node.policy.readiness.advice))
        abort(index, "not ready within \(limit)", now, &actions)
      case .ready:
        let silence = Figures.duration(seconds: now - node.lastSignS)
        abort(index, "its work loop was silent for \(silence)", now, &actions)
      case .ending(let since, _):
        nodes[index].phase = .ending(sinceS: since, isKilled: true)
        actions.append(.signal(node.name, .kill))
      case .stopping(let since, _):
        nodes[index].phase = .stopping(sinceS: since, isKilled: true)
        hasKilled = hasKilled || isStopping
        actions.append(
          .announce(
            "\(node.name) did not stop in \(Figures.duration(seconds: now - since)); killed"))
        actions.append(.signal(node.name, .kill))
      case .leaving: requestStop(index, now, &actions)
      case .backoff: spawn(index, now, &actions)
      case .pending, .resting, .exited, .failed: break
      }
    }
  }

  /// Sends SIGABRT, which leaves a trace of a hang, unlike SIGKILL.
  private mutating func abort(
    _ index: Int, _ cause: String, _ now: Double, _ actions: inout [Action]
  ) {
    nodes[index].cause = cause
    nodes[index].phase = .ending(sinceS: now, isKilled: false)
    actions.append(.signal(nodes[index].name, .abort))
  }

  mutating func spawn(_ index: Int, _ now: Double, _ actions: inout [Action]) {
    nodes[index].phase = .starting(sinceS: now)
    nodes[index].startedS = now
    nodes[index].cause = nil
    nodes[index].next = nil
    nodes[index].departure.isFinishing = false
    actions.append(.spawn(nodes[index].name))
  }
}

// Starts, ends and restarts.
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
      nodes[index].backoff.shift(later)
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
    nodes[index].history.pastS += livedS
    let reason = nodes[index].cause.map { "\($0) (\(end.text))" } ?? end.text
    nodes[index].history.lastEnd = reason
    nodes[index].history.lastEndS = now
    nodes[index].history.wasAskedToEnd = nodes[index].next != nil
    guard nodes[index].role == .member else { return leave(index, reason, &actions) }
    guard !isStopping else { return endedInStop(index, end, &actions) }
    if let next = nodes[index].next { return endedAsRequested(index, next, now, &actions) }
    if nodes[index].departure.isAllowed {
      // Its successor may have its place, however it ended; otherwise it is restarted then.
      if end != .code(0) {
        nodes[index].departure.hasDied = true
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
    nodes[index].history.restarts += 1
    restartFollowers(of: nodes[index].node, now, &actions)
    let when = wait == 0 ? "at once" : "in \(Figures.duration(seconds: wait))"
    actions.append(.announce("\(what); restart \(nodes[index].history.restarts) \(when)"))
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
    nodes[index].history.lastEnd = nodes[index].history.lastEnd ?? reason
    actions.append(.announce(reason.hasPrefix(node.name) ? reason : "\(node.name): \(reason)"))
    actions.append(.blame(node.name))
    if node.isRequired {
      beginStop("\(node.name) has failed and is required", code, &actions)
    } else {
      actions.append(.announce("\(node.name) stays down; the stack continues without it"))
    }
  }
}

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
      nodes[index].history.wasAskedToEnd = true
    case .leaving, .resting, .exited, .failed: break
    }
  }

  /// Starts a process that is down; its failures are forgotten.
  mutating func wake(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard !isStopping, let index = member(name) else { return }
    nodes[index].backoff = RestartBackoff()
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
      nodes[index].history.restarts += 1
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
    nodes[new].history.restarts = nodes[old].history.restarts
    nodes[new].history.pastS += nodes[old].uptimeS(atS: now)
    nodes[old].role = .retired
    (nodes[new].name, nodes[old].name) = (name, standby)
    leaveOrVanish(old, now)
  }

  /// Lets a process end in good order without further action, because another one is about to
  /// replace it.
  mutating func yield(_ name: String) {
    update(name) {
      $0.departure.isAllowed = true
      $0.departure.hasDied = false
    }
  }

  /// Handles that no process has taken its place.
  mutating func keep(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard let index = index(name), nodes[index].departure.isAllowed else { return }
    nodes[index].departure.isAllowed = false
    guard nodes[index].phase == .resting else { return }
    if nodes[index].departure.hasDied {
      nodes[index].departure.hasDied = false
      nodes[index].history.restarts += 1
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

// The end of the stack.
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
