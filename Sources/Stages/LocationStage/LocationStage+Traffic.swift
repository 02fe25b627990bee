import EventTime
import Messages
import Positioning
import RoadGraph
import Stage
import Traffic

extension LocationStage {
  /// Stores a report of the traffic, which a simulated driver follows from the next fix on.
  ///
  /// It costs nothing until then: of reports that come faster than fixes only the newest is read.
  mutating func report(_ message: Inbound) {
    guard case .simulator = source else { return }
    if traffic == nil { traffic = TrafficOnRoads() }
    traffic?.set(message)
    isTrafficNew = true
  }

  /// Lets a driver follow the traffic that holds at `time`; nothing where none was ever reported.
  ///
  /// A road that traffic has closed does not slow the driver: what is done there is not simulated.
  mutating func follow(
    _ simulator: inout RouteSimulator, at time: Instant
  ) -> [StageOutput] {
    let mode = simulator.streets?.mode ?? .car
    guard traffic != nil, mode.isMotorised, !simulator.isStanding(at: time) else {
      trafficEnd = nil
      return []
    }
    let faults = traffic?.read(for: simulator.ways) ?? []
    isTrafficNew = false
    guard let traffic else { return [] }
    trafficEnd = traffic.nextChange(after: time)
    let states = traffic.states(at: time, simulator.streets)
    simulator.follow(at: time) { road, usualMps in
      guard let state = states(road), !state.isClosed else { return nil }
      return state.speedMps(freeFlowMps: usualMps, mode: mode)
    }
    return faults.flatMap { fault in
      [.log(.warning, "\(fault.topic): \(fault.message)"), .count("\(fault.topic) refused", 1)]
    }
  }
}
