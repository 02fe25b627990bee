public import BusProtocol
import CLinux
import Foundation
public import Stage

/// The settings that a node gets from the process that starts it.
public struct NodeEnvironment: Sendable {
  /// Name in the stack; a node that is started manually has its program's name.
  public var name: String
  public var bus: BusAddress
  public var parametersPath: String?
  /// Vehicles that the node serves; empty for any.
  public var vehicles: [String]
  /// Seconds of event time without messages after which a vehicle is forgotten; nil for never.
  ///
  /// Only applies if any vehicle is served.
  public var forgetAfterS: Double?
  public var notifySocket: String?
  /// The stack's private folder while it runs (NAV_RUN_DIR).
  ///
  /// It is nil for a process that no launcher started.
  public var runFolder: String?
  /// Interval at which the work loop reports to the supervisor.
  ///
  /// It is a third of WATCHDOG_USEC, at most one second.
  public var watchdogMS: Int64
  /// Whether navlaunch has started the process, and ends it when navlaunch itself dies.
  public var isSupervised: Bool
  /// Whether the process waits under the name of a running node, to take over from it.
  public var isStandby: Bool
  /// The group's name and the lane, if the node is one of several replicas.
  public var replica: Replica?

  /// A node's place among the replicas that share the vehicles of one stage.
  public struct Replica: Hashable, Sendable {
    public var group: String
    /// The lane, 1 to 62; unique in the stack.
    public var lane: Int

    public init(group: String, lane: Int) {
      self.group = group
      self.lane = lane
    }
  }

  /// Other names on the bus for the inputs, outputs and calls of the stage (NAV_WIRE).
  public var wiring: Wiring

  /// Whether the node publishes the input of its stage, for replays (NAV_JOURNAL=1).
  public var isJournaled: Bool

  /// Whether a conductor drives the node (NAV_LOCKSTEP=1): it subscribes to nothing, and answers
  /// batches.
  public var isLockStep: Bool

  /// Reads NAV_BUS, NAV_NODE, NAV_PARAMS, NAV_VEHICLE, NAV_FORGET_S, NAV_LOCKSTEP, NAV_WIRE,
  /// NAV_JOURNAL and NOTIFY_SOCKET from the process's environment.
  ///
  /// NAV_STANDBY=1 makes a standby; NAV_GROUP and NAV_LANE, always together, make a replica.
  /// NAV_VEHICLE is one vehicle (`ego` if it is not set), several with commas, or `any`.
  ///
  /// - Throws: `StageFailure` that names the variable.
  public init(
    _ given: [String: String]? = nil, program: String,
    name: String? = nil, parametersPath: String? = nil
  ) throws(StageFailure) {
    let variables = given ?? ProcessInfo.processInfo.environment
    guard let base = variables["NAV_BUS"], !base.isEmpty else {
      throw StageFailure(
        "NAV_BUS is not set: it is the bus's base address, which navlaunch prints, "
          + "such as NAV_BUS=ipc:///run/user/1000/navstack/demo")
    }
    do {
      bus = try BusAddress(base, isInsecureAllowed: variables["NAV_BUS_INSECURE"] == "yes")
    } catch {
      throw StageFailure("NAV_BUS: \(error.description)")
    }
    let own = name ?? variables["NAV_NODE"]
    self.name = own ?? program
    guard TopicName.isValidVehicle(self.name) else {
      throw StageFailure(
        "NAV_NODE: \"\(self.name)\" is not a valid name: a-z 0-9 . _ - , at most 63 bytes")
    }
    self.parametersPath = parametersPath ?? variables["NAV_PARAMS"]
    let vehicle = variables["NAV_VEHICLE"] ?? "ego"
    vehicles =
      ["any", "*", ""].contains(vehicle) ? [] : vehicle.split(separator: ",").map(String.init)
    if let wrong = vehicles.first(where: { !TopicName.isValidVehicle($0) }) {
      throw StageFailure("NAV_VEHICLE: \"\(wrong)\" is not a vehicle name")
    }
    forgetAfterS = try Self.forgetAfterS(variables["NAV_FORGET_S"])
    notifySocket = variables["NOTIFY_SOCKET"]
    runFolder = variables["NAV_RUN_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let patienceUS = variables["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 3_000_000
    watchdogMS = max(20, min(1_000, patienceUS / 3_000))
    isSupervised = variables["NAV_NODE"] != nil
    isLockStep = try Self.isLockStep(variables["NAV_LOCKSTEP"])
    isStandby = variables["NAV_STANDBY"] == "1"
    guard let wiring = Wiring(text: variables["NAV_WIRE"] ?? "") else {
      throw StageFailure(
        "NAV_WIRE: \"\(variables["NAV_WIRE"] ?? "")\" is not a list such as location/raw=gps/fix,…")
    }
    self.wiring = wiring
    isJournaled = variables["NAV_JOURNAL"] == "1"
    replica = try Self.replica(variables)
  }

  private static func isLockStep(_ text: String?) throws(StageFailure) -> Bool {
    switch text {
    case nil, "", "0": return false
    case "1": return true
    default: throw StageFailure("NAV_LOCKSTEP: \"\(text ?? "")\" is neither 1 nor 0")
    }
  }

  private static func replica(_ variables: [String: String]) throws(StageFailure) -> Replica? {
    guard let group = variables["NAV_GROUP"] else {
      guard variables["NAV_LANE"] == nil else {
        throw StageFailure("NAV_LANE is set, but NAV_GROUP is not: a lane belongs to a group")
      }
      return nil
    }
    guard TopicName.isValidVehicle(group) else {
      throw StageFailure(
        "NAV_GROUP: \"\(group)\" is not a valid name: a-z 0-9 . _ - , at most 63 bytes")
    }
    guard let lane = variables["NAV_LANE"].flatMap({ Int($0) }), (1...62).contains(lane) else {
      throw StageFailure("NAV_LANE: \"\(variables["NAV_LANE"] ?? "")\" is not a lane: 1 to 62")
    }
    return Replica(group: group, lane: lane)
  }

  /// Reads the parameters and validates them against a declaration.
  public func parameters(
    declared: [ParameterDeclaration], overriding: [String: ParameterValue] = [:]
  ) throws(StageFailure) -> Parameters {
    let given = try Self.given(at: parametersPath)
    return try Parameters(given.merging(overriding) { _, new in new }, declared: declared)
  }

  /// Reads the parameters of a program without a bus, from a given file or that of NAV_PARAMS.
  public static func parameters(
    file path: String?, declared: [ParameterDeclaration],
    overriding: [String: ParameterValue] = [:]
  ) throws(StageFailure) -> Parameters {
    let path = path ?? ProcessInfo.processInfo.environment["NAV_PARAMS"]
    return try Parameters(
      given(at: path).merging(overriding) { _, new in new }, declared: declared)
  }

  /// The value in seconds, a quarter of an hour by default; 0 means never.
  private static func forgetAfterS(_ text: String?) throws(StageFailure) -> Double? {
    guard let text, !text.isEmpty else { return 900 }
    guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
      throw StageFailure("NAV_FORGET_S: \"\(text)\" is not a number of seconds; 0 means never")
    }
    return seconds > 0 ? seconds : nil
  }

  private static func given(
    at path: String?
  ) throws(StageFailure) -> [String: ParameterValue] {
    guard let path, !path.isEmpty else { return [:] }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StageFailure("\(path): cannot be read")
    }
    do {
      return try JSONDecoder().decode([String: ParameterValue].self, from: data)
    } catch {
      throw StageFailure("\(path): not a JSON map of parameters (\(reason(error)))")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?,
      .keyNotFound(_, let context)?, .dataCorrupted(let context)?:
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    default: return "\(error)"
    }
  }
}
