import Guidance
import OpeningHours
import RoadAhead
import Route
public import Stage

extension NavigatorStage {
  public static let manifest = Manifest(
    name: "nav-navigator",
    about: "Follows the route: progress, maneuvers, deviation, rerouting, milestones, arrival.",
    parameters: routeParameters + reroutingParameters + betterParameters + speedParameters
      + aheadParameters,
    inputs: ["location/matched", "route/better", "route/closures", "traffic/incidents"],
    requires: ["location/matched"],
    optionalInputs: ["route/closures"],
    outputs: [
      "route/active", "route/alternatives", "route/better", "route/error", "session",
      "guidance/progress",
      "guidance/maneuver", "guidance/deviation", "guidance/reroute", "guidance/milestone",
      "guidance/arrival", "guidance/offroad", "guidance/road", "guidance/speed", "guidance/lanes",
      "guidance/warning", "guidance/horizon", "guidance/traffic",
    ],
    serves: [
      "navigate/start", "navigate/stop", "navigate/set_route", "navigate/skip_waypoint",
      "navigate/order_waypoints",
      "navigate/add_waypoint", "navigate/accept_better", "navigate/reject_better",
      "navigate/accept_reroute", "navigate/reject_reroute", "navigate/cancel_reroute",
      "navigate/set_rerouting", "navigate/set_traffic", "navigate/avoid_ahead",
      "navigate/keep_route", "navigate/pause",
      "navigate/resume",
      "warning/distance",
    ],
    calls: ["route/calculate", "route/return", "route/traffic"])

  private static let lanes = Navigator.LaneTuning()

  private static let routeParameters: [ParameterDeclaration] = [
    .init(
      "map", .path,
      "Map for the current road and speed limit without a route; without a map, they are known on a route only."
    ),
    .init(
      "mode", .string, default: "car",
      values: ["car", "truck", "bus", "taxi", "scooter", "bicycle", "pedestrian"],
      "Travel mode, if the start does not contain one."),
    .init(
      "report_pass_through", .bool, default: false,
      "Whether pass-through waypoints are milestones, too."),
    .init(
      "skip_coincident_stops", .bool, default: false,
      "Whether only the first of consecutive stops at one place is reported."),
    .init(
      "on_missed", .string, default: "ask",
      values: Navigator.MissedStopPolicy.allCases.map(\.rawValue),
      "What happens after a missed stop: nothing, a route back to it is proposed, or followed."
    ),
    .init(
      "traffic_interval_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
      "Seconds between traffic requests for the route; 0 for none."),
    .init(
      "traffic_publish_pause_s", .double, default: 30, unit: "s", min: 0, max: 86_400,
      "Minimum time between two publications of the active route because of its traffic."),
    .init(
      "location_patience_s", .double, default: 30, unit: "s", min: 0, max: 600,
      "Time that a start from the vehicle's location waits for the first location before it fails with no_location."
    ),
    .init(
      "lanes_slow_m", .double, default: .double(lanes.slowM), unit: "m", min: 0, max: 5000,
      "Distance before a maneuver from which its lanes are shown, with a limit below 60 km/h."),
    .init(
      "lanes_regular_m", .double, default: .double(lanes.regularM), unit: "m", min: 0, max: 5000,
      "The same with a limit below 100 km/h."),
    .init(
      "lanes_fast_m", .double, default: .double(lanes.fastM), unit: "m", min: 0, max: 5000,
      "The same with a limit of 100 km/h or more."),
    .init(
      "lanes_s", .double, default: .double(lanes.seconds), unit: "s", min: 0, max: 120,
      "The same in seconds; whichever is reached first."),
    .init(
      "weather", .strings, default: .strings([]),
      values: Condition.Weather.allCases.map(\.rawValue),
      "The weather, if known, for limits that depend on it."),
    .init(
      "language", .string, default: "en-US",
      "Language of names and texts of a route if its request contains none, as a BCP 47 tag."),
    .init(
      "units", .string, default: "metric", values: ["metric", "imperial_us", "imperial_uk"],
      "Units of the remaining distance in texts."),
    .init(
      "call_timeout_s", .double, default: 10, unit: "s", min: 0.1, max: 600,
      "Timeout of calls to the router."),
  ]

  private static let reroutingParameters: [ParameterDeclaration] = [
    .init(
      "rerouting", .string, default: "automatic",
      values: ReroutePolicy.Mode.allCases.map(\.rawValue),
      "What happens when the vehicle leaves the route."),
    .init(
      "reroute_strategy", .string, default: "next_stop",
      values: ReroutePolicy.Strategy.allCases.map(\.rawValue), "Target of a reroute."),
    .init(
      "visit_first_stop_on_start", .bool, default: false,
      "Whether a reroute before the route was reached leads to its start first."),
    .init(
      "reroute_pause_s", .double, default: 5, unit: "s", min: 0, max: 600,
      "Minimum time between two requests."),
    .init(
      "reroute_pause_m", .double, default: 50, unit: "m", min: 0, max: 10_000,
      "Minimum distance between two requests."),
    .init(
      "reroute_longest_pause_s", .double, default: 64, unit: "s", min: 1, max: 3600,
      "Maximum pause after failures; the pause doubles up to this value."),
    .init(
      "off_route_probability", .double, default: 0.6, min: 0, max: 1,
      "Minimum probability of a match off the route as evidence."),
    .init(
      "off_route_distance_m", .double, default: 50, unit: "m", min: 1, max: 1000,
      "Distance from the route beyond which an unmatched fix is evidence."),
    .init(
      "off_route_fixes", .int, default: 3, min: 1, max: 100,
      "Number of consecutive fixes for a deviation."),
    .init(
      "off_route_accuracy_m", .double, default: 25, unit: "m", min: 1, max: 1000,
      "A fix with this accuracy or worse is no evidence."),
  ]

  private static let betterParameters: [ParameterDeclaration] = [
    .init(
      "adopt", .string, default: "ask",
      values: BetterRoutePolicy.Adopt.allCases.map(\.rawValue),
      "What happens with a faster route."),
    .init(
      "quiet_before_maneuver_s", .double, default: 70, unit: "s", min: 0, max: 3600,
      "Distance to a maneuver within which nothing is proposed."),
    .init(
      "quiet_before_end_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
      "Distance to the end of the trip within which nothing is proposed."),
    .init(
      "urgent_gain_s", .double, default: 300, unit: "s", min: 0, max: 86_400,
      "Gain from which a route is always proposed."),
    .init(
      "proposal_expiry_s", .double, default: 60, unit: "s", min: 1, max: 3600,
      "Time after which a proposal expires."),
    .init(
      "rejection_memory_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
      "Time for which a rejected shape is not proposed again."),
  ]

  private static let speedParameters: [ParameterDeclaration] = [
    .init(
      "speed_low_offset_mps", .double, unit: "m/s", min: -20, max: 20,
      "Tolerance for limits below the boundary; absent: 5 % of the limit, at least 5 km/h."
    ),
    .init(
      "speed_high_offset_mps", .double, unit: "m/s", min: -20, max: 20,
      "Tolerance for limits from the boundary on."),
    .init(
      "speed_boundary_mps", .double, default: 25, unit: "m/s", min: 0, max: 100,
      "Boundary: limits from this value on use the high offset."),
    .init(
      "speed_hold_s", .double, default: 3, unit: "s", min: 0, max: 600,
      "Time for which the speed must be too high before a warning."),
    .init(
      "vehicle_limit_mps", .double, default: 0, unit: "m/s", min: 0, max: 100,
      "The vehicle's own limit, for example with a trailer; 0 for none."),
  ]

  private static let aheadParameters: [ParameterDeclaration] = [
    .init(
      "warnings", .strings, default: .strings(WarningKind.allCases.map(\.rawValue)),
      "Enabled warnings, as kinds of guidance/warning."),
    .init(
      "silent_cameras", .strings, default: .strings(CameraLaw.silentCountries.sorted()),
      "Countries (ISO 3166-1 code of two letters) without warnings of speed cameras; countries whose law requires "
        + "danger zones (FR) get these instead of cameras."),
    .init(
      "warn_slow_m", .double, default: 500, unit: "m", min: 0, max: 5000,
      "Warning distance with a limit below 60 km/h."),
    .init(
      "warn_regular_m", .double, default: 750, unit: "m", min: 0, max: 5000,
      "The same with a limit below 100 km/h."),
    .init(
      "warn_fast_m", .double, default: 1500, unit: "m", min: 0, max: 5000,
      "The same with a limit of 100 km/h or more, or without a limit."),
    .init(
      "custom_warnings", .path,
      "A GeoJSON file of custom places to warn of: points, lines and areas."),
    .init(
      "horizon_m", .double, default: 1000, unit: "m", min: 0, max: 10_000,
      "Length of the main path on guidance/horizon; 0 disables the horizon."),
    .init(
      "horizon_side_m", .double, default: 500, unit: "m", min: 0, max: 5000,
      "Length of the side roads."),
    .init(
      "horizon_trail_m", .double, default: 500, unit: "m", min: 0, max: 5000,
      "Length of the driven path that is kept."),
  ]
}
