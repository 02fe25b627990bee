import Contraction
import Foundations
import RoadFile
import RoadGraph
import Route
import Testing
import Traffic

@testable import Routing

/// The hierarchy against Dijkstra from one place to all, on real cities.
@Suite(
  .enabled(
    if: RealCity.folder != nil, "no real maps: set NAV_DATA or put data beside the package"))
struct RealCityTests {
  @Test(arguments: RealCity.cases)
  func `costs are those of one-to-all searches, with and without traffic, P1`(city: RealCity) throws
  {
    let graph = try RoadFile.open(path: city.map())
    #expect(graph.order.count == graph.edgeCount)
    let states = RoadStates(graph)
    let roads = try #require(RoadHierarchy.make(states, for: RoadHierarchy.modes(with: city.mode)))
    let network = RoadNetwork(graph: graph, mode: city.mode, states: states)
    var random = SplitMix64(seed: 41)
    let usable = (0..<graph.edgeCount).filter { network.isUsable(EdgeID($0)) }
    var turns: TurnTable?
    var search = HierarchySearch()
    for hasTraffic in [false, true] {
      let metric = Self.metric(network, hasTraffic: hasTraffic, &random)
      let table = turns ?? TurnTable(roads, metric: metric)
      turns = table
      let customized = CustomizedMetric(
        metric, on: roads, turns: table, inParallel: Processors.inParallel)
      for _ in 0..<(city.searches / 2) {
        let source = try #require(usable.randomElement(using: &random))
        let costs = Self.costs(from: source, EdgeSearch(metric: metric))
        for _ in 0..<100 {
          let target = try #require(usable.randomElement(using: &random))
          let way = search.run(
            customized.weights, from: [HierarchySeed(vertex: source, cost: 0)],
            to: [HierarchySeed(vertex: target, cost: 0)])
          let expected = costs[target]
          // What the hierarchy cannot count is left to plain searches.
          let isCountable = expected < UInt64(HierarchyWeights.infinite)
          #expect(way.map { UInt64($0.cost) } == (isCountable ? expected : nil))
          guard way != nil else { continue }
          #expect(Self.cost(search.vertices(customized.weights), metric) == expected)
        }
      }
    }
  }

  static func metric(
    _ network: RoadNetwork, hasTraffic: Bool, _ random: inout SplitMix64
  ) -> RoadMetric {
    let graph = network.graph
    var view = TrafficView(edgeCount: graph.edgeCount, asOf: Instant(seconds: 0), observed: nil)
    for edge in 0..<graph.edgeCount where hasTraffic && Bool.random(using: &random) {
      let jam = Double(Int.random(in: 0...10, using: &random))
      view.set(TrafficState(measuredJamFactor: jam), on: EdgeID(edge))
    }
    return RoadMetric(
      network: network, key: MetricKey(RouteRequest(waypoints: [], mode: network.mode)),
      traffic: view)
  }

  /// Dijkstra from the beginning of an edge to the beginnings of all states.
  private static func costs(from source: Int, _ search: EdgeSearch) -> [UInt64] {
    let network = search.metric.network
    let graph = network.graph
    var costs = [UInt64](repeating: .max, count: network.restrictions.stateCount)
    var half = SearchHalf()
    half.reset(stateCount: network.restrictions.stateCount)
    _ = half.relax(source, 0, parent: 0)
    while half.topMS != nil {
      guard let (state, costMS) = half.pop() else { continue }
      costs[state] = costMS
      let edge = network.restrictions.edge(of: state)
      let head = graph.head(EdgeID(edge))
      for next in graph.edges(leaving: head) where network.isUsable(next) {
        guard let (target, turnMS) = search.transition(state, edge, next.index, head.index) else {
          continue
        }
        _ = half.relax(
          target, costMS + UInt64(search.metric.costMS[edge]) + turnMS, parent: 0)
      }
    }
    return costs
  }

  private static func cost(_ states: [Int], _ metric: RoadMetric) -> UInt64? {
    let search = EdgeSearch(metric: metric)
    let restrictions = metric.network.restrictions
    var total: UInt64 = 0
    for (state, next) in zip(states, states.dropFirst()) {
      let edge = restrictions.edge(of: state)
      let head = metric.network.graph.head(EdgeID(edge)).index
      guard let step = search.transition(state, edge, restrictions.edge(of: next), head),
        step.state == next
      else { return nil }
      total += UInt64(metric.costMS[edge]) + step.costMS
    }
    return total
  }
}
