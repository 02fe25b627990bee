import DrawnMaps
import RoadGraph
import Route
import Testing

@testable import Routing

/// Roads that do not suit every vehicle or walker.
@Suite struct SuitabilityTests {
  /// The short way from x to y leads by b; the long one by d and f.
  private static func town(_ tags: String) throws -> DrawnRouter {
    try RequestTests.square([
      "xa": "highway=tertiary", "abc": tags, "cy": "highway=tertiary",
      "ad": "highway=tertiary", "def": "highway=tertiary", "fc": "highway=tertiary",
    ])
  }

  @Test(arguments: [
    ("highway=unclassified 4wd_only=yes", TravelMode.car, 2),
    ("highway=unclassified smoothness=very_horrible", .car, 3),
    ("highway=unclassified smoothness=horrible", .truck, 2),
    ("highway=path mtb:scale=5", .bicycle, 5),
    ("highway=path sac_scale=alpine_hiking", .bicycle, 4),
    ("highway=path sac_scale=demanding_alpine_hiking", .pedestrian, 5),
    ("highway=path sac_scale=difficult_alpine_hiking trail_visibility=no", .pedestrian, 6),
    ("highway=via_ferrata", .pedestrian, 7), ("highway=unclassified tidal=yes", .pedestrian, 4),
  ])
  func `what is too demanding is gone around, or reported, RT-3 RT-7`(
    tags: String, mode: TravelMode, difficulty: Int
  ) throws {
    let router = try Self.town(tags)
    var request = try router.request("xy", mode: mode)
    #expect(try router.letters(request) == "xadfcy")
    #expect(try router.route(request).violations.isEmpty)
    request.maxDifficulty = difficulty
    request.optimisation = .shortest
    #expect(try router.letters(request) == "xacy")
    #expect(try router.route(request).violations.isEmpty)
    request.maxDifficulty = nil
    request.waypoints[1].place = try router.map.coordinate("b")
    let into = try router.route(request)
    #expect(into.violations.map(\.kind) == [.vehicle])
    #expect(into.violations.first?.spans.isEmpty == false)
  }

  @Test(arguments: [
    ("highway=unclassified smoothness=very_bad", TravelMode.car),
    ("highway=path mtb:scale=1", .bicycle),
    ("highway=path sac_scale=demanding_mountain_hiking", .pedestrian),
  ])
  func `what is not too demanding is taken, RT-3`(tags: String, mode: TravelMode) throws {
    let router = try Self.town(tags)
    var request = try router.request("xy", mode: mode)
    request.optimisation = .shortest
    #expect(try router.letters(request) == "xacy")
    request.maxDifficulty = 0
    #expect(try router.letters(request) == "xadfcy")
    request.maxDifficulty = 8
    #expect(throws: RouteFailure.self) { _ = try router.route(request) }
  }

  @Test func `a lone car stays off car-pool roads, and says where it cannot, RT-6 RT-7`() throws {
    let router = try Self.town("highway=tertiary hov=designated")
    var request = try router.request("xy")
    #expect(try router.letters(request) == "xadfcy")
    request.isCarPool = true
    #expect(try router.letters(request) == "xacy")
    #expect(try router.route(request).violations.isEmpty)
    request.isCarPool = false
    request.waypoints[1].place = try router.map.coordinate("b")
    #expect(try router.route(request).violations.map(\.kind) == [.carPool])
    let bus = try router.request("xy", mode: .bus)
    #expect(try router.letters(bus) == "xacy")
  }

  @Test func `tolls are avoided by booth and gantry, RT-6`() throws {
    for booth in ["barrier=toll_booth", "highway=toll_gantry"] {
      let router = DrawnRouter(
        try DrawnMap(
          """
          x-a---b---c-y
            |   |   |
            d---e---f
          """,
          ways: [
            "xabcy": "highway=tertiary", "ad": "highway=tertiary", "def": "highway=tertiary",
            "fc": "highway=tertiary",
          ], nodes: ["b": booth]))
      var request = try router.request("xy")
      #expect(try router.letters(request) == "xabcy")
      request.avoid = [.tolls]
      #expect(try router.letters(request) == "xadfcy")
    }
  }

  @Test func `the hierarchy and a plain search price unsuitable roads alike, RT-3 P3`() throws {
    let router = try Self.town("highway=unclassified 4wd_only=yes")
    let letters = "xabcydef"
    for mode in [TravelMode.car, .truck] {
      let network = RoadNetwork(graph: router.map.graph, mode: mode)
      let roads = try #require(RoadHierarchy.make(network.states))
      for (a, b) in letters.flatMap({ a in letters.map { (a, $0) } }) where a != b {
        let request = try router.request("\(a)\(b)", mode: mode)
        let metric = RoadMetric(network: network, key: MetricKey(request))
        var space = SearchSpace()
        let fast = RoutingEngine(
          CustomizedMetric(metric, on: roads, turns: TurnTable(roads, metric: metric)))
        #expect(
          try fast.path(request, in: &space).costMS
            == RoutingEngine(metric: metric).path(request, in: &space).costMS, "\(a)\(b)")
      }
    }
  }
}
