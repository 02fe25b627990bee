import DrawnMaps
import Foundations
import Geodesy
import Messages
import OSRMService
import RoadGraph
import Route
import RouteWire
import Routing
import Stage
import Synchronization
import Testing

@testable import ExternalRouting
@testable import RouterStage

/// A router whose server is drawn: a closure that answers as OSRM or Valhalla would.
struct EngineBench {
  let shared: RouterShared
  var inner: RouterStageTests.Bench

  var map: DrawnMap { inner.map }
  var stage: RouterStage {
    get { inner.stage }
    set { inner.stage = newValue }
  }

  init(_ map: DrawnMap, _ setting: ExternalEngineSettings, _ fetch: EngineFetch? = nil) {
    shared = RouterShared(
      graph: map.graph, tuning: RoutingTuning(), leaseS: 86_400, leaseCount: 64,
      outside: ExternalEngine(setting, fetch: fetch))
    inner = RouterStageTests.Bench(map, shared)
  }

  mutating func call(_ name: String, _ payload: [UInt8], atS: Double = 100) throws -> EncodedOutcome
  {
    try inner.call(name, payload, atS: atS)
  }

  mutating func route(
    _ letters: String, atS: Double = 100, _ change: (inout RouteRequest) -> Void = { _ in }
  ) throws -> RouteCalculateReply {
    var request = RouteRequest(
      waypoints: try letters.map { Waypoint(place: try map.coordinate($0)) })
    change(&request)
    switch try call("route/calculate", request.wire.encoded(), atS: atS) {
    case .ok(let payload): return try RouteCalculateReply(decoding: payload)
    case .failed(let error): throw error
    }
  }

  /// The code with which a route is refused; nil where there is one.
  mutating func refusal(
    _ letters: String, _ change: (inout RouteRequest) -> Void = { _ in }
  ) throws -> CallError? {
    do {
      _ = try route(letters, change)
      return nil
    } catch let error as CallError {
      return error
    }
  }
}

@Suite struct RouterEngineTests {
  /// Another engine on the same town, which knows nothing of High Street.
  static func osrm() throws -> EngineFetch {
    let town = try DrawnMap(
      """
      a--b--c--d
      |        |
      e--------f
      """, ways: ["aefd": "highway=secondary name=Long Lane maxspeed=50"], cell: 100)
    let handler = OSRMRequestHandler(shared: RouterShared(graph: town.graph), vehicle: "ego")
    return { target, _ in
      let answer = handler.response(to: Array(target.utf8), now: Instant(seconds: 1))
      return (answer.status, answer.json)
    }
  }

  static func valhalla(_ map: DrawnMap, _ letters: String) throws -> [UInt8] {
    let shape = EncodedPolyline.encode(try letters.map { try map.coordinate($0) })
      .replacing("\\", with: "\\\\")
    return Array(
      """
      {"trip":{"locations":[],"legs":[{"shape":"\(shape)"}],"summary":{"time":70,"length":0.9},"status":0}}
      """.utf8)
  }

  static let server = ExternalEngineSettings(
    kind: .osrm, url: "http://drawn:5000", connectivity: .online)

  static func names(_ reply: RouteCalculateReply) throws -> Set<String> {
    let route = try Route(wire: try #require(reply.routes.first))
    return Set(route.spans.map(\.road.name))
  }

  @Test func `the server answers where it is chosen, and is named, RT-15`() throws {
    var bench = EngineBench(
      try RouterStageTests.town(), ExternalEngineSettings(kind: .osrm, url: "http://drawn:5000"),
      try Self.osrm())
    let own = try bench.route("ad")
    #expect(own.engine == "offline")
    #expect(try Self.names(own) == ["High Street"])
    let theirs = try bench.route("ad") { $0.connectivity = .online }
    #expect(theirs.engine == "http://drawn:5000")
    #expect(try Self.names(theirs) == ["Long Lane"])
    let route = try Route(wire: try #require(theirs.routes.first))
    #expect(route.handle != nil && abs(route.lengthM - 1300) < 15)
    #expect(route.request.connectivity == .online)
  }

  @Test func `stops on the way are kept, RT-15`() throws {
    var bench = EngineBench(try RouterStageTests.town(), Self.server, try Self.osrm())
    let reply = try bench.route("aefd")
    let route = try Route(wire: try #require(reply.routes.first))
    #expect(route.sections.count == 3)
    #expect(abs(route.sections[1].lengthM - 900) < 15)
  }

  @Test func `without the server there is no silent fallback, RT-15`() throws {
    let town = try RouterStageTests.town()
    let dead: EngineFetch = { (_, _) throws(EngineFailure) in throw EngineFailure("refused") }
    var online = EngineBench(town, Self.server, dead)
    let error = try #require(try online.refusal("ad"))
    #expect(error.code == "engine_unavailable" && error.message.contains("refused"))
    var setting = Self.server
    setting.connectivity = .hybrid
    var hybrid = EngineBench(town, setting, dead)
    let reply = try hybrid.route("ad")
    #expect(reply.engine == "offline")
    #expect(reply.fellBack?.contains("refused") == true)
    #expect(hybrid.shared.outside.counts.failures == 1)
    var none = EngineBench(town, ExternalEngineSettings())
    #expect(try none.refusal("ad") { $0.connectivity = .online }?.code == "engine_unavailable")
  }

  @Test func `an option that the engine cannot honour is refused by name, RT-18`() throws {
    var bench = EngineBench(try RouterStageTests.town(), Self.server, try Self.osrm())
    let cases: [(String, (inout RouteRequest) -> Void)] = [
      ("avoid.tunnels", { $0.avoid = [.tolls, .tunnels] }),
      ("optimisation.shortest", { $0.optimisation = .shortest }),
      ("departure_ns", { $0.departure = Instant(seconds: 5) }),
      ("mode.truck", { $0.mode = .truck }), ("alternatives", { $0.alternatives = 5 }),
    ]
    for (name, change) in cases {
      let error = try #require(try bench.refusal("ad", change))
      #expect(error.code == "unsupported_option" && error.message.contains(name), "\(error)")
    }
    #expect(bench.shared.outside.counts.calls == 0)
  }

  @Test(arguments: ["1e300", "-1e19", "170.5", "nan", "\"x\"", "170"])
  func `an error of Valhalla's is reported, whatever its number, RT-15`(code: String) throws {
    var setting = Self.server
    setting.kind = .valhalla
    let answer = Array("{\"error_code\":\(code),\"error\":\"odd\"}".utf8)
    var bench = EngineBench(try RouterStageTests.town(), setting) { (_, _) in (400, answer) }
    let error = try #require(try bench.refusal("ad"))
    #expect(error.code == (code == "170" ? "no_route_found" : "engine_unavailable"))
  }

  @Test(arguments: [
    (0.00009, "0.000090"), (-0.00009, "-0.000090"), (-8.5, "-8.500000"), (0, "0.000000"),
  ])
  func `coordinates reach a server with six decimals, RT-15`(deg: Double, text: String) {
    #expect(OSRMAdapter().number(deg) == text)
  }

  @Test func `each call to a server is reported once, DR-8`() throws {
    let bench = EngineBench(try RouterStageTests.town(), Self.server, try Self.osrm())
    let outside = bench.shared.outside
    let request = RouteRequest(
      waypoints: try "ad".map { Waypoint(place: try bench.map.coordinate($0)) })
    for _ in 0..<2 { _ = try outside.ways(request, hour: 1) }
    guard case .count("engine_calls", 2)? = outside.unreportedCounts().first else {
      Issue.record("two calls were not told of")
      return
    }
    #expect(outside.unreportedCounts().isEmpty)
  }

  @Test func `a new hour has its whole budget, DR-8`() throws {
    var setting = Self.server
    setting.callsPerHour = 2
    let bench = EngineBench(try RouterStageTests.town(), setting, try Self.osrm())
    let request = RouteRequest(
      waypoints: try "ad".map { Waypoint(place: try bench.map.coordinate($0)) })
    for _ in 0..<2 { _ = try bench.shared.outside.ways(request, hour: 1) }
    #expect(bench.shared.outside.budgetLeft(in: 1) == 0)
    #expect(bench.shared.outside.budgetLeft(in: 2) == 2)
  }

  @Test func `calls are counted and bounded by the hour, DR-8`() throws {
    var setting = Self.server
    setting.callsPerHour = 2
    var bench = EngineBench(try RouterStageTests.town(), setting, try Self.osrm())
    _ = try bench.route("ad")
    _ = try bench.route("ad")
    #expect(try bench.refusal("ad")?.code == "engine_budget_spent")
    _ = try bench.route("ad", atS: 3700)
    #expect(bench.shared.outside.counts.calls == 3)
    guard
      case .ok(let payload) = try bench.call(
        "route/engines", RouteEnginesRequest().encoded(), atS: 3700)
    else { throw CallError(code: "internal", message: "no list") }
    let engines = try RouteEnginesReply(decoding: payload).engines
    #expect(engines.map(\.kind) == [.offline, .osrm])
    #expect(engines[1].calls == 3 && engines[1].budgetLeft == 1)
    #expect(engines[0].options.contains("avoid.tunnels"))
    #expect(!engines[1].options.contains("avoid.tunnels"))
  }

  @Test func `a Valhalla server answers as well, RT-15`() throws {
    let town = try RouterStageTests.town()
    let answer = try Self.valhalla(town, "aefd")
    var setting = Self.server
    setting.kind = .valhalla
    let asked = Mutex("")
    var bench = EngineBench(
      town, setting,
      { target, body in
        asked.withLock { $0 = target + String(decoding: body ?? [], as: UTF8.self) }
        return (200, answer)
      })
    let reply = try bench.route("ad") { $0.avoid = [.tunnels] }
    #expect(try Self.names(reply) == ["Long Lane"])
    let text = asked.withLock { $0 }
    #expect(text.hasPrefix("/route{") && text.contains("\"exclude_tunnels\":true"))
  }

  @Test(
    arguments: [
      "", "no JSON", "[]", "{}", "{\"code\":1}", "{\"code\":\"Ok\"}",
      "{\"code\":\"Ok\",\"routes\":[{}]}",
      "{\"code\":\"Ok\",\"routes\":[{\"legs\":[]}]}",
      "{\"code\":\"Ok\",\"routes\":[{\"legs\":[{\"steps\":[{\"geometry\":\"~~\"}]}]}]}",
      "{\"code\":\"Ok\",\"routes\":[{\"legs\":[{\"steps\":[{\"geometry\":{\"coordinates\":[[1e9,2]]}}]}]}]}",
      "{\"code\":\"InvalidQuery\",\"message\":\"no\"}",
      "{\"code\":\"Ok\",\"routes\":[{\"legs\":[{\"steps\":[{\"geometry\":{\"coordinates\":[[10,10],[10.1,10]]}}]}]}]}",
    ])
  func `an answer that cannot be used is reported, RT-15`(answer: String) throws {
    var bench = EngineBench(
      try RouterStageTests.town(), Self.server, { _, _ in (200, Array(answer.utf8)) })
    #expect(try bench.refusal("ad")?.code == "engine_unavailable")
  }

  @Test func `what the server says of the places is passed on, RT-15`() throws {
    let cases = [
      ("{\"code\":\"NoRoute\"}", "no_route_found"),
      ("{\"code\":\"NoSegment\",\"message\":\"x for coordinate 0\"}", "could_not_match_origin"),
      (
        "{\"code\":\"NoSegment\",\"message\":\"x for coordinate 1\"}", "could_not_match_destination"
      ),
    ]
    for (answer, code) in cases {
      var setting = Self.server
      setting.connectivity = .hybrid
      var bench = EngineBench(
        try RouterStageTests.town(), setting, { _, _ in (400, Array(answer.utf8)) })
      #expect(try bench.refusal("ad")?.code == code)
    }
  }
}
