import Contraction
import DrawnMaps
import Foundations
import Geodesy
import RoadGraph
import Route
import Testing

@testable import Routing

/// Vehicles that do not fit everywhere, countries and zones that are not to be entered.
@Suite struct VehicleRouteTests {
  /// The short way from x to y leads by b, with `tags` on one piece of it; the long one by d and f.
  private static func town(_ tags: String) throws -> DrawnRouter {
    try RequestTests.square([
      "xa": "highway=tertiary", "ab": "highway=tertiary \(tags)", "bc": "highway=tertiary",
      "cy": "highway=tertiary", "ad": "highway=tertiary", "def": "highway=tertiary",
      "fc": "highway=tertiary",
    ])
  }

  @Test(arguments: [
    ("maxheight=3.5", VehicleSize(heightM: 4)), ("maxwidth=2", VehicleSize(widthM: 2.55)),
    ("maxlength=10", VehicleSize(lengthM: 16.5)), ("maxweight=7.5", VehicleSize(weightT: 12)),
    ("maxaxleload=8", VehicleSize(axleLoadT: 11.5)),
    ("hazmat=no", VehicleSize(carriesHazardousGoods: true)),
  ])
  func `a vehicle goes around what bars it, else it is reported, RT-3 RT-7`(
    sign: String, vehicle: VehicleSize
  ) throws {
    let router = try Self.town(sign)
    var request = try router.request("xy", mode: .truck)
    #expect(try router.letters(request) == "xabcy")
    request.vehicle = vehicle
    #expect(try router.letters(request) == "xadfcy")
    #expect(try router.route(request).violations.isEmpty)
    request.waypoints[1].place = try router.map.coordinate("a", "b", 0.5)
    let into = try router.route(request)
    #expect(into.violations.map(\.kind) == [.vehicle])
    #expect(into.violations.first?.spans.isEmpty == false)
  }

  @Test func `private land comes before a bridge too weak for the vehicle, RT-3`()
    throws
  {
    let router = try RequestTests.square([
      "xa": "highway=tertiary", "ab": "highway=tertiary maxweight=3.5", "bc": "highway=tertiary",
      "cy": "highway=tertiary", "ad": "highway=tertiary",
      "def": "highway=tertiary access=private", "fc": "highway=tertiary",
    ])
    var request = try router.request("xy", mode: .truck)
    request.vehicle.weightT = 40
    #expect(try router.letters(request) == "xadfcy")
  }

  @Test func `a road that bars a vehicle costs the same in ten pieces as in one, RT-3 P3`() throws {
    func road(_ stubs: KeyValuePairs<String, String>) throws -> DrawnMap {
      let all = [("xa", "highway=tertiary"), ("abcdefghijk", "highway=tertiary maxheight=3")]
      return try DrawnMap(
        """
        x-a-b-c-d-e-f-g-h-i-j-k
            | | | | | | | | |
            l m n o p q r s t
        """, ways: all + stubs.map { ($0.key, $0.value) }, cell: 100)
    }
    let side = "highway=residential"
    let (whole, cut) = (
      try road([:]),
      try road([
        "bl": side, "cm": side, "dn": side, "eo": side, "fp": side, "gq": side, "hr": side,
        "is": side, "jt": side,
      ])
    )
    var space = SearchSpace()
    /// What the way between two letters costs a lorry, by the hierarchy and by a plain search.
    func costMS(_ map: DrawnMap, _ letters: String) throws -> (fast: UInt64, plain: UInt64) {
      var request = RouteRequest(
        waypoints: try letters.map { Waypoint(place: try map.coordinate($0)) }, mode: .truck)
      let network = RoadNetwork(graph: map.graph, mode: .truck)
      let roads = try #require(RoadHierarchy.make(network.states))
      // Vehicles of all sizes share the costs of turns.
      let turns = TurnTable(roads, metric: RoadMetric(network: network, key: MetricKey(request)))
      request.vehicle.heightM = 4
      let metric = RoadMetric(network: network, key: MetricKey(request))
      let fast = RoutingEngine(CustomizedMetric(metric, on: roads, turns: turns))
      return (
        try fast.path(request, in: &space).costMS,
        try RoutingEngine(metric: metric).path(request, in: &space).costMS
      )
    }
    let (one, ten) = (try costMS(whole, "xk"), try costMS(cut, "xk"))
    #expect(one.plain > RoutingTuning().refusedMS)
    #expect(Double(ten.plain) < 1.1 * Double(one.plain))
    #expect(ten.plain < UInt64(HierarchyWeights.infinite))
    // A side street in between is left free, and entering the road again costs again.
    for letters in ["xk", "kx", "lt", "tl", "xo", "ol", "el", "bj"] {
      let cost = try costMS(cut, letters)
      #expect(cost.fast == cost.plain, "\(letters)")
    }
    let (out, through) = (try costMS(cut, "xb").plain, try costMS(cut, "xl").plain)
    #expect(through < out + RoutingTuning().refusedMS / 2)
  }

  @Test func `what entering costs one size is not taken over for another, RT-3 P3`() throws {
    let router = try Self.town("maxheight=3.5")
    var request = try router.request("xy", mode: .truck)
    let network = RoadNetwork(graph: router.map.graph, mode: .truck)
    let roads = try #require(RoadHierarchy.make(network.states))
    let usual = RoadMetric(network: network, key: MetricKey(request))
    let turns = TurnTable(roads, metric: usual)
    request.vehicle.heightM = 4
    let high = RoadMetric(network: network, key: MetricKey(request))
    let changed = CustomizedMetric(
      high, on: roads, turns: turns, base: CustomizedMetric(usual, on: roads, turns: turns))
    let anew = CustomizedMetric(high, on: roads, turns: TurnTable(roads, metric: high))
    #expect(changed.weights.isSame(as: anew.weights))
  }

  @Test func `a size that is none is refused by its name, RT-3`() throws {
    let router = try Self.town("lanes=2")
    for (size, name) in [
      (VehicleSize(heightM: -1), "height_m"), (VehicleSize(weightT: .nan), "weight_t"),
      (VehicleSize(trailers: 11), "trailers"),
    ] {
      var request = try router.request("xy")
      request.vehicle = size
      #expect {
        _ = try router.route(request)
      } throws: { error in
        (error as? RouteFailure)?.sentence.contains("vehicle.\(name)") ?? false
      }
    }
  }

  @Test func `a country is driven around, and reported where the way ends in it, RT-6 RT-7`() throws
  {
    let router = DrawnRouter(
      try DrawnMap(
        """
          m---n
        x-a---b-c-y
          o---p
          |     |
          d-----f
        """,
        ways: [
          "xab": "highway=tertiary", "bcy": "highway=tertiary", "ad": "highway=tertiary",
          "df": "highway=tertiary",
          "fc": "highway=tertiary",
          "mnpom": "boundary=administrative admin_level=2 ISO3166-1:alpha2=LI name=Liechtenstein",
        ]))
    var request = try router.request("xy")
    #expect(try router.letters(request).contains("ab"))
    let usual = try router.route(request)
    #expect(usual.spans.contains { $0.road.country == "LI" })
    request.avoidCountries = ["LI"]
    #expect(try router.letters(request).contains("df"))
    #expect(try router.route(request).violations.isEmpty)
    request.waypoints[1].place = try router.map.coordinate("a", "b", 0.5)
    #expect(try router.route(request).violations.map(\.kind) == [.country])
  }

  @Test func `a low-emission zone is avoided, and reported where the way ends in it, RT-6 RT-7`()
    throws
  {
    let router = DrawnRouter(
      try DrawnMap(
        """
          m---n
        x-a---b-c-y
          o---p
          |     |
          d-----f
        """,
        ways: [
          "xab": "highway=tertiary", "bcy": "highway=tertiary", "ad": "highway=tertiary",
          "df": "highway=tertiary",
          "fc": "highway=tertiary", "mnpom": "boundary=low_emission_zone name=Centre",
        ]))
    var request = try router.request("xy")
    #expect(try router.letters(request).contains("ab"))
    request.avoid = [.lowEmissionZones]
    #expect(try router.letters(request).contains("df"))
    request.waypoints[1].place = try router.map.coordinate("a", "b", 0.5)
    #expect(try router.route(request).violations.map(\.kind) == [.lowEmissionZones])
  }

  @Test func `a car-pool road is avoided where it is to be, RT-6`() throws {
    let router = try Self.town("hov=designated")
    var request = try router.request("xy")
    request.isCarPool = true
    #expect(try router.letters(request) == "xabcy")
    request.avoid = [.carPool]
    #expect(try router.letters(request) == "xadfcy")
    request.waypoints[1].place = try router.map.coordinate("a", "b", 0.5)
    #expect(try router.route(request).violations.map(\.kind) == [.carPool])
  }

  @Test func `state and country are reported, RT-10`() throws {
    let router = DrawnRouter(
      try DrawnMap(
        """
        m-------n
          a---b-|-c
        o-------p
        """,
        ways: [
          "abc": "highway=tertiary",
          "mnpom": "boundary=administrative admin_level=4 name=Oberland ISO3166-2=LI-12",
        ], nodes: ["b": "highway=traffic_signals"]))
    let route = try router.route(try router.request("ac"))
    #expect(route.spans.map(\.road.state) == ["Oberland", nil])
    #expect(route.spans.map(\.road.stateCode) == ["LI-12", nil])
  }

  @Test func `a rest puts off what comes after it, RT-2`() throws {
    let router = try Self.town("lanes=2")
    var request = try router.request("xby")
    let usual = try router.route(request)
    #expect(usual.restS == 0)
    request.waypoints[1].restS = 900
    let rested = try router.route(request)
    #expect(rested.restS == 900)
    #expect(rested.durations == usual.durations)
    let at = rested.waypoints.map { $0.arrivalS ?? -1 }
    #expect(at[0] == 0)
    #expect(abs(at[1] - rested.sections[0].durations.trafficS) < 1e-6)
    #expect(abs(at[2] - rested.durations.trafficS - 900) < 1e-6)
    request.waypoints[1].restS = -1
    #expect(throws: RouteFailure.self) { _ = try router.route(request) }
    request.waypoints[1].restS = 60
    request.waypoints[1].kind = .passThrough
    #expect(throws: RouteFailure.self) { _ = try router.route(request) }
  }

  @Test func `a named access point is where the route ends, RT-12`() throws {
    let router = try Self.town("lanes=2")
    var request = try router.request("xe")
    // The place lies nearest to one road and is entered from another.
    request.waypoints[1] = Waypoint(
      place: try router.map.coordinate("d", "e", 0.9), name: "Hospital",
      access: AccessPoint(try router.map.coordinate("b", "c", 0.5), name: "Main gate"))
    let route = try router.route(request)
    #expect(route.waypoints[1].distanceM < 1)
    #expect(abs(route.lengthM - 800) < 10)
    let last = try #require(route.shape.last)
    #expect(last.distanceM(to: try router.map.coordinate("b", "c", 0.5)) < 1)
    #expect(route.maneuvers.last?.text.contains("Hospital, Main gate") == true)
    #expect(route.offRoadDestination == nil)
  }

  @Test func `at speed no turn is taken at once, where going on costs little, RT-4`() throws {
    let router = DrawnRouter(
      try DrawnMap(
        """
        x-a---b---------y
          |   |
          d---e
              |
              z
        """,
        ways: [
          "xaby": "highway=secondary", "ad": "highway=secondary", "de": "highway=secondary",
          "be": "highway=secondary maxspeed=20", "ez": "highway=secondary",
        ]))
    var request = try router.request("xz")
    request.waypoints[0] = Waypoint(
      place: try router.map.coordinate("x", "a", 0.5), bearingDeg: 90)
    let turnM = { (request: RouteRequest) throws -> Double in
      try router.route(request).maneuvers.dropFirst().first?.offsetM ?? 0
    }
    // The best way turns at once.
    #expect(try turnM(request) < 160)
    #expect(try router.letters(request).contains("ad"))
    request.firstManeuverClearanceM = 8 * 20
    #expect(try turnM(request) > 160)
    #expect(try router.letters(request).contains("be"))
  }
}
