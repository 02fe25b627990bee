import Foundations
import Geodesy
import Maneuvers
import Positioning
import RoadFile
import RoadGraph
import Route
import Routing

/// Routes between random places, by car, fastest, without traffic.
struct RoutingBench {
  struct Figures: Encodable {
    var pairs: Int
    /// Pairs between which no route was found; they do not count in the times.
    var failed: Int
    var crowMedianM: Double
    /// Snapping and search, to the edges of the path.
    var leanMS: Percentiles
    /// The same, and the whole route: geometry, spans, maneuvers, times.
    var fullMS: Percentiles
  }

  private static let shortestM = 500.0
  private static let warmUps = 20

  let metric: RoadMetric
  let networkCPUMS: Double
  let metricCPUMS: Double
  /// To make the hierarchy of the file's order, and to customize it.
  let hierarchyCPUMS: Double
  let customizeCPUMS: Double
  private let engine: RoutingEngine
  /// nil where the map has no hierarchy.
  private let traffic: ((RouteRequest) -> TrafficBench)?
  private let finder: ManeuverFinder

  init(graph: RoadGraph) {
    var watch = Stopwatch()
    let network = RoadNetwork(graph: graph, mode: .car)
    networkCPUMS = watch.lapMS()
    let somewhere = Coordinate(latitudeDeg: 0, longitudeDeg: 0)
    metric = RoadMetric(network: network, key: MetricKey(Self.request(somewhere, somewhere)))
    metricCPUMS = watch.lapMS()
    let roads = RoadHierarchy.make(
      network.states, for: RoadHierarchy.modes(with: network.mode),
      inParallel: Processors.inParallel)
    hierarchyCPUMS = watch.lapMS()
    if let roads {
      let turns = TurnTable(roads, metric: metric)
      _ = watch.lapMS()
      engine = RoutingEngine(
        CustomizedMetric(metric, on: roads, turns: turns, inParallel: Processors.inParallel))
      traffic = { [metric] in
        TrafficBench(graph: graph, metric: metric, roads: roads, turns: turns, request: $0)
      }
    } else {
      engine = RoutingEngine(metric: metric)
      traffic = nil
    }
    customizeCPUMS = watch.lapMS()
    finder = ManeuverFinder(graph: graph)
  }

  /// Measures `pairs` pairs; gives the first `keeping` routes, too.
  func run(pairs: Int, seed: UInt64, keeping: Int) -> (Figures, [Route]) {
    let drawn = draw(pairs, seed: seed)
    let builder = RouteBuilder(metric: metric)
    var space = SearchSpace()
    for (from, to) in drawn.prefix(Self.warmUps) {
      _ = try? engine.path(Self.request(from, to), in: &space)
    }
    var lean: [Double] = []
    var full: [Double] = []
    var routes: [Route] = []
    for (number, (from, to)) in drawn.enumerated() {
      let request = Self.request(from, to)
      var watch = Stopwatch()
      guard let path = try? engine.path(request, in: &space) else { continue }
      let leanMS = watch.lapMS()
      let route = builder.route(
        path, request: request, id: "r-\(number)", handle: nil,
        computedAt: Instant(nanoseconds: 0), maneuvers: { finder.maneuvers(along: $0) })
      lean.append(leanMS)
      full.append(leanMS + watch.lapMS())
      if routes.count < keeping { routes.append(route) }
    }
    let crow = drawn.map { $0.0.distanceM(to: $0.1) }
    return (
      Figures(
        pairs: drawn.count, failed: drawn.count - lean.count, crowMedianM: Percentiles(crow).p50,
        leanMS: Percentiles(lean), fullMS: Percentiles(full)), routes
    )
  }

  /// New traffic on every edge, and on some.
  func trafficFigures(seed: UInt64) -> [TrafficBench.Figures] {
    guard let traffic, let (from, to) = draw(1, seed: seed).first else { return [] }
    let bench = traffic(Self.request(from, to))
    let count = metric.network.graph.edgeCount
    return [count, 1000, 100, 10].map { bench.run(count: min($0, count), seed: seed) }
  }

  private static func request(_ from: Coordinate, _ to: Coordinate) -> RouteRequest {
    RouteRequest(waypoints: [Waypoint(place: from), Waypoint(place: to)])
  }

  private func draw(_ count: Int, seed: UInt64) -> [(Coordinate, Coordinate)] {
    let network = metric.network
    let edges = (0..<network.graph.edgeCount).map { EdgeID($0) }.filter { network.isUsable($0) }
    var random = SplitMix64(seed: seed)
    var pairs: [(Coordinate, Coordinate)] = []
    // A map on which all is near has no pairs; it is not looked for without end.
    for _ in 0..<(50 * count) where pairs.count < count {
      guard let start = edges.randomElement(using: &random),
        let end = edges.randomElement(using: &random)
      else { break }
      let from = network.graph.coordinate(network.graph.tail(start))
      let to = network.graph.coordinate(network.graph.head(end))
      if from.distanceM(to: to) >= Self.shortestM { pairs.append((from, to)) }
    }
    return pairs
  }
}
