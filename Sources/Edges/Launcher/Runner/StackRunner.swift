import BusClient
import BusProtocol
import CLinux
import Foundation
import Messages
public import StackFile
import Stage
import Supervision
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

    /// The recording settings of a stack with these options; nil for no recording.
    func recording(of file: StackFile) -> RecordSettings? {
      switch record {
      case .off?: return nil
      case .file(let path)?:
        var settings = file.record ?? RecordSettings(to: Located(path, at: .start))
        settings.to.value = path
        return settings
      case nil: return file.record
      }
    }
  }

  private(set) var stack: CheckedStack
  let options: Options
  private var stopRequests: StopRequests
  private(set) var log: StackLog
  private(set) var supervisor: Supervisor
  private var service: ServiceNotifier
  private(set) var processes: ProcessTable
  private let address: BusAddress
  private(set) var bus: StackBus
  var orders: StackOrders
  private var startCalls: StartCalls
  /// nil before all nodes are ready, and for a stack that is not checked.
  private var check: CheckRun?
  /// Start time of the stack, for names of files.
  private let startText: String
  private var wait = EventWait()
  private var exitCode: Int32?

  /// Takes the stack's folder, and with it the right to run the stack.
  ///
  /// - Throws: `LaunchError` if the stack already runs or its bus is not available.
  public init(
    _ stack: CheckedStack, _ options: Options, stopRequests: ThreadWaker,
    write: @escaping (String) -> Void
  ) throws(LaunchError) {
    self.stack = stack
    self.options = options
    self.stopRequests = StopRequests(stopRequests)
    do {
      orders = try StackOrders()
      bus = try StackBus()
    } catch {
      throw LaunchError(error.description)
    }
    let directory = try RunDirectory(stack: stack.file.name, environment: options.environment)
    do {
      address = try BusAddress(
        stack.file.bus.base(directory: directory.path), isInsecureAllowed: true)
    } catch {
      directory.remove()
      throw LaunchError(error.description)
    }
    let members = stack.nodes.processes
    var settings = stack.file.log
    settings.format = options.logFormat ?? settings.format
    log = StackLog(
      names: ["nav", Supervisor.bus] + members.map(\.name), settings: settings,
      folder: options.folder, isColored: options.isColored, write: write)
    supervisor = Supervisor(stack.nodes, order: stack.order)
    service = ServiceNotifier(options.environment, process: getpid())
    startCalls = StartCalls(stack.file.start)
    startText = StackLog.compactMoment()
    let environment = ProcessEnvironment(
      inherited: options.environment, busBase: address.base,
      listenBase: stack.file.bus.listenBase(directory: directory.path),
      isRemote: address.isRemote, stack: stack.file.name, vehicles: stack.file.vehicles,
      directory: directory, isRecording: options.recording(of: stack.file) != nil,
      runEpochUS: RunNumber.epoch())
    processes = ProcessTable(
      plans: Self.plans(stack, members, options), environment: environment, folder: options.folder)
  }

  private static func plans(
    _ stack: CheckedStack, _ members: [StackProcess], _ options: Options
  ) -> [String: ProcessPlan] {
    var plans: [String: ProcessPlan] = [:]
    for process in [StackProcess(name: Supervisor.bus, node: Supervisor.bus)] + members {
      plans[process.name] = ProcessPlan(
        process: process, node: stack.file.node(process.node),
        program: options.programs[process.node] ?? "",
        parameters: stack.parameters[process.node] ?? [:])
    }
    return plans
  }

  var nowS: Double { Double(clinux_monotonic_ns()) / 1e9 }

  /// Runs the stack to its end and returns the launcher's exit code.
  public func run() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    processes.startGuard()
    // This follows the start of the guard, which must not become a child of the launcher.
    _ = clinux_adopt_orphans()
    announce()
    perform(.start)
    while exitCode == nil {
      reportToService()
      turn()
    }
    reportToService()
    bus.close()
    let late = processes.endAllStrays()
    if late > 0 { log.say("nav", "orphaned processes of nodes were killed: \(late)") }
    log.summary(supervisor, processes.peakBytes, bus.losses, atS: nowS)
    processes.dismissGuard()
    processes.directory.remove()
    return exitCode ?? Supervisor.ExitCode.failure
  }

  private func announce() {
    let processCount = stack.nodes.processes.count
    let more = processCount == stack.nodes.count ? "" : " (\(processCount) processes)"
    let base = address.base
    log.say("nav", "\(stack.file.name): \(stack.nodes.count) nodes\(more), NAV_BUS=\(base)")
    for name in stack.leftOut.sorted() { log.say("nav", "\(name) is left out") }
    do {
      try processes.directory.write(base + "\n", to: "address")
      try processes.directory.write(Self.newToken() + "\n", to: "token")
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
}

// The loop.
extension StackRunner {
  /// Waits for an event and handles it.
  private func turn() {
    if let reason = wait.poll(descriptors(), timeoutMS: timeoutMS()) {
      log.say("nav", "waiting for the nodes failed: \(reason)")
    }
    handleStopRequests()
    reload()
    for name in processes.names { handleReports(of: name) }
    handleBusEvents()
    for event in bus.drainRecordings(&log) { perform(event) }
    shareVehicles()
    for name in processes.names { reap(name) }
    clinux_reap_orphans()
    for event in processes.probe(supervisor.processes, atS: nowS) { perform(event) }
    extendAllDeadlines()
    perform(.tick)
    issueStartCalls()
    judge()
    advanceOperation()
  }

  private func descriptors() -> [Int32] {
    let all =
      [stopRequests.descriptor, orders.mail.descriptor, options.reloadRequests?.descriptor ?? -1]
      + bus.descriptors + processes.descriptors
    return all.filter { $0 >= 0 }
  }

  private func timeoutMS() -> Int32 {
    guard !orders.hasEvents else { return 0 }
    var deadlines = [
      supervisor.nextDeadlineS, startCalls.deadlineS, check?.deadlineS, orders.deadlineS,
      bus.deadlineS,
      service.deadlineS, processes.probeDeadlineS(supervisor.processes),
    ].compactMap { $0 }
    // Expectations also depend on time.
    if check?.isObserving ?? false { deadlines.append(nowS + 0.1) }
    let wait = deadlines.min().map { (($0 - nowS) * 1_000).rounded(.up) } ?? .infinity
    return Int32(max(0, min(LoopStallDetector.longestWaitMS, wait)))
  }

  /// Extends all deadlines by a time in which the launcher itself did not run.
  ///
  /// All processes were frozen during that time, too.
  private func extendAllDeadlines() {
    guard let seconds = wait.pauseS(atS: nowS) else { return }
    let text = Figures.duration(seconds: seconds)
    log.say("nav", "the launcher did not run for \(text); all process deadlines are extended")
    perform(.paused(seconds))
    startCalls.forgive(seconds)
  }

  private func handleStopRequests() {
    let (isFirst, isRepeated) = stopRequests.drain()
    if isFirst {
      perform(
        .stop(
          reason: "on request (send the signal again to kill)", code: Supervisor.ExitCode.success))
    }
    if isRepeated { perform(.kill) }
  }

  /// Reports the state of the stack to the service manager, and that the launcher's loop runs.
  private func reportToService() {
    guard service.isThere else { return }
    if supervisor.isStopping { service.beginStop() }
    service.report(supervisor.summary)
    service.tick(atS: nowS)
  }

  /// Handles SIGHUP: opens a new log file after a log rotation has renamed the old one.
  private func reload() {
    guard let requests = options.reloadRequests else { return }
    var count: UInt64 = 0
    guard read(requests.descriptor, &count, 8) == 8, !supervisor.isStopping else { return }
    if service.isReady { service.beginReload() }
    log.reopen()
    log.say("nav", log.hasFile ? "the log file was reopened" : "there is no log file to reopen")
    if service.isReady { service.becameReady() }
  }
}

// The supervisor's decisions.
extension StackRunner {
  /// Passes an event to the supervisor, and executes its decisions.
  func perform(_ event: Supervisor.Event) {
    var generator = SystemRandomNumberGenerator()
    var events = [event]
    while let event = events.popLast() {
      for action in supervisor.handle(event, atS: nowS, using: &generator) {
        if let consequence = perform(action) { events.insert(consequence, at: 0) }
      }
    }
  }

  private func perform(_ action: Supervisor.Action) -> Supervisor.Event? {
    switch action {
    case .spawn(let name): return processes.start(name)
    case .signal(let name, let signal): processes.signal(name, signal)
    case .say(let name, let text): log.say(name, text)
    case .announce(let text): log.say("nav", text)
    case .showLastLines(let name): log.showLastLines(name)
    case .becameReady(let name): orders.add(.ready(name))
    case .left(let name, let reason): left(name, reason)
    case .allReady:
      service.becameReady()
      startCallsAndCheck()
    case .finished(let code): exitCode = checkedCode(code)
    }
    return nil
  }

  /// Reads a node's output and notifications.
  private func handleReports(of name: String) {
    for report in processes.readReports(of: name) { handle(report, of: name) }
  }

  /// Cleans up after a process that has ended.
  private func reap(_ name: String) {
    for report in processes.reap(name) ?? [] { handle(report, of: name) }
  }

  private func handle(_ report: ProcessTable.Report, of name: String) {
    switch report {
    case .line(let line, let isError): log.say(name, line, isError: isError)
    case .ready(let note) where name == Supervisor.bus: brokerBecameReady(note)
    case .ready(let note): perform(.ready(name, note: note))
    case .finishing: perform(.finishing(name))
    case .sign: perform(.heartbeat(name))
    case .ended(let end):
      if name == Supervisor.bus { bus.brokerEnded() }
      perform(.ended(name, end))
    }
  }

  /// Handles the end of a process that was not a member.
  private func left(_ name: String, _ reason: String) {
    processes.forget(name)
    orders.processLeft(name, reason, error: log.lastError(of: name))
    log.forget(name)
  }
}

// The bus.
extension StackRunner {
  /// Handles the broker's report that it is ready.
  ///
  /// For the nodes it is ready once it also records and has assigned all vehicles.
  private func brokerBecameReady(_ note: String?) {
    guard !bus.isPreparing,
      let broker = supervisor.processes.first(where: { $0.name == Supervisor.bus }),
      case .starting = broker.phase
    else { return }
    do {
      try bus.connect(to: address)
    } catch {
      log.say("nav", error.message)
      perform(.stop(reason: error.message, code: Supervisor.ExitCode.failure))
    }
    bus.prepare(note, groups: groups(), record: recordRequest(), atS: nowS)
    if let event = bus.drainReadiness() { perform(event) }
  }

  /// The nodes with replicas, and the lanes that share their vehicles.
  private func groups() -> [StackBus.Group] {
    stack.nodes.filter { $0.replicas != nil }.map(\.name.value).map { name in
      StackBus.Group(name: name, lanes: memberPlans(of: name).compactMap(\.process.lane))
    }
  }

  private func shareVehicles() {
    for event in bus.drainShares(&log, atS: nowS) { perform(event) }
    guard bus.mustShare(atS: nowS), !orders.isBusy, !supervisor.isStopping else { return }
    bus.share(groups())
  }

  /// The order to the broker to record, from the first message on; nil for no recording.
  private func recordRequest() -> RecordStartRequest? {
    guard let recording = options.recording(of: stack.file) else { return nil }
    let path = recording.path(stack: stack.file.name, start: startText)
    let absolute = path.hasPrefix("/") ? path : "\(options.folder)/\(path)"
    let folder = (absolute as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return RecordStartRequest(
      path: absolute, topics: recording.topics.map(\.value), splitS: recording.splitEveryS,
      splitBytes: recording.splitBytes.map { UInt64($0) },
      keepBytes: recording.keepBytes.map { UInt64($0) }, files: attachments(),
      notes: ["stack": stack.file.name, "vehicles": stack.file.vehicles.joined(separator: ",")])
  }

  /// Documents for readers of the recording: the stack file as written, and the resulting
  /// parameters.
  private func attachments() -> [String: String] {
    var files = ["effective.txt": stack.text]
    if let text = try? String(contentsOfFile: options.file, encoding: .utf8) {
      files["stack.yaml"] = text
    }
    return files
  }

  private func handleBusEvents() {
    guard let client = bus.client else { return }
    let now = nowS
    for news in client.drain() {
      switch news {
      case .call(let call): serve(call)
      case .seen(let sighting): check?.observe(sighting, atS: now)
      case .status(let status): bus.losses.ingest(status)
      }
    }
  }
}

// The calls of the start, and the check.
extension StackRunner {
  /// Starts the calls and the check when all nodes are ready.
  private func startCallsAndCheck() {
    log.say("nav", "all ready; NAV_BUS=\(address.base)")
    options.whenReady?()
    guard options.checkS != nil || !stack.file.start.isEmpty else { return }
    let now = nowS
    if let checkS = options.checkS {
      let check = CheckRun(stack.file, vehicle: vehicle, durationS: checkS, startS: now)
      bus.client?.subscribe(check.topics.union(["_clock"]))
      self.check = check
      log.say("nav", "checking for \(Figures.duration(seconds: checkS))")
    }
    startCalls.schedule(atS: now)
  }

  /// The default vehicle of calls and expectations.
  private var vehicle: String { stack.file.vehicles.first ?? "ego" }

  private func issueStartCalls() {
    guard let client = bus.client, !supervisor.isStopping else { return }
    var steps: [StartCalls.Step] = []
    for end in client.drainReplies() {
      switch end {
      case .ok: steps += startCalls.ended(nil, atS: nowS)
      case .failed(let code, let message, _):
        steps += startCalls.ended((code, message), atS: nowS)
      }
    }
    steps += startCalls.tick(atS: nowS)
    for step in steps {
      switch step {
      case .say(let text): log.say("nav", text)
      case .issue(let call):
        client.call(
          call.name.value, vehicle: vehicle, payload: call.requestBytes, timeoutS: call.timeoutS)
      }
    }
  }

  /// Ends a check whose time is over, or whose end condition has been met.
  private func judge() {
    guard !supervisor.isStopping else { return }
    let now = nowS
    guard let verdicts = check?.judge(atS: now, areCallsDone: startCalls.isDone), let check else {
      return
    }
    let unmet = verdicts.filter { !$0.isMet }
    var problems = startCalls.failures
    if !startCalls.isDone { problems.append("not all calls of start: were answered") }
    problems += unmet.map { "unmet: \($0.text): \($0.seen); \(responsible(for: $0.topic))" }
    let began = check.endS - check.durationS
    log.say(
      "nav",
      "check: \(verdicts.count - unmet.count) of \(verdicts.count) expectations met after "
        + Figures.duration(seconds: now - began))
    for complaint in problems { log.say("nav", complaint, isError: true) }
    let code = problems.isEmpty ? Supervisor.ExitCode.success : Supervisor.ExitCode.failure
    perform(
      .stop(
        reason: problems.isEmpty ? "the check has passed" : "the check has failed", code: code))
  }

  /// The stage that should have fulfilled an expectation on `topic`, and its state.
  private func responsible(for topic: String) -> String {
    let leaf =
      topic.hasPrefix("_") ? topic : topic.split(separator: "/").dropFirst().joined(separator: "/")
    let writers = stack.file.nodes.map(\.name.value).filter {
      stack.manifests[$0]?.outputs.contains(leaf) ?? false
    }
    guard !writers.isEmpty else { return "it is published from outside the stack" }
    let states = writers.map { name -> String in
      if stack.leftOut.contains(name) { return "\(name), which is left out" }
      guard let node = supervisor.processes.first(where: { $0.name == name }) else { return name }
      let restarts = node.history.restarts == 0 ? "" : ", \(node.history.restarts) restarts"
      return "\(name), which is \(node.phase.word)\(restarts)"
    }
    let absent = stack.leftOut.subtracting(writers).sorted()
    let also = absent.isEmpty ? "" : " (left out: \(absent.joined(separator: ", ")))"
    return "it is published by \(states.joined(separator: " or "))\(also)"
  }

  /// The exit code; a check that never started has not passed.
  private func checkedCode(_ code: Int32) -> Int32 {
    guard options.checkS != nil, check == nil, code == Supervisor.ExitCode.success else {
      return code
    }
    log.say("nav", "the check did not start: not all nodes were ready", isError: true)
    return Supervisor.ExitCode.failure
  }
}

// Operations that change the running stack.
extension StackRunner {
  /// Passes arrived events to the operation in progress; must be called once per turn.
  private func advanceOperation() {
    orders.collect(atS: nowS, isStopping: supervisor.isStopping)
    while let actions = orders.nextActions(atS: nowS) {
      for action in actions { perform(action) }
    }
  }

  private func perform(_ action: OperationAction) {
    let mail = orders.mail
    switch action {
    case .judge: orders.startJudging()
    case .admit(let key, let plan): admit(key, plan)
    case .handOver(let name):
      perform(.allowReplacement(name))
      bus.client?.handOver(name) { mail.put(.outcome($0)) }
    case .shadow(let name): bus.client?.shadow(name) { mail.put(.outcome($0)) }
    case .rescale(let group, let lanes):
      bus.client?.rescale(group, lanes: lanes) { mail.put(.outcome($0)) }
    case .promote(let standby, let name): adopt(standby, as: name)
    case .discard(let name):
      perform(Supervisor.Event.discard(name))
      processes.removePlan(ofEnded: name)
    case .retire(let name): perform(Supervisor.Event.retire(name))
    case .settle(let successor): settle(successor)
    case .resize(let node, let replicas): resize(node, replicas)
    case .finish(let result): finish(result)
    }
  }

  private func admit(_ key: String, _ plan: ProcessPlan) {
    guard let node = plan.node else { return }
    processes.add(plan, as: key)
    let process = StackProcess(name: key, node: plan.process.node, lane: plan.process.lane)
    perform(Supervisor.Event.admit(process, node, .standby))
  }

  /// Exchanges names of processes, plans and lines together with the place.
  private func adopt(_ standby: String, as name: String) {
    if processes.adopt(standby, as: name) { log.exchange(standby, name) }
    perform(Supervisor.Event.promote(standby, as: name))
    processes.removePlan(ofEnded: standby)
  }

  private func settle(_ successor: Successor) {
    let name = successor.node.name.value
    guard let index = stack.file.nodes.firstIndex(where: { $0.name.value == name }) else { return }
    let replicas = stack.file.nodes[index].replicas
    stack.file.nodes[index] = successor.node
    stack.file.nodes[index].replicas = replicas
    stack.declared[name] = successor.manifest
    stack.manifests[name] = successor.manifest.wired(successor.node.wiring)
    stack.parameters[name] = successor.parameters
  }

  private func resize(_ node: String, _ replicas: Int) {
    guard let index = stack.file.nodes.firstIndex(where: { $0.name.value == node }) else { return }
    stack.file.nodes[index].replicas?.value = replicas
  }

  private func finish(_ result: Result<OperationResult, OperationFailure>) {
    let call = orders.finish()
    for node in supervisor.processes where node.mayLeave { perform(.cancelReplacement(node.name)) }
    guard let call else { return }
    switch result {
    case .success(let result):
      if let node = subject(of: call) { orders.forgetFailure(of: node) }
      log.say("nav", result.text)
      bus.client?.reply(to: call, .ok(payload: reply(result)))
    case .failure(var failure):
      if let process = failure.process {
        handleReports(of: process)
        if let line = orders.endErrors[process] ?? log.lastError(of: process) {
          failure.message += "; its last error: \(line)"
        }
      }
      recordFailedOrder(call, failure)
      log.say("nav", "\(call.name): \(failure.message)", isError: true)
      bus.client?.reply(
        to: call, .failed(code: failure.code, message: failure.message, field: nil))
    }
  }

  /// The plans of a node's member processes, by number.
  func memberPlans(of node: String) -> [ProcessPlan] {
    supervisor.processes.filter { $0.node == node && $0.role == .member }
      .compactMap { processes.plans[$0.name] }
      .sorted { ($0.process.lane ?? 0, $0.process.name) < ($1.process.lane ?? 0, $1.process.name) }
  }
}
