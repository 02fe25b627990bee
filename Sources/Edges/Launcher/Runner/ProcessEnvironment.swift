import BusClient
import BusProtocol
import Foundation
import StackFile
import Stage
import Supervision
import ZMQ

/// The environment variables with which the processes of a stack start.
struct ProcessEnvironment {
  /// The launcher's own variables.
  var inherited: [String: String]
  /// Base address of the bus, for nodes and tools.
  var busBase: String
  /// Base address of the bus, for the broker.
  var listenBase: String
  /// Whether the bus is on tcp.
  var isRemote: Bool
  /// The stack's name.
  var stack: String
  /// Vehicles by name; empty for any.
  var vehicles: [String]
  var directory: RunDirectory
  /// Whether the broker records the messages of the bus.
  var isRecording: Bool
  /// The epoch of the run numbers of all processes, microseconds.
  var runEpochUS: Int64

  /// Whether the stack serves any vehicle, and therefore perhaps thousands.
  ///
  /// Two settings of the machine suit thousands of messages per second, but not few. Processes do
  /// not preempt each other for each message that wakes them. Large pages are used for the
  /// vehicles' data, because each fix touches some of it.
  var servesFleet: Bool { vehicles.isEmpty }

  private static let largePages = "glibc.malloc.hugetlb=1"

  /// The variables of a process that sends its notifications to `socket`.
  func variables(
    of name: String, _ plan: ProcessPlan, notifying socket: String
  ) -> [String: String] {
    var variables = inherited
    let isBus = name == Supervisor.bus
    variables["NAV_BUS"] = isBus ? listenBase : busBase
    if isRemote { variables["NAV_BUS_INSECURE"] = "yes" }
    variables["NAV_NODE"] = plan.process.name
    for key in ["NAV_GROUP", "NAV_LANE", "NAV_STANDBY"] { variables[key] = nil }
    if let lane = plan.process.lane {
      variables["NAV_GROUP"] = plan.process.node
      variables["NAV_LANE"] = "\(lane)"
    }
    if plan.isStandby { variables["NAV_STANDBY"] = "1" }
    variables["NAV_JOURNAL"] = isRecording && !isBus ? "1" : nil
    let wiring = plan.node?.wiring ?? Wiring()
    variables["NAV_WIRE"] = wiring.isEmpty ? nil : wiring.text
    variables["NAV_PARAMS"] = directory.parametersPath(name)
    variables["NAV_VEHICLE"] = vehicles.isEmpty ? "any" : vehicles.joined(separator: ",")
    variables["NAV_STACK"] = stack
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
