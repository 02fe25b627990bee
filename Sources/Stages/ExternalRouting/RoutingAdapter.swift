package import Geodesy
import RoadGraph
import Route

/// A route as returned by another engine.
package struct ExternalRoute: Hashable, Sendable {
  /// One line for each pair of neighbouring waypoints.
  package var legs: [[Coordinate]]
  /// The duration according to the engine; nil if it reports none.
  var durationS: Double?
  var lengthM: Double?
}

/// The protocol of one kind of server: its requests and its replies.
protocol RoutingAdapter: Sendable {
  /// Options of a request that the engine supports, as listed by `route/engines`.
  var options: [String] { get }
  var modes: [TravelMode] { get }
  var alternatives: Int { get }

  func query(_ request: RouteRequest) -> (target: String, body: [UInt8]?)

  /// Returns the routes of a reply.
  ///
  /// - Throws: `RouteFailure` for the server's errors about the places, `EngineFailure` for an
  ///   unreadable reply.
  func ways(_ answer: [UInt8], status: Int) throws -> [ExternalRoute]
}

extension RoutingAdapter {
  /// Returns the wire name of the first requested option that the engine does not support; nil for
  /// none.
  func missing(_ request: RouteRequest) -> String? {
    asked(request).first { !options.contains($0) }
      ?? (request.alternatives > alternatives ? "alternatives" : nil)
      ?? (modes.contains(request.mode) ? nil : "mode.\(request.mode.word)")
  }

  // The differences from a plain request for the fastest route.
  private func asked(_ request: RouteRequest) -> [String] {
    var asked = request.avoid.map { "avoid.\($0.rawValue)" }.sorted()
    if request.optimisation != .fastest {
      asked.append("optimisation.\(request.optimisation.rawValue)")
    }
    if request.departure != nil { asked.append("departure_ns") }
    if request.firstManeuverClearanceM > 0 { asked.append("first_maneuver_clearance_m") }
    if request.alternatives > 0 { asked.append("alternatives") }
    if !request.wishes.isEmpty { asked.append("wishes") }
    if !request.avoidCountries.isEmpty { asked.append("avoid_countries") }
    if request.speedCapMps != nil { asked.append("speed_cap_mps") }
    if request.vehicle != VehicleSize() { asked.append("vehicle") }
    if request.maxDifficulty != nil { asked.append("max_difficulty") }
    if request.isCarPool { asked.append("car_pool") }
    if request.waypoints.contains(where: { $0.bearingDeg != nil }) {
      asked.append("waypoints.bearing_deg")
    }
    if request.waypoints.contains(where: { $0.kind == .passThrough }) {
      asked.append("waypoints.pass_through")
    }
    return asked
  }

  /// Returns degrees with six decimals.
  func number(_ value: Double) -> String {
    let micro = Int((value * 1e6).rounded())
    let digits = String(micro.magnitude % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - digits.count)
    return "\(micro < 0 ? "-" : "")\(micro.magnitude / 1_000_000).\(zeros)\(digits)"
  }
}

/// Dialect of servers with OSRM's v5 API.
package struct OSRMAdapter: RoutingAdapter {
  let options = [
    "avoid.tolls", "avoid.motorways", "avoid.ferries", "alternatives", "waypoints.bearing_deg",
    "waypoints.pass_through",
  ]
  let modes: [TravelMode] = [.car, .bicycle, .pedestrian]
  let alternatives = 3

  func query(_ request: RouteRequest) -> (target: String, body: [UInt8]?) {
    let profile =
      switch request.mode {
      case .bicycle: "cycling"
      case .pedestrian: "walking"
      case .car, .truck, .bus, .taxi, .scooter: "driving"
      }
    let places = request.waypoints.map {
      "\(number($0.entry.longitudeDeg)),\(number($0.entry.latitudeDeg))"
    }.joined(separator: ";")
    var target = "/route/v1/\(profile)/\(places)"
    target += "?steps=true&overview=false&geometries=polyline6&generate_hints=false"
    if request.alternatives > 0 { target += "&alternatives=\(request.alternatives)" }
    if request.waypoints.contains(where: { $0.bearingDeg != nil }) {
      let bearings = request.waypoints.map { waypoint in
        waypoint.bearingDeg.map { "\(Int($0.rounded()) % 360),60" } ?? ""
      }
      target += "&bearings=" + bearings.joined(separator: ";")
    }
    let excluded: [(Avoidance, String)] = [
      (.tolls, "toll"), (.motorways, "motorway"), (.ferries, "ferry"),
    ]
    let words = excluded.filter { request.avoid.contains($0.0) }.map(\.1)
    if !words.isEmpty { target += "&exclude=" + words.joined(separator: ",") }
    return (target, nil)
  }

  func ways(_ answer: [UInt8], status: Int) throws -> [ExternalRoute] {
    let root = try EngineJSON(answer)
    switch try root["code"].text() {
    case "Ok": break
    case "NoRoute": throw RouteFailure.noRouteFound(fromWaypoint: 0)
    case "NoSegment":
      // The message ends with the place's index: `... for coordinate 1`.
      let index = root.optional("message")?.words.last.flatMap { Int($0) } ?? 0
      throw index == 0
        ? RouteFailure.couldNotMatchOrigin(nearestM: nil)
        : .couldNotMatchDestination(index: index, nearestM: nil)
    case let code:
      let message = (try? root["message"].text()) ?? ""
      throw EngineFailure("the server answers \(code): \(message)")
    }
    return try root["routes"].list().map(way)
  }

  /// Returns the first route of a stored reply of the route or match service.
  package static func way(kept answer: [UInt8]) throws -> ExternalRoute {
    let root = try EngineJSON(answer)
    let name = root.optional("routes") == nil ? "matchings" : "routes"
    guard let route = try root[name].list().first else {
      throw EngineFailure("\(name): the list is empty")
    }
    if let way = try? OSRMAdapter().way(route) { return way }
    let near = root.optional(name == "routes" ? "waypoints" : "tracepoints")
    let first = (try? near?.list().first?["location"].place()) ?? nil
    let line = try route["geometry"].line(near: first)
    return ExternalRoute(
      legs: [line], durationS: try? route["duration"].number(),
      lengthM: try? route["distance"].number())
  }

  // The line of a leg consists of those of its steps, each of which begins where the previous one
  // ends.
  private func way(_ route: EngineJSON) throws -> ExternalRoute {
    var legs: [[Coordinate]] = []
    for leg in try route["legs"].list() {
      var line: [Coordinate] = []
      for step in try leg["steps"].list() {
        let near = try? step["maneuver"]["location"].place()
        for place in try step["geometry"].line(near: near) where place != line.last {
          line.append(place)
        }
      }
      guard !line.isEmpty else { throw EngineFailure("\(leg.path): it has no steps") }
      legs.append(line)
    }
    return ExternalRoute(
      legs: legs, durationS: try? route["duration"].number(),
      lengthM: try? route["distance"].number())
  }
}
