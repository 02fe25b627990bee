/// Why a request ends without a route.
public enum RouteFailure: Error, Codable, Hashable, Sendable {
  /// Fewer than 2 or more than 32 waypoints.
  case waypointCount(Int)
  /// A waypoint is not on the globe.
  case invalidWaypoint(index: Int)
  /// Options that are incompatible; a sentence names them.
  case invalidOptions(String)
  /// No road for the mode near the first waypoint; metres to the nearest, nil for none at all.
  case couldNotMatchOrigin(nearestM: Double?)
  /// The same for a later waypoint.
  case couldNotMatchDestination(index: Int, nearestM: Double?)
  /// A waypoint lies outside the map.
  case noMapData(index: Int)
  /// Both ends lie on roads, but no path leads from one to the other.
  case noRouteFound(fromWaypoint: Int)
  /// A request that needs a handle was sent without one.
  case routeHandleMissing
  /// The handle is unknown or has expired.
  case routeHandleOutdated
  case cancelled
  /// Nothing, or too little, of an imported path is on the map.
  case noMatch(String)
  /// An option that the engine cannot honour, by its name in messages.
  case unsupportedOption(String, engine: String)
  /// An option that the policy of the stack requires and the engine cannot honour, by its name in
  /// messages.
  case unsupportedPolicy(String, engine: String)
  /// The server did not answer.
  case engineUnavailable(String)
  /// The limit of calls to the server in this hour is reached.
  case engineBudgetSpent(perHour: Int)

  /// The code in messages.
  public var code: String {
    switch self {
    case .waypointCount, .invalidWaypoint, .invalidOptions: "invalid"
    case .couldNotMatchOrigin: "could_not_match_origin"
    case .couldNotMatchDestination: "could_not_match_destination"
    case .noMapData: "no_map_data"
    case .noRouteFound: "no_route_found"
    case .routeHandleMissing: "route_handle_missing"
    case .routeHandleOutdated: "route_handle_outdated"
    case .cancelled: "cancelled"
    case .noMatch: "no_match"
    case .unsupportedOption, .unsupportedPolicy: "unsupported_option"
    case .engineUnavailable: "engine_unavailable"
    case .engineBudgetSpent: "engine_budget_spent"
    }
  }

  /// A sentence for people.
  public var sentence: String {
    switch self {
    case .waypointCount(let count):
      "A route needs 2 to 32 waypoints; \(count) were given."
    case .invalidWaypoint(let index):
      "Waypoint \(index) is not a valid place; latitude is -90 to 90, longitude -180 to 180."
    case .invalidOptions(let sentence):
      sentence
    case .couldNotMatchOrigin(let nearestM):
      "The origin is too far from every usable road\(Self.distance(nearestM))."
    case .couldNotMatchDestination(let index, let nearestM):
      "Waypoint \(index) is too far from every usable road\(Self.distance(nearestM))."
    case .noMapData(let index):
      "Waypoint \(index) lies outside the map; a map of its region is missing."
    case .noRouteFound(let from):
      "No usable road leads from waypoint \(from) to the next one."
    case .routeHandleMissing:
      "This needs a route with a handle; request the route again."
    case .routeHandleOutdated:
      "The route's handle is no longer known; request the route again."
    case .cancelled:
      "The calculation was cancelled."
    case .noMatch(let sentence), .engineUnavailable(let sentence):
      sentence
    case .unsupportedOption(let option, let engine):
      "The engine \(engine) does not support \(option)."
    case .unsupportedPolicy(let option, let engine):
      "The engine \(engine) does not support \(option), which the policy of the stack requires (route/policy)."
    case .engineBudgetSpent(let perHour):
      "The \(perHour) calls of this hour to the server are used up."
    }
  }

  /// Whether more map data could make the request succeed.
  public var isWantOfRoads: Bool {
    switch self {
    case .noRouteFound, .couldNotMatchOrigin, .couldNotMatchDestination: true
    default: false
    }
  }

  /// Whether another engine may succeed where this one failed.
  public var isTheEnginesOwn: Bool {
    switch self {
    case .unsupportedOption, .unsupportedPolicy, .engineUnavailable, .engineBudgetSpent: true
    default: false
    }
  }

  private static func distance(_ nearestM: Double?) -> String {
    guard let nearestM, nearestM.isFinite, nearestM < 1e8 else { return "" }
    return " (the nearest is \(Int(nearestM.rounded())) m away)"
  }
}
