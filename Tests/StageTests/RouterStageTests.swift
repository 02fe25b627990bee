import DrawnMaps
import Foundations
import Geodesy
import Messages
import RoadGraph
import Route
import RouteWire
import Stage
import Testing

@testable import RouterStage

@Suite struct RouterStageTests {
  /// Two ways from a to d: the short one over b, c, and a long one over e, f.
  static func town() throws -> DrawnMap {
    try DrawnMap(
      """
      a--b--c--d
      |        |
      e--------f
      """,
      ways: [
        "ab": "highway=secondary name=High Street maxspeed=50",
        "bc": "highway=secondary name=High Street maxspeed=50",
        "cd": "highway=secondary name=High Street maxspeed=50",
        "aefd": "highway=secondary name=Long Lane maxspeed=50",
      ], cell: 100)
  }

  struct Bench {
    var map: DrawnMap
    var stage: RouterStage
    private var calls = 0

    init(_ map: DrawnMap, _ shared: RouterShared? = nil) {
      self.map = map
      stage = RouterStage(vehicle: "ego", shared: shared ?? RouterShared(graph: map.graph))
    }

    /// The end of a call, whose work is done at once.
    mutating func call(
      _ name: String, _ payload: [UInt8], atS: Double = 100
    ) throws -> EncodedOutcome {
      calls += 1
      let request = EncodedCall(
        id: "c\(calls)", name: name, stamp: Instant(seconds: atS), payload: payload)
      for output in try stage.receive(.call(request)) {
        switch output {
        case .work(_, let body):
          for case .reply(_, let outcome) in body() { return outcome }
        case .reply(_, let outcome): return outcome
        default: continue
        }
      }
      throw CallError(code: "internal", message: "no reply")
    }

    mutating func route(
      _ letters: String, atS: Double = 100, traffic: TrafficUse = .flowAndClosures
    ) throws -> WireRoute {
      var request = RouteRequest(
        waypoints: try letters.map { Waypoint(place: try map.coordinate($0)) })
      request.traffic = traffic
      guard case .ok(let payload) = try call("route/calculate", request.wire.encoded(), atS: atS)
      else { throw CallError(code: "internal", message: "no route") }
      return try #require(try RouteCalculateReply(decoding: payload).routes.first)
    }

    mutating func jam(_ letters: String, speedMmps: Int64, jam: Int64, observedS: Double) throws {
      let segments = try map.edges(letters).map { map.graph.reference($0) }
      let flow = TrafficFlow(
        feed: "test", observedNs: Instant(seconds: observedS).nanoseconds,
        flow: WireFlowColumns(
          way: segments.map(\.way), from: segments.map(\.from), to: segments.map(\.to),
          speedMmps: segments.map { _ in speedMmps }, jamFactor: segments.map { _ in jam },
          untilS: segments.map { _ in 0 }))
      _ = try stage.receive(
        .message(
          EncodedMessage(
            topic: "traffic/flow", stamp: Instant(seconds: observedS), source: "test", run: 1,
            sequence: 1, key: "test", payload: flow.encoded())))
    }
  }

  @Test func `alternatives begin in the middle of a road, with no turn at once`() throws {
    var bench = Bench(try Self.town())
    var request = RouteRequest(waypoints: [
      Waypoint(place: try bench.map.coordinate("a", "b", 0.4)),
      Waypoint(place: try bench.map.coordinate("d")),
    ])
    request.firstManeuverClearanceM = 100
    request.alternatives = 2
    guard case .ok(let payload) = try bench.call("route/calculate", request.wire.encoded())
    else { throw CallError(code: "internal", message: "no route") }
    #expect(try RouteCalculateReply(decoding: payload).routes.count >= 1)
  }

  @Test func `a route comes whole and survives the wire, RT-9`() throws {
    var bench = Bench(try Self.town())
    let wire = try bench.route("ad")
    let route = try Route(wire: wire)
    #expect(route.wire == wire)
    #expect(route.handle == "h-1")
    #expect(route.sections.count == 1)
    #expect(route.maneuvers.first?.action == .depart)
    #expect(route.maneuvers.last?.action == .arrive)
    #expect(abs(route.lengthM - 900) < 10)
    #expect(abs(route.spans.reduce(0) { $0 + $1.lengthM } - route.lengthM) < 1e-6)
    #expect(abs(route.segments.reduce(0) { $0 + $1.lengthM } - route.lengthM) < 1e-6)
    let spans = route.spans.reduce(0) { $0 + $1.durations.trafficS }
    #expect(abs(spans - route.durations.trafficS) < 1e-6)
    let segments = route.segments.reduce(0) { $0 + $1.durationS }
    #expect(abs(segments - route.durations.trafficS) < 1e-6)
    #expect(route.spans.allSatisfy { $0.road.name == "High Street" })
  }

  @Test func `identities are counted, so that equal calls give equal bytes`() throws {
    var first = Bench(try Self.town())
    var second = Bench(try Self.town())
    #expect(try first.route("ad") == second.route("ad"))
    #expect(try first.route("ad").id == "r-2")
  }

  @Test(arguments: [1, 33])
  func `one waypoint or 33 are refused, RT-1`(count: Int) throws {
    var bench = Bench(try Self.town())
    let place = try bench.map.coordinate("a")
    let request = RouteRequest(
      waypoints: (0..<count).map { _ in Waypoint(place: place) })
    guard case .failed(let error) = try bench.call("route/calculate", request.wire.encoded())
    else { throw CallError(code: "internal", message: "a route came") }
    #expect(error.code == "invalid")
    #expect(error.message.contains("\(count) were given"))
  }

  @Test func `new traffic counts in the next answer, TR-6`() throws {
    var bench = Bench(try Self.town())
    #expect(try Route(wire: bench.route("ad")).spans.first?.road.name == "High Street")
    try bench.jam("bc", speedMmps: 0, jam: 100, observedS: 110)
    let around = try Route(wire: bench.route("ad", atS: 120))
    #expect(around.maneuvers.contains { $0.onto.name == "Long Lane" })
    #expect(around.trafficAgeS == 10)
    let blind = try Route(wire: bench.route("ad", atS: 120, traffic: .off))
    #expect(blind.spans.allSatisfy { $0.road.name == "High Street" })
    #expect(blind.trafficAgeS == nil)
  }

  @Test func `traffic on a route is priced from a place on, lengths stay, TR-2`() throws {
    var bench = Bench(try Self.town())
    let route = try Route(wire: bench.route("acd"))
    try bench.jam("cd", speedMmps: 1000, jam: 80, observedS: 110)
    let ask = RouteTrafficRequest(
      handle: try #require(route.handle), section: 1, travelledOnSectionM: 100)
    guard case .ok(let payload) = try bench.call("route/traffic", ask.encoded(), atS: 130) else {
      throw CallError(code: "internal", message: "no answer")
    }
    let reply = try RouteTrafficReply(decoding: payload).body
    #expect(reply.routeId == route.id)
    #expect(abs(reply.lengthM - (route.sections[1].lengthM - 100)) < 0.1)
    #expect(reply.sections.map(\.section) == [1])
    #expect(abs(reply.durationLatestS - reply.lengthM) < 3)
    #expect(reply.delayS > 0.8 * reply.lengthM)
    #expect(reply.spans.jamFactor.last == 8)
    #expect(reply.trafficAgeS == 20)
  }

  @Test func `a handle that is not known is outdated, RT-16`() throws {
    var bench = Bench(try Self.town())
    let ask = RouteTrafficRequest(handle: "h-77")
    guard case .failed(let error) = try bench.call("route/traffic", ask.encoded()) else {
      throw CallError(code: "internal", message: "an answer came")
    }
    #expect(error.code == "route_handle_outdated")
  }

  @Test func `a lease ends 24 hours after its last use, and survives a restart, RT-16`() throws {
    var bench = Bench(try Self.town())
    let handle = try #require(try bench.route("ad").handle)
    let ask = RouteTrafficRequest(handle: handle)
    let state = try #require(bench.stage.savedState)
    var other = Bench(try Self.town())
    try other.stage.restore(state)
    guard case .ok = try other.call("route/traffic", ask.encoded(), atS: 100 + 86_000) else {
      throw CallError(code: "internal", message: "the lease did not survive")
    }
    guard case .failed(let error) = try bench.call("route/traffic", ask.encoded(), atS: 86_700)
    else { throw CallError(code: "internal", message: "the lease did not end") }
    #expect(error.code == "route_handle_outdated")
  }

  @Test func `a lease begins with its first use where the stack had no time before, RT-16`() throws
  {
    var bench = Bench(try Self.town())
    let handle = try #require(try bench.route("ad", atS: 0).handle)
    let ask = RouteTrafficRequest(handle: handle)
    guard case .ok = try bench.call("route/traffic", ask.encoded(), atS: 1_790_000_000) else {
      throw CallError(code: "internal", message: "the lease ended before it began")
    }
    guard
      case .failed(let error) = try bench.call(
        "route/traffic", ask.encoded(), atS: 1_790_000_000 + 87_000)
    else { throw CallError(code: "internal", message: "the lease did not end") }
    #expect(error.code == "route_handle_outdated")
  }

  @Test func `coming back leads to the stops that were not passed, RT-13`() throws {
    var bench = Bench(try Self.town())
    let route = try Route(wire: bench.route("acd"))
    let e = try bench.map.coordinate("e", "f", 0.3)
    let ask = RouteReturnRequest(
      handle: route.handle, latDeg: e.latitudeDeg, lonDeg: e.longitudeDeg, bearingDeg: 90,
      section: 1, travelledOnSectionM: 0)
    guard case .ok(let payload) = try bench.call("route/return", ask.encoded()) else {
      throw CallError(code: "internal", message: "no way back")
    }
    let back = try Route(wire: try RouteReturnReply(decoding: payload).route)
    #expect(back.waypoints.count == 2)
    #expect(back.spans.allSatisfy { $0.road.name == "Long Lane" })
  }

  @Test func `a refreshed route is the rest of the old one, and a better one comes beside, RT-14`()
    throws
  {
    var bench = Bench(try Self.town())
    let route = try Route(wire: bench.route("ad"))
    try bench.jam("bc", speedMmps: 200, jam: 90, observedS: 110)
    let ask = RouteRefreshRequest(
      handle: try #require(route.handle), section: 0, travelledOnSectionM: 30, better: true)
    guard case .ok(let payload) = try bench.call("route/refresh", ask.encoded(), atS: 120) else {
      throw CallError(code: "internal", message: "no answer")
    }
    let reply = try RouteRefreshReply(decoding: payload)
    let rest = try Route(wire: reply.route)
    #expect(abs(rest.lengthM - (route.lengthM - 30)) < 0.5)
    #expect(rest.shape.suffix(2) == route.shape.suffix(2))
    #expect(rest.durations.latestS > route.durations.latestS + 100)
    #expect(reply.better != nil)
  }

  @Test func `garbage is refused with its place, BUS-5`() throws {
    var bench = Bench(try Self.town())
    #expect(throws: Refusal.self) { _ = try bench.call("route/calculate", [0xc1, 2, 3]) }
    #expect(throws: Refusal.self) { _ = try bench.call("route/traffic", []) }
  }

  @Test func `a piece of road resolves to its attributes, MM-14`() throws {
    var bench = Bench(try Self.town())
    let segment = bench.map.graph.reference(try bench.map.edges("bc")[0])
    let ask = MapSegmentRequest(segment: segment.wire)
    guard case .ok(let payload) = try bench.call("map/segment", ask.encoded()) else {
      throw CallError(code: "internal", message: "no answer")
    }
    let reply = try MapSegmentReply(decoding: payload)
    #expect(reply.road.name == "High Street")
    #expect(reply.access.contains(.car))
  }

  @Test func `what is known of a road is in its attributes, nothing else is, MM-14`() throws {
    var bench = Bench(
      try DrawnMap(
        "a--b--c",
        ways: [
          "ab":
            "highway=primary name=Harbour Bridge ref=N 13 maxspeed=72 lanes=3 oneway=yes bridge=yes layer=2 toll=yes surface=sett",
          "bc": "highway=cycleway tunnel=yes layer=-1 surface=gravel",
        ], cell: 100))
    func attributes(_ way: String) throws -> MapSegmentReply {
      let segment = bench.map.graph.reference(try bench.map.edges(way)[0])
      let ask = MapSegmentRequest(segment: segment.wire)
      guard case .ok(let payload) = try bench.call("map/segment", ask.encoded()) else {
        throw CallError(code: "internal", message: "no answer")
      }
      return try MapSegmentReply(decoding: payload)
    }
    let bridge = try attributes("ab")
    #expect(bridge.road.name == "Harbour Bridge" && bridge.road.number == "N 13")
    #expect(bridge.road.roadClass == .primary)
    #expect(bridge.road.speedLimitMps == 20)
    #expect(bridge.road.bridge && !bridge.road.tunnel && bridge.road.toll)
    #expect(bridge.lanes == 3 && bridge.surface == "cobblestone")
    #expect(bridge.oneWay && bridge.zLevel == 2)
    #expect(bridge.access.contains(.car) && bridge.access.contains(.truck))
    #expect(abs(bridge.lengthM - 300) < 1)
    let tunnel = try attributes("bc")
    #expect(tunnel.road.name.isEmpty && tunnel.road.number.isEmpty)
    #expect(tunnel.road.speedLimitMps == nil && tunnel.lanes == nil)
    #expect(tunnel.road.tunnel && !tunnel.road.bridge && !tunnel.road.toll)
    #expect(tunnel.surface == "gravel" && !tunnel.oneWay && tunnel.zLevel == -1)
    #expect(tunnel.access.contains(.bicycle) && !tunnel.access.contains(.car))
  }
}
