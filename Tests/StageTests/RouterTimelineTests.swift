import DrawnMaps
import Foundations
import Geodesy
import Messages
import RoadGraph
import Route
import RouteWire
import Routing
import Stage
import Testing
import Traffic

@testable import RouterStage

/// Roads are priced for the moment at which they are reached.
@Suite struct RouterTimelineTests {
  private typealias Bench = RouterStageTests.Bench

  /// Two ways from a to d: 9 km over b and c, and 13 km over e and f; four minutes for 3 km.
  private static func country(_ tags: [String: String] = [:]) throws -> DrawnMap {
    let street = ["ab", "bc", "cd"].map {
      ($0, "highway=secondary name=High Street maxspeed=50 \(tags[$0] ?? "")")
    }
    let ways = street + [("aefd", "highway=secondary name=Long Lane maxspeed=50")]
    return try DrawnMap(
      """
      a--b--c--d
      |        |
      e--------f
      """, ways: ways, cell: 1000)
  }

  private static func names(_ route: Route) -> Set<String> { Set(route.spans.map(\.road.name)) }

  private static func jam(
    _ bench: inout Bench, _ letters: String, speedMmps: Int64, untilS: Double, atS: Double = 100
  ) throws {
    let segments = try bench.map.edges(letters).map { bench.map.graph.reference($0) }
    let flow = TrafficFlow(
      feed: "test", observedNs: Instant(seconds: atS).nanoseconds,
      untilNs: Instant(seconds: untilS).nanoseconds,
      flow: WireFlowColumns(
        way: segments.map(\.way), from: segments.map(\.from), to: segments.map(\.to),
        speedMmps: segments.map { _ in speedMmps }, jamFactor: segments.map { _ in 50 },
        untilS: segments.map { _ in 0 }))
    try send(&bench, TrafficFlow.topic, flow.encoded(), atS)
  }

  private static func closure(
    _ bench: inout Bench, _ letters: String, fromS: Double?, untilS: Double?, atS: Double = 100
  ) throws {
    let segments = try bench.map.edges(letters).map { bench.map.graph.reference($0).wire }
    let list = TrafficIncidents(
      feed: "works", observedNs: Instant(seconds: atS).nanoseconds,
      incidents: [
        WireIncident(
          id: "i", kind: .construction, segments: segments, closed: true,
          fromNs: fromS.map { Instant(seconds: $0).nanoseconds },
          untilNs: untilS.map { Instant(seconds: $0).nanoseconds })
      ])
    try send(&bench, TrafficIncidents.topic, list.encoded(), atS)
  }

  private static func send(
    _ bench: inout Bench, _ topic: String, _ payload: [UInt8], _ atS: Double
  ) throws {
    _ = try bench.stage.receive(
      .message(
        EncodedMessage(
          topic: topic, stamp: Instant(seconds: atS), source: "test", run: 1, sequence: 1,
          key: topic == TrafficFlow.topic ? "test" : "works", payload: payload)))
  }

  private static func remainingS(
    _ bench: inout Bench, _ route: Route, travelledM: Double, atS: Double
  ) throws -> Double {
    let ask = RouteTrafficRequest(
      handle: try #require(route.handle), section: 0, travelledOnSectionM: travelledM)
    guard case .ok(let payload) = try bench.call("route/traffic", ask.encoded(), atS: atS) else {
      throw CallError(code: "internal", message: "no answer")
    }
    return try RouteTrafficReply(decoding: payload).body.durationLatestS
  }

  @Test func `a jam that is over before it is reached costs nothing, TR-10`() throws {
    var bench = Bench(try Self.country())
    let free = try Route(wire: bench.route("ad", atS: 100))
    // One reaches c after eight minutes.
    try Self.jam(&bench, "cd", speedMmps: 600, untilS: 500)
    let route = try Route(wire: bench.route("ad", atS: 110))
    #expect(Self.names(route) == ["High Street"])
    #expect(abs(route.durations.latestS - free.durations.latestS) < 0.1)
    #expect(route.spans.allSatisfy { $0.trafficKind == .freeFlow && $0.jamFactor == 0 })
    #expect(
      abs(try Self.remainingS(&bench, route, travelledM: 0, atS: 110) - free.durations.latestS)
        < 0.1)
    // It is still there for whoever starts at c.
    let near = try Route(wire: bench.route("cd", atS: 110))
    #expect(near.durations.latestS > 350)
    // One that outlasts the trip is gone round.
    try Self.jam(&bench, "cd", speedMmps: 600, untilS: 90_000)
    #expect(try Self.names(Route(wire: bench.route("ad", atS: 110))) == ["Long Lane"])
  }

  @Test func `a jam that ends while one is in it costs what is left of it, TR-10`() throws {
    var bench = Bench(try Self.country())
    let free = try Route(wire: bench.route("ad", atS: 100))
    // c is reached 480 s after the departure; at half speed for 100 s, then free: 50 s are lost.
    try Self.jam(&bench, "cd", speedMmps: 6250, untilS: 100 + 480 + 100)
    let route = try Route(wire: bench.route("ad", atS: 100))
    let reachedS = route.spans.filter { $0.trafficKind == .freeFlow }
      .reduce(0) { $0 + $1.durations.latestS }
    let lostS = (580 - reachedS) / 2
    #expect(Self.names(route) == ["High Street"])
    #expect(abs(route.durations.latestS - free.durations.latestS - lostS) < 0.1)
    #expect(lostS > 40 && lostS < 60)
    // The price of what is left leads to the same arrival, wherever and whenever one asks.
    let arrivalS = 100 + route.durations.latestS
    for (travelledM, atS) in [(0.0, 100.0), (3000, 100 + reachedS / 2), (6000, 100 + reachedS)] {
      let restS = try Self.remainingS(&bench, route, travelledM: travelledM, atS: atS)
      #expect(abs(atS + restS - arrivalS) < 0.5, "\(travelledM)")
    }
  }

  /// Seconds at which a live speed without an end begins to count less, in `fadingBench`, and of each step.
  private static let fullS = 480.0
  private static let stepS = 96.0

  private static func fadingBench() throws -> Bench {
    var ages = TrafficAges()
    ages.liveHorizonS = 3 * fullS
    let map = try Self.country()
    return Bench(
      map,
      RouterShared(
        graph: map.graph, tuning: RoutingTuning(), leaseS: 86_400, leaseCount: 64, ages: ages))
  }

  @Test func `a live speed without an end counts less on roads that are reached later, TR-10`()
    throws
  {
    var bench = try Self.fadingBench()
    let free = try Route(wire: bench.route("ac", atS: 100))
    let full = try Route(wire: bench.route("ad", atS: 100))
    try bench.jam("cd", speedMmps: 6250, jam: 50, observedS: 100)
    let route = try Route(wire: bench.route("ad", atS: 100))
    #expect(Self.names(route) == ["High Street"])
    // The road after c, driven in steps: its speed grows as the jam counts less.
    let freeMps = 3000 / (full.durations.latestS - free.durations.latestS)
    var (atS, restM) = (free.durations.latestS, 3000.0)
    while restM > 0 {
      let step = max(-1, ((atS - Self.fullS) / Self.stepS).rounded(.down))
      let weight = step < 0 ? 1 : 1 - (step + 0.5) / 10
      let mps = weight * 6.25 + (1 - weight) * freeMps
      let endS = Self.fullS + (step + 1) * Self.stepS
      let drivenM = min(restM, (endS - atS) * mps)
      atS += drivenM / mps
      restM -= drivenM
    }
    #expect(abs(route.durations.latestS - atS) < 0.5)
    #expect(atS > full.durations.latestS + 60 && atS < full.durations.latestS + 240)
    let restS = try Self.remainingS(&bench, route, travelledM: 0, atS: 100)
    #expect(abs(restS - route.durations.latestS) < 0.1)
    // From c on it counts in full.
    let near = try Route(wire: bench.route("cd", atS: 110))
    #expect(abs(near.durations.latestS - 480) < 3)
  }

  @Test func `a live closure without an end is over at the horizon, TR-10`() throws {
    var ages = TrafficAges()
    ages.liveHorizonS = 400
    let map = try Self.country()
    var bench = Bench(
      map,
      RouterShared(
        graph: map.graph, tuning: RoutingTuning(), leaseS: 86_400, leaseCount: 64, ages: ages))
    try bench.jam("cd", speedMmps: 0, jam: 100, observedS: 100)
    // The vehicle reaches c after 480 s.
    let route = try Route(wire: bench.route("ad", atS: 100))
    #expect(Self.names(route) == ["High Street"] && route.violations.isEmpty)
    #expect(route.spans.allSatisfy { $0.trafficKind == .freeFlow && $0.jamFactor == 0 })
    var near = Bench(map)
    try near.jam("cd", speedMmps: 0, jam: 100, observedS: 100)
    #expect(try Self.names(Route(wire: near.route("ad", atS: 100))) == ["Long Lane"])
  }

  @Test func `a closure counts if it holds when one is there, TR-10`() throws {
    func route(fromS: Double?, untilS: Double?) throws -> Route {
      var bench = Bench(try Self.country())
      try Self.closure(&bench, "cd", fromS: fromS, untilS: untilS)
      return try Route(wire: bench.route("ad", atS: 100))
    }
    // One enters the closed road after 480 s and leaves it after 720 s.
    #expect(try Self.names(route(fromS: 1000, untilS: nil)) == ["High Street"])
    #expect(try Self.names(route(fromS: 700, untilS: nil)) == ["High Street"])
    #expect(try Self.names(route(fromS: 400, untilS: nil)) == ["Long Lane"])
    #expect(try Self.names(route(fromS: nil, untilS: nil)) == ["Long Lane"])
    #expect(try Self.names(route(fromS: nil, untilS: 400)) == ["High Street"])
    #expect(try route(fromS: nil, untilS: 400).violations.isEmpty)
    // A short wait is less than the way round, and counted.
    let waited = try route(fromS: nil, untilS: 680)
    #expect(Self.names(waited) == ["High Street"])
    #expect(waited.violations.isEmpty)
    #expect(abs(waited.durations.latestS - (580 + 240)) < 2)
    #expect(try Self.names(route(fromS: nil, untilS: 1600)) == ["Long Lane"])
  }

  @Test func `typical speeds are those of the time at which a road is reached, TR-10`() throws {
    let map = try Self.country()
    let pieces = try map.edges("cd").map { map.graph.reference($0) }
    // 12:00 by the clocks of the drawn maps' meridian, at the Monday of the rules' tests.
    let noon = RouterRulesTests.morning.seconds + 4 * 3600
    let csv =
      "profile,noon,25,Mo-Fr 12:00-13:00\n"
      + pieces.map { "\($0.way),\($0.from),\($0.to),noon\n" }.joined()
    var bench = Bench(map, RouterShared(graph: map.graph, typical: try TypicalSpeeds(csv: csv)))
    func route(atS: Double) throws -> Route { try Route(wire: bench.route("ad", atS: atS)) }
    #expect(try Self.names(route(atS: noon - 1200)) == ["High Street"])
    #expect(try Self.names(route(atS: noon - 300)) == ["Long Lane"])
    #expect(try Self.names(route(atS: noon + 3600 - 420)) == ["High Street"])
    let late = try route(atS: noon + 3600 - 420)
    #expect(abs(late.durations.latestS - 720) < 5)
    // Entered ten seconds before the end of the hour: these at a quarter of the speed.
    let just = try route(atS: noon + 3600 - 490)
    #expect(abs(just.durations.latestS - 727.5) < 5)
  }

  @Test func `rules are judged when one is there, TR-10, RT-21`() throws {
    let closed = "motor_vehicle:conditional=no @ (Mo-Fr 07:00-09:00)"
    let seven = RouterRulesTests.morning.seconds - 3600
    for (offsetS, name, takesS) in [
      (-1200.0, "High Street", 720.0), (-600, "High Street", 720), (-300, "Long Lane", 1040),
      (7200 - 470, "High Street", 720), (7200 - 540, "High Street", 780),
      (7200 - 1500, "Long Lane", 1040),
    ] {
      var bench = Bench(try Self.country(["cd": closed]))
      let route = try Route(wire: bench.route("ad", atS: seven + offsetS))
      #expect(Self.names(route) == [name], "\(offsetS)")
      #expect(route.violations.isEmpty)
      #expect(abs(route.durations.latestS - takesS) < 10, "\(offsetS)")
      let restS = try Self.remainingS(&bench, route, travelledM: 0, atS: seven + offsetS)
      #expect(abs(restS - route.durations.latestS) < 0.1, "\(offsetS)")
    }
  }

  @Test func `a lone car is on no car-pool road in its hours, TR-10, RT-6, RT-21`() throws {
    let pooled = "hov:conditional=designated @ (Mo-Fr 07:00-09:00)"
    let seven = RouterRulesTests.morning.seconds - 3600
    for (offsetS, name) in [
      (-1200.0, "High Street"), (-300, "Long Lane"), (600, "Long Lane"),
      (7200 - 470, "High Street"), (7200, "High Street"),
    ] {
      var bench = Bench(try Self.country(["cd": pooled]))
      let route = try Route(wire: bench.route("ad", atS: seven + offsetS))
      #expect(Self.names(route) == [name], "\(offsetS)")
      #expect(route.violations.isEmpty)
      var request = RouteRequest(
        waypoints: try "ad".map { Waypoint(place: try bench.map.coordinate($0)) })
      request.isCarPool = true
      request.departure = Instant(seconds: seven + offsetS)
      let outcome = try bench.call(
        "route/calculate", request.wire.encoded(), atS: seven + offsetS)
      guard case .ok(let payload) = outcome else {
        Issue.record("no route for a car pool at \(offsetS)")
        continue
      }
      let pool = try RouteCalculateReply(decoding: payload).routes.map { try Route(wire: $0) }
      #expect(pool.first.map(Self.names) == ["High Street"], "\(offsetS)")
    }
    // Where the trip begins on such a road in its hours, it says so, also if it should avoid them.
    for avoid in [[], [.carPool]] as [Set<Avoidance>] {
      var bench = Bench(try Self.country(["cd": pooled]))
      var request = RouteRequest(
        waypoints: try "da".map { Waypoint(place: try bench.map.coordinate($0)) })
      request.avoid = avoid
      let atS = seven + 7200 - 300
      request.departure = Instant(seconds: atS)
      request.waypoints[0].place = try bench.map.coordinate("d").moved(
        bearingDeg: 270, distanceM: 900)
      let outcome = try bench.call("route/calculate", request.wire.encoded(), atS: atS)
      guard case .ok(let payload) = outcome else {
        Issue.record("no route from a car-pool road")
        continue
      }
      let route = try RouteCalculateReply(decoding: payload).routes.map { try Route(wire: $0) }
      #expect(route.first?.violations.map(\.kind) == [.carPool])
    }
  }

  @Test func `limits and forbidden turns are judged when one is there, TR-10, RT-21`() throws {
    let seven = RouterRulesTests.morning.seconds - 3600
    var slow = Bench(
      try Self.country(["cd": "maxspeed:conditional=10 @ (Mo-Fr 07:00-09:00)"]))
    #expect(try Self.names(Route(wire: slow.route("ad", atS: seven - 1200))) == ["High Street"])
    #expect(try Self.names(Route(wire: slow.route("ad", atS: seven - 300))) == ["Long Lane"])
    let map = try DrawnMap(
      """
      x--b--y
         |
         c
      """,
      ways: ["xb": "highway=secondary", "by": "highway=secondary", "bc": "highway=secondary"],
      nodes: ["y": "highway=turning_circle"],
      restrictions: ["xb b bc": "restriction:conditional=no_right_turn @ (Mo-Fr 07:00-09:00)"],
      cell: 1000)
    var bench = Bench(map)
    func lengthM(_ atS: Double) throws -> Double { try bench.route("xc", atS: atS).lengthM }
    #expect(try lengthM(seven - 600) < 6000)
    #expect(try lengthM(seven - 60) > 9000)
    #expect(try lengthM(seven + 7200 - 60) < 6000)
    #expect(try lengthM(seven + 7200 - 600) > 9000)
  }
}
