import DrawnMaps
import Foundations
import Geodesy
import Messages
import RoadGraph
import Route
import RouteWire
import Stage
import Synchronization
import Testing

@testable import RouterStage

/// What holds at times only, on routes at those times.
@Suite struct RouterRulesTests {
  /// Monday, 5 January 2026, 08:00 by the clocks of the drawn maps' meridian, and two hours later.
  static let morning = Instant(seconds: 1_767_607_200)
  static let later = Instant(seconds: 1_767_614_400)

  private func lengthM(
    _ map: DrawnMap, _ letters: String, at departure: Instant, mode: TravelMode = .car
  ) throws -> Double {
    var bench = RouterStageTests.Bench(map)
    var request = RouteRequest(
      waypoints: try letters.map { Waypoint(place: try map.coordinate($0)) }, mode: mode)
    request.departure = departure
    guard case .ok(let payload) = try bench.call("route/calculate", request.wire.encoded()) else {
      throw CallError(code: "internal", message: "no route")
    }
    return try #require(try RouteCalculateReply(decoding: payload).routes.first).lengthM
  }

  private static let drawing = """
    a--b--c--d
    |        |
    e--------f
    """

  @Test func `a road closed at an hour is gone around at that hour alone, RT-4, RT-8`() throws {
    let map = try DrawnMap(
      Self.drawing,
      ways: [
        "ab": "highway=secondary", "cd": "highway=secondary",
        "bc": "highway=secondary motor_vehicle:conditional=no @ (Mo-Fr 07:00-09:00)",
        "aefd": "highway=secondary",
      ])
    #expect(try lengthM(map, "ad", at: Self.later) < 1000)
    #expect(try lengthM(map, "ad", at: Self.morning) > 1200)
    // A bicycle is no motor vehicle.
    #expect(try lengthM(map, "ad", at: Self.morning, mode: .bicycle) < 1000)
  }

  @Test func `once the departure is past, the rules of now hold, RT-4, RT-13`() throws {
    let map = try DrawnMap(
      """
      x--a--b--c--d
         |        |
         e--------f
      """,
      ways: [
        "xab": "highway=secondary", "cd": "highway=secondary",
        "bc": "highway=secondary motor_vehicle:conditional=no @ (Mo-Fr 07:00-09:00)",
        "aefd": "highway=secondary",
      ])
    var bench = RouterStageTests.Bench(map)
    var request = RouteRequest(
      waypoints: try "xd".map { Waypoint(place: try map.coordinate($0)) })
    request.departure = Self.morning
    func route(at now: Instant) throws -> WireRoute {
      let outcome = try bench.call(
        "route/calculate", request.wire.encoded(), atS: now.seconds)
      guard case .ok(let payload) = outcome else {
        throw CallError(code: "internal", message: "no route")
      }
      return try #require(try RouteCalculateReply(decoding: payload).routes.first)
    }
    let early = try route(at: Self.morning.advanced(bySeconds: -60))
    #expect(early.lengthM > 1500)
    #expect(try route(at: Self.later).lengthM < 1300)
    var ask = RouteRefreshRequest(handle: try #require(early.handle))
    ask.better = true
    let outcome = try bench.call("route/refresh", ask.encoded(), atS: Self.later.seconds)
    guard case .ok(let payload) = outcome else {
      throw CallError(code: "internal", message: "no answer")
    }
    #expect(try #require(try RouteRefreshReply(decoding: payload).better).lengthM < 1300)
  }

  @Test func `all who ask at once for the map of an hour get the same, RT-4`() throws {
    let map = try DrawnMap(
      Self.drawing,
      ways: [
        "abcd": "highway=secondary motor_vehicle:conditional=no @ (Mo-Fr 07:00-09:00)",
        "aefd": "highway=secondary",
      ])
    for _ in 0..<200 {
      let shared = RouterShared(graph: map.graph)
      let isAsking = Gate()
      let other = Mutex<RouterShared?>(nil)
      let requester = TestThread {
        isAsking.open()
        let view = shared.at(Self.morning)
        other.withLock { $0 = view }
      }
      try isAsking.pass()
      let view = shared.at(Self.morning)
      try requester.join()
      #expect(view !== shared)
      let isSame = other.withLock { $0 } === view
      try #require(isSame)
    }
  }

  @Test func `a turn forbidden at an hour is not taken at that hour, RT-4, RT-8`() throws {
    let map = try DrawnMap(
      """
      x--b--y
         |
         c
      """,
      ways: ["xb": "highway=secondary", "by": "highway=secondary", "bc": "highway=secondary"],
      nodes: ["y": "highway=turning_circle"],
      restrictions: ["xb b bc": "restriction:conditional=no_right_turn @ (Mo-Fr 07:00-09:00)"])
    #expect(try lengthM(map, "xc", at: Self.later) < 600)
    // By the turning circle at y.
    #expect(try lengthM(map, "xc", at: Self.morning) > 900)
  }

  @Test func `a reversible road leads the way that the hour says, RT-8`() throws {
    let map = try DrawnMap(
      Self.drawing,
      ways: [
        "ab": "highway=secondary", "cd": "highway=secondary",
        "bc":
          "highway=secondary oneway=reversible oneway:conditional=yes @ (07:00-09:00); -1 @ (09:00-20:00)",
        "aefd": "highway=secondary",
      ])
    #expect(try lengthM(map, "ad", at: Self.morning) < 1000)
    #expect(try lengthM(map, "da", at: Self.morning) > 1200)
    #expect(try lengthM(map, "ad", at: Self.later) > 1200)
    #expect(try lengthM(map, "da", at: Self.later) < 1000)
  }

  /// A street that is the only one from b to c, closed in the morning.
  private static func onlyStreet(_ tags: String) throws -> DrawnMap {
    try DrawnMap(
      "a--b--c--d",
      ways: [
        "ab": "highway=secondary", "cd": "highway=secondary",
        "bc": "highway=secondary name=Bridge \(tags)",
      ])
  }

  private func outcome(
    _ bench: inout RouterStageTests.Bench, at departure: Instant, _ mode: TravelMode = .car
  ) throws -> Result<Route, CallError> {
    var request = RouteRequest(
      waypoints: try "ad".map { Waypoint(place: try bench.map.coordinate($0)) }, mode: mode)
    request.departure = departure
    // At the departure, so that handles are still leased then.
    switch try bench.call("route/calculate", request.wire.encoded(), atS: departure.seconds) {
    case .ok(let payload):
      let reply = try RouteCalculateReply(decoding: payload)
      return .success(try Route(wire: try #require(reply.routes.first)))
    case .failed(let error): return .failure(error)
    }
  }

  @Test(arguments: [
    "motor_vehicle:conditional=no @ (Mo-Fr 07:00-09:00)",
    "motor_vehicle=no motor_vehicle:conditional=yes @ (Mo-Fr 09:00-18:00)",
  ])
  func `the only street, closed at the departure, is a violation, RT-7, RT-8`(tags: String) throws {
    var bench = RouterStageTests.Bench(try Self.onlyStreet(tags))
    let open = try outcome(&bench, at: Self.later).get()
    #expect(open.violations.isEmpty)
    let closed = try outcome(&bench, at: Self.morning).get()
    #expect(closed.segments.map(\.reference) == open.segments.map(\.reference))
    #expect(closed.violations.map(\.kind) == [.blockedRoad])
    let spans = try #require(closed.violations.first).spans
    let lengthM = spans.reduce(0) { $0 + closed.spans[$1].lengthM }
    #expect(abs(lengthM - closed.lengthM / 3) < 10)
    #expect(abs(closed.durations.latestS - open.durations.latestS) < 1)
    // Its price is that of the same way, and so is that of its rest.
    let ask = RouteTrafficRequest(handle: try #require(closed.handle))
    guard
      case .ok(let payload) = try bench.call(
        "route/traffic", ask.encoded(), atS: Self.morning.seconds)
    else { throw CallError(code: "internal", message: "no price") }
    let price = try RouteTrafficReply(decoding: payload).body
    #expect(abs(price.durationLatestS - closed.durations.latestS) < 1)
    let refresh = RouteRefreshRequest(
      handle: try #require(closed.handle), travelledOnSectionM: 100, better: true)
    guard
      case .ok(let refreshed) = try bench.call(
        "route/refresh", refresh.encoded(), atS: Self.morning.seconds)
    else { throw CallError(code: "internal", message: "no refresh") }
    let reply = try RouteRefreshReply(decoding: refreshed)
    for rest in [reply.route, try #require(reply.better)] {
      #expect(try Route(wire: rest).violations.map(\.kind) == [.blockedRoad])
      #expect(abs(rest.lengthM - (closed.lengthM - 100)) < 10)
    }
  }

  @Test func `the only street, for car pools in its hours, is a violation, RT-6, RT-7`() throws {
    for tags in [
      "hov:conditional=designated @ (Mo-Fr 07:00-09:00)",
      "hov=designated hov:conditional=no @ (Mo-Fr 09:00-18:00)",
    ] {
      var bench = RouterStageTests.Bench(try Self.onlyStreet(tags))
      let later = try outcome(&bench, at: Self.later).get()
      #expect(later.violations.isEmpty, "\(tags)")
      let morning = try outcome(&bench, at: Self.morning).get()
      #expect(morning.segments.map(\.reference) == later.segments.map(\.reference))
      #expect(morning.violations.map(\.kind) == [.carPool], "\(tags)")
      #expect(morning.violations.first?.spans.isEmpty == false)
    }
  }

  @Test func `a street closed whatever the time is none, RT-8`() throws {
    for tags in [
      "motor_vehicle=no", "motor_vehicle=no bicycle:conditional=yes @ (Mo-Fr 09:00-18:00)",
      "motor_vehicle=no motor_vehicle:conditional=yes @ (weight>50)",
      "motor_vehicle=no motor_vehicle:conditional=yes @ permit_holder",
      // Nobody drives against a road that leads the other way now.
      "oneway=reversible oneway:conditional=-1 @ (07:00-09:00); yes @ (09:00-20:00)",
    ] {
      var bench = RouterStageTests.Bench(try Self.onlyStreet(tags))
      guard case .failure(let error) = try outcome(&bench, at: Self.morning) else {
        Issue.record("a route over \(tags)")
        continue
      }
      #expect(error.code == "no_route_found", "\(tags)")
    }
  }

  @Test func `how far off the map decides what is said of a far waypoint, RT-12, OF-1`() throws {
    let map = try RouterStageTests.town()
    var bench = RouterStageTests.Bench(map)
    let (a, d) = (try map.coordinate("a"), try map.coordinate("d"))
    func code(_ places: [Coordinate]) throws -> String {
      let request = RouteRequest(waypoints: places.map { Waypoint(place: $0) })
      guard case .failed(let error) = try bench.call("route/calculate", request.wire.encoded())
      else { return "a route" }
      return error.code
    }
    // Within 20 km of the map's roads there is no road, as far as it knows; beyond, it knows nothing.
    let near = d.moved(bearingDeg: 90, distanceM: 15_000)
    let far = d.moved(bearingDeg: 90, distanceM: 25_000)
    #expect(try code([a, near]) == "could_not_match_destination")
    #expect(try code([a, d, near, a]) == "could_not_match_destination")
    #expect(try code([near, a]) == "could_not_match_origin")
    #expect(try code([a, far]) == "no_map_data")
    #expect(try code([far, a]) == "no_map_data")
  }

  @Test func `a waypoint beyond the map is reported as missing data, OF-1`() throws {
    let map = try RouterStageTests.town()
    var bench = RouterStageTests.Bench(map)
    let far = Coordinate(latitudeDeg: 10, longitudeDeg: 10)
    for places in [[try map.coordinate("a"), far], [far, try map.coordinate("a")]] {
      let request = RouteRequest(waypoints: places.map { Waypoint(place: $0) })
      guard case .failed(let error) = try bench.call("route/calculate", request.wire.encoded())
      else {
        Issue.record("a route without a map")
        continue
      }
      #expect(error.code == "no_map_data")
    }
    // And the router goes on.
    #expect(try bench.route("ad").lengthM > 0)
  }
}
