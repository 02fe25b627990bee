import EventTime
import Positioning
import RoadGraph
import Stage
import Traffic

extension LocationStage {
  /// Takes a report of the traffic: a simulated driver follows it from the moment of the message on.
  mutating func report(_ message: Inbound) throws(Refusal) {
    guard case .simulator(var simulator, let receiver) = source else { return }
    var known = traffic ?? TrafficOnRoads()
    try known.set(message)
    traffic = known
    follow(&simulator, at: hasStarted ? max(now, message.stamp) : max(now, settings.startTime))
    source = .simulator(simulator, receiver)
  }

  /// Lets a driver follow the traffic that holds at `time`; nothing where none was ever reported.
  ///
  /// A road that traffic has closed does not slow the driver: what is done there is not simulated.
  mutating func follow(_ simulator: inout RouteSimulator, at time: Instant) {
    guard let traffic else { return }
    trafficEnd = traffic.nextEnd(after: time)
    let streets = simulator.streets
    let mode = streets?.mode ?? .car
    guard mode.followsTraffic else { return }
    let states = traffic.states(at: time, streets?.index, streets?.graph)
    simulator.follow(at: time) { road, usualMps in
      guard let state = states[road], !state.isClosed else { return nil }
      return state.speedMps(freeFlowMps: usualMps, mode: mode)
    }
  }
}

extension TravelMode {
  /// Whether the traffic of motor vehicles slows it.
  fileprivate var followsTraffic: Bool { self != .bicycle && self != .pedestrian }
}
