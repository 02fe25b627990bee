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
    case .finishing(let name): update(name) { $0.isFinishing = true }
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
    nodes[index].isFinishing = false
    actions.append(.spawn(nodes[index].name))
  }
}
