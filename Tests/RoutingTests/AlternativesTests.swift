import Foundations
import RoadGraph
import Route
import Testing

@testable import Routing

/// Other ways that are worth a look, RT-5.
@Suite struct AlternativesTests {
  private struct Ways {
    var best: UInt64
    var paths: [FoundPath]
    var graph: RoadGraph

    func edges(_ index: Int) -> [EdgeID] { paths[index].legs.flatMap(\.edges) }

    func lengthM(_ edges: some Sequence<EdgeID>) -> Double {
      edges.reduce(0) { $0 + graph.lengthM($1) }
    }
  }

  /// What is found between random corners of random towns, by a plain search or by the hierarchy.
  private static func ways(seed: UInt64, byHierarchy: Bool) throws -> [Ways] {
    let (graph, _) = try EngineTests.grid(seed: seed, side: 12)
    let metric = RoadMetric(
      network: RoadNetwork(graph: graph, mode: .car), key: MetricKey(RouteRequest(waypoints: [])))
    let engine =
      byHierarchy
      ? RoutingEngine(try HierarchyOracleTests.customized(metric)) : RoutingEngine(metric: metric)
    var random = SplitMix64(seed: seed &* 31)
    var space = SearchSpace()
    var all: [Ways] = []
    for _ in 0..<10 {
      var request = RouteRequest(
        waypoints: (0..<2).map { _ in
          Waypoint(
            place: graph.coordinate(
              NodeID(Int.random(in: 0..<graph.nodeCount, using: &random))))
        })
      guard let best = try? engine.path(request, in: &space) else { continue }
      request.alternatives = 3
      all.append(
        Ways(
          best: best.costMS, paths: try engine.paths(request, in: &space), graph: graph))
    }
    return all
  }

  @Test(arguments: UInt64(1)...6, [false, true])
  func `alternatives share at most 80 percent and cost at most 1.4 times, RT-5`(
    seed: UInt64, byHierarchy: Bool
  ) throws {
    let all = try Self.ways(seed: seed, byHierarchy: byHierarchy)
    for ways in all {
      #expect(ways.paths.first?.costMS == ways.best)
      #expect(ways.paths.count <= 4)
      for index in ways.paths.indices.dropFirst() {
        #expect(ways.paths[index].costMS >= ways.best)
        #expect(Double(ways.paths[index].costMS) <= 1.4 * Double(ways.best))
        for earlier in 0..<index {
          let shared = Set(ways.edges(index)).intersection(ways.edges(earlier))
          let shorterM = min(
            ways.lengthM(ways.edges(index)), ways.lengthM(ways.edges(earlier)))
          #expect(ways.lengthM(shared) <= 0.8 * shorterM + 1e-6)
        }
      }
    }
    // A grid of streets has other ways nearly everywhere.
    let found = all.filter { $0.paths.count > 1 }.count
    #expect(found * 2 >= all.count, "\(found) of \(all.count) have another way")
  }
}
