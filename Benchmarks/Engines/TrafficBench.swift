import Foundations
import Positioning
import RoadFile
import RoadGraph
import Route
import Routing
import Traffic

/// What new traffic costs until the next right answer: on every road, and on a few.
struct TrafficBench {
  struct Figures: Encodable {
    /// What the feed speaks of, as pieces of road.
    var reports: Int
    /// Feed to edges, prices of edges, hierarchy, one lean route.
    var viewMS: Double
    var metricMS: Double
    var customizeMS: Double
    var queryMS: Double
    var wholeMS: Double { viewMS + metricMS + customizeMS + queryMS }
  }

  private static let rounds = 9

  let graph: RoadGraph
  let metric: RoadMetric
  let roads: RoadHierarchy
  let turns: TurnTable
  let request: RouteRequest

  /// Medians over some rounds, each with other speeds on `count` edges, and an engine of the traffic before at hand.
  func run(count: Int, seed: UInt64) -> Figures {
    var random = SplitMix64(seed: seed)
    let index = SegmentIndex(graph, isHashed: true)
    let all = (0..<graph.edgeCount).map { EdgeID($0) }
    let edges = count < all.count ? Array(all.shuffled(using: &random).prefix(count)) : all
    var before = CustomizedMetric(metric, on: roads, turns: turns)
    var space = SearchSpace()
    var laps: [[Double]] = [[], [], [], []]
    for round in 0..<Self.rounds {
      let moment = Instant(seconds: Double(round))
      let reports = edges.map { edge in
        FlowReport(
          segment: graph.reference(edge),
          state: TrafficState(measuredSpeedMps: Double.random(in: 2...25, using: &random)))
      }
      var board = TrafficReports()
      board.set(FlowSnapshot(feed: "bench", observed: moment, reports: reports))
      var watch = Stopwatch()
      let view = board.view(at: moment, index: index, graph: graph)
      laps[0].append(watch.lapMS())
      let metric = RoadMetric(before.metric, traffic: view)
      laps[1].append(watch.lapMS())
      let customized = CustomizedMetric(
        metric, on: roads, turns: turns, base: before, inParallel: Processors.inParallel)
      laps[2].append(watch.lapMS())
      _ = try? RoutingEngine(customized).path(request, in: &space)
      laps[3].append(watch.lapMS())
      before = customized
    }
    let medians = laps.map { Percentiles($0).p50 }
    return Figures(
      reports: edges.count, viewMS: medians[0], metricMS: medians[1], customizeMS: medians[2],
      queryMS: medians[3])
  }
}
