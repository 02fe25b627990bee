import Foundations
import Geodesy
import RoadGraph
import Route

/// Dialect of servers with Valhalla's route service.
package struct ValhallaAdapter: RoutingAdapter {
  let options = [
    "avoid.tolls", "avoid.motorways", "avoid.ferries", "avoid.tunnels", "avoid.unpaved",
    "optimisation.shortest", "alternatives", "waypoints.bearing_deg", "waypoints.pass_through",
  ]
  let modes: [TravelMode] = TravelMode.allCases
  let alternatives = 2

  func query(_ request: RouteRequest) -> (target: String, body: [UInt8]?) {
    let places = request.waypoints.map { waypoint in
      var fields = [
        "\"lat\":\(number(waypoint.entry.latitudeDeg))",
        "\"lon\":\(number(waypoint.entry.longitudeDeg))",
        "\"type\":\"\(waypoint.kind == .stopover ? "break" : "through")\"",
      ]
      if let bearing = waypoint.bearingDeg {
        fields.append("\"heading\":\(Int(bearing.rounded()) % 360)")
      }
      return "{\(fields.joined(separator: ","))}"
    }.joined(separator: ",")
    let costing = Self.costing(request.mode)
    let wishes: [(Avoidance, String)] = [
      (.tolls, "\"use_tolls\":0"), (.motorways, "\"use_highways\":0"),
      (.ferries, "\"use_ferry\":0"),
      (.tunnels, "\"exclude_tunnels\":true"), (.unpaved, "\"exclude_unpaved\":true"),
    ]
    var words = wishes.filter { request.avoid.contains($0.0) }.map(\.1)
    if request.optimisation == .shortest { words.append("\"shortest\":true") }
    var fields = [
      "\"locations\":[\(places)]", "\"costing\":\"\(costing)\"",
      "\"costing_options\":{\"\(costing)\":{\(words.joined(separator: ","))}}",
      "\"directions_type\":\"none\"", "\"units\":\"kilometers\"",
    ]
    if request.alternatives > 0 { fields.append("\"alternates\":\(request.alternatives)") }
    return ("/route", Array("{\(fields.joined(separator: ","))}".utf8))
  }

  private static func costing(_ mode: TravelMode) -> String {
    switch mode {
    case .car: "auto"
    case .scooter: "motor_scooter"
    case .truck, .bus, .taxi, .bicycle, .pedestrian: mode.word
    }
  }

  func ways(_ answer: [UInt8], status: Int) throws -> [ExternalRoute] {
    let root = try EngineJSON(answer)
    guard root.optional("trip") != nil else {
      // 171: no road near a place; 441, 442: no path between them.
      switch (try? root["error_code"].number()).flatMap({ Int(exactly: $0) }) {
      case 170, 441, 442: throw RouteFailure.noRouteFound(fromWaypoint: 0)
      case 171: throw RouteFailure.couldNotMatchOrigin(nearestM: nil)
      default:
        throw EngineFailure(
          "the server answers \(status): \((try? root["error"].text()) ?? "no trip")")
      }
    }
    var ways = [try Self.way(try root["trip"])]
    for other in (try root.optional("alternates")?.list()) ?? [] {
      ways.append(try Self.way(try other["trip"]))
    }
    return ways
  }

  /// Returns the first route of a stored reply.
  package static func way(kept answer: [UInt8]) throws -> ExternalRoute {
    try way(try EngineJSON(answer)["trip"])
  }

  private static func way(_ trip: EngineJSON) throws -> ExternalRoute {
    let places = try? trip["locations"].list()
    var legs: [[Coordinate]] = []
    for (index, leg) in try trip["legs"].list().enumerated() {
      let near = places.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      let place = near.flatMap { place in
        (try? place["lat"].number()).flatMap { lat in
          (try? place["lon"].number()).map { Coordinate(latitudeDeg: lat, longitudeDeg: $0) }
        }
      }
      legs.append(try leg["shape"].line(near: place))
    }
    let summary = trip.optional("summary")
    return ExternalRoute(
      legs: legs, durationS: try? summary?["time"].number(),
      lengthM: (try? summary?["length"].number()).map { $0 * 1000 })
  }
}
