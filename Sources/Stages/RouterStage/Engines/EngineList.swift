import ExternalRouting
import Foundations
import Messages
import RoadGraph
import Route
import RouteWire

/// The capabilities of a router by engine, RT-18.
struct EngineList {
  let outside: ExternalEngine
  let now: Instant

  /// Wire names of the options that the built-in engine supports.
  static let own =
    Avoidance.allCases.map { "avoid.\($0.rawValue)" } + [
      "optimisation.shortest", "optimisation.balanced", "first_maneuver_clearance_m",
      "alternatives", "traffic", "wishes", "avoid_countries", "speed_cap_mps",
      "waypoints.bearing_deg", "waypoints.pass_through", "departure_ns", "vehicle",
    ]

  var reply: RouteEnginesReply {
    var engines = [
      WireRouteEngine(
        name: "offline", kind: .offline, modes: TravelMode.allCases.map(\.wire),
        options: Self.own, maxWaypoints: 32, alternatives: 8, calls: 0, failures: 0)
    ]
    if outside.setting.url != nil {
      let counts = outside.counts
      engines.append(
        WireRouteEngine(
          name: outside.name,
          kind: outside.setting.kind == .osrm ? .osrm : .valhalla,
          modes: outside.modes.map(\.wire), options: outside.options, maxWaypoints: 32,
          alternatives: Int64(outside.alternatives), calls: Int64(counts.calls),
          failures: Int64(counts.failures),
          budgetLeft: outside.budgetLeft(in: ExternalEngine.hour(now)).map { Int64($0) }))
    }
    return RouteEnginesReply(
      connectivity: RouteEnginesReply.Connectivity(
        rawValue: outside.setting.connectivity.rawValue) ?? .offline, engines: engines)
  }
}
