import Contraction
import Foundations
import Geodesy
import RoadFile
import RoadGraph
import Route
import Testing

@testable import Routing

/// What requests ask of the hierarchy on real cities, against plain searches: wishes, alternatives,
/// tables, and weights that no traffic makes.
@Suite(
  .enabled(if: RealCity.folder != nil, "no real maps: set NAV_DATA or put data beside the package"))
struct RealCityRequestTests {
  /// A city under random traffic.
  private struct Town {
    let graph: RoadGraph
    let roads: RoadHierarchy
    let engine: RoutingEngine
    var plain: RoutingEngine { RoutingEngine(metric: engine.metric) }

    init(_ city: RealCity, _ random: inout SplitMix64) throws {
      graph = try RoadFile.open(path: city.map())
      let states = RoadStates(graph)
      roads = try #require(RoadHierarchy.make(states, for: RoadHierarchy.modes(with: city.mode)))
      let metric = RealCityTests.metric(
        RoadNetwork(graph: graph, mode: city.mode, states: states), hasTraffic: true, &random)
      engine = RoutingEngine(
        CustomizedMetric(
          metric, on: roads, turns: TurnTable(roads, metric: metric),
          inParallel: Processors.inParallel))
    }

    /// A place on a road of the mode.
    func place(_ random: inout SplitMix64) -> Waypoint {
      while true {
        let edge = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
        guard engine.metric.network.isUsable(edge) else { continue }
        let offsetM = Double.random(in: 0...graph.lengthM(edge), using: &random)
        return Waypoint(place: graph.coordinate(RoadPosition(edge: edge, offsetM: offsetM)))
      }
    }

    /// Seconds a metre on the slowest of the roads that `candidates` lie on.
    func slowestSPerM(_ candidates: some Sequence<SnapCandidate>) -> Double {
      candidates.reduce(0) { slowest, candidate in
        let edge = candidate.position.edge
        let seconds = Double(engine.metric.latestMS[edge.index]) / 1000
        return Double.maximum(slowest, seconds / Double.maximum(0.001, graph.lengthM(edge)))
      }
    }

    /// What a request comes to: a path, or why there is none.
    static func outcome(
      _ find: () throws(RouteFailure) -> FoundPath
    ) -> Result<FoundPath, RouteFailure> {
      do throws(RouteFailure) { return .success(try find()) } catch { return .failure(error) }
    }

    func request(_ mode: TravelMode, _ random: inout SplitMix64) -> RouteRequest {
      RouteRequest(waypoints: [place(&random), place(&random)], mode: mode)
    }
  }

  @Test(arguments: RealCity.cases)
  func `areas and roads avoided or slowed: as cheap as by a plain search, P4 RT-6`(
    city: RealCity
  ) throws {
    var random = SplitMix64(seed: 43)
    let town = try Town(city, &random)
    let index = SegmentIndex(town.graph)
    var space = SearchSpace()
    var found = 0
    var guided = 0
    let count = max(4, city.searches / 5)
    for number in 0..<count {
      var request = town.request(city.mode, &random)
      let (from, to) = (request.waypoints[0].place, request.waypoints[1].place)
      for share in [0.3, 0.5, 0.7] {
        let middle = Coordinate(
          latitudeDeg: from.latitudeDeg + share * (to.latitudeDeg - from.latitudeDeg),
          longitudeDeg: from.longitudeDeg + share * (to.longitudeDeg - from.longitudeDeg))
        let box = try #require(BoundingBox(around: [middle]))
          .expanded(byM: Double.random(in: 20...1000, using: &random))
        // Every third time roads become cheaper as well, which the hierarchy cannot guide.
        let factors = [nil, 0.5, number % 3 == 0 ? 1.5 : 0.25]
        let factor = factors[Int.random(in: 0..<3, using: &random)]
        request.wishes.append(RoutePreference(.box(box), speedFactor: factor))
      }
      let way = try? town.engine.path(request, in: &space)
      for edge in (way?.legs.flatMap(\.edges) ?? []).shuffled(using: &random).prefix(5) {
        request.wishes.append(RoutePreference(.segment(town.graph.reference(edge))))
      }
      let engine = town.engine.adjusted(for: request, index: index)
      if case .guided = engine.method { guided += 1 }
      let own = Town.outcome { () throws(RouteFailure) in try engine.path(request, in: &space) }
      let plain = Town.outcome { () throws(RouteFailure) in
        try RoutingEngine(metric: engine.metric).path(request, in: &space)
      }
      switch (own, plain) {
      case (.success(let own), .success(let plain)):
        found += 1
        #expect(own.costMS == plain.costMS, "search \(number)")
        #expect(own.breaksRestrictions == plain.breaksRestrictions, "search \(number)")
        // What is compared is what the path costs.
        #expect(own.costMS >= engine.costMS(of: own), "search \(number)")
      case (.failure(let own), .failure(let plain)): #expect(own == plain, "search \(number)")
      default: Issue.record("search \(number): \(own), by a plain search \(plain)")
      }
    }
    #expect(found * 2 > count)
    #expect(guided > 0)
  }

  @Test(arguments: RealCity.cases)
  func `alternatives are admissible, and the best is the plain search's, RT-5`(
    city: RealCity
  ) throws {
    var random = SplitMix64(seed: 47)
    let town = try Town(city, &random)
    var space = SearchSpace()
    func lengthM(_ edges: some Sequence<EdgeID>) -> Double {
      edges.reduce(0) { $0 + town.graph.lengthM($1) }
    }
    let count = max(4, city.searches / 5)
    var (found, others) = (0, 0)
    for number in 0..<count {
      var request = town.request(city.mode, &random)
      let best = try? town.plain.path(request, in: &space)
      request.alternatives = 2
      let paths = (try? town.engine.paths(request, in: &space)) ?? []
      #expect(paths.first?.costMS == best?.costMS, "search \(number)")
      #expect(paths.count <= 3)
      found += best == nil ? 0 : 1
      others += max(0, paths.count - 1)
      for (place, path) in paths.enumerated().dropFirst() {
        // A place farther from its road than the nearest road costs a penalty, the same for all
        // paths.
        let placesMS = path.stops.reduce(UInt64(0)) { $0 + $1.penaltyMS }
        #expect(path.costMS == town.engine.costMS(of: path) + placesMS, "search \(number)")
        #expect(Double(path.costMS) <= 1.4 * Double(paths[0].costMS), "search \(number)")
        for earlier in paths[..<place] {
          let (own, other) = (path.legs.flatMap(\.edges), earlier.legs.flatMap(\.edges))
          let sharedM = lengthM(Set(own).intersection(other))
          #expect(
            sharedM <= 0.8 * Double.minimum(lengthM(own), lengthM(other)) + 1e-6, "search \(number)"
          )
        }
      }
    }
    // Where only great roads are on the map not every second pair has a way.
    #expect(found * 3 > count)
    // A city has other ways for every second pair, or more.
    #expect(others * 2 >= found, "\(others) for \(found)")
  }

  @Test(arguments: RealCity.cases)
  func `a table says what single searches say, P3`(city: RealCity) throws {
    var random = SplitMix64(seed: 53)
    let town = try Town(city, &random)
    var space = SearchSpace()
    let side = city.searches > 50 ? 20 : 8
    let sources = (0..<side).map { _ in town.place(&random) }
    let targets = (0..<side).map { _ in town.place(&random) }
    let table = try town.engine.matrix(from: sources, to: targets, in: &space)
    var found = 0
    for row in sources.indices {
      for column in targets.indices {
        let request = RouteRequest(waypoints: [sources[row], targets[column]], mode: city.mode)
        // A whole request tries farther candidates where these lead nowhere.
        let stops = try town.engine.snap(request, isWide: false)
        let path = try? town.engine.paths(request, through: stops, in: &space).first
        let cell = table[row, column]
        #expect(cell?.costMS == path?.costMS, "\(row), \(column)")
        guard let cell, let path else { continue }
        found += 1
        let measured = path.measured(on: town.engine.metric)
        // A route leaves out the edges at its two ends on which it drives less than half a metre.
        let leftOutM = Double.maximum(0, cell.lengthM - measured.lengthM)
        let leftOutS = leftOutM * town.slowestSPerM(stops.joined())
        // A table adds whole milliseconds, half of one too much or too little for each edge and
        // each turn.
        let roundedS = 0.2 + 0.001 * Double(path.legs.reduce(0) { $0 + $1.edges.count })
        let moreS = cell.durationS - measured.durations.latestS
        #expect(moreS > -roundedS && moreS < leftOutS + roundedS, "\(row), \(column)")
        let moreM = cell.lengthM - measured.lengthM
        #expect(moreM > -0.1 && moreM < 1.1, "\(row), \(column)")
      }
    }
    #expect(found * 2 > side * side)
  }

  @Test(arguments: RealCity.cases)
  func `random weights of turns are customized as one-to-all searches have them, P3`(
    city: RealCity
  ) throws {
    var random = SplitMix64(seed: 59)
    let graph = try RoadFile.open(path: city.map())
    let states = RoadStates(graph)
    let roads = try #require(RoadHierarchy.make(states, for: RoadHierarchy.modes(with: city.mode)))
    let first = Array(roads.firstTurn.records)
    let target = Array(roads.target.records)
    // A tenth of all turns leads nowhere; each mode draws its own weights.
    random = SplitMix64(seed: 59 + UInt64(city.mode.rawValue))
    let weights = target.map { _ in
      Int.random(in: 0..<10, using: &random) == 0
        ? UInt32.max : UInt32.random(in: 1...100_000, using: &random)
    }
    let customized = HierarchyWeights(roads.hierarchy, inParallel: Processors.inParallel) {
      weights[$0]
    }
    var search = HierarchySearch()
    let count = first.count - 1
    let sources = max(2, city.searches / 10)
    var (drawn, compared, found) = (0, 0, 0)
    while compared < sources, drawn < 20 * sources {
      drawn += 1
      let source = Int.random(in: 0..<count, using: &random)
      var costs = [UInt64](repeating: .max, count: count)
      var reached = 0
      var half = SearchHalf()
      half.reset(stateCount: count)
      _ = half.relax(source, 0, parent: 0)
      while half.topMS != nil {
        guard let (state, cost) = half.pop() else { continue }
        costs[state] = cost
        reached += 1
        for turn in Int(first[state])..<Int(first[state + 1]) where weights[turn] != .max {
          _ = half.relax(Int(target[turn]), cost + UInt64(weights[turn]), parent: 0)
        }
      }
      // From an island of road, or behind closed turns, there is little to compare.
      guard reached * 10 > count else { continue }
      compared += 1
      for _ in 0..<100 {
        let end = Int.random(in: 0..<count, using: &random)
        let way = search.run(
          customized, from: [HierarchySeed(vertex: source, cost: 0)],
          to: [HierarchySeed(vertex: end, cost: 0)])
        let isCountable = costs[end] < UInt64(HierarchyWeights.infinite)
        #expect(way.map { UInt64($0.cost) } == (isCountable ? costs[end] : nil))
        found += way == nil ? 0 : 1
      }
    }
    #expect(compared == sources, "\(drawn) drawn")
    #expect(found * 20 > sources * 100)
  }
}
