import DrawnMaps
import ExternalRouting
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

/// The way back to a route: what of the old shape is kept, and whose engine finds it.
@Suite struct RouterReturnTests {
  /// Who went on to e gets to d by Low Street alone, or at f back to High Street: as far, but a turn more.
  private static func streets() throws -> DrawnMap {
    try DrawnMap(
      """
      a---b---c---d---h---i
          |   |   |
          |   |   |
          e---f---g
      """,
      ways: [
        "abcdhi": "highway=secondary name=High Street maxspeed=50",
        "be": "highway=secondary name=Link maxspeed=50",
        "cf": "highway=secondary name=Lane maxspeed=50",
        "efg": "highway=secondary name=Low Street maxspeed=50",
        "gd": "highway=secondary name=Low Street maxspeed=50",
      ], cell: 200)
  }

  private static func back(
    _ bench: inout some RouterBench, to old: Route, at place: Coordinate, bearingDeg: Double,
    travelledM: Double = 0, strategy: RouteReturnRequest.Strategy = .nextStop
  ) throws -> (reply: RouteReturnReply, route: Route) {
    let ask = RouteReturnRequest(
      handle: old.handle, latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg,
      bearingDeg: bearingDeg, speedMps: 20, section: 0, travelledOnSectionM: travelledM,
      strategy: strategy)
    switch try bench.call("route/return", ask.encoded(), atS: 150) {
    case .ok(let payload):
      let reply = try RouteReturnReply(decoding: payload)
      return (reply, try Route(wire: reply.route))
    case .failed(let error): throw error
    }
  }

  private static func names(_ route: Route) -> [String] {
    route.spans.map(\.road.name).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// A route from a by places to i, left between a and b, and what is then known of traffic on it.
  ///
  /// By High Street one needs some 20 s more than by Lane and Low Street, which is less than a tenth of the whole.
  private static func left(
    _ map: DrawnMap, by places: [Waypoint], speedMmps: Int64 = 4500
  ) throws -> (bench: RouterStageTests.Bench, old: Route) {
    var bench = RouterStageTests.Bench(map)
    let request = RouteRequest(
      waypoints: [Waypoint(place: try map.coordinate("a"))] + places
        + [Waypoint(place: try map.coordinate("i"))])
    guard case .ok(let payload) = try bench.call("route/calculate", request.wire.encoded()) else {
      throw CallError(code: "internal", message: "no route")
    }
    let old = try Route(wire: try #require(try RouteCalculateReply(decoding: payload).routes.first))
    try bench.jam("cd", speedMmps: speedMmps, jam: 60, observedS: 140)
    return (bench, old)
  }

  @Test(arguments: [RouteReturnRequest.Strategy.nextStop, .nextWaypoint])
  func `the old shape is kept beyond stops and places that one drives by, RT-13`(
    strategy: RouteReturnRequest.Strategy
  ) throws {
    let map = try Self.streets()
    let places = [
      Waypoint(place: try map.coordinate("b", "c", 0.3), kind: .passThrough),
      Waypoint(place: try map.coordinate("b", "c", 0.8)),
      Waypoint(place: try map.coordinate("h", "i", 0.4), kind: .passThrough),
    ]
    var (bench, old) = try Self.left(map, by: places)
    let back = try Self.back(
      &bench, to: old, at: try Self.place(map), bearingDeg: 0, travelledM: 500, strategy: strategy)
    #expect(Self.names(back.route) == ["Link", "High Street"])
    #expect(back.reply.rejoinsShapeIndex != nil)
    let kinds = back.route.waypoints.map(\.original.kind)
    let wanted: [Waypoint.Kind] = [.stopover, .passThrough, .stopover, .passThrough, .stopover]
    // To the next stop one need not go by what lies before it.
    #expect(kinds == (strategy == .nextStop ? [.stopover] + wanted.dropFirst(2) : wanted))
    #expect(back.route.sections.count == 2)
    // From where they meet the shapes are the same, and what lies on them lies where it lay.
    #expect(back.route.shape.suffix(4) == old.shape.suffix(4))
    for (own, other) in zip(back.route.waypoints.reversed(), old.waypoints.reversed()).prefix(3) {
      #expect(own.segment == other.segment)
      #expect(abs((own.segmentOffsetM ?? -1) - (other.segmentOffsetM ?? -2)) < 0.5)
      let leftM = (back.route.lengthM - own.offsetM, old.lengthM - other.offsetM)
      #expect(abs(leftM.0 - leftM.1) < 0.5)
    }
    // Unless it takes much longer.
    var (other, same) = try Self.left(map, by: places, speedMmps: 2000)
    let fresh = try Self.back(
      &other, to: same, at: try Self.place(map), bearingDeg: 0, travelledM: 500, strategy: strategy)
    #expect(
      Self.names(fresh.route) == ["Link", "High Street", "Lane", "Low Street", "High Street"])
  }

  @Test func `what one drove by already is not led to again, RT-13`() throws {
    let map = try Self.streets()
    var (bench, old) = try Self.left(
      map, by: [Waypoint(place: try map.coordinate("a", "b", 0.5), kind: .passThrough)],
      speedMmps: 13_000)
    let back = try Self.back(
      &bench, to: old, at: try Self.place(map), bearingDeg: 0, travelledM: 500,
      strategy: .nextWaypoint)
    #expect(back.route.waypoints.count == 2)
    #expect(Self.names(back.route) == ["Link", "High Street"])
  }

  // MARK: Other engines

  /// A Valhalla that gives one answer after the other: lines of places, or nothing.
  private static func server(_ lines: [[Coordinate]?]) -> EngineFetch {
    let left = Mutex(lines)
    return { (_, _) throws(EngineFailure) in
      let line = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      guard let line else { throw EngineFailure("refused") }
      let shape = EncodedPolyline.encode(line).replacing("\\", with: "\\\\")
      return (
        200, Array("{\"trip\":{\"legs\":[{\"shape\":\"\(shape)\"}],\"status\":0}}".utf8)
      )
    }
  }

  private static func setting(_ connectivity: Connectivity) -> ExternalEngineSettings {
    ExternalEngineSettings(kind: .valhalla, url: "http://drawn:8002", connectivity: connectivity)
  }

  /// On Link, on the way to b.
  private static func place(_ map: DrawnMap) throws -> Coordinate {
    try map.coordinate("e", "b", 0.5)
  }

  private static func line(_ map: DrawnMap, _ letters: String) throws -> [Coordinate] {
    try letters.map { try map.coordinate($0) }
  }

  private static func left(_ bench: inout EngineBench) throws -> Route {
    try Route(wire: try #require(try bench.route("ad").routes.first))
  }

  @Test func `the way back comes from the engine of the route, and is named, RT-13 RT-15`() throws {
    let map = try Self.streets()
    let place = try Self.place(map)
    // The server goes by Low Street, which the built-in engine would not.
    var bench = EngineBench(
      map, Self.setting(.online),
      Self.server([
        try Self.line(map, "abcd"), [place] + (try Self.line(map, "efgd")),
      ]))
    let old = try Self.left(&bench)
    let back = try Self.back(&bench, to: old, at: place, bearingDeg: 180)
    #expect(back.reply.engine == "http://drawn:8002" && back.reply.fellBack == nil)
    #expect(Self.names(back.route) == ["Link", "Low Street"])
    #expect(bench.shared.outside.counts.calls == 2)
  }

  @Test func `from where the server's way meets the old shape that is kept, RT-13 RT-15`() throws {
    let map = try Self.streets()
    let place = try Self.place(map)
    let way = [place] + (try Self.line(map, "bcfgd"))
    func back(_ change: (inout EngineBench) throws -> Void = { _ in }) throws -> Route {
      var bench = EngineBench(
        map, Self.setting(.online), Self.server([try Self.line(map, "abcd"), way]))
      let old = try Self.left(&bench)
      try change(&bench)
      let back = try Self.back(&bench, to: old, at: place, bearingDeg: 0)
      #expect(back.reply.engine == "http://drawn:8002")
      return back.route
    }
    let kept = try back()
    #expect(Self.names(kept) == ["Link", "High Street"])
    #expect(abs(kept.lengthM - 2 * 800 - 300) < 30, "\(kept.lengthM)")
    // Unless that takes too long.
    let fresh = try back { try $0.jam("cd", speedMmps: 1000, jam: 80, observedS: 140) }
    #expect(Self.names(fresh) == ["Link", "High Street", "Lane", "Low Street"])
  }

  @Test func `hybrid falls back on the way back and says so, online does not, RT-15`() throws {
    let map = try Self.streets()
    let place = try Self.place(map)
    var hybrid = EngineBench(
      map, Self.setting(.hybrid), Self.server([try Self.line(map, "abcd")]))
    let back = try Self.back(&hybrid, to: try Self.left(&hybrid), at: place, bearingDeg: 0)
    #expect(back.reply.engine == "offline")
    #expect(back.reply.fellBack?.contains("refused") == true)
    #expect(Self.names(back.route) == ["Link", "High Street"])
    var online = EngineBench(
      map, Self.setting(.online), Self.server([try Self.line(map, "abcd")]))
    let old = try Self.left(&online)
    #expect {
      _ = try Self.back(&online, to: old, at: place, bearingDeg: 0)
    } throws: { error in
      (error as? CallError)?.code == "engine_unavailable"
    }
    // And who chose the built-in engine for the route has it for the way back.
    var own = EngineBench(map, Self.setting(.online), Self.server([]))
    let offline = try #require(
      try own.route("ad", { $0.connectivity = .offline }).routes.first)
    let again = try Self.back(&own, to: try Route(wire: offline), at: place, bearingDeg: 0)
    #expect(again.reply.engine == "offline" && again.reply.fellBack == nil)
    #expect(own.shared.outside.counts.calls == 0)
  }
}

/// A router that is called.
protocol RouterBench {
  mutating func call(_ name: String, _ payload: [UInt8], atS: Double) throws -> EncodedOutcome
}

extension RouterStageTests.Bench: RouterBench {}
extension EngineBench: RouterBench {
  mutating func jam(_ letters: String, speedMmps: Int64, jam: Int64, observedS: Double) throws {
    try inner.jam(letters, speedMmps: speedMmps, jam: jam, observedS: observedS)
  }
}
