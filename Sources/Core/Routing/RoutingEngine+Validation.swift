import Geodesy
import RoadGraph
public import Route

extension RoutingEngine {
  /// Checks everything that can be wrong with a request before any search.
  ///
  /// - Throws: `RouteFailure` for the first fault.
  public static func validate(_ request: RouteRequest) throws(RouteFailure) {
    guard (2...32).contains(request.waypoints.count) else {
      throw .waypointCount(request.waypoints.count)
    }
    try validateRoutePreferences(request)
    try validate(request.vehicle)
    if let difficulty = request.maxDifficulty {
      guard (0...Int(Difficulty.greatest)).contains(difficulty) else {
        throw .invalidOptions(
          "max_difficulty is \(difficulty); it must be 0 to \(Difficulty.greatest).")
      }
    }
    for (index, waypoint) in request.waypoints.enumerated() {
      guard waypoint.place.isValid else { throw .invalidWaypoint(index: index) }
      if let bearing = waypoint.bearingDeg, !bearing.isFinite {
        throw .invalidWaypoint(index: index)
      }
      if let access = waypoint.access, !access.place.isValid {
        throw .invalidOptions("The access of waypoint \(index) is not a valid place.")
      }
      if let restS = waypoint.restS {
        guard (0...Self.longestRestS).contains(restS) else {
          throw .invalidOptions(
            "The rest of \(restS) s at waypoint \(index) is out of range; it must be 0 s to a week."
          )
        }
        guard waypoint.kind == .stopover || restS == 0 else {
          throw .invalidOptions(
            "Waypoint \(index) is a pass-through; rests are allowed at stopovers only.")
        }
      }
      if waypoint.kind == .passThrough {
        guard request.mode.isMotorised else {
          throw .invalidOptions(
            "Waypoint \(index) is a pass-through; the travel mode \(request.mode.word) supports stopovers only."
          )
        }
        guard index > 0, index < request.waypoints.count - 1 else {
          throw .invalidOptions("The first and the last waypoint must be stopovers.")
        }
      }
    }
  }

  private static let longestRestS = 604_800.0

  private static func validate(_ vehicle: VehicleSize) throws(RouteFailure) {
    let sizes = [
      ("height_m", vehicle.heightM, 100), ("width_m", vehicle.widthM, 100),
      ("length_m", vehicle.lengthM, 1000), ("weight_t", vehicle.weightT, 10_000),
      ("axle_load_t", vehicle.axleLoadT, 1000.0), ("axles", Double(vehicle.axles), 100),
      ("trailers", Double(vehicle.trailers), 10),
    ]
    for (name, value, most) in sizes where !(0...most).contains(value) {
      throw .invalidOptions("vehicle.\(name) is \(value); it must be 0 to \(Int(most)).")
    }
  }

  private static func validateRoutePreferences(_ request: RouteRequest) throws(RouteFailure) {
    guard request.wishes.count <= 64 else {
      throw .invalidOptions(
        "\(request.wishes.count) wishes about roads are too many; at most 64 are allowed.")
    }
    for (index, wish) in request.wishes.enumerated() {
      if let fault = wish.fault { throw .invalidOptions("Wish \(index) about roads \(fault).") }
    }
    if let cap = request.speedCapMps, !(0.5...150).contains(cap) {
      throw .invalidOptions("The speed cap of \(cap) m/s is out of range; it must be 0.5 to 150.")
    }
    for country in request.avoidCountries.sorted()
    where country.utf8.count != 2 || !country.utf8.allSatisfy({ (65...90).contains($0) }) {
      throw .invalidOptions("\(country) is not a country code of two capital letters.")
    }
  }
}
