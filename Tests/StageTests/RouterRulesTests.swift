import DrawnMaps
import EventTime
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
      let asker = Worker {
        isAsking.open()
        let view = shared.at(Self.morning)
        other.withLock { $0 = view }
      }
      try isAsking.pass()
      let view = shared.at(Self.morning)
      try asker.join()
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

  @Test func `a waypoint beyond the map is told as missing data, OF-1`() throws {
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
