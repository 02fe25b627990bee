import Foundations
public import Messages
public import Stage

/// The fleet simulator: any number of drivers on random trips, in one process.
///
/// Each vehicle is a stage value of its own, woken when its next fix is due. One more of them, the
/// dispatcher, sets the stack's clock and lets vehicles come and go.
public struct FleetStage: Stage {
  private enum Role: Sendable {
    case dispatcher(Dispatcher)
    case driver(FleetDriver)
    /// A name that no vehicle of the fleet has.
    case stranger
  }

  private var settings: FleetSettings
  private var role: Role

  public static func load(_ parameters: Parameters) throws(StageFailure) -> FleetSettings {
    try FleetSettings(parameters)
  }

  public static func maps(_ parameters: Parameters) -> [String] {
    parameters.string("map").map { [$0] } ?? []
  }

  public init(vehicle: String, shared: FleetSettings) {
    settings = shared
    if vehicle == FleetSettings.dispatcher {
      role = .dispatcher(Dispatcher(settings: shared))
    } else if let number = shared.number(of: vehicle) {
      role = .driver(FleetDriver(number: number, settings: shared))
    } else {
      role = .stranger
    }
  }

  /// A fleet reads no topics.
  public func interest(in topic: Topics.Name) -> TopicInterest { .nothing }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch role {
    case .dispatcher(var dispatcher):
      guard case .wake(let now) = event else { return [] }
      defer { role = .dispatcher(dispatcher) }
      return dispatcher.wake(at: now)
    case .driver(var driver):
      // Moved out, so that the path is not copied when the driver advances.
      role = .stranger
      defer { role = .driver(driver) }
      return driver.handle(event, settings)
    case .stranger:
      return []
    }
  }

  public mutating func changeMap(to new: FleetSettings) -> [StageOutput] {
    switch role {
    case .dispatcher(var dispatcher):
      dispatcher.settings = new
      role = .dispatcher(dispatcher)
    case .driver(var driver):
      role = .stranger
      driver.changeMap(from: settings)
      role = .driver(driver)
    case .stranger: break
    }
    settings = new
    return []
  }

  /// The dispatcher's time; after a restart, vehicles start again elsewhere.
  public var savedState: [UInt8]? {
    guard case .dispatcher(let dispatcher) = role else { return nil }
    return dispatcher.saved
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    guard case .dispatcher(var dispatcher) = role else { return }
    try dispatcher.restore(state)
    role = .dispatcher(dispatcher)
  }
}
