/// A part of the picture that can be hidden.
public enum SceneLayer: String, Codable, Hashable, Sendable, CaseIterable {
  /// The line of the active route, with its waypoints.
  case route
  /// The driven part of that line.
  case eatUp = "eat_up"
  /// The traffic colours of that line.
  case traffic
  /// The traffic on the whole map.
  case flow
  case incidents
  case alternatives
  case maneuverArrows = "maneuver_arrows"
  /// The dashed line from the end of the road to a destination off the road.
  case offroad
  case shields
  case labels
  case indicator
  /// The maneuver panel with speed, limit, and remaining distance and time.
  case panel
  case warnings
}
