import ArgumentParser
import Foundation
import Foundations
import Geodesy
import Maneuvers
import OSRM
import RoadFile
import RoadGraph
import Route
import Routing
import Traffic

/// `nav route`: computes one route on a map file, without a running stack.
struct RouteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "route", abstract: "Compute a route on a map file.",
    discussion: "Without a unit, lengths are metres and times seconds.")

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case geojson
    case osrm
  }

  @Option(help: "A .navmap or OSM file.") var map: String
  @Option(help: "LAT,LON of the origin.") var from: String
  @Option(help: "LAT,LON of the destination.") var to: String
  @Option(help: "LAT,LON of a stop; may be repeated.") var via: [String] = []
  @Option(help: "LAT,LON of a place to pass without a stop; may be repeated.")
  var pass: [String] = []
  @Option(help: "car, truck, bus, taxi, scooter, bicycle or pedestrian.") var mode = "car"
  @Option(help: "fastest, shortest or balanced.") var optimise = "fastest"
  @Option(
    help:
      "tolls, motorways, ferries, tunnels, unpaved, difficult_turns, u_turns, car_pool, low_emission_zones; may be repeated."
  )
  var avoid: [String] = []
  @Option(help: "As --avoid, but with any detour; may be repeated.")
  var exclude: [String] = []
  @Option(help: "SOUTH,WEST,NORTH,EAST of a box to avoid; may be repeated.")
  var avoidBox: [String] = []
  @Option(help: "A polygon to avoid, as an encoded polyline with six decimals; may be repeated.")
  var avoidPolygon: [String] = []
  @Option(help: "WAY,FROM,TO of a segment to avoid, as OSM ids; may be repeated.")
  var avoidSegment: [String] = []
  @Option(help: "Two-letter code of a country to avoid; may be repeated.")
  var avoidCountry: [String] = []
  @Option(help: "Maximum speed of the vehicle, km/h.") var speedCap: Double?
  @OptionGroup(title: "Vehicle") var vehicle: VehicleOptions
  @Option(
    help:
      "Difficulty of the most demanding roads to use, 0 to 7: on foot by the SAC scale (usually 3), by bicycle by mtb:scale (usually 2), by motor vehicle 2 for four-wheel drive (usually 1)."
  )
  var difficulty: Int?
  @Flag(help: "The vehicle carries enough people for car-pool roads.") var carPool = false
  @Option(
    help:
      "Departure as ISO 8601, or now: time-dependent rules and typical speeds are those at the time a road is reached. Without it, time-dependent rules are ignored."
  )
  var depart: String?
  @Option(help: "How traffic is used: off, flow or flow_and_closures.")
  var traffic = "flow_and_closures"
  @Option(help: "A table of current speeds: lines of from-node,to-node,km/h.") var speeds: String?
  @Option(help: "A file of typical speeds by time of week, for --depart.") var typical: String?
  @Option(help: "Avoid turns within this many metres of the origin, if possible.")
  var clearance = 0.0
  @Flag(help: "Print the cost of the roads, and that of the best alternatives.") var explain = false
  @Option(help: "Direction of travel at the origin, degrees from north.") var bearing: Double?
  @Flag(help: "Arrive with stops and destination on the curb side.")
  var curb = false
  @Option(help: "Number of alternative routes to search for.") var alternatives = 0
  @Option(help: "BCP 47 tag for names: en-US, en-GB, or a language of the map's names such as de.")
  var language = "en-US"
  @Option(help: "text, geojson or osrm.") var format = Format.text
  @Option(help: "Geometry of osrm: polyline, polyline6 or geojson.") var geometries = "polyline"

  func run() throws {
    do throws(RouteCommandFault) {
      var request = try request()
      let wanted = request.alternatives
      if explain { request.alternatives = max(2, wanted) }
      let map = try open()
      let asked = request
      request = request.withLegalSizes(on: map)
      let remark = try Self.checkLanguage(language, on: map)
      let rules = RuleBook(map)
      let graph = try atDeparture(rules, request)
      let counted = try counted(graph, request)
      let moments = TimeDependentConditions(
        rules: rules, reports: counted?.reports, typical: counted?.typical)
      let answer = try Self.compute(
        request, on: graph, traffic: counted?.view, excludes: !exclude.isEmpty, moments)
      let routes = answer.routes.prefix(1 + wanted).map { found in
        var route = found
        route.request = asked
        route.assumeVehicle(request.vehicle)
        return route
      }
      switch format {
      case .text:
        print(routes.map { RouteText.text($0) }.joined(separator: "\n\n"))
        if explain {
          print("\n" + RouteReason.text(answer.paths, by: answer.metric, request))
        }
      case .geojson: print(RouteJSON.geoJSON(routes))
      case .osrm:
        guard let geometry = OSRMGeometry(rawValue: geometries) else {
          throw RouteCommandFault("--geometries must be polyline, polyline6 or geojson")
        }
        print(RouteJSON.osrm(routes, answer.paths, of: request, geometry, on: graph))
      }
      let unjudged = answer.paths.first.flatMap { Self.unjudged($0, rules, request) }
      for note in [remark, unjudged].compactMap({ $0 }) {
        FileHandle.standardError.write(Data("nav: \(note)\n".utf8))
      }
    } catch {
      FileHandle.standardError.write(Data("nav: \(error.message)\n".utf8))
      throw ExitCode.failure
    }
  }

  private func open() throws(RouteCommandFault) -> RoadGraph {
    do throws(RoadFileError) {
      return try RoadFile.open(path: map)
    } catch {
      throw RouteCommandFault(error.description)
    }
  }

  /// The routes of a request, computed in this process.
  static func routes(
    _ request: RouteRequest, on graph: RoadGraph
  ) throws(RouteCommandFault) -> [Route] {
    try compute(request, on: graph).routes
  }

  /// The routes of a request, their paths, and the metric by which they are optimal.
  ///
  /// If conditions change during the trip, each road has the cost of the time at which it is
  /// reached, TR-10.
  static func compute(
    _ request: RouteRequest, on graph: RoadGraph, traffic: TrafficView? = nil,
    excludes: Bool = false, _ moments: TimeDependentConditions? = nil
  ) throws(RouteCommandFault) -> (routes: [Route], paths: [FoundPath], metric: RoadMetric) {
    do throws(RouteFailure) {
      try RoutingEngine.validate(request)
      var key = MetricKey(request)
      key.excludes = excludes
      let engine = RoutingEngine(
        metric: RoadMetric(
          network: RoadNetwork(graph: graph, mode: request.mode), key: key, traffic: traffic)
      ).adjusted(for: request, index: SegmentIndex(graph))
      var metric = engine.metric
      var space = SearchSpace()
      var paths = try engine.paths(request, in: &space)
      if let timed = moments?.engine(engine.metric, after: paths, request) {
        // If these costs lead to no path, those of the departure are used.
        if let found = try? timed.paths(request, in: &space) {
          (paths, metric) = (found, timed.metric)
        }
      }
      let finder = ManeuverFinder(graph: graph)
      let routes = paths.enumerated().map { index, path in
        RouteBuilder(metric: metric).route(
          path, request: request, id: "r-\(index + 1)", handle: nil,
          computedAt: request.departure ?? Instant(nanoseconds: 0),
          maneuvers: { finder.maneuvers(along: $0) })
      }
      return (routes, paths, metric)
    } catch {
      throw RouteCommandFault(error.sentence)
    }
  }

  private func request() throws(RouteCommandFault) -> RouteRequest {
    guard let travel = TravelMode(word: mode) else {
      throw RouteCommandFault(
        "--mode \(mode) is not one of \(TravelMode.allCases.map(\.word).joined(separator: ", "))")
    }
    guard let aim = Optimisation(rawValue: optimise) else {
      throw RouteCommandFault("--optimise \(optimise) is not one of fastest, shortest, balanced")
    }
    // A metric either excludes everything to be avoided or makes it all expensive, so the two
    // cannot be combined.
    let avoided = [
      ("--avoid", avoid), ("--avoid-box", avoidBox), ("--avoid-polygon", avoidPolygon),
      ("--avoid-segment", avoidSegment), ("--avoid-country", avoidCountry),
    ]
    if !exclude.isEmpty, let option = avoided.first(where: { !$0.1.isEmpty })?.0 {
      throw RouteCommandFault(
        "\(option) and --exclude cannot be combined: the roads of \(option) would also be excluded")
    }
    var avoidances: Set<Avoidance> = []
    for word in (avoid + exclude).flatMap({ $0.split(separator: ",").map(String.init) }) {
      guard let wish = Avoidance(rawValue: word) else {
        throw RouteCommandFault(
          "--avoid or --exclude \(word) is not one of \(Avoidance.allCases.map(\.rawValue).joined(separator: ", "))"
        )
      }
      avoidances.insert(wish)
    }
    var waypoints = [Waypoint(place: try place(from, "--from"), bearingDeg: bearing)]
    for text in pass {
      waypoints.append(Waypoint(place: try place(text, "--pass"), kind: .passThrough))
    }
    for text in via {
      waypoints.append(Waypoint(place: try place(text, "--via"), isAtCurb: curb))
    }
    waypoints.append(Waypoint(place: try place(to, "--to"), isAtCurb: curb))
    guard let use = TrafficUse(rawValue: traffic) else {
      throw RouteCommandFault("--traffic \(traffic) is not one of off, flow, flow_and_closures")
    }
    guard (0...8).contains(alternatives) else {
      throw RouteCommandFault("--alternatives \(alternatives) is out of range: 0 to 8")
    }
    guard clearance.isFinite, clearance >= 0 else {
      throw RouteCommandFault("--clearance \(clearance) is not a length in metres")
    }
    return RouteRequest(
      waypoints: waypoints, mode: travel, optimisation: aim, avoid: avoidances, traffic: use,
      departure: try departure(), firstManeuverClearanceM: clearance, alternatives: alternatives,
      language: language, wishes: try wishes(),
      avoidCountries: Set(avoidCountry.map { $0.uppercased() }),
      speedCapMps: speedCap.map { $0 / 3.6 }, vehicle: vehicle.size,
      maxDifficulty: difficulty, isCarPool: carPool)
  }

  private func place(_ text: String, _ option: String) throws(RouteCommandFault) -> Coordinate {
    let parts = text.split(separator: ",").map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
      throw RouteCommandFault("\(option) \(text) is not LAT,LON in degrees")
    }
    let place = Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
    guard place.isValid else {
      throw RouteCommandFault(
        "\(option) \(text) is not on the globe; latitude is -90 to 90, longitude -180 to 180")
    }
    return place
  }
}

/// The reason why there is no route to print, as one sentence.
struct RouteCommandFault: Error {
  var message: String
  init(_ message: String) { self.message = message }
}
