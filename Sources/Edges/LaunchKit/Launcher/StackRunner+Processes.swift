import BusProtocol
import CLinux
import Foundation
import Stage

/// A running node: its process, with its sockets and streams.
struct NodeProcess {
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

extension StackRunner {
  /// Starts a process; returns the resulting event for the supervisor.
  func spawn(_ name: String) -> Supervisor.Event {
    do throws(LaunchError) {
      guard let plan = plans[name] else { throw LaunchError("it has no plan to start it with") }
      try writeParameters(plan.parameters, of: name)
      try start(name, plan)
      return .spawned(name)
    } catch {
      return .spawnFailed(name, reason: error.message)
    }
  }

  private func start(_ name: String, _ plan: ProcessPlan) throws(LaunchError) {
    notifySerial += 1
    let socket = directory.notifyPath(notifySerial)
    let notifications = clinux_datagram_listen(socket)
    guard notifications >= 0 else {
      throw LaunchError("\(socket): \(String(cString: strerror(errno)))")
    }
    let policy = plan.node?.policy ?? NodePolicy()
    var share = policy.share
    share.is_batch = servesFleet && inheritsDefaultScheduling ? 1 : 0
    do throws(LaunchError) {
      let process = try ChildProcess(
        plan.words, environment: environment(of: name, plan, notifying: socket),
        folder: options.folder, share: share)
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

  /// Whether the stack serves any vehicle, and therefore perhaps thousands.
  ///
  /// Two settings of the machine suit thousands of messages per second, but not few. Processes do
  /// not preempt each other for each message that wakes them. Large pages are used for the
  /// vehicles' data, because each fix touches some of it.
  private var servesFleet: Bool { stack.file.vehicles.isEmpty }

  /// A user who runs navlaunch under another policy has made that choice deliberately.
  private var inheritsDefaultScheduling: Bool { sched_getscheduler(0) == SCHED_OTHER }

  private static let largePages = "glibc.malloc.hugetlb=1"

  private func environment(
    of name: String, _ plan: ProcessPlan, notifying socket: String
  ) -> [String: String] {
    var variables = options.environment
    let isBus = name == Supervisor.bus
    variables["NAV_BUS"] =
      isBus ? stack.file.bus.listenBase(directory: directory.path) : address.base
    if address.isRemote { variables["NAV_BUS_INSECURE"] = "yes" }
    variables["NAV_NODE"] = plan.process.name
    for key in ["NAV_GROUP", "NAV_LANE", "NAV_STANDBY"] { variables[key] = nil }
    if let lane = plan.process.lane {
      variables["NAV_GROUP"] = plan.process.node
      variables["NAV_LANE"] = "\(lane)"
    }
    if plan.isStandby { variables["NAV_STANDBY"] = "1" }
    variables["NAV_JOURNAL"] = recording != nil && !isBus ? "1" : nil
    let wiring = plan.node?.wiring ?? Wiring()
    variables["NAV_WIRE"] = wiring.isEmpty ? nil : wiring.text
    variables["NAV_PARAMS"] = directory.parametersPath(name)
    let vehicles = stack.file.vehicles
    variables["NAV_VEHICLE"] = vehicles.isEmpty ? "any" : vehicles.joined(separator: ",")
    variables["NAV_STACK"] = stack.file.name
    variables["NAV_RUN_DIR"] = directory.path
    variables["NAV_LAUNCHER_PID"] = "\(getpid())"
    variables[RunNumber.epochVariable] = "\(runEpochUS)"
    variables["NOTIFY_SOCKET"] = socket
    // This value is the launcher's own, from a service manager.
    variables["WATCHDOG_PID"] = nil
    variables["WATCHDOG_USEC"] = plan.node?.policy.watchdogS.map { "\(Int($0 * 1e6))" }
    if servesFleet { variables["GLIBC_TUNABLES"] = variables["GLIBC_TUNABLES"] ?? Self.largePages }
    variables["PYTHONUNBUFFERED"] = variables["PYTHONUNBUFFERED"] ?? "1"
    for (key, value) in plan.node?.environment ?? [:] { variables[key] = value }
    return variables
  }

  /// Reads a node's output and notifications.
  func hear(_ name: String) {
    readOutputLines(name)
    readNotifications(name)
  }

  private func readOutputLines(_ name: String) {
    guard var child = children[name] else { return }
    let lines = child.output.take(child.process.readOutput()).map { ($0, false) }
    let errors = child.errors.take(child.process.readError()).map { ($0, true) }
    children[name] = child
    for (line, isError) in lines + errors {
      log.say(name, line, isError: isError)
      if case .log(let pattern) = child.readiness, let expression = try? Regex(pattern),
        line.contains(expression)
      {
        perform(.ready(name, note: nil))
      }
    }
  }

  private func readNotifications(_ name: String) {
    guard let descriptor = children[name]?.notifications, descriptor >= 0 else { return }
    var buffer = [CChar](repeating: 0, count: 4_096)
    while true {
      let count = clinux_datagram_receive(descriptor, &buffer, buffer.count)
      guard count > 0 else { return }
      let bytes = buffer[..<Int(count)].map(UInt8.init(bitPattern:))
      let notification = Notification(String(decoding: bytes, as: UTF8.self))
      if let status = notification.status { children[name]?.note = status }
      if notification.isReady, children[name]?.readiness == .notify {
        let note = children[name]?.note
        if name == Supervisor.bus {
          brokerBecameReady(note)
        } else {
          perform(.ready(name, note: note))
        }
      }
      if notification.isStopping { perform(.finishing(name)) }
      // Any report shows that its work loop is alive.
      perform(.sign(name))
    }
  }

  /// Cleans up after a process that has ended.
  func reap(_ name: String) {
    guard var child = children[name], let end = child.process.reap() else { return }
    children[name] = child
    hear(name)
    guard var child = children.removeValue(forKey: name) else { return }
    if let line = child.output.end() { log.say(name, line) }
    if let line = child.errors.end() { log.say(name, line, isError: true) }
    _ = clinux_guard_group(guardDescriptor, child.process.pid, 0)
    peakBytes[name] = max(peakBytes[name] ?? 0, child.process.peakBytes)
    child.process.close()
    if child.notifications >= 0 { close(child.notifications) }
    unlink(child.notifyPath)
    endStrays(of: name, child, end)
    if name == Supervisor.bus { heldReadiness = nil }
    perform(.ended(name, end))
  }

  /// Kills the processes that a node started in a session of their own, after its process group has ended.
  ///
  /// The children of a program that only starts others (`ready: {exit: yes}`) live until the stack ends.
  private func endStrays(of name: String, _ child: NodeProcess, _ end: ProcessEnd) {
    if child.readiness == .exit, end == .code(0) { return }
    var count = 0
    // A process that forks faster than it can be killed must not block the launcher: at most 10 rounds, 20 ms.
    for _ in 0..<10 {
      let more = clinux_signal_strays("NOTIFY_SOCKET=\(child.notifyPath)", 1, 0, SIGKILL)
      count = max(count, Int(more))
      guard more > 0 else { break }
      // The kernel reports no end of a process that is not a child; a killed one is gone within a millisecond.
      usleep(2_000)
    }
    clinux_reap_orphans()
    guard count > 0 else { return }
    let what = count == 1 ? "a process" : "\(count) processes"
    log.say(name, "\(what) that it had started ended with it")
  }

  /// Ends all other processes that were started by a process of the stack.
  func endAllStrays() {
    let sockets = "NOTIFY_SOCKET=\(directory.path)/notify/"
    let deadline = nowS + Self.strayGraceS
    guard clinux_signal_strays(sockets, 0, 1, SIGTERM) > 0 else { return }
    repeat {
      // They are not children of the launcher, so nothing signals their end: poll, at most `strayGraceS`.
      usleep(20_000)
      clinux_reap_orphans()
    } while clinux_signal_strays(sockets, 0, 1, 0) > 0 && nowS < deadline
    let late = clinux_signal_strays(sockets, 0, 1, SIGKILL)
    if late > 0 { log.say("nav", "orphaned processes of nodes were killed: \(late)") }
    clinux_reap_orphans()
  }

  /// Seconds between SIGTERM and SIGKILL for processes that nodes have left behind.
  private static let strayGraceS = 1.0

  /// Whether anything must be polled because it does not report by itself.
  var needsProbes: Bool { supervisor.nodes.contains(where: isProbed) }

  private func isProbed(_ node: SupervisedProcess) -> Bool {
    if node.policy.memoryBytes != nil, node.phase.isLive { return true }
    if case .port = node.policy.readiness, case .starting = node.phase { return true }
    return false
  }

  /// Checks ports and memory, at most four times per second.
  func probe() {
    let now = nowS
    guard nextProbeS <= now, needsProbes else { return }
    nextProbeS = now + 0.25
    for node in supervisor.nodes where isProbed(node) {
      guard let pid = children[node.name]?.process.pid else { continue }
      if case .port(let port) = node.policy.readiness, case .starting = node.phase,
        clinux_port_is_open(Int32(port)) == 1
      {
        perform(.ready(node.name, note: "port \(port)"))
      }
      if node.policy.memoryBytes != nil {
        perform(.memory(node.name, bytes: Int(clinux_resident_bytes_of(pid))))
      }
    }
  }
}

extension BusSettings {
  /// The base address of the bus for nodes and tools.
  func base(directory: String) -> String {
    guard listen.value != "ipc" else { return "ipc://\(directory)" }
    guard let colon = listen.value.lastIndex(of: ":") else { return listen.value }
    let host = listen.value[..<colon]
    let isEverywhere = ["tcp://0.0.0.0", "tcp://*", "tcp://[::]"].contains(host)
    return isEverywhere ? "tcp://127.0.0.1\(listen.value[colon...])" : listen.value
  }

  /// The base address of the bus for the broker.
  func listenBase(directory: String) -> String {
    listen.value == "ipc" ? "ipc://\(directory)" : listen.value
  }
}

extension NodePolicy {
  /// The kernel settings for a process with this policy.
  var share: clinux_share {
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
