import Guidance
import RoadFile
public import RoadGraph
import Route
public import Stage

/// A map, and the way from a segment reference into it.
public struct RoadMap: Sendable {
  let graph: RoadGraph
  let segments: SegmentIndex

  public init(_ graph: RoadGraph) {
    self.graph = graph
    segments = SegmentIndex(graph)
  }

  func road(_ segment: SegmentReference) -> RoadFacts? {
    segments.edge(segment).map { RoadFacts(graph, $0) }
  }
}

/// What all vehicles of a navigator process share.
public struct NavigatorSettings: Sendable {
  /// Tells road and limit of a segment; nil without a map.
  public var map: RoadMap?
  var navigator: Navigator.Settings
  var mode: TravelMode
  var units: DistanceText.Units
  var callTimeoutMS: UInt32

  public init(_ parameters: Parameters, map: RoadMap?) {
    self.map = map
    mode = TravelMode(word: parameters.string("mode") ?? "car") ?? .car
    units = DistanceText.Units(rawValue: parameters.string("units") ?? "metric") ?? .metric
    callTimeoutMS = UInt32(parameters.double("call_timeout_s") * 1000)
    navigator = Navigator.Settings()
    navigator.reportsPassThrough = parameters.bool("report_pass_through")
    navigator.trafficIntervalS = parameters.double("traffic_interval_s")
    navigator.reroute = Self.reroute(parameters)
    navigator.deviation.probability = parameters.double("off_route_probability")
    navigator.deviation.unmatchedDistanceM = parameters.double("off_route_distance_m")
    navigator.deviation.fixes = parameters.int("off_route_fixes")
    navigator.deviation.accuracyM = parameters.double("off_route_accuracy_m")
    navigator.better = Self.better(parameters)
    navigator.speed.lowOffsetMps = parameters.double("speed_low_offset_mps")
    navigator.speed.highOffsetMps = parameters.double("speed_high_offset_mps")
    navigator.speed.boundaryMps = parameters.double("speed_boundary_mps")
  }

  private static func reroute(_ parameters: Parameters) -> ReroutePolicy {
    var tuning = ReroutePolicy.Tuning()
    tuning.pauseS = parameters.double("reroute_pause_s")
    tuning.pauseM = parameters.double("reroute_pause_m")
    tuning.longestPauseS = parameters.double("reroute_longest_pause_s")
    return ReroutePolicy(
      mode: ReroutePolicy.Mode(rawValue: parameters.string("rerouting") ?? "") ?? .automatic,
      strategy: ReroutePolicy.Strategy(rawValue: parameters.string("reroute_strategy") ?? "")
        ?? .nextStop, tuning: tuning)
  }

  private static func better(_ parameters: Parameters) -> BetterRoutePolicy {
    var tuning = BetterRoutePolicy.Tuning()
    tuning.quietBeforeManeuverS = parameters.double("quiet_before_maneuver_s")
    tuning.quietBeforeEndS = parameters.double("quiet_before_end_s")
    tuning.urgentGainS = parameters.double("urgent_gain_s")
    tuning.expiryS = parameters.double("proposal_expiry_s")
    tuning.memoryS = parameters.double("rejection_memory_s")
    return BetterRoutePolicy(
      adopt: BetterRoutePolicy.Adopt(rawValue: parameters.string("adopt") ?? "") ?? .ask,
      tuning: tuning)
  }
}
