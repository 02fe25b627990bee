import Contraction
import DrawnMaps
import Foundations
import Geodesy
import RoadGraph
import Route
import Testing

@testable import Routing

/// Routes by barriers that are not open to through traffic, and by signs on nodes.
@Suite struct BarrierRouteTests {
  /// A street from x to y with the node g in its middle, a house street behind g, and a long way
  /// round.
  private static func town(_ tags: String, detour: Bool = true) throws -> DrawnRouter {
    var ways = [("xa", "highway=residential"), ("agb", "highway=residential")]
    ways += [("by", "highway=residential"), ("gh", "highway=residential")]
    if detour { ways.append(("adefb", "highway=residential")) }
    return DrawnRouter(
      try DrawnMap(
        """
        x-a--g--b-y
          |  h  |
          |     |
          d--e--f
        """, ways: ways, nodes: [("g", tags)], cell: 100))
  }

  @Test(
    arguments: [
      "barrier=gate access=private", "barrier=gate motor_vehicle=private",
      "barrier=lift_gate access=customers", "barrier=gate access=permit",
      "barrier=swing_gate access=destination", "barrier=bollard motor_vehicle=residents",
      "barrier=gate locked=yes", "barrier=entrance access=delivery",
    ])
  func `through traffic goes round a barrier that is not open, RT-8 RT-7`(tags: String) throws {
    let router = try Self.town(tags)
    let through = try router.request("xy")
    #expect(try !router.letters(through).contains("g"))
    #expect(try router.route(through).violations.isEmpty)
    // An end on the street in front of it needs nothing.
    #expect(try router.letters(router.request("xg")) == "xag")
    let inside = try router.request("xh")
    #expect(try router.letters(inside).hasSuffix("gh"))
    let only = try Self.town(tags, detour: false)
    #expect(try only.letters(only.request("xy")) == "xagby")
    let violations = try only.route(only.request("xy")).violations
    #expect(violations.map(\.kind) == [.privateRoad])
    #expect(violations.first?.spans.isEmpty == false)
  }

  @Test func `a barrier is as private as the road behind it, RT-8`() throws {
    // Who goes to a private road pays once for gate and road: the short entrance stays the best.
    let router = DrawnRouter(
      try DrawnMap(
        """
        x-a-g-h
          |   |
          d---e
        """,
        ways: [
          "xa": "", "ag": "", "gh": "highway=service access=private", "ade": "",
          "eh": "highway=service access=private",
        ], nodes: ["g": "barrier=gate access=private"]))
    let request = try router.request("xh")
    #expect(try router.letters(request) == "xagh")
    #expect(try router.route(request).violations.isEmpty)
    let out = try router.request("hx")
    #expect(try router.letters(out) == "hgax")
  }

  @Test func `one turns back in front of a gate, RT-8`() throws {
    let router = try Self.town("barrier=gate access=private", detour: false)
    var request = try router.request("xx")
    request.waypoints.insert(
      Waypoint(place: try router.map.coordinate("a", "g", 0.9)), at: 1)
    request.waypoints[2].place = try router.map.coordinate("x")
    #expect(try router.letters(request).contains("g") == true)
    #expect(try router.route(request).violations.isEmpty)
  }

  @Test(
    arguments: [
      ("maxheight=1.9", VehicleSize(heightM: 4), false),
      ("barrier=height_restrictor maxheight=2.0", VehicleSize(heightM: 2.6), false),
      ("barrier=height_restrictor maxheight=4.2", VehicleSize(heightM: 3.6), true),
      ("barrier=width_restrictor maxwidth=2.1", VehicleSize(widthM: 2.5), false),
      ("maxweight:hgv=7.5", VehicleSize(weightT: 18), false),
      ("maxaxles=2", VehicleSize(axles: 3), false), ("hazmat=no", VehicleSize(weightT: 3), true),
    ])
  func `a sign on a node bars what does not fit, RT-3 RT-7`(
    tags: String, vehicle: VehicleSize, passes: Bool
  ) throws {
    let router = try Self.town(tags)
    var request = try router.request("xy", mode: .truck)
    request.vehicle = vehicle
    #expect(try router.letters(request).contains("g") == passes)
    #expect(try router.route(request).violations.isEmpty)
    let only = try Self.town(tags, detour: false)
    #expect(
      try only.route(request).violations.map(\.kind) == (passes ? [] : [.vehicle]))
    // Up to the sign the road is free.
    request.waypoints[1].place = try only.map.coordinate("a", "g", 0.8)
    #expect(try only.route(request).violations.isEmpty)
  }

  @Test(
    arguments: [
      ("maxweightrating:hgv=7.5", TravelMode.truck, false),
      ("maxweightrating:hgv=7.5", .bus, true), ("maxaxles=2", .truck, false),
      ("maxbogieweight=12", .truck, false), ("maxlength=18 maxlength:hgv=12", .truck, false),
      ("maxheight:forward=3", .truck, false), ("maxheight:backward=3", .truck, true),
    ])
  func `signs for some modes and loads lead round, RT-3`(
    tags: String, mode: TravelMode, passes: Bool
  ) throws {
    let router = try RequestTests.square([
      "xa": "highway=tertiary", "ab": "highway=tertiary \(tags)", "bc": "highway=tertiary",
      "cy": "highway=tertiary", "ad": "highway=tertiary", "def": "highway=tertiary",
      "fc": "highway=tertiary",
    ])
    var request = try router.request("xy", mode: mode)
    request.vehicle = VehicleSize(heightM: 4, lengthM: 14, weightT: 18, axles: 3)
    #expect(try router.letters(request) == (passes ? "xabcy" : "xadfcy"))
    // A vehicle that the same signs let through shares all that is worked out.
    let limits = VehicleLimits(router.map.graph)
    let rounded = limits.rounded(request.vehicle)
    request.vehicle = rounded
    #expect(try router.letters(request) == (passes ? "xabcy" : "xadfcy"))
  }

  @Test(arguments: UInt64(1)...12)
  func `the hierarchy's cost is the oracle's by barriers, RT-8 RT-3`(seed: UInt64) throws {
    let (plain, restrictions) = try EngineTests.grid(seed: seed)
    var random = SplitMix64(seed: seed &* 9091)
    var columns = plain.columns
    var attributes = Array(columns.attributes.records)
    var nodes: [NodeID] = []
    var kinds: [UInt32] = []
    let open: [Access] = [.yes, .destination, .private]
    for node in 0..<plain.nodeCount where Int.random(in: 0..<4, using: &random) == 0 {
      var barrier = RoadAttributes()
      let access = open.randomElement(using: &random) ?? .yes
      for mode in TravelMode.allCases { barrier.setAccess(access, for: mode) }
      if Bool.random(using: &random) { barrier.maxHeightCm = 300 }
      nodes.append(NodeID(node))
      kinds.append(UInt32(attributes.count))
      attributes.append(barrier)
    }
    columns.attributes = Column(attributes)
    columns.barrierNode = Column(nodes)
    columns.barrierAttribute = Column(kinds)
    let graph = try RoadGraph(columns: columns, hash: plain.hash)
    var request = RouteRequest(waypoints: [])
    request.vehicle.heightM = 4
    let metric = RoadMetric(
      network: RoadNetwork(graph: graph, mode: .car), key: MetricKey(request))
    let customized = try HierarchyOracleTests.customized(metric)
    let oracle = Oracle(metric: metric, restrictions: restrictions)
    let search = EdgeSearch(metric: metric)
    var climb = HierarchySearch()
    var space = SearchSpace()
    for _ in 0..<10 {
      let a = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      let b = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      let sources = [SearchSource(state: a.index, offsetM: 0, costMS: 0)]
      let targets = metric.network.restrictions.states(on: b.index).map {
        SearchTarget(state: $0, offsetM: 0, costMS: 0)
      }
      let expected = oracle.costMS(from: (a, 0), to: (b, 0))
      #expect(
        search.run(on: customized, from: sources, to: targets, in: &climb)?.costMS == expected)
      #expect(search.run(from: sources, to: targets, in: &space)?.costMS == expected)
    }
  }
}
