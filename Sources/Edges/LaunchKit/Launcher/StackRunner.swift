import BusClient
import BusProtocol
import CLinux
import Foundation
public import ZMQ

/// Runs a checked stack until it ends, by executing the supervisor's decisions.
///
/// Everything happens on the thread that calls `run`, and processes end with that thread.
public final class StackRunner {
  /// Options for running a stack.
  public struct Options: Sendable {
    /// Seconds after which a check ends; nil if the stack runs until it is stopped.
    public var checkS: Double?
    /// Paths of the programs by node, and `bus`.
    public var programs: [String: String]
    /// Path of the stack file.
    public var file = ""
    /// Folder of the stack file, where nodes run.
    public var folder: String
    public var environment: [String: String]
    /// The folders in which programs that are added later are searched for.
    public var search: ProgramFinder
    public var isColored = false
    /// Called once when all nodes are ready.
    public var whenReady: (@Sendable () -> Void)?
    /// The format of the log; nil for that of the stack file.
    public var logFormat: LogSettings.Format?
    /// Where to record; nil for the settings of the stack file.
    public var record: Record?
    /// Signalled when the log file must be reopened; nil if nothing requests that.
    public var reloadRequests: ThreadWaker?

    /// The recording option of the command line.
    public enum Record: Hashable, Sendable {
      case off
      case file(String)
    }

    public init(
      checkS: Double? = nil, programs: [String: String], search: ProgramFinder, folder: String,
      environment: [String: String]
    ) {
      self.checkS = checkS
      self.programs = programs
      self.folder = folder
      self.environment = environment
      self.search = search
    }
  }

  var stack: CheckedStack
  let options: Options
  let directory: RunDirectory
  let address: BusAddress
  /// Signalled once to stop, twice to stop immediately.
  let stopRequests: ThreadWaker
  var log: StackLog
  var supervisor: Supervisor
  var service: ServiceNotifier
  var generator = SystemRandomNumberGenerator()
  var children: [String: NodeProcess] = [:]
  /// The data with which each process is started and restarted.
  var plans: [String: ProcessPlan] = [:]
  /// Sockets of notifications are numbered, since processes can exchange names.
  var notifySerial = 0
  var peakBytes: [String: Int] = [:]
  var guardDescriptor: Int32 = -1
  var stopCount: UInt64 = 0
  var exitCode: Int32?
  var witness: LauncherBusClient?
  var startCalls: StartCalls
  var expectations: Expectations?
  var checkEndS: Double?
  var nextProbeS = 0.0
  var losses = LossCounts()
  /// The results of the order to record.
  let recordMail: LauncherMailbox<CallEnd>
  var heldReadiness: HeldReadiness?
  /// Start time of the stack, for names of files.
  let startText: String
  var operation: (any StackOperation)?
  var operationCall: IncomingCall?
  var operationJudge: ReplacementCheck?
  /// Last error lines of processes that ended during the operation.
  var endErrors: [String: String] = [:]
  var judgeThread: OSThread?
  var pendingOperationEvents: [OperationEvent] = []
  let operationMail: LauncherMailbox<OperationEvent>
  /// Whether the broker has once been sent the assignment of vehicles to replicas.
  var hasShared = false
  /// Time at which that assignment is sent again; nil for never.
  var shareAgainAtS: Double?
  /// Results of such assignments, by node.
  let shareMail: LauncherMailbox<(String, HandoverReport)>
  var operationSerial = 0
  /// The last order of each node, if it was not carried out, and the reason.
  var failedOrders: [String: FailedOrder] = [:]
  /// The program that requested the last stop or restart of each process.
  var askedBy: [String: String] = [:]
  /// Whether a failure to wait has been logged, which happens once.
  private var hasFailedToWait = false
  private var pulse = LoopStallDetector()
  /// The epoch of the run numbers of all processes, microseconds.
  let runEpochUS = RunNumber.epoch()

  /// Takes the stack's folder, and with it the right to run the stack.
  ///
  /// - Throws: `LaunchError` if the stack already runs or its bus is not available.
  public init(
    _ stack: CheckedStack, _ options: Options, stopRequests: ThreadWaker,
    write: @escaping (String) -> Void
  ) throws(LaunchError) {
    self.stack = stack
    self.options = options
    self.stopRequests = stopRequests
    do {
      operationMail = try LauncherMailbox()
      shareMail = try LauncherMailbox()
      recordMail = try LauncherMailbox()
    } catch {
      throw LaunchError(error.description)
    }
    directory = try RunDirectory(stack: stack.file.name, environment: options.environment)
    do {
      address = try BusAddress(
        stack.file.bus.base(directory: directory.path), isInsecureAllowed: true)
    } catch {
      directory.remove()
      throw LaunchError(error.description)
    }
    let processes = stack.nodes.processes
    var settings = stack.file.log
    settings.format = options.logFormat ?? settings.format
    log = StackLog(
      names: ["nav", Supervisor.bus] + processes.map(\.name), settings: settings,
      folder: options.folder, isColored: options.isColored, write: write)
    supervisor = Supervisor(stack.nodes, order: stack.order)
    service = ServiceNotifier(options.environment, process: getpid())
    startCalls = StartCalls(stack.file.start)
    startText = StackLog.compactMoment()
    plan(processes)
  }

  private func plan(_ processes: [StackProcess]) {
    for process in [StackProcess(name: Supervisor.bus, node: Supervisor.bus)] + processes {
      plans[process.name] = ProcessPlan(
        process: process, node: stack.file.node(process.node),
        program: options.programs[process.node] ?? "",
        parameters: stack.parameters[process.node] ?? [:])
    }
  }

  var nowS: Double { Double(clinux_monotonic_ns()) / 1e9 }

  /// Runs the stack to its end and returns the launcher's exit code.
  public func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    // Process 1 needs no guard, because all other processes end with it.
    if getpid() != 1 { guardDescriptor = clinux_guard_start(directory.path, directory.lock) }
    // This follows the start of the guard, which must not become a child of the launcher.
    _ = clinux_adopt_orphans()
    announce()
    perform(.start)
    while exitCode == nil {
      reportToService()
      turn()
    }
    reportToService()
    witness?.close()
    endAllStrays()
    log.summary(supervisor, peakBytes, losses, atS: nowS)
    if guardDescriptor >= 0 { clinux_guard_dismiss(guardDescriptor) }
    directory.remove()
    return exitCode ?? Supervisor.ExitCode.failure
  }

  private func announce() {
    let processes = stack.nodes.processes.count
    let more = processes == stack.nodes.count ? "" : " (\(processes) processes)"
    log.say("nav", "\(stack.file.name): \(stack.nodes.count) nodes\(more), NAV_BUS=\(address.base)")
    for name in stack.leftOut.sorted() { log.say("nav", "\(name) is left out") }
    do {
      try directory.write(address.base + "\n", to: "address")
      try directory.write(Self.newToken() + "\n", to: "token")
    } catch {
      log.say("nav", error.message)
    }
  }

  /// Returns a new access token of 128 random bits for the stack's servers.
  ///
  /// Pages and programs of this user present it.
  private static func newToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Waits for an event and handles it.
  private func turn() {
    var items = descriptors().map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if poll(&items, nfds_t(items.count), timeoutMS()) < 0, errno != EINTR {
      // The loop must still check its children, and must not spin.
      let reason = String(cString: strerror(errno))
      if !hasFailedToWait { log.say("nav", "waiting for the nodes failed: \(reason)") }
      hasFailedToWait = true
      usleep(20_000)
    }
    handleStopRequests()
    reload()
    for name in children.keys.sorted() { hear(name) }
    handleBusEvents()
    handleRecordingEvents()
    tickShares()
    for name in children.keys.sorted() { reap(name) }
    clinux_reap_orphans()
    probe()
    extendAllDeadlines()
    perform(.tick)
    tickStart()
    judge()
    advanceOperation()
  }

  /// Extends all deadlines by a time in which the launcher itself did not run.
  ///
  /// All processes were frozen during that time, too.
  private func extendAllDeadlines() {
    guard let seconds = pulse.pauseS(atS: nowS) else { return }
    let text = Figures.duration(seconds: seconds)
    log.say("nav", "the launcher did not run for \(text); all process deadlines are extended")
    perform(.paused(seconds))
    startCalls.forgive(seconds)
  }

  private func descriptors() -> [Int32] {
    var all = [stopRequests.descriptor, operationMail.descriptor, shareMail.descriptor]
    all.append(recordMail.descriptor)
    all.append(options.reloadRequests?.descriptor ?? -1)
    all += witness?.descriptors ?? []
    for child in children.values { all += child.process.descriptors + [child.notifications] }
    return all.filter { $0 >= 0 }
  }

  private func timeoutMS() -> Int32 {
    guard pendingOperationEvents.isEmpty else { return 0 }
    var deadlines = [
      supervisor.nextDeadlineS, startCalls.deadlineS, checkEndS, operation?.deadlineS,
      shareAgainAtS, service.deadlineS,
    ].compactMap { $0 }
    if needsProbes { deadlines.append(nextProbeS) }
    // Expectations also depend on time.
    if expectations != nil { deadlines.append(nowS + 0.1) }
    let wait = deadlines.min().map { (($0 - nowS) * 1_000).rounded(.up) } ?? .infinity
    return Int32(max(0, min(LoopStallDetector.longestWaitMS, wait)))
  }

  private func handleStopRequests() {
    var count: UInt64 = 0
    guard read(stopRequests.descriptor, &count, 8) == 8 else { return }
    stopCount += count
    if stopCount == count {
      perform(
        .stop(
          reason: "on request (send the signal again to kill)", code: Supervisor.ExitCode.success))
    }
    if stopCount > 1 { perform(.kill) }
  }

  private func becameReady(_ name: String) {
    pendingOperationEvents.append(.ready(name))
  }

  /// Passes an event to the supervisor, and executes its decisions.
  func perform(_ event: Supervisor.Event) {
    var events = [event]
    while let event = events.popLast() {
      for action in supervisor.handle(event, atS: nowS, using: &generator) {
        if let consequence = perform(action) { events.insert(consequence, at: 0) }
      }
    }
  }

  private func perform(_ action: Supervisor.Action) -> Supervisor.Event? {
    switch action {
    case .spawn(let name): return spawn(name)
    case .signal(let name, let signal): children[name]?.process.signal(signal)
    case .say(let name, let text): log.say(name, text)
    case .announce(let text): log.say("nav", text)
    case .blame(let name): log.blame(name)
    case .becameReady(let name): becameReady(name)
    case .left(let name, let reason): left(name, reason)
    case .allReady:
      service.becameReady()
      begin()
    case .finished(let code): exitCode = checkedCode(code)
    }
    return nil
  }
}
