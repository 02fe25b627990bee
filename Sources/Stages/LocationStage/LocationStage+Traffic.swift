import Foundations
import Messages
import Positioning
import RoadGraph
import Stage
import Traffic

extension LocationStage {
  /// Stores a traffic report, which a simulated driver follows from the next fix on.
  ///
  /// Nothing is decoded until then: if reports arrive faster than fixes, only the newest is
  /// decoded.
  mutating func report(_ topic: String, key: String, _ payload: [UInt8]) {
    if traffic == nil { traffic = SimulatedTraffic() }
    traffic?.set(topic, key: key, payload)
    isTrafficNew = true
  }

  /// Applies the traffic that holds at `time` to a driver; does nothing if none was ever reported.
  ///
  /// A road that traffic has closed does not slow the driver: behaviour at closures is not
  /// simulated.
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
