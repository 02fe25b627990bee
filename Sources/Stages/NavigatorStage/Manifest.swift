import Guidance
import OpeningHours
import RoadAhead
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
      "Map that tells road and speed limit where there is no route; without it they come from the route."
    ),
    .init(
      "mode", .string, default: "car",
      values: ["car", "truck", "bus", "taxi", "scooter", "bicycle", "pedestrian"],
      "How one travels, where a start does not say."),
    .init(
      "report_pass_through", .bool, default: false,
      "Pass-through waypoints are milestones as well."),
    .init(
      "skip_coincident_stops", .bool, default: false,
      "Of stops at one place, one after the other, only the first is told of."),
    .init(
      "on_missed", .string, default: "ask", values: Navigator.OnMissed.allCases.map(\.rawValue),
      "What is done about a stop that was driven past: nothing, a way back to it is proposed, or taken."
    ),
    .init(
      "traffic_interval_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
      "Seconds between questions for the traffic on the route; 0 for none."),
    .init(
      "traffic_publish_pause_s", .double, default: 30, unit: "s", min: 0, max: 86_400,
      "Least seconds between two publications of the active route because of its traffic."),
    .init(
      "location_patience_s", .double, default: 30, unit: "s", min: 0, max: 600,
      "How long a start from here waits for the first location before it fails with no_location."),
    .init(
      "lanes_slow_m", .double, default: .double(lanes.slowM), unit: "m", min: 0, max: 5000,
      "From how far before a maneuver its lanes are shown where the limit is below 60 km/h."),
    .init(
      "lanes_regular_m", .double, default: .double(lanes.regularM), unit: "m", min: 0, max: 5000,
      "The same below 100 km/h."),
    .init(
      "lanes_fast_m", .double, default: .double(lanes.fastM), unit: "m", min: 0, max: 5000,
      "The same from 100 km/h on."),
    .init(
      "lanes_s", .double, default: .double(lanes.seconds), unit: "s", min: 0, max: 120,
      "The same in seconds; whichever comes first."),
    .init(
      "weather", .strings, default: .strings([]),
      values: Condition.Weather.allCases.map(\.rawValue),
      "The weather, where one knows it, for limits that go by it."),
    .init(
      "units", .string, default: "metric", values: ["metric", "imperial_us", "imperial_uk"],
      "Units of the remaining distance as text."),
    .init(
      "call_timeout_s", .double, default: 10, unit: "s", min: 0.1, max: 600,
      "How long the router may take for an answer."),
  ]

  private static let reroutingParameters: [ParameterDeclaration] = [
    .init(
      "rerouting", .string, default: "automatic",
      values: ReroutePolicy.Mode.allCases.map(\.rawValue),
      "What happens when the vehicle leaves the route."),
    .init(
      "reroute_strategy", .string, default: "next_stop",
      values: ReroutePolicy.Strategy.allCases.map(\.rawValue), "What a reroute leads to."),
    .init(
      "visit_first_stop_on_start", .bool, default: false,
      "A reroute before the route was ever reached leads to its start first."),
    .init(
      "reroute_pause_s", .double, default: 5, unit: "s", min: 0, max: 600,
      "Least seconds between two requests."),
    .init(
      "reroute_pause_m", .double, default: 50, unit: "m", min: 0, max: 10_000,
      "Least metres between two requests."),
    .init(
      "reroute_longest_pause_s", .double, default: 64, unit: "s", min: 1, max: 3600,
      "The pause after failures doubles up to this."),
    .init(
      "off_route_probability", .double, default: 0.6, min: 0, max: 1,
      "Least probability of a match off the route that counts."),
    .init(
      "off_route_distance_m", .double, default: 50, unit: "m", min: 1, max: 1000,
      "Distance from the route beyond which an unmatched fix counts."),
    .init(
      "off_route_fixes", .int, default: 3, min: 1, max: 100,
      "Fixes in a row that make a deviation."),
    .init(
      "off_route_accuracy_m", .double, default: 25, unit: "m", min: 1, max: 1000,
      "A fix of this accuracy or worse is no evidence."),
  ]

  private static let betterParameters: [ParameterDeclaration] = [
    .init(
      "adopt", .string, default: "ask",
      values: BetterRoutePolicy.Adopt.allCases.map(\.rawValue),
      "What is done with a faster route."),
    .init(
      "quiet_before_maneuver_s", .double, default: 70, unit: "s", min: 0, max: 3600,
      "No proposal this near to a maneuver."),
    .init(
      "quiet_before_end_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
      "No proposal this near to the end of the trip."),
    .init(
      "urgent_gain_s", .double, default: 300, unit: "s", min: 0, max: 86_400,
      "A gain that is proposed whatever the moment."),
    .init(
      "proposal_expiry_s", .double, default: 60, unit: "s", min: 1, max: 3600,
      "A proposal lapses after this."),
    .init(
      "rejection_memory_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
      "A rejected shape is not proposed again for this long."),
  ]

  private static let speedParameters: [ParameterDeclaration] = [
    .init(
      "speed_low_offset_mps", .double, unit: "m/s", min: -20, max: 20,
      "Tolerance above limits below the boundary; absent: 5 % of the limit, at least 5 km/h."
    ),
    .init(
      "speed_high_offset_mps", .double, unit: "m/s", min: -20, max: 20,
      "The same from the boundary on."),
    .init(
      "speed_boundary_mps", .double, default: 25, unit: "m/s", min: 0, max: 100,
      "Limits from here on use the high offset."),
    .init(
      "speed_hold_s", .double, default: 3, unit: "s", min: 0, max: 600,
      "Seconds that a speed must be too high before it is warned of."),
    .init(
      "vehicle_limit_mps", .double, default: 0, unit: "m/s", min: 0, max: 100,
      "The vehicle's own limit, as with a trailer; 0 for none."),
  ]

  private static let aheadParameters: [ParameterDeclaration] = [
    .init(
      "warnings", .strings, default: .strings(WarningKind.allCases.map(\.rawValue)),
      "What is warned of, by the kinds of guidance/warning."),
    .init(
      "silent_cameras", .strings, default: .strings(CameraLaw.silentCountries.sorted()),
      "Countries by their two letters (ISO 3166-1) in which nothing is told of speed cameras; whose law wants "
        + "danger zones (FR) has them in place of cameras."),
    .init(
      "warn_slow_m", .double, default: 500, unit: "m", min: 0, max: 5000,
      "How far ahead one warns where the limit is below 60 km/h."),
    .init(
      "warn_regular_m", .double, default: 750, unit: "m", min: 0, max: 5000,
      "The same below 100 km/h."),
    .init(
      "warn_fast_m", .double, default: 1500, unit: "m", min: 0, max: 5000,
      "The same from 100 km/h on, and where there is no limit."),
    .init(
      "custom_warnings", .path,
      "A GeoJSON file of places of one's own to warn of: points, lines and areas."),
    .init(
      "horizon_m", .double, default: 1000, unit: "m", min: 0, max: 10_000,
      "Length of the main path on guidance/horizon; 0 for no horizon."),
    .init(
      "horizon_side_m", .double, default: 500, unit: "m", min: 0, max: 5000,
      "Length of its side roads."),
    .init(
      "horizon_trail_m", .double, default: 500, unit: "m", min: 0, max: 5000,
      "How much of the way behind it keeps."),
  ]
}
