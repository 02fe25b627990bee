import DrawnMaps
import Foundations
import Geodesy
import Maneuvers
import RoadGraph
import Route
import Testing
import Traffic

@testable import Routing

/// Routes on a drawn map between letters.
struct DrawnRouter {
  let map: DrawnMap
  var traffic: TrafficView?

  init(_ map: DrawnMap) { self.map = map }

  func route(_ request: RouteRequest) throws -> Route {
    let metric = RoadMetric(
      network: RoadNetwork(graph: map.graph, mode: request.mode), key: MetricKey(request),
      traffic: traffic)
    var space = SearchSpace()
    let engine = RoutingEngine(try HierarchyOracleTests.customized(metric))
      .adjusted(for: request, index: SegmentIndex(map.graph))
    let path = try engine.path(request, in: &space)
    let finder = ManeuverFinder(graph: map.graph)
    return RouteBuilder(metric: engine.metric).route(
      path, request: request, id: "r", handle: nil, computedAt: Instant(seconds: 0),
      maneuvers: { finder.maneuvers(along: $0) })
  }

  func request(_ letters: String, mode: TravelMode = .car) throws -> RouteRequest {
    RouteRequest(
      waypoints: try letters.map { Waypoint(place: try map.coordinate($0)) }, mode: mode)
  }

  /// The letters along the route.
  func letters(_ request: RouteRequest) throws -> String {
    let index = SegmentIndex(map.graph)
    return map.letters(try route(request).segments.compactMap { index.edge($0.reference) })
  }
}

@Suite struct RequestTests {
  static func square(
    _ ways: KeyValuePairs<String, String>, restrictions: KeyValuePairs<String, String> = [:]
  ) throws -> DrawnRouter {
    DrawnRouter(
      try DrawnMap(
        """
        x-a---b---c-y
          |   |   |
          d---e---f
        """, ways: ways, restrictions: restrictions, cell: 100))
  }

  @Test func `a no-left-turn leads around, RT-8`() throws {
    let ways: KeyValuePairs = [
      "xabcy": "highway=tertiary", "adef": "highway=tertiary", "be": "highway=tertiary",
      "cf": "highway=tertiary",
    ]
    let free = try Self.square(ways)
    #expect(try free.route(try free.request("xe")).lengthM < 900)
    let forbidden = try Self.square(ways, restrictions: ["xabcy b be": "no_right_turn"])
    let path = try forbidden.letters(try forbidden.request("xe"))
    #expect(!path.contains("abe"))
  }

  @Test func `a restriction is broken only where nothing else reaches, and is reported, RT-7`()
    throws
  {
    let router = DrawnRouter(
      try DrawnMap(
        """
        a---b---c
            |
            d
        """,
        ways: [
          "ab": "highway=tertiary oneway=yes", "bc": "highway=tertiary oneway=yes",
          "bd": "highway=tertiary oneway=yes",
        ], restrictions: ["ab b bd": "no_right_turn"]))
    let route = try router.route(try router.request("ad"))
    #expect(route.violations.map(\.kind) == [.turnRestriction])
    #expect(route.violations.first?.spans.isEmpty == false)
  }

  @Test func `one-ways are kept, RT-8`() throws {
    let router = try Self.square([
      "xa": "highway=tertiary", "ba": "highway=tertiary oneway=yes", "bc": "highway=tertiary",
      "cy": "highway=tertiary", "ad": "highway=tertiary", "def": "highway=tertiary",
      "be": "highway=tertiary", "fc": "highway=tertiary",
    ])
    #expect(try !router.letters(try router.request("xy")).contains("ab"))
  }

  @Test func `a private road is no short cut but leads to what lies on it, RT-8`() throws {
    let router = try Self.square([
      "xa": "highway=tertiary", "abc": "highway=tertiary access=private", "cy": "highway=tertiary",
      "ad": "highway=tertiary", "def": "highway=tertiary", "fc": "highway=tertiary",
    ])
    let through = try router.route(try router.request("xy"))
    #expect(through.violations.isEmpty)
    #expect(through.lengthM > 1300)
    let to = try router.route(try router.request("xb"))
    #expect(to.violations.isEmpty)
    #expect(to.lengthM < 700)
  }

  @Test func `what is to be avoided is avoided where it can be, and else reported, RT-6 RT-7`()
    throws
  {
    let router = try Self.square([
      "xa": "highway=tertiary", "abc": "highway=tertiary toll=yes", "cy": "highway=tertiary",
      "ad": "highway=tertiary", "def": "highway=tertiary", "fc": "highway=tertiary",
    ])
    var request = try router.request("xy")
    #expect(try router.route(request).lengthM < 1300)
    request.avoid = [.tolls]
    #expect(try router.route(request).lengthM > 1300)
    var to = try router.request("xb")
    to.avoid = [.tolls]
    #expect(try router.route(to).violations.map(\.kind) == [.tolls])
  }

  @Test func `a stopover makes a section, a pass-through none, RT-2`() throws {
    let router = try Self.square(["xabcy": "highway=tertiary name=A"])
    var request = try router.request("xby")
    let stopped = try router.route(request)
    #expect(stopped.sections.count == 2)
    #expect(stopped.maneuvers.filter { $0.action == .arrive }.count == 2)
    #expect(stopped.sections[0].lastShapeIndex == stopped.sections[1].firstShapeIndex)
    request.waypoints[1].kind = .passThrough
    let passed = try router.route(request)
    #expect(passed.sections.count == 1)
    #expect(passed.waypoints.count == 3)
    #expect(abs(passed.waypoints[1].offsetM - stopped.sections[0].lengthM) < 1)
  }

  @Test func `after a stopover one may turn back, at a pass-through one goes on, RT-2`() throws {
    let router = try Self.square([
      "xabcy": "highway=tertiary name=A", "ad": "highway=tertiary", "def": "highway=tertiary",
      "fc": "highway=tertiary",
    ])
    var request = try router.request("xbx")
    let place = try router.map.coordinate("a", "b", 0.5)
    request.waypoints[1].place = place
    let back = try router.route(request)
    #expect(back.lengthM < 900)
    request.waypoints[1].kind = .passThrough
    let around = try router.route(request)
    #expect(around.lengthM > 1500)
    #expect(!around.maneuvers.contains { if case .uTurn = $0.action { true } else { false } })
  }

  @Test(arguments: [TravelMode.bicycle, .pedestrian])
  func `a pass-through is refused on foot and by bicycle, RT-2`(mode: TravelMode) throws {
    let router = try Self.square(["xabcy": "highway=tertiary"])
    var request = try router.request("xby", mode: mode)
    request.waypoints[1].kind = .passThrough
    #expect(throws: RouteFailure.self) { try RoutingEngine.validate(request) }
  }

  @Test func `an origin too far from any road is refused, a destination is off-road, RT-12, OR-1`()
    throws
  {
    let router = try Self.square(["xabcy": "highway=tertiary"])
    let far = try router.map.coordinate("a").moved(bearingDeg: 0, distanceM: 1500)
    var request = try router.request("xy")
    request.waypoints[0].place = far
    #expect {
      try router.route(request)
    } throws: { error in
      guard case RouteFailure.couldNotMatchOrigin(let nearestM) = error else { return false }
      return abs((nearestM ?? 0) - 1500) < 10
    }
    request = try router.request("xy")
    request.waypoints[1].place = far
    let route = try router.route(request)
    #expect(route.offRoadDestination == far)
    #expect(route.waypoints.last?.isOffRoad == true)
  }

  @Test(arguments: [(70.0, false), (80, true), (1500, true)])
  func `a stop beyond the matching radius ends the road with where it lies, OR-2`(
    offsetM: Double, isOffRoad: Bool
  ) throws {
    let router = try Self.square(["xabcy": "highway=tertiary"])
    let stop = try router.map.coordinate("a").moved(bearingDeg: 0, distanceM: offsetM)
    for index in [1, 2] {
      var request = try router.request(index == 2 ? "xby" : "xy")
      request.waypoints[1].place = stop
      request.waypoints[1].name = "Old Cabin"
      let route = try router.route(request)
      let arrival = try #require(route.maneuvers.first { $0.action == .arrive })
      #expect(arrival.text.contains("reached") == !isOffRoad)
      #expect(arrival.text.contains("to the north.") == isOffRoad)
      #expect((arrival.side == nil) == isOffRoad)
      #expect(route.waypoints[1].isOffRoad == isOffRoad)
    }
  }

  @Test func `where no road leads the answer says so, RT-12`() throws {
    let router = DrawnRouter(
      try DrawnMap(
        "a--b          c--d", ways: ["ab": "highway=tertiary", "cd": "highway=tertiary"],
        cell: 1000))
    #expect(throws: RouteFailure.noRouteFound(fromWaypoint: 0)) {
      try router.route(try router.request("ad"))
    }
  }

  @Test func `a start direction is kept where that costs little, RT-4`() throws {
    let router = try Self.square([
      "xabcy": "highway=tertiary", "ad": "highway=tertiary", "def": "highway=tertiary",
      "fc": "highway=tertiary",
    ])
    var request = try router.request("xx")
    request.waypoints[0].place = try router.map.coordinate("a", "b", 0.5)
    request.waypoints[0].bearingDeg = 90
    request.waypoints[1].place = try router.map.coordinate("a", "b", 0.4)
    let route = try router.route(request)
    #expect(abs((route.maneuvers.first?.bearingAfterDeg ?? 0) - 90) < 5)
  }

  @Test func `a closed road is gone around, and reported where nothing else leads, RT-17`() throws {
    var router = try Self.square([
      "xab": "highway=tertiary", "bc": "highway=tertiary", "cy": "highway=tertiary",
      "ad": "highway=tertiary", "def": "highway=tertiary",
      "fc": "highway=tertiary",
    ])
    var view = TrafficView(
      edgeCount: router.map.graph.edgeCount, asOf: Instant(seconds: 1),
      observed: Instant(seconds: 0))
    for edge in try router.map.edges("bc") {
      view.set(TrafficState(measuredJamFactor: 10), on: edge)
    }
    router.traffic = view
    let around = try router.route(try router.request("xy"))
    #expect(around.lengthM > 1300)
    #expect(around.violations.isEmpty)
    for edge in try router.map.edges("cy") {
      view.set(TrafficState(measuredJamFactor: 10), on: edge)
    }
    router.traffic = view
    let blocked = try router.route(try router.request("xy"))
    #expect(blocked.violations.map(\.kind) == [.blockedRoad])
  }

  @Test func `every maneuver but the arrival begins a span, RT-11`() throws {
    let router = try Self.square([
      "xabcy": "highway=tertiary name=A", "ad": "highway=tertiary name=B",
      "def": "highway=tertiary name=C", "fc": "highway=tertiary name=D",
    ])
    let route = try router.route(try router.request("xey"))
    for maneuver in route.maneuvers where maneuver.action != .arrive {
      #expect(route.spans.contains { $0.firstShapeIndex == maneuver.shapeIndex })
    }
    #expect(route.maneuvers.last?.shapeIndex == route.shape.count - 1)
    #expect(route.sections.map(\.spans).reduce(0) { $0 + $1.count } == route.spans.count)
  }
}
