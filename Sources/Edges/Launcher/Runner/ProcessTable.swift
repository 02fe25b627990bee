import CLinux
import Foundation
import StackFile
import Stage
import Supervision

/// A running node: its process, with its sockets and streams.
private struct NodeProcess {
  var process: ChildProcess
  /// The descriptor for its notifications; -1 if it has none.
  var notifications: Int32
  /// Path of the socket of that descriptor.
  var notifyPath: String
  var output = LineSplitter()
  var errors = LineSplitter()
  /// The last status that it reported.
  var note: String?
  var readiness: NodePolicy.Readiness
}

/// The processes of a running stack: their plans, streams and notifications.
///
/// It starts and reads processes. The supervisor decides what follows from their reports.
struct ProcessTable {
  /// A report of a process, in the order of arrival.
  enum Report {
    case line(String, isError: Bool)
    /// It is ready; `note` is the status that it reported.
    case ready(note: String?)
    /// It ends by itself, and finishes its current work.
    case finishing
    /// Its work loop is alive.
    case sign
    case ended(ProcessEnd)
  }

  let directory: RunDirectory
  private let environment: ProcessEnvironment
  /// Folder in which processes run.
  private let folder: String
  /// The data with which each process is started and restarted.
  private(set) var plans: [String: ProcessPlan]
  private var children: [String: NodeProcess] = [:]
  /// Peak memory use of ended processes in bytes, by name.
  private(set) var peakBytes: [String: Int] = [:]
  /// Sockets of notifications are numbered, since processes can exchange names.
  private var notifySerial = 0
  private var guardDescriptor: Int32 = -1
  private var nextProbeS = 0.0

  init(plans: [String: ProcessPlan], environment: ProcessEnvironment, folder: String) {
    directory = environment.directory
    self.plans = plans
    self.environment = environment
    self.folder = folder
  }

  /// The names of the running processes, in alphabetical order.
  var names: [String] { children.keys.sorted() }

  /// Descriptors that are readable when a process has reported something.
  var descriptors: [Int32] {
    children.values.flatMap { $0.process.descriptors + [$0.notifications] }
  }

  func isRunning(_ name: String) -> Bool { children[name] != nil }
  func pid(of name: String) -> Int32? { children[name]?.process.pid }
  func note(of name: String) -> String? { children[name]?.note }

  func signal(_ name: String, _ signal: Supervisor.StopSignal) {
    children[name]?.process.signal(signal)
  }

  /// Starts the process that ends all others and removes the folder when the launcher dies.
  mutating func startGuard() {
    // Process 1 needs no guard, because all other processes end with it.
    guard getpid() != 1 else { return }
    guardDescriptor = clinux_guard_start(directory.path, directory.lock)
  }

  func dismissGuard() {
    if guardDescriptor >= 0 { clinux_guard_dismiss(guardDescriptor) }
  }
}

// Plans: the processes that may run.
extension ProcessTable {
  mutating func add(_ plan: ProcessPlan, as name: String) { plans[name] = plan }

  /// Forgets a process that has ended.
  mutating func forget(_ name: String) {
    plans[name] = nil
    peakBytes[name] = nil
  }

  /// Removes the plan of a process that is not running.
  mutating func removePlan(ofEnded name: String) {
    if children[name] == nil { plans[name] = nil }
  }

  /// Lets a standby take a name, and gives its own name to the process that had it.
  ///
  /// Returns whether two processes have exchanged their names.
  mutating func adopt(_ standby: String, as name: String) -> Bool {
    guard var plan = plans[standby] else { return false }
    plan.isStandby = false
    defer { plans[name] = plan }
    guard standby != name else { return false }
    plans[standby] = plans[name]
    (children[standby], children[name]) = (children[name], children[standby])
    return true
  }

  /// Unused lanes, the smallest first.
  func freeLanes(_ count: Int) -> [Int] {
    let taken = Set(plans.values.compactMap(\.process.lane))
    return Array((1...StackFile.mostReplicas).lazy.filter { !taken.contains($0) }.prefix(count))
  }
}

// Starts of processes.
extension ProcessTable {
  /// Starts a process; returns the resulting event for the supervisor.
  mutating func start(_ name: String) -> Supervisor.Event {
    do throws(LaunchError) {
      guard let plan = plans[name] else { throw LaunchError("it has no plan to start it with") }
      try writeParameters(plan.parameters, of: name)
      try start(name, plan)
      return .spawned(name)
    } catch {
      return .spawnFailed(name, reason: error.message)
    }
  }

  private mutating func start(_ name: String, _ plan: ProcessPlan) throws(LaunchError) {
    notifySerial += 1
    let socket = directory.notifyPath(notifySerial)
    let notifications = clinux_datagram_listen(socket)
    guard notifications >= 0 else {
      throw LaunchError("\(socket): \(String(cString: strerror(errno)))")
    }
    let policy = plan.node?.policy ?? NodePolicy()
    var share = policy.share
    share.is_batch = environment.servesFleet && Self.inheritsDefaultScheduling ? 1 : 0
    do throws(LaunchError) {
      let process = try ChildProcess(
        plan.words, environment: environment.variables(of: name, plan, notifying: socket),
        folder: folder, share: share)
      children[name] = NodeProcess(
        process: process, notifications: notifications, notifyPath: socket,
        readiness: policy.readiness)
      _ = clinux_guard_group(guardDescriptor, process.pid, 1)
    } catch {
      close(notifications)
      unlink(socket)
      throw error
    }
  }

  private func writeParameters(
    _ parameters: [String: ParameterValue], of name: String
  ) throws(LaunchError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(parameters) else {
      throw LaunchError("its parameters cannot be written as JSON")
    }
    try directory.write(String(decoding: data, as: UTF8.self) + "\n", to: "params/\(name).json")
  }

  /// A user who runs navlaunch under another policy has made that choice deliberately.
  private static var inheritsDefaultScheduling: Bool { sched_getscheduler(0) == SCHED_OTHER }
}

// Reports of processes.
extension ProcessTable {
  /// Reads a node's output and notifications.
  mutating func readReports(of name: String) -> [Report] { outputLines(name) + notifications(name) }

  private mutating func outputLines(_ name: String) -> [Report] {
    guard var child = children[name] else { return [] }
    let lines = child.output.append(child.process.readOutput()).map { ($0, false) }
    let errors = child.errors.append(child.process.readError()).map { ($0, true) }
    children[name] = child
    return (lines + errors).flatMap { line, isError -> [Report] in
      guard case .log(let pattern) = child.readiness, let expression = try? Regex(pattern),
        line.contains(expression)
      else { return [.line(line, isError: isError)] }
      return [.line(line, isError: isError), .ready(note: nil)]
    }
  }

  private mutating func notifications(_ name: String) -> [Report] {
    guard let descriptor = children[name]?.notifications, descriptor >= 0 else { return [] }
    var reports: [Report] = []
    var buffer = [CChar](repeating: 0, count: 4_096)
    while true {
      let count = clinux_datagram_receive(descriptor, &buffer, buffer.count)
      guard count > 0 else { return reports }
      let bytes = buffer[..<Int(count)].map(UInt8.init(bitPattern:))
      let notification = Notification(String(decoding: bytes, as: UTF8.self))
      if let status = notification.status { children[name]?.note = status }
      if notification.isReady, children[name]?.readiness == .notify {
        reports.append(.ready(note: children[name]?.note))
      }
      if notification.isStopping { reports.append(.finishing) }
      // Any report shows that its work loop is alive.
      reports.append(.sign)
    }
  }

  /// Cleans up after a process that has ended, and returns its last reports; nil while it runs.
  mutating func reap(_ name: String) -> [Report]? {
    guard var child = children[name], let end = child.process.reap() else { return nil }
    children[name] = child
    var reports = readReports(of: name)
    guard var child = children.removeValue(forKey: name) else { return nil }
    if let line = child.output.end() { reports.append(.line(line, isError: false)) }
    if let line = child.errors.end() { reports.append(.line(line, isError: true)) }
    _ = clinux_guard_group(guardDescriptor, child.process.pid, 0)
    peakBytes[name] = max(peakBytes[name] ?? 0, child.process.peakBytes)
    child.process.close()
    if child.notifications >= 0 { close(child.notifications) }
    unlink(child.notifyPath)
    let strays = Self.endStrays(of: child, end)
    if strays > 0 {
      let what = strays == 1 ? "a process" : "\(strays) processes"
      reports.append(.line("\(what) that it had started ended with it", isError: false))
    }
    return reports + [.ended(end)]
  }

  /// Kills the processes that a node started in a session of their own, after its process group has
  /// ended.
  ///
  /// Returns how many there were. The children of a program that only starts others
  /// (`ready: {exit: yes}`) live until the stack ends.
  private static func endStrays(of child: NodeProcess, _ end: ProcessEnd) -> Int {
    if child.readiness == .exit, end == .code(0) { return 0 }
    var count = 0
    // A process that forks faster than it can be killed must not block the launcher: at most 10
    // rounds, 20 ms.
    for _ in 0..<10 {
      let more = clinux_signal_strays("NOTIFY_SOCKET=\(child.notifyPath)", 1, 0, SIGKILL)
      count = max(count, Int(more))
      guard more > 0 else { break }
      // The kernel reports no end of a process that is not a child; a killed one is gone within a
      // millisecond.
      usleep(2_000)
    }
    clinux_reap_orphans()
    return count
  }

  /// Ends all other processes that were started by a process of the stack.
  ///
  /// Returns how many of them had to be killed.
  func endAllStrays() -> Int {
    let sockets = "NOTIFY_SOCKET=\(directory.path)/notify/"
    let deadlineNS = clinux_monotonic_ns() + Int64(Self.strayGraceS * 1e9)
    guard clinux_signal_strays(sockets, 0, 1, SIGTERM) > 0 else { return 0 }
    repeat {
      // They are not children of the launcher, so nothing signals their end: poll, at most
      // `strayGraceS`.
      usleep(20_000)
      clinux_reap_orphans()
    } while clinux_signal_strays(sockets, 0, 1, 0) > 0 && clinux_monotonic_ns() < deadlineNS
    let late = clinux_signal_strays(sockets, 0, 1, SIGKILL)
    clinux_reap_orphans()
    return Int(late)
  }

  /// Seconds between SIGTERM and SIGKILL for processes that nodes have left behind.
  private static let strayGraceS = 1.0
}

// Ports and memory, which do not report by themselves.
extension ProcessTable {
  /// Time of the next probe of `nodes`; nil if nothing must be polled.
  func probeDeadlineS(_ nodes: [SupervisedProcess]) -> Double? {
    nodes.contains(where: Self.isProbed) ? nextProbeS : nil
  }

  private static func isProbed(_ node: SupervisedProcess) -> Bool {
    if node.policy.memoryBytes != nil, node.phase.isLive { return true }
    if case .port = node.policy.readiness, case .starting = node.phase { return true }
    return false
  }

  /// Checks ports and memory, at most four times per second.
  mutating func probe(_ nodes: [SupervisedProcess], atS now: Double) -> [Supervisor.Event] {
    guard let deadline = probeDeadlineS(nodes), deadline <= now else { return [] }
    nextProbeS = now + 0.25
    var events: [Supervisor.Event] = []
    for node in nodes where Self.isProbed(node) {
      guard let pid = children[node.name]?.process.pid else { continue }
      if case .port(let port) = node.policy.readiness, case .starting = node.phase,
        clinux_port_is_open(Int32(port)) == 1
      {
        events.append(.ready(node.name, note: "port \(port)"))
      }
      if node.policy.memoryBytes != nil {
        events.append(.memory(node.name, bytes: Int(clinux_resident_bytes_of(pid))))
      }
    }
    return events
  }
}

extension NodePolicy {
  /// The kernel settings for a process with this policy.
  fileprivate var share: clinux_share {
    var share = clinux_share()
    share.open_files = Int32(openFiles ?? 0)
    share.niceness = Int32(niceness?.value ?? 0)
    withUnsafeMutableBytes(of: &share.processors) { words in
      let masks = words.bindMemory(to: UInt64.self)
      for number in processors.flatMap(\.value) { masks[number / 64] |= 1 << UInt64(number % 64) }
    }
    return share
  }
}
