public import StackFile

/// Decides when each process of a stack is started, restarted and ended.
///
/// It owns no process and no clock. Each event has a time, in seconds of a clock that never goes
/// back, and returns actions.
public struct Supervisor: Hashable, Sendable {
  public enum Event: Hashable, Sendable {
    case start
    case spawned(String)
    case spawnFailed(String, reason: String)
    /// READY=1, the line, or the port; `note` is the node's own status.
    case ready(String, note: String?)
    /// WATCHDOG=1: the process works.
    case heartbeat(String)
    /// STOPPING=1: the process ends by itself, and sends heartbeats while it finishes.
    case finishing(String)
    case ended(String, ProcessEnd)
    case memory(String, bytes: Int)
    /// A process joins while the stack runs: a standby, or one more replica.
    case admit(StackProcess, NodeSettings, SupervisedProcess.Role)
    /// Another process is about to replace this member, which may end by itself.
    case allowReplacement(String)
    /// No process replaces the member after all.
    case cancelReplacement(String)
    /// A standby has replaced the member `as`: the two exchange names, and the old member leaves.
    case promote(String, as: String)
    /// A standby, or a replica that serves no vehicles yet, is no longer needed.
    case discard(String)
    /// A replica has handed over its vehicles.
    case retire(String)
    /// A request to stop, start or restart one process.
    case stopProcess(String)
    case startProcess(String)
    case restartProcess(String)
    /// The stack must end; `code` is navlaunch's exit code if all goes well.
    case stop(reason: String, code: Int32)
    /// The stack must end immediately: all processes are killed.
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
    /// The last lines of a node must be shown, because it has failed.
    case showLastLines(String)
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

  public internal(set) var processes: [SupervisedProcess]
  let order: StartOrder
  var hasAnnouncedReady = false
  /// The exit code of the stop in progress; nil while the stack runs.
  public internal(set) var stopCode: Int32?
  var hasKilled = false
  var isFinished = false

  /// Creates a supervisor; the broker comes first if `busPolicy` is given.
  public init(_ nodes: [NodeSettings], order: StartOrder, busPolicy: NodePolicy? = NodePolicy()) {
    let inOrder = order.names.compactMap { name in nodes.first { $0.name.value == name } }
    var processes = inOrder.flatMap { node in
      node.processNames.map { SupervisedProcess($0, of: node) }
    }
    if let busPolicy {
      processes.insert(
        SupervisedProcess(name: Self.bus, node: Self.bus, policy: busPolicy, isRequired: true),
        at: 0)
    }
    self.processes = processes
    self.order = order
  }

  public var isStopping: Bool { stopCode != nil }

  /// Time at which `tick` is due if nothing happens before; nil for never.
  public var nextDeadlineS: Double? { processes.compactMap(\.deadlineS).min() }

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
    case .heartbeat(let name): update(name) { $0.lastHeartbeatS = now }
    case .finishing(let name): update(name) { $0.departure.isFinishing = true }
    case .ended(let name, let end): ended(name, end, now, &generator, &actions)
    case .memory(let name, let bytes): checkMemory(name, bytes, now, &actions)
    case .admit(let process, let node, let role): admit(process, node, role, now, &actions)
    case .promote(let standby, let name): promote(standby, as: name, now, &actions)
    case .discard(let name): discard(name, now, &actions)
    case .allowReplacement(let name): allowReplacement(name)
    case .cancelReplacement(let name): cancelReplacement(name, now, &actions)
    case .retire(let name): retire(name, now)
    case .stopProcess(let name): stopProcess(name, now, &actions)
    case .startProcess(let name): startProcess(name, now, &actions)
    case .restartProcess(let name): restartProcess(name, now, &actions)
    case .stop(let reason, let code): beginStop(reason, code, now, &actions)
    case .kill: killAll(now, &actions)
    case .paused(let seconds): extendDeadlines(seconds, now)
    case .tick: tick(now, &actions)
    }
    if isStopping { advanceStop(now, &actions) } else { advanceStart(now, &actions) }
    return actions
  }

  func index(_ name: String) -> Int? { processes.firstIndex { $0.name == name } }

  mutating func update(_ name: String, _ change: (inout SupervisedProcess) -> Void) {
    if let index = index(name) { change(&processes[index]) }
  }

  private mutating func spawned(_ name: String, _ now: Double) {
    update(name) {
      $0.startedS = now
      $0.lastHeartbeatS = now
      // A stop may have overtaken the start, so the phase decides.
      if case .starting = $0.phase { $0.phase = .starting(sinceS: now) }
    }
  }

  private mutating func ready(
    _ name: String, _ note: String?, _ now: Double, _ actions: inout [Action]
  ) {
    guard let index = index(name), case .starting(let since) = processes[index].phase else {
      return
    }
    processes[index].phase = .ready(sinceS: now)
    processes[index].hasBeenReady = true
    processes[index].lastHeartbeatS = now
    let note = note.map { "  \($0)" } ?? ""
    actions.append(
      .say(node: name, "ready in \(Figures.duration(seconds: now - since))\(note)"))
    actions.append(.becameReady(name))
  }

  private mutating func checkMemory(
    _ name: String, _ bytes: Int, _ now: Double, _ actions: inout [Action]
  ) {
    guard let index = index(name), let limit = processes[index].policy.memoryBytes, bytes > limit
    else { return }
    switch processes[index].phase {
    case .starting, .ready:
      processes[index].cause =
        "memory \(Figures.memory(bytes: bytes)) > \(Figures.memory(bytes: limit))"
      processes[index].phase = .ending(sinceS: now, isKilled: true)
      actions.append(.signal(name, .kill))
    case .pending, .ending, .backoff, .stopping, .leaving, .stopped, .exited, .failed: break
    }
  }

  private mutating func tick(_ now: Double, _ actions: inout [Action]) {
    for index in processes.indices {
      guard let deadline = processes[index].deadlineS, deadline <= now else { continue }
      let node = processes[index]
      switch node.phase {
      case .starting:
        let limit = Figures.duration(seconds: node.policy.readyWithinS)
        actions.append(.say(node: node.name, node.policy.readiness.advice))
        abort(index, "not ready within \(limit)", now, &actions)
      case .ready:
        let silence = Figures.duration(seconds: now - node.lastHeartbeatS)
        abort(index, "its work loop was silent for \(silence)", now, &actions)
      case .ending(let since, _):
        processes[index].phase = .ending(sinceS: since, isKilled: true)
        actions.append(.signal(node.name, .kill))
      case .stopping(let since, _):
        processes[index].phase = .stopping(sinceS: since, isKilled: true)
        hasKilled = hasKilled || isStopping
        actions.append(
          .announce(
            "\(node.name) did not stop in \(Figures.duration(seconds: now - since)); killed"))
        actions.append(.signal(node.name, .kill))
      case .leaving: requestStop(index, now, &actions)
      case .backoff: spawn(index, now, &actions)
      case .pending, .stopped, .exited, .failed: break
      }
    }
  }

  /// Sends SIGABRT, which leaves a trace of a hang, unlike SIGKILL.
  private mutating func abort(
    _ index: Int, _ cause: String, _ now: Double, _ actions: inout [Action]
  ) {
    processes[index].cause = cause
    processes[index].phase = .ending(sinceS: now, isKilled: false)
    actions.append(.signal(processes[index].name, .abort))
  }

  mutating func spawn(_ index: Int, _ now: Double, _ actions: inout [Action]) {
    processes[index].phase = .starting(sinceS: now)
    processes[index].startedS = now
    processes[index].cause = nil
    processes[index].next = nil
    processes[index].departure.isFinishing = false
    actions.append(.spawn(processes[index].name))
  }
}

// Starts, ends and restarts.
extension Supervisor {
  /// Starts the processes whose dependencies are ready.
  mutating func advanceStart(_ now: Double, _ actions: inout [Action]) {
    for index in processes.indices where processes[index].phase == .pending {
      switch obstacle(processes[index]) {
      case .none: spawn(index, now, &actions)
      case .wait: break
      case .failed(let other):
        fail(index, "it waits for \(other), which failed", ExitCode.failure, now, &actions)
      }
    }
    guard !isStopping else { return advanceStop(now, &actions) }
    let members = processes.filter { $0.role == .member }
    let isSettled = members.allSatisfy { $0.hasBeenReady || $0.isDone }
    if isSettled, !hasAnnouncedReady {
      hasAnnouncedReady = true
      actions.append(.allReady)
    }
    let stages = members.filter { $0.name != Self.bus }
    if !stages.isEmpty, stages.allSatisfy(\.isDone) {
      beginStop("all nodes have ended", ExitCode.success, now, &actions)
      advanceStop(now, &actions)
    }
  }

  /// Extends all running deadlines by the seconds for which the supervisor was paused.
  ///
  /// Processes that have ended are not affected.
  mutating func extendDeadlines(_ seconds: Double, _ now: Double) {
    func later(_ since: Double) -> Double { min(now, since + seconds) }
    for index in processes.indices {
      switch processes[index].phase {
      case .starting(let since): processes[index].phase = .starting(sinceS: later(since))
      case .ready: processes[index].lastHeartbeatS = now
      case .ending(let since, let isKilled):
        processes[index].phase = .ending(sinceS: later(since), isKilled: isKilled)
      case .stopping(let since, let isKilled):
        processes[index].phase = .stopping(sinceS: later(since), isKilled: isKilled)
      case .leaving(let since): processes[index].phase = .leaving(sinceS: later(since))
      case .pending, .backoff, .stopped, .exited, .failed: break
      }
      processes[index].backoff.shift(later)
    }
  }

  private enum Obstacle {
    case none
    case wait
    case failed(String)
  }

  private func obstacle(_ process: SupervisedProcess) -> Obstacle {
    if process.name != Self.bus, let bus = processes.first(where: { $0.name == Self.bus }),
      !bus.hasBeenReady
    {
      return .wait
    }
    let waits = order.waits[process.node] ?? []
    for other in processes where other.role == .member && waits.contains(other.node) {
      let isWritten = order.written[process.node]?.contains(other.node) ?? false
      // A node that follows another waits for each start of it.
      let isFollowed = process.follows && isWritten
      if other.phase == .exited || (other.hasBeenReady && !isFollowed) { continue }
      switch other.phase {
      case .failed:
        if isWritten { return .failed(other.name) }
      case .backoff:
        // A node that only reads its topics need not wait for its restart.
        if isWritten { return .wait }
      case .ready, .exited, .stopped: break
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
    guard let index = index(name), processes[index].phase.isLive else { return }
    processes[index].forgive(atS: now)
    let livedS = max(0, now - processes[index].startedS)
    processes[index].history.pastS += livedS
    let reason = processes[index].cause.map { "\($0) (\(end.text))" } ?? end.text
    processes[index].history.lastEnd = reason
    processes[index].history.lastEndS = now
    processes[index].history.wasAskedToEnd = processes[index].next != nil
    guard processes[index].role == .member else { return removeEnded(index, reason, &actions) }
    guard !isStopping else { return endedInStop(index, end, &actions) }
    if let next = processes[index].next { return endedAsRequested(index, next, now, &actions) }
    if processes[index].departure.isAllowed {
      // Its successor may have replaced it, however it ended. If not, `cancelReplacement` restarts
      // it.
      if end != .code(0) {
        processes[index].departure.hasDied = true
        actions.append(.announce("\(name) died during its handover: \(reason)"))
      }
      processes[index].phase = .stopped
      return
    }
    let isFailure = end != .code(0) || processes[index].cause != nil
    processes[index].cause = nil
    let policy = processes[index].policy
    guard isFailure || policy.restart == .always else {
      processes[index].phase = .exited
      if policy.readiness == .exit { processes[index].hasBeenReady = true }
      actions.append(
        .say(node: name, "ended after \(Figures.duration(seconds: livedS)), as expected"))
      if policy.endsStack { beginStop("\(name) has ended", ExitCode.success, now, &actions) }
      return
    }
    let verb = isFailure ? "died" : "ended"
    let what = "\(name) \(verb): \(reason) after \(Figures.duration(seconds: livedS))"
    if case .code(let code) = end, ProcessEnd.permanentFailures.contains(code) {
      fail(index, "\(what); a restart cannot fix that", ExitCode.failure, now, &actions)
    } else if policy.restart == .never {
      fail(index, what, ExitCode.failure, now, &actions)
    } else {
      restart(index, what, now, &generator, &actions)
    }
  }

  private mutating func restart(
    _ index: Int, _ what: String, _ now: Double,
    _ generator: inout some RandomNumberGenerator, _ actions: inout [Action]
  ) {
    let policy = processes[index].policy
    guard let wait = processes[index].backoffS(atS: now, using: &generator) else {
      let span = Figures.duration(seconds: policy.giveUpWithinS)
      let text = "\(what); crash loop: \(policy.giveUpTimes) failures within \(span)"
      return fail(index, text, ExitCode.crashLoop, now, &actions)
    }
    processes[index].history.restarts += 1
    restartFollowers(of: processes[index].node, now, &actions)
    let when = wait == 0 ? "at once" : "in \(Figures.duration(seconds: wait))"
    actions.append(.announce("\(what); restart \(processes[index].history.restarts) \(when)"))
    if wait == 0 {
      spawn(index, now, &actions)
    } else {
      processes[index].phase = .backoff(untilS: now + wait)
    }
  }

  /// Marks a node as permanently failed; a required node ends the stack.
  private mutating func fail(
    _ index: Int, _ reason: String, _ code: Int32, _ now: Double, _ actions: inout [Action]
  ) {
    let node = processes[index]
    processes[index].phase = .failed(reason)
    processes[index].history.lastEnd = processes[index].history.lastEnd ?? reason
    actions.append(.announce(reason.hasPrefix(node.name) ? reason : "\(node.name): \(reason)"))
    actions.append(.showLastLines(node.name))
    if node.isRequired {
      beginStop("\(node.name) has failed and is required", code, now, &actions)
    } else {
      actions.append(.announce("\(node.name) stays down; the stack continues without it"))
    }
  }
}

// Requests for single processes, and the restarts of the followers of a node.
extension Supervisor {
  /// Stops a process until a request starts it.
  mutating func stopProcess(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard !isStopping, let index = member(name) else { return }
    switch processes[index].phase {
    case .starting, .ready: end(index, .stop, now, &actions)
    case .ending, .stopping: processes[index].next = .stop
    case .pending, .backoff:
      processes[index].phase = .stopped
      processes[index].history.wasAskedToEnd = true
    case .leaving, .stopped, .exited, .failed: break
    }
  }

  /// Starts a process that is down, and resets its failure count.
  mutating func startProcess(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard !isStopping, let index = member(name) else { return }
    processes[index].backoff = RestartBackoff()
    switch processes[index].phase {
    case .stopped, .exited, .failed, .backoff: spawn(index, now, &actions)
    case .stopping: processes[index].next = .restart
    case .pending, .starting, .ready, .ending, .leaving: break
    }
  }

  /// Stops a process in an orderly way and restarts it.
  mutating func restartProcess(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard !isStopping, let index = member(name) else { return }
    switch processes[index].phase {
    case .starting, .ready: end(index, .restart, now, &actions)
    case .pending, .ending, .backoff, .stopping, .leaving, .stopped, .exited, .failed:
      startProcess(name, now, &actions)
    }
  }

  /// Restarts the followers of a node that has died.
  mutating func restartFollowers(of node: String, _ now: Double, _ actions: inout [Action]) {
    for index in processes.indices
    where processes[index].follows && processes[index].role == .member {
      guard order.written[processes[index].node]?.contains(node) ?? false else { continue }
      switch processes[index].phase {
      case .starting, .ready:
        actions.append(.announce("\(processes[index].name) restarts with \(node)"))
        end(index, .restart, now, &actions)
      case .pending, .ending, .backoff, .stopping, .leaving, .stopped, .exited, .failed: break
      }
    }
  }

  mutating func endedAsRequested(
    _ index: Int, _ next: SupervisedProcess.Next, _ now: Double, _ actions: inout [Action]
  ) {
    let name = processes[index].name
    processes[index].next = nil
    processes[index].cause = nil
    switch next {
    case .stop:
      processes[index].phase = .stopped
      actions.append(.say(node: name, "stopped on request"))
    case .restart:
      processes[index].history.restarts += 1
      restartFollowers(of: processes[index].node, now, &actions)
      // Its dependencies may not be ready yet.
      processes[index].phase = .pending
    }
  }

  private mutating func end(
    _ index: Int, _ next: SupervisedProcess.Next, _ now: Double, _ actions: inout [Action]
  ) {
    processes[index].next = next
    requestStop(index, now, &actions)
  }

  private func member(_ name: String) -> Int? {
    processes.firstIndex { $0.name == name && $0.role == .member }
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
    processes.append(SupervisedProcess(process.name, of: node, role: role))
    spawn(processes.count - 1, now, &actions)
  }

  /// Exchanges the names of two processes, so that statistics, log lines and policy stay with the
  /// member's name.
  mutating func promote(
    _ standby: String, as name: String, _ now: Double, _ actions: inout [Action]
  ) {
    guard let new = index(standby), processes[new].role == .standby else {
      // The process has died since, so the member is started with its new settings.
      cancelReplacement(name, now, &actions)
      return restartProcess(name, now, &actions)
    }
    processes[new].role = .member
    guard standby != name, let old = index(name) else {
      processes[new].name = name
      return
    }
    processes[new].history.restarts = processes[old].history.restarts
    processes[new].history.pastS += processes[old].uptimeS(atS: now)
    processes[old].role = .retired
    (processes[new].name, processes[old].name) = (name, standby)
    leaveOrRemove(old, now)
  }

  /// Allows a process to end without a restart, because another one is about to replace it.
  mutating func allowReplacement(_ name: String) {
    update(name) {
      $0.departure.isAllowed = true
      $0.departure.hasDied = false
    }
  }

  /// Cancels a planned replacement; restarts the process if it has already ended.
  mutating func cancelReplacement(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard let index = index(name), processes[index].departure.isAllowed else { return }
    processes[index].departure.isAllowed = false
    guard processes[index].phase == .stopped else { return }
    if processes[index].departure.hasDied {
      processes[index].departure.hasDied = false
      processes[index].history.restarts += 1
    }
    spawn(index, now, &actions)
  }

  mutating func retire(_ name: String, _ now: Double) {
    guard let index = index(name), processes[index].role == .member else { return }
    processes[index].role = .retired
    leaveOrRemove(index, now)
  }

  private mutating func leaveOrRemove(_ index: Int, _ now: Double) {
    switch processes[index].phase {
    case .starting, .ready: processes[index].phase = .leaving(sinceS: now)
    case .ending, .stopping, .leaving: break
    case .pending, .backoff, .stopped, .exited, .failed: processes.remove(at: index)
    }
  }

  /// Kills a process that has nothing that others need, without waiting for its end.
  mutating func discard(_ name: String, _ now: Double, _ actions: inout [Action]) {
    guard let index = index(name) else { return }
    processes[index].role = .retired
    guard processes[index].phase.isLive else {
      processes.remove(at: index)
      return
    }
    processes[index].phase = .stopping(sinceS: now, isKilled: true)
    actions.append(.signal(name, .kill))
  }

  /// Removes a process that has ended and is not a member; nothing else depends on it.
  mutating func removeEnded(_ index: Int, _ reason: String, _ actions: inout [Action]) {
    let process = processes.remove(at: index)
    actions.append(.left(process.name, reason: reason))
  }
}

// The end of the stack.
extension Supervisor {
  /// Prevents all further starts, and stores the exit code; the first reason counts.
  mutating func beginStop(
    _ reason: String, _ code: Int32, _ now: Double, _ actions: inout [Action]
  ) {
    guard !isStopping else { return }
    stopCode = code
    actions.append(.announce("stopping: \(reason)"))
    for index in processes.indices {
      switch processes[index].phase {
      case .pending, .backoff, .stopped: processes[index].phase = .exited
      case .starting, .ready, .ending, .stopping, .leaving, .exited, .failed: break
      }
    }
    // A standby serves no vehicles, so it has nothing to finish.
    for node in processes where node.role == .standby { discard(node.name, now, &actions) }
  }

  /// Stops the processes that no other process needs any more; the bus last.
  mutating func advanceStop(_ now: Double, _ actions: inout [Action]) {
    guard !isFinished else { return }
    let live = processes.filter(\.phase.isLive)
    for index in processes.indices {
      switch processes[index].phase {
      case .starting, .ready, .leaving: break
      case .pending, .ending, .backoff, .stopping, .stopped, .exited, .failed: continue
      }
      let node = processes[index].node
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
    processes[index].phase = .stopping(sinceS: now, isKilled: false)
    actions.append(.signal(processes[index].name, .terminate))
  }

  mutating func endedInStop(
    _ index: Int, _ end: ProcessEnd, _ actions: inout [Action]
  ) {
    let node = processes[index]
    processes[index].phase = .exited
    let isKilled =
      switch node.phase {
      case .stopping(_, let isKilled), .ending(_, let isKilled): isKilled
      case .pending, .starting, .ready, .backoff, .leaving, .stopped, .exited, .failed: false
      }
    guard !end.isOrderly, !isKilled, node.cause == nil else { return }
    actions.append(.announce("\(node.name) failed while stopping: \(end.text)"))
    if node.isRequired, stopCode == ExitCode.success { stopCode = ExitCode.failure }
  }

  mutating func killAll(_ now: Double, _ actions: inout [Action]) {
    beginStop("killed", ExitCode.success, now, &actions)
    for index in processes.indices where processes[index].phase.isLive {
      processes[index].phase = .stopping(sinceS: now, isKilled: true)
      hasKilled = true
      actions.append(.signal(processes[index].name, .kill))
    }
  }
}

extension Supervisor {
  /// The state of the stack in one sentence: how many processes are ready, and what the others do.
  public var summary: String {
    let members = processes.filter { $0.role == .member }
    if isStopping {
      let live = processes.filter(\.phase.isLive).map(\.name)
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
