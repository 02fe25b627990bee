import ArgumentParser
import CLinux
import Foundation
import Foundations
import Geodesy
import Maneuvers
import RoadFile
import RoadGraph
import Route
import Routing

/// `nav bench`: measures the processor time that the engines take on this machine.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure the engines on a map.",
    subcommands: [BenchRouteCommand.self])
}

/// `nav bench route`: computes routes between the pairs of a file, one at a time, after a warm-up.
struct BenchRouteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "route", abstract: "Measure routes between pairs of places.",
    discussion: """
      The file is CSV with the columns o_lat, o_lon, d_lat, d_lon in its first line. A lean route consists of \
      snapping, the search and the edges of the path; a full route adds geometry, spans and \
      maneuvers. Times are milliseconds of processor time.
      """)

  @Option(help: "A .navmap or OSM file.") var map: String
  @Option(help: "CSV of pairs.") var pairs: String
  @Option(help: "car, truck, bus, taxi, scooter, bicycle or pedestrian.") var mode = "car"
  @Flag(help: "Build whole routes.") var full = false
  @Option(help: "Metres: avoid a box this wide around the middle of each pair.")
  var avoidBox: Double?
  @Option(help: "Number of alternative routes to search for.") var alternatives = 0
  @Flag(help: "Use plain searches, without the hierarchy.") var plain = false
  @Flag(help: "Print JSON.") var json = false
  @Option(help: "Write length and duration of each route to a CSV file.") var routes: String?

  private static let warmUps = 100

  private struct Figures: Encodable {
    var n = 0
    var failed = 0
    var cpu_ms_p50 = 0.0
    var cpu_ms_p95 = 0.0
  }

  func run() throws {
    guard let travel = TravelMode(word: mode) else {
      throw ValidationError("--mode \(mode) is not a travel mode")
    }
    let requests = try read().map { pair in
      RouteRequest(
        waypoints: [Waypoint(place: pair.0), Waypoint(place: pair.1)], mode: travel,
        alternatives: alternatives, wishes: wishes(pair))
    }
    guard let first = requests.first else { throw ValidationError("\(pairs) has no pairs") }
    let graph: RoadGraph
    do throws(RoadFileError) {
      graph = try RoadFile.open(path: map)
    } catch {
      throw ValidationError(error.description)
    }
    let metric = RoadMetric(
      network: RoadNetwork(graph: graph, mode: travel), key: MetricKey(first))
    try measure(requests, engine(metric), graph)
  }

  private func wishes(_ pair: (Coordinate, Coordinate)) -> [RoutePreference] {
    guard let avoidBox else { return [] }
    let middle = pair.0.interpolated(to: pair.1, fraction: 0.5)
    return BoundingBox(around: [middle]).map {
      [RoutePreference(.box($0.expanded(byM: avoidBox / 2)))]
    } ?? []
  }

  private func engine(_ metric: RoadMetric) -> RoutingEngine {
    guard !plain,
      let roads = RoadHierarchy.make(
        metric.network.states, for: RoadHierarchy.modes(with: metric.network.mode),
        inParallel: Processors.inParallel)
    else { return RoutingEngine(metric: metric) }
    return RoutingEngine(
      CustomizedMetric(
        metric, on: roads, turns: TurnTable(roads, metric: metric),
        inParallel: Processors.inParallel))
  }

  private func measure(_ requests: [RouteRequest], _ engine: RoutingEngine, _ graph: RoadGraph)
    throws
  {
    let finder = ManeuverFinder(graph: graph)
    let index = SegmentIndex(graph)
    var space = SearchSpace()
    for request in requests.prefix(Self.warmUps) { _ = try? engine.path(request, in: &space) }
    var figures = Figures()
    var times: [Double] = []
    var lines = ["id,length_m,duration_s"]
    for (number, request) in requests.enumerated() {
      let start = clinux_cpu_ns()
      let own = engine.adjusted(for: request, index: index)
      guard let path = try? own.paths(request, in: &space).first else {
        figures.failed += 1
        continue
      }
      var route: Route?
      if full {
        route = RouteBuilder(metric: own.metric).route(
          path, request: request, id: "r-\(number)", handle: nil,
          computedAt: Instant(nanoseconds: 0), maneuvers: { finder.maneuvers(along: $0) })
      }
      times.append(Double(clinux_cpu_ns() - start) / 1e6)
      if let route {
        lines.append("\(number),\(route.lengthM),\(route.durations.trafficS)")
      }
    }
    figures.n = times.count
    times.sort()
    figures.cpu_ms_p50 = times.isEmpty ? 0 : times[times.count / 2]
    figures.cpu_ms_p95 = times.isEmpty ? 0 : times[min(times.count - 1, times.count * 95 / 100)]
    if let routes {
      let text = Data(lines.joined(separator: "\n").utf8)
      guard FileManager.default.createFile(atPath: routes, contents: text) else {
        throw ValidationError("\(routes) cannot be written")
      }
    }
    report(figures)
  }

  private func report(_ figures: Figures) {
    if json, let data = try? JSONEncoder().encode(figures) {
      return print(String(decoding: data, as: UTF8.self))
    }
    print(
      "\(figures.n) requests, \(figures.failed) without a route; CPU p50 "
        + String(format: "%.3f ms, p95 %.3f ms", figures.cpu_ms_p50, figures.cpu_ms_p95))
  }

  private func read() throws -> [(Coordinate, Coordinate)] {
    guard let data = FileManager.default.contents(atPath: pairs) else {
      throw ValidationError("\(pairs) cannot be read")
    }
    let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
    let header = lines.first?.split(separator: ",").map(String.init) ?? []
    let columns = ["o_lat", "o_lon", "d_lat", "d_lon"].compactMap { header.firstIndex(of: $0) }
    guard columns.count == 4 else {
      throw ValidationError("\(pairs):1: expected the columns o_lat, o_lon, d_lat, d_lon")
    }
    return try lines.dropFirst().enumerated().map { index, line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let values = columns.compactMap { $0 < cells.count ? Double(cells[$0]) : nil }
      guard values.count == 4 else {
        throw ValidationError("\(pairs):\(index + 2): not four numbers")
      }
      return (
        Coordinate(latitudeDeg: values[0], longitudeDeg: values[1]),
        Coordinate(latitudeDeg: values[2], longitudeDeg: values[3])
      )
    }
  }
}
