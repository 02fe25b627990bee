import Contraction
import DrawnMaps
import Foundations
import Geodesy
import RoadGraph
import Route
import Testing
import Traffic

@testable import Routing

@Suite struct HierarchyOracleTests {
  static func customized(_ metric: RoadMetric) throws -> CustomizedMetric {
    let roads = try #require(RoadHierarchy.make(metric.network.states))
    return CustomizedMetric(metric, on: roads, turns: TurnTable(roads, metric: metric))
  }

  @Test(arguments: UInt64(1)...16)
  func `the hierarchy's cost is the oracle's, restrictions over several edges included, RT-8`(
    seed: UInt64
  ) throws {
    let (graph, restrictions) = try EngineTests.grid(seed: seed)
    let metric = RoadMetric(
      network: RoadNetwork(graph: graph, mode: .car), key: MetricKey(RouteRequest(waypoints: [])))
    let customized = try Self.customized(metric)
    let oracle = Oracle(metric: metric, restrictions: restrictions)
    let search = EdgeSearch(metric: metric)
    var space = HierarchySearch()
    var random = SplitMix64(seed: seed &* 77)
    for _ in 0..<12 {
      let a = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      // Often the same edge, with the end before the start.
      let isSame = Int.random(in: 0..<3, using: &random) == 0
      let b = isSame ? a : EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      let from = Double.random(in: 0...graph.lengthM(a), using: &random)
      let to = Double.random(in: 0...graph.lengthM(b), using: &random)
      let found = search.run(
        on: customized, from: [SearchSource(state: a.index, offsetM: from, costMS: 0)],
        to: metric.network.restrictions.states(on: b.index).map {
          SearchTarget(state: $0, offsetM: to, costMS: 0)
        }, in: &space)
      #expect(found?.costMS == oracle.costMS(from: (a, from), to: (b, to)))
      guard let found else { continue }
      let edges =
        (found.isDirect ? [] : [a])
        + found.states.map { EdgeID(metric.network.restrictions.edge(of: $0)) }
      #expect(edges.last == b)
      for (e, f) in zip(edges, edges.dropFirst()) { #expect(graph.head(e) == graph.tail(f)) }
      for restriction in restrictions {
        for start in edges.indices.dropLast(restriction.count - 1) {
          #expect(Array(edges[start..<(start + restriction.count)]) != restriction)
        }
      }
    }
  }

  @Test(arguments: UInt64(1)...6)
  func `one hierarchy serves every mode, aim and traffic, P3`(seed: UInt64) throws {
    let (graph, _) = try EngineTests.grid(seed: seed, side: 12)
    let states = RoadStates(graph)
    let roads = try #require(RoadHierarchy.make(states))
    var random = SplitMix64(seed: seed &* 1001)
    var plain = SearchSpace()
    var space = SearchSpace()
    var ways = 0
    for mode in TravelMode.allCases {
      let network = RoadNetwork(graph: graph, mode: mode, states: states)
      var turns: TurnTable?
      for aim in Optimisation.allCases {
        var traffic = TrafficView(
          edgeCount: graph.edgeCount, asOf: Instant(seconds: 0), observed: nil)
        for edge in 0..<graph.edgeCount where Bool.random(using: &random) {
          let jam = Double(Int.random(in: 0...10, using: &random))
          traffic.set(TrafficState(measuredJamFactor: jam), on: EdgeID(edge))
        }
        let request = RouteRequest(waypoints: [], mode: mode, optimisation: aim)
        let metric = RoadMetric(network: network, key: MetricKey(request), traffic: traffic)
        let table = turns ?? TurnTable(roads, metric: metric)
        turns = table
        let customized = CustomizedMetric(metric, on: roads, turns: table)
        for _ in 0..<12 {
          let wanted = RouteRequest(
            waypoints: (0..<3).map { _ in
              let node = NodeID(Int.random(in: 0..<graph.nodeCount, using: &random))
              return Waypoint(place: graph.coordinate(node))
            }, mode: mode, optimisation: aim)
          let expected = try? RoutingEngine(metric: metric).path(wanted, in: &plain)
          let found = try? RoutingEngine(customized).path(wanted, in: &space)
          #expect(found?.costMS == expected?.costMS)
          ways += expected == nil ? 0 : 1
        }
      }
    }
    // Of 252 in each town.
    #expect(ways > 126)
  }

  @Test(arguments: UInt64(1)...6)
  func `new traffic on a few roads gives the metric that all anew gives, TR-6`(
    seed: UInt64
  ) throws {
    let (graph, _) = try EngineTests.grid(seed: seed, side: 30)
    let network = RoadNetwork(graph: graph, mode: .car)
    let roads = try #require(RoadHierarchy.make(network.states))
    let key = MetricKey(RouteRequest(waypoints: []))
    var random = SplitMix64(seed: seed &* 4001)
    var traffic = TrafficView(
      edgeCount: graph.edgeCount, asOf: Instant(seconds: 0), observed: nil)
    var metric = RoadMetric(network: network, key: key, traffic: traffic)
    let turns = TurnTable(roads, metric: metric)
    var customized = CustomizedMetric(metric, on: roads, turns: turns)
    for _ in 0..<10 {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let edge = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
        let jam = Double(Int.random(in: 0...10, using: &random))
        traffic.set(TrafficState(measuredJamFactor: jam), on: edge)
      }
      let all = RoadMetric(network: network, key: key, traffic: traffic)
      metric = RoadMetric(metric, traffic: traffic)
      #expect(Array(metric.costMS.records) == Array(all.costMS.records))
      #expect(Array(metric.latestMS.records) == Array(all.latestMS.records))
      customized = CustomizedMetric(metric, on: roads, turns: turns, base: customized)
      #expect(customized.weights.isSame(as: CustomizedMetric(all, on: roads, turns: turns).weights))
    }
  }

  @Test func `the order of elimination is whole and the same whoever works at it`() throws {
    let (graph, _) = try EngineTests.grid(seed: 3, side: 60)
    let order = try #require(DissectionOrder.order(of: graph))
    #expect(Set(order).count == graph.edgeCount)
    let backwards = DissectionOrder.order(
      of: graph, inParallel: { count, body in for k in (0..<count).reversed() { body(k) } })
    #expect(backwards == order)
    #expect(DissectionOrder.order(of: graph, progress: { _ in false }) == nil)
    let roads = try RoadHierarchy(RoadStates(graph), order: order)
    // A grid's separators are as long as its side: n log n arcs, and not n squared.
    #expect(roads.arcCount < 60 * graph.edgeCount)
  }

  @Test(arguments: UInt64(1)...4)
  func `a matrix says what single searches say, its times and lengths those of their paths`(
    seed: UInt64
  ) throws {
    let (graph, _) = try EngineTests.grid(seed: seed, side: 10)
    let metric = RoadMetric(
      network: RoadNetwork(graph: graph, mode: .car), key: MetricKey(RouteRequest(waypoints: [])))
    let engine = RoutingEngine(try Self.customized(metric))
    var random = SplitMix64(seed: seed &* 31)
    let places = (0..<14).map { _ in
      let edge = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      let offsetM = Double.random(in: 0...graph.lengthM(edge), using: &random)
      return Waypoint(place: graph.coordinate(RoadPosition(edge: edge, offsetM: offsetM)))
    }
    // Some are sources and targets at once.
    let (sources, targets) = (Array(places[..<9]), Array(places[6...]))
    var space = SearchSpace()
    let fast = try engine.matrix(from: sources, to: targets, in: &space)
    let plain = try RoutingEngine(metric: metric).matrix(from: sources, to: targets, in: &space)
    #expect(fast.cells.count == sources.count * targets.count)
    for (one, other) in zip(fast.cells, plain.cells) {
      #expect(one?.costMS == other?.costMS)
      guard let one, let other else { continue }
      // Ways of equal cost may differ; by the fastest metric their times may not, but by what roads
      // cost to enter.
      #expect(abs(one.durationS - other.durationS) < 0.1)
    }
    var (compared, widened) = (0, 0)
    for row in sources.indices {
      for column in targets.indices {
        let request = RouteRequest(waypoints: [sources[row], targets[column]])
        // A request takes farther candidates than a cell does where near ones lead nowhere, or over
        // private roads only.
        let whole = try? engine.path(request, in: &space)
        guard let cell = fast[row, column] else {
          if let whole, !whole.breaksRestrictions { widened += 1 }
          continue
        }
        let stops = try engine.snap(request, isWide: false)
        let path = try #require(try engine.paths(request, through: stops, in: &space).first)
        #expect(path.costMS >= whole?.costMS ?? .max)
        compared += 1
        #expect(cell.costMS == path.costMS)
        let lengthM = path.legs.reduce(0) { sum, leg in
          leg.edges.indices.reduce(sum) {
            let part = leg.part($1, graph)
            return $0 + part.toM - part.fromM
          }
        }
        #expect(abs(cell.lengthM - lengthM) < 1)
      }
    }
    #expect(compared > 20 && widened * 4 < compared)
  }

  @Test func `a matrix knows the ways that cost more than the hierarchy can tell, P3`() throws {
    let map = try DrawnMap(
      "a-b", ways: ["ab": "highway=motorway toll=yes oneway=no maxspeed=30"], cell: 100_000)
    var request = RouteRequest(
      waypoints: try "ab".map { Waypoint(place: try map.coordinate($0)) })
    request.avoid = [.tolls]
    let metric = RoadMetric(
      network: RoadNetwork(graph: map.graph, mode: .car), key: MetricKey(request))
    let engine = RoutingEngine(try Self.customized(metric))
    var space = SearchSpace()
    let path = try engine.path(request, in: &space)
    #expect(path.costMS > 1 << 30)
    let matrix = try engine.matrix(
      from: [request.waypoints[0]], to: [request.waypoints[1]], in: &space)
    #expect(matrix[0, 0]?.costMS == path.costMS)
  }

  @Test(arguments: UInt64(1)...8)
  func `a guided search finds what a plain one finds, whatever areas and segments are wished, P4`(
    seed: UInt64
  ) throws {
    let (graph, _) = try EngineTests.grid(seed: seed, side: 12)
    let metric = RoadMetric(
      network: RoadNetwork(graph: graph, mode: .car), key: MetricKey(RouteRequest(waypoints: [])))
    let engine = RoutingEngine(try Self.customized(metric))
    let index = SegmentIndex(graph)
    var random = SplitMix64(seed: seed &* 101)
    func place() -> Coordinate {
      graph.coordinate(NodeID(Int.random(in: 0..<graph.nodeCount, using: &random)))
    }
    var space = SearchSpace()
    var found = 0
    for round in 0..<12 {
      var request = RouteRequest(waypoints: [Waypoint(place: place()), Waypoint(place: place())])
      let (a, b, c) = (place(), place(), place())
      let edge = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      request.wishes = [
        RoutePreference(.polygon([a, b, c]), speedFactor: round % 3 == 0 ? 0.5 : nil),
        RoutePreference(.segment(graph.reference(edge))),
        RoutePreference(.corridor([b, c], widthM: 60), speedFactor: round % 4 == 0 ? 1.5 : 0.8),
      ]
      let adjusted = engine.adjusted(for: request, index: index)
      if case .guided = adjusted.method {
        #expect(round % 4 != 0)
      } else {
        #expect(round % 4 == 0)
      }
      let guided = try? adjusted.path(request, in: &space)
      let plain = try? RoutingEngine(metric: adjusted.metric).path(request, in: &space)
      #expect(guided?.costMS == plain?.costMS)
      found += plain == nil ? 0 : 1
    }
    #expect(found > 6)
  }
}
