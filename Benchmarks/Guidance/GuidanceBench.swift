import ArgumentParser
import Foundation
import Foundations
import Geodesy
import Maneuvers
import RoadFile
import RoadGraph
import Route
import Routing

/// What the navigator costs for one location, by the length of the route that it follows.
@main
struct GuidanceBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-guidance",
    abstract: "Measure the navigator's processor time for a location, on a map file.",
    discussion: """
      A car drives routes of 1, 4, 8, 16 and 31 legs between random places, one location a second; the \
      navigator's stage answers each as it does on the bus, with warnings, speed limits and, unless \
      --no-horizon, the road tree. All routes end with the same leg, and of each its end is driven, so that they \
      differ in their length alone. Times are of the processor, on one thread.
      """)

  @Option(help: "A .navmap or OSM file.") var map: String
  @Option(help: "Seed of the places.") var seed: UInt64 = 1
  @Option(help: "Locations to drive on each route.") var locations = 3000
  @Flag(name: .customLong("no-horizon"), help: "Without the road tree.") var noHorizon = false
  @Flag(help: "Print JSON.") var json = false

  struct Row: Encodable {
    var legs: Int
    var lengthKM: Double
    var segments: Int
    var maneuvers: Int
    var locations: Int
    var meanUS: Double
    var p50US: Double
    var p99US: Double
    /// To encode the state that outlives a crash.
    var stateUS: Double
    var outputs: Int
  }

  func run() throws {
    let graph: RoadGraph
    do {
      graph = try RoadFile.open(path: map)
    } catch {
      throw ValidationError("\(error)")
    }
    let maker = LongRoutes(graph: graph, seed: seed)
    var rows: [Row] = []
    for legs in [1, 4, 8, 16, 31] {
      guard let route = maker.route(legs: legs) else {
        throw ValidationError("no route of \(legs) legs was found on \(map)")
      }
      let drive = try GuidedDrive(route, map: map, hasHorizon: !noHorizon)
      rows.append(try drive.row(legs: legs, locations: locations))
    }
    guard !json else {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return print(String(decoding: try encoder.encode(rows), as: UTF8.self))
    }
    for row in rows {
      print(
        String(
          format:
            "%2d legs, %6.1f km, %5d segments, %4d maneuvers: %5d locations, CPU mean %5.1f us, ",
          row.legs, row.lengthKM, row.segments, row.maneuvers, row.locations, row.meanUS)
          + String(
            format: "p50 %5.1f, p99 %6.1f; state %6.1f us; %d outputs", row.p50US, row.p99US,
            row.stateUS, row.outputs))
    }
  }
}

/// Routes with many legs between random places of a map.
struct LongRoutes {
  private let engine: RoutingEngine
  private let metric: RoadMetric
  private let finder: ManeuverFinder
  private let places: [Coordinate]

  init(graph: RoadGraph, seed: UInt64) {
    let network = RoadNetwork(graph: graph, mode: .car)
    let request = RouteRequest(waypoints: [])
    metric = RoadMetric(network: network, key: MetricKey(request))
    engine = RoutingEngine(metric: metric)
    finder = ManeuverFinder(graph: graph)
    let edges = (0..<graph.edgeCount).map { EdgeID($0) }.filter { network.isUsable($0) }
    var random = seed
    // Linear congruences serve: the places need no more than to lie about.
    places = (0..<200).map { _ in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return graph.coordinate(graph.tail(edges[Int(random >> 33) % edges.count]))
    }
  }

  /// A route backwards over the first `legs` places between which there is a way; nil where there are too few.
  func route(legs: Int) -> Route? {
    var space = SearchSpace()
    var chosen: [Coordinate] = []
    for place in places where chosen.count <= legs {
      guard let last = chosen.last else {
        chosen.append(place)
        continue
      }
      let leg = RouteRequest(waypoints: [Waypoint(place: place), Waypoint(place: last)])
      guard last.distanceM(to: place) > 2000, (try? engine.path(leg, in: &space)) != nil else {
        continue
      }
      chosen.append(place)
    }
    guard chosen.count == legs + 1 else { return nil }
    let request = RouteRequest(waypoints: chosen.reversed().map { Waypoint(place: $0) })
    guard let path = try? engine.path(request, in: &space) else { return nil }
    return RouteBuilder(metric: metric).route(
      path, request: request, id: "r-\(legs)", handle: "h", computedAt: Instant(seconds: 0),
      maneuvers: { finder.maneuvers(along: $0) })
  }
}
