import DrawnMaps
import Foundations
import Geodesy
import Messages
import RoadGraph
import Route
import RouteWire
import Stage
import Testing

@testable import ExternalRouting
@testable import RouterStage

@Suite struct RouteImportTests {
  static func bench() throws -> EngineBench {
    EngineBench(try RouterStageTests.town(), ExternalEngineSettings())
  }

  static func imported(
    _ bench: inout EngineBench, _ change: (inout RouteImportRequest) -> Void
  ) throws -> (route: Route, reply: RouteImportReply) {
    var request = RouteImportRequest(segments: [], mode: .car, language: "en-US")
    change(&request)
    switch try bench.call("route/import", request.encoded()) {
    case .ok(let payload):
      let reply = try RouteImportReply(decoding: payload)
      return (try Route(wire: reply.route), reply)
    case .failed(let error): throw error
    }
  }

  static func names(_ route: Route) -> [String] {
    var names: [String] = []
    for span in route.spans where names.last != span.road.name { names.append(span.road.name) }
    return names
  }

  static func gpx(_ places: [Coordinate], timed: Bool) -> String {
    let points = places.enumerated().map { index, place in
      let time = timed ? "<time>2026-01-01T00:0\(index / 6):\(index % 6)0Z</time>" : ""
      return "<trkpt lat=\"\(place.latitudeDeg)\" lon=\"\(place.longitudeDeg)\">\(time)</trkpt>"
    }.joined()
    return "<gpx version=\"1.1\"><trk><trkseg>\(points)</trkseg></trk></gpx>"
  }

  @Test(arguments: [true, false])
  func `a track becomes a route on the map, RT-14`(timed: Bool) throws {
    var bench = try Self.bench()
    let map = bench.map
    let places = try [
      ("a", "e", 0.1), ("e", "f", 0.1), ("e", "f", 0.4), ("e", "f", 0.8), ("f", "d", 0.5),
    ]
    .map {
      try map.coordinate(Character($0.0), Character($0.1), $0.2).moved(bearingDeg: 45, distanceM: 4)
    }
    let (route, reply) = try Self.imported(&bench) { $0.gpx = Self.gpx(places, timed: timed) }
    #expect(Self.names(route) == ["Long Lane"])
    #expect(reply.matchedShare == 1 && reply.gapM == 0)
    #expect(route.maneuvers.first?.action == .depart && route.maneuvers.last?.action == .arrive)
    #expect(route.handle != nil)
  }

  @Test func `a line becomes a route, and one that is elsewhere is none, RT-14`() throws {
    var bench = try Self.bench()
    let map = bench.map
    let line = EncodedPolyline.encode(try "aefd".map { try map.coordinate($0) })
    let (route, _) = try Self.imported(&bench) { $0.line = line }
    #expect(Self.names(route) == ["Long Lane"] && abs(route.lengthM - 1300) < 15)
    let away = EncodedPolyline.encode([
      Coordinate(latitudeDeg: 10, longitudeDeg: 10),
      Coordinate(latitudeDeg: 10.01, longitudeDeg: 10),
    ])
    #expect {
      _ = try Self.imported(&bench) { $0.line = away }
    } throws: { ($0 as? CallError)?.code == "no_map_data" }
  }

  @Test func `pieces of road become a route, and what lacks is filled, RT-14`() throws {
    var bench = try Self.bench()
    let map = bench.map
    let pieces = try map.edges("abcd").map { map.graph.reference($0).wire }
    let (whole, all) = try Self.imported(&bench) { $0.segments = pieces }
    #expect(abs(whole.lengthM - 900) < 10 && all.gapM == 0)
    var torn = pieces
    torn[1] = SegmentReference(way: 5, from: 6, to: 7).wire
    let (filled, reply) = try Self.imported(&bench) { $0.segments = torn }
    #expect(filled.segments.map(\.reference) == whole.segments.map(\.reference))
    #expect(abs(reply.gapM - map.graph.lengthM(try map.edges("abcd")[1])) < 1)
    #expect(reply.matchedShare < 1)
  }

  @Test(arguments: [
    "overview=full", "steps=true", "overview=full&geometries=geojson",
    "overview=full&geometries=polyline6",
  ])
  func `an answer of OSRM becomes a route, RT-14`(options: String) throws {
    var bench = try Self.bench()
    let ends = try "ad".map { try bench.map.coordinate($0) }
      .map { "\($0.longitudeDeg),\($0.latitudeDeg)" }.joined(separator: ";")
    let (_, answer) = try RouterEngineTests.osrm()("/route/v1/driving/\(ends)?\(options)", nil)
    let (route, _) = try Self.imported(&bench) { $0.osrm = String(decoding: answer, as: UTF8.self) }
    #expect(Self.names(route) == ["Long Lane"])
  }

  @Test func `an answer of Valhalla becomes a route, RT-14`() throws {
    var bench = try Self.bench()
    let answer = try RouterEngineTests.valhalla(bench.map, "aefd")
    let (route, _) = try Self.imported(&bench) {
      $0.valhalla = String(decoding: answer, as: UTF8.self)
    }
    #expect(Self.names(route) == ["Long Lane"])
  }

  @Test func `what cannot be read is named by its place, RT-14`() throws {
    var bench = try Self.bench()
    let cases: [((inout RouteImportRequest) -> Void, String)] = [
      ({ _ in }, "Set exactly one"),
      (
        {
          $0.gpx = "<gpx>"
          $0.line = "_"
        }, "Set exactly one"
      ),
      ({ $0.gpx = "<gpx><trk>" }, "gpx: line"),
      ({ $0.line = "\u{1}" }, "line"),
      (
        { $0.osrm = "{\"code\":\"Ok\",\"routes\":[{\"legs\":[{\"steps\":7}]}]}" },
        "osrm: answer.routes[0]"
      ),
      (
        { $0.valhalla = "{\"trip\":{\"legs\":[{}]}}" },
        "valhalla: answer.trip.legs[0].shape is missing"
      ),
    ]
    for (change, words) in cases {
      #expect {
        _ = try Self.imported(&bench, change)
      } throws: { error in
        guard let error = error as? CallError else { return false }
        return error.code == "invalid" && error.message.contains(words)
      }
    }
  }

  @Test func `an imported route is refreshed like any other, RT-14 RT-16`() throws {
    var bench = try Self.bench()
    let map = bench.map
    let line = EncodedPolyline.encode(try "aefd".map { try map.coordinate($0) })
    let (route, _) = try Self.imported(&bench) { $0.line = line }
    let refresh = RouteRefreshRequest(
      handle: try #require(route.handle), section: 0, travelledOnSectionM: 300, better: true)
    guard case .ok(let payload) = try bench.call("route/refresh", refresh.encoded()) else {
      throw CallError(code: "internal", message: "no refresh")
    }
    let reply = try RouteRefreshReply(decoding: payload)
    #expect(abs(try Route(wire: reply.route).lengthM - (route.lengthM - 300)) < 2)
  }

  // MARK: A replaced map

  /// The town with its ways numbered anew, and cut at b and c where the old one was not.
  static func remade() throws -> RouterStage {
    let ways: KeyValuePairs<String, String> = [
      "aefd": "highway=secondary name=Long Lane maxspeed=50",
      "ab": "highway=secondary name=High Street maxspeed=50",
      "bcd": "highway=secondary name=High Street maxspeed=50",
    ]
    let map = try DrawnMap(
      """
      a--b--c--d
      |        |
      e--------f
      """, ways: ways, cell: 100)
    return RouterStage(vehicle: "ego", shared: RouterShared(graph: map.graph))
  }

  static func refreshed(_ stage: inout RouterStage, handle: String) throws -> EncodedOutcome {
    let call = EncodedCall(
      id: "r", name: "route/refresh", stamp: Instant(seconds: 200),
      payload: RouteRefreshRequest(
        handle: handle, section: 0, travelledOnSectionM: 100, better: false
      ).encoded())
    guard case .work(_, let body)? = try stage.receive(.call(call)).last else {
      throw CallError(code: "internal", message: "no work")
    }
    for case .reply(_, let outcome) in body() { return outcome }
    throw CallError(code: "internal", message: "no reply")
  }

  @Test func `a handle is matched anew on a replaced map, RT-16 OF-2`() throws {
    var bench = try Self.bench()
    let line = EncodedPolyline.encode(try "aefd".map { try bench.map.coordinate($0) })
    let (route, _) = try Self.imported(&bench) { $0.line = line }
    let state = try #require(bench.stage.savedState)
    var stage = try Self.remade()
    try stage.restore(state)
    guard case .ok(let payload) = try Self.refreshed(&stage, handle: try #require(route.handle))
    else { throw CallError(code: "internal", message: "outdated") }
    let again = try Route(wire: try RouteRefreshReply(decoding: payload).route)
    #expect(abs(again.lengthM - (route.lengthM - 100)) < 5)
    #expect(Set(again.spans.map(\.road.name)) == ["Long Lane"])
  }

  @Test func `where its way is gone a handle is outdated, RT-16`() throws {
    var bench = try Self.bench()
    let line = EncodedPolyline.encode(try "aefd".map { try bench.map.coordinate($0) })
    let (route, _) = try Self.imported(&bench) { $0.line = line }
    let state = try #require(bench.stage.savedState)
    let elsewhere = try DrawnMap(
      "a--b", origin: Coordinate(latitudeDeg: 10, longitudeDeg: 10))
    var stage = RouterStage(vehicle: "ego", shared: RouterShared(graph: elsewhere.graph))
    try stage.restore(state)
    guard case .failed(let error) = try Self.refreshed(&stage, handle: try #require(route.handle))
    else { throw CallError(code: "internal", message: "not outdated") }
    #expect(error.code == "route_handle_outdated")
  }

  @Test func `all handles of a restart are kept that the state has room for, RT-16`() throws {
    var bench = try Self.bench()
    let line = EncodedPolyline.encode(try "aefd".map { try bench.map.coordinate($0) })
    var handles: [String] = []
    for _ in 0..<20 {
      handles.append(try #require(try Self.imported(&bench) { $0.line = line }.route.handle))
    }
    let state = try #require(bench.stage.savedState)
    var stage = RouterStage(vehicle: "ego", shared: bench.shared)
    try stage.restore(state)
    for handle in handles {
      guard case .ok = try Self.refreshed(&stage, handle: handle) else {
        throw CallError(code: "internal", message: "\(handle) is lost")
      }
    }
  }

  @Test func `a way that is too long is refused before it is laid out, RT-14`() throws {
    var bench = try Self.bench()
    let far = (0..<2_000).map {
      Coordinate(latitudeDeg: $0.isMultiple(of: 2) ? 0 : 1, longitudeDeg: 0)
    }
    #expect(TraceMapper.fixCount(along: far, spacingM: 40) > TraceMapper.mostFixes)
    let error = #expect(throws: CallError.self) {
      try Self.imported(&bench) { $0.line = EncodedPolyline.encode(far) }
    }
    #expect(error?.message.contains("too long to be matched") == true)
    let near = try "ad".map { try bench.map.coordinate($0) }
    #expect(
      TraceMapper.fixCount(along: near, spacingM: 40)
        == TraceMapper.fixes(along: near, mode: .car, spacingM: 40).count)
  }

  @Test func `what an import needs is of its moment and leaves other hours alone, RT-8 RT-14`()
    throws
  {
    let map = try DrawnMap(
      """
      a--b--c--d
      |        |
      e--------f
      """,
      ways: [
        "ab": "highway=secondary", "cd": "highway=secondary",
        "bc": "highway=secondary motor_vehicle:conditional=no @ (Mo-Fr 07:00-09:00)",
        "aefd": "highway=secondary",
      ], cell: 100)
    var bench = EngineBench(map, ExternalEngineSettings())
    var request = RouteImportRequest(segments: [], mode: .car, language: "en-US")
    request.line = EncodedPolyline.encode(try "aef".map { try map.coordinate($0) })
    let morningS = RouterRulesTests.morning.seconds
    guard case .ok = try bench.call("route/import", request.encoded(), atS: morningS) else {
      throw CallError(code: "internal", message: "no import")
    }
    let later = try bench.route("ad", atS: RouterRulesTests.later.seconds)
    #expect(try Route(wire: try #require(later.routes.first)).lengthM < 1000)
    let morning = try bench.route("ad", atS: morningS)
    #expect(try Route(wire: try #require(morning.routes.first)).lengthM > 1200)
  }
}
