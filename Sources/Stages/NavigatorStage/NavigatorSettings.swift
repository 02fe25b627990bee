import Guidance
import OpeningHours
public import RoadAhead
import RoadGraph
import Route
public import Stage

/// The settings shared by all vehicles of a navigator process.
public struct NavigatorSettings: Sendable {
  /// Provides road and speed limit of a segment; nil without a map.
  public var map: RoadMap?
  var navigator: Navigator.Settings
  var ahead: RoadAheadMonitor.Settings
  /// The vehicle's own limit; nil for none.
  var vehicleLimitMps: Double?
  /// nil if the weather is unknown.
  var weather: Set<Condition.Weather>?
  /// The circumstances of a vehicle without sizes, which most vehicles share.
  private var plainCircumstances = VehicleSize().circumstances
  let requests: RequestDefaults
  var units: DistanceText.Units
  var callTimeoutMS: UInt32
  /// Whether it was reported which custom places lie on no road.
  let strayNotice = SharedNotice()
  /// Whether it was reported that the side of driving is assumed.
  let sideNotice = SharedNotice()

  public init(_ parameters: Parameters, map: RoadMap?) {
    self.map = map
    requests = RequestDefaults(parameters)
    units = DistanceText.Units(rawValue: parameters.string("units") ?? "metric") ?? .metric
    callTimeoutMS = UInt32(parameters.double("call_timeout_s") * 1000)
    ahead = Self.ahead(parameters)
    let own = parameters.double("vehicle_limit_mps")
    vehicleLimitMps = own > 0 ? own : nil
    let weather = parameters.strings("weather").compactMap { Condition.Weather(rawValue: $0) }
    self.weather = weather.isEmpty ? nil : Set(weather)
    plainCircumstances.weather = self.weather
    navigator = Navigator.Settings()
    navigator.visitsFirstStopOnStart = parameters.bool("visit_first_stop_on_start")
    navigator.lanes.slowM = parameters.double("lanes_slow_m")
    navigator.lanes.regularM = parameters.double("lanes_regular_m")
    navigator.lanes.fastM = parameters.double("lanes_fast_m")
    navigator.lanes.seconds = parameters.double("lanes_s")
    navigator.skipsCoincidentStops = parameters.bool("skip_coincident_stops")
    navigator.onMissed =
      Navigator.MissedStopPolicy(rawValue: parameters.string("on_missed") ?? "") ?? .ask
    navigator.speed.holdS = parameters.double("speed_hold_s")
    navigator.reportsPassThrough = parameters.bool("report_pass_through")
    navigator.trafficIntervalS = parameters.double("traffic_interval_s")
    navigator.trafficPublishPauseS = parameters.double("traffic_publish_pause_s")
    navigator.locationPatienceS = parameters.double("location_patience_s")
    navigator.reroute = Self.reroute(parameters)
    navigator.deviation.probability = parameters.double("off_route_probability")
    navigator.deviation.unmatchedDistanceM = parameters.double("off_route_distance_m")
    navigator.deviation.fixes = parameters.int("off_route_fixes")
    navigator.deviation.accuracyM = parameters.double("off_route_accuracy_m")
    navigator.better = Self.better(parameters)
    navigator.speed.lowOffsetMps = parameters.optionalDouble("speed_low_offset_mps")
    navigator.speed.highOffsetMps = parameters.optionalDouble("speed_high_offset_mps")
    navigator.speed.boundaryMps = parameters.double("speed_boundary_mps")
  }

  /// Returns the circumstances for evaluating conditional limits.
  func circumstances(of route: Route?) -> Circumstances {
    guard let vehicle = route?.request.vehicle else { return plainCircumstances }
    var all = vehicle.circumstances
    all.weather = weather
    return all
  }

  private static func ahead(_ parameters: Parameters) -> RoadAheadMonitor.Settings {
    var settings = RoadAheadMonitor.Settings()
    settings.kinds = Set(parameters.strings("warnings").compactMap { WarningKind(rawValue: $0) })
    settings.silentCameraCountries = Set(
      parameters.strings("silent_cameras").map { $0.uppercased() })
    settings.slowAheadM = parameters.double("warn_slow_m")
    settings.regularAheadM = parameters.double("warn_regular_m")
    settings.fastAheadM = parameters.double("warn_fast_m")
    settings.horizonM = parameters.double("horizon_m")
    settings.horizonSideM = parameters.double("horizon_side_m")
    settings.trailM = parameters.double("horizon_trail_m")
    return settings
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

/// What a route request means if it does not say so itself.
struct RequestDefaults: Hashable, Sendable {
  let mode: TravelMode
  /// BCP 47 tag of names and texts.
  let language: String

  init(_ parameters: Parameters) {
    mode = TravelMode(word: parameters.string("mode") ?? "car") ?? .car
    language = parameters.string("language") ?? "en-US"
  }
}
