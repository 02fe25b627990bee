import DrawnMaps
import ExternalRouting
import Foundation
import Foundations
import Geodesy
import MessagePack
import Messages
import OSRMService
import RoadGraph
import Route
import RouteWire
import Routing
import Stage
import Synchronization
import Testing

@testable import RouterStage

/// The policy that stands for all requests of a stack.
@Suite struct RouterPolicyTests {
  /// High Street costs toll between b and c; Long Lane leads around it.
  private static func town(other: Bool = true) throws -> DrawnMap {
    var ways = [
      ("xa", "highway=secondary name=High Street maxspeed=50"),
      ("ab", "highway=secondary name=High Street maxspeed=50"),
      ("bc", "highway=secondary name=High Street maxspeed=50 toll=yes"),
      ("cd", "highway=secondary name=High Street maxspeed=50"),
    ]
    if other { ways.append(("aefd", "highway=secondary name=Long Lane maxspeed=50")) }
    let drawing =
      other ? "x--a--b--c--d\n   |        |\n   e--------f" : "x--a--b--c--d"
    return try DrawnMap(drawing, ways: ways, cell: 100)
  }

  private func set(_ policy: RoutePolicy?, _ bench: inout EngineBench) throws -> RoutePolicy {
    switch try bench.call("route/policy", RoutePolicyRequest(policy: policy?.wire).encoded()) {
    case .ok(let payload):
      return RoutePolicy(wire: try RoutePolicyReply(decoding: payload).policy)
    case .failed(let error): throw error
    }
  }

  private func names(_ wire: WireRoute?) throws -> Set<String> {
    Set(try Route(wire: try #require(wire)).spans.map(\.road.name))
  }

  private func segment(_ map: DrawnMap, _ letters: String) throws -> SegmentReference {
    map.graph.reference(try #require(try map.edges(letters).first))
  }

  @Test func `what the policy and a request want is merged, RT-22`() throws {
    let map = try Self.town()
    let (ab, cd) = (try segment(map, "ab"), try segment(map, "cd"))
    var request = RouteRequest(
      waypoints: try "ad".map { Waypoint(place: try map.coordinate($0)) })
    request.avoid = [.tolls]
    request.avoidCountries = ["CH"]
    request.wishes = [RoutePreference(.segment(ab))]
    request.traffic = .flow
    request.speedCapMps = 20
    let policy = RoutePolicy(
      avoid: [.ferries, .tolls], avoidCountries: ["AT"], wishes: [RoutePreference(.segment(cd))],
      traffic: .flowAndClosures, speedCapMps: 25)
    let merged = policy.applied(to: request)
    #expect(merged.avoid == [.ferries, .tolls])
    #expect(merged.avoidCountries == ["AT", "CH"])
    #expect(merged.wishes.map(\.place) == [.segment(cd), .segment(ab)])
    #expect(merged.traffic == .flow && merged.speedCapMps == 20)
    #expect(merged.waypoints == request.waypoints && merged.language == request.language)
    let strict = RoutePolicy(traffic: .off, speedCapMps: 10).applied(to: request)
    #expect(strict.traffic == .off && strict.speedCapMps == 10)
    request.speedCapMps = nil
    #expect(policy.applied(to: request).speedCapMps == 25)
    #expect(RoutePolicy().applied(to: request) == request)
    #expect(RoutePolicy(wire: policy.wire) == policy)
  }

  @Test func `the policy counts for routes, ways back, refreshes and prices, RT-22`() throws {
    var bench = EngineBench(try Self.town(), ExternalEngineSettings())
    #expect(try set(nil, &bench).isEmpty)
    let before = try #require(try bench.route("xd").routes.first)
    #expect(try names(before) == ["High Street"])
    let policy = RoutePolicy(avoid: [.tolls], speedCapMps: 5)
    #expect(try set(policy, &bench) == policy)
    #expect(try set(nil, &bench) == policy)
    let route = try Route(wire: try #require(try bench.route("ad").routes.first))
    #expect(try names(route.wire) == ["Long Lane"])
    #expect(abs(route.durations.latestS - route.lengthM / 5) < 30)
    // The route keeps what was asked, so that a later policy counts for what follows from it.
    #expect(route.request.avoid.isEmpty && route.request.speedCapMps == nil)
    let e = try bench.map.coordinate("a", "e", 0.5)
    let back = RouteReturnRequest(
      handle: before.handle, latDeg: e.latitudeDeg, lonDeg: e.longitudeDeg,
      strategy: .resequence)
    guard case .ok(let returned) = try bench.call("route/return", back.encoded()) else {
      throw CallError(code: "internal", message: "no way back")
    }
    #expect(try names(try RouteReturnReply(decoding: returned).route) == ["Long Lane"])
    let handle = try #require(before.handle)
    let refresh = RouteRefreshRequest(handle: handle, better: true)
    guard case .ok(let refreshed) = try bench.call("route/refresh", refresh.encoded()) else {
      throw CallError(code: "internal", message: "no refresh")
    }
    let reply = try RouteRefreshReply(decoding: refreshed)
    #expect(try names(reply.better).contains("Long Lane") && reply.shapeChanged)
    #expect(try Route(wire: reply.route).violations.map(\.kind) == [.tolls])
    guard
      case .ok(let priced) = try bench.call(
        "route/traffic", RouteTrafficRequest(handle: handle).encoded())
    else { throw CallError(code: "internal", message: "no price") }
    let price = try RouteTrafficReply(decoding: priced).body
    #expect(abs(price.durationLatestS - price.lengthM / 5) < 30)
    // An empty policy ends it, and leaves no trace.
    #expect(try set(RoutePolicy(), &bench).isEmpty)
    let after = try #require(try bench.route("xd").routes.first)
    #expect(after.shape == before.shape && after.durationLatestS == before.durationLatestS)
  }

  @Test func `what the policy could not get is a violation, RT-22, RT-7`() throws {
    var bench = EngineBench(try Self.town(other: false), ExternalEngineSettings())
    let cd = try segment(bench.map, "cd")
    _ = try set(RoutePolicy(avoid: [.tolls], wishes: [RoutePreference(.segment(cd))]), &bench)
    let route = try Route(wire: try #require(try bench.route("ad").routes.first))
    #expect(Set(route.violations.map(\.kind)) == [.tolls, .segment])
    #expect(route.request.avoid.isEmpty && route.request.wishes.isEmpty)
  }

  @Test func `areas slowed by the policy count for routes and for their prices, RT-22`() throws {
    var bench = EngineBench(try Self.town(), ExternalEngineSettings())
    let b = try bench.map.coordinate("b")
    let line = [b, try bench.map.coordinate("c")]
    let slow = RoutePreference(.corridor(line, widthM: 20), speedFactor: 0.5)
    let before = try #require(try bench.route("ab").routes.first)
    _ = try set(RoutePolicy(wishes: [slow]), &bench)
    let route = try Route(wire: try #require(try bench.route("bc").routes.first))
    let freeS = route.durations.freeFlowS
    #expect(abs(route.durations.latestS - 2 * freeS) < 0.2 * freeS)
    let handle = try #require(route.handle)
    guard
      case .ok(let payload) = try bench.call(
        "route/traffic", RouteTrafficRequest(handle: handle).encoded())
    else { throw CallError(code: "internal", message: "no price") }
    let price = try RouteTrafficReply(decoding: payload).body
    #expect(abs(price.durationLatestS - route.durations.latestS) < 0.1)
    // Elsewhere nothing has changed.
    #expect(try #require(try bench.route("ab").routes.first).shape == before.shape)
  }

  @Test func `the policy's use of traffic limits that of requests, RT-22, RT-17`() throws {
    var bench = EngineBench(try Self.town(), ExternalEngineSettings())
    try bench.inner.jam("bc", speedMmps: 300, jam: 97, observedS: 110)
    #expect(try names(bench.route("ad", atS: 120).routes.first) == ["Long Lane"])
    _ = try set(RoutePolicy(traffic: .off), &bench)
    let route = try #require(try bench.route("ad", atS: 120).routes.first)
    #expect(try names(route) == ["High Street"])
    #expect(route.trafficAgeS == nil)
  }

  @Test func `a policy out of range is refused by its field, and the old one stays, RT-22`() throws
  {
    var bench = EngineBench(try Self.town(), ExternalEngineSettings())
    let old = try set(RoutePolicy(avoid: [.tolls]), &bench)
    let good = RoutePreference(.segment(try segment(bench.map, "ab")))
    let cases: [(RoutePolicy, String)] = [
      (RoutePolicy(wishes: Array(repeating: good, count: 65)), "policy.wishes"),
      (
        RoutePolicy(wishes: [good, RoutePreference(.polygon([]))]), "policy.wishes[1]"
      ),
      (RoutePolicy(avoidCountries: ["CH", "Austria"]), "policy.avoid_countries"),
    ]
    for (policy, field) in cases {
      do {
        _ = try set(policy, &bench)
        Issue.record("\(field) was taken")
      } catch let error as CallError {
        #expect(error.code == "invalid" && error.field == field, "\(error)")
      }
    }
    // The contract's own ranges are refused as the message is read.
    do {
      _ = try set(RoutePolicy(speedCapMps: 0.1), &bench)
      Issue.record("the cap was taken")
    } catch let error as Refusal {
      #expect(error.field == "policy.speed_cap_mps")
    }
    #expect(try set(nil, &bench) == old)
  }

  @Test func `the policy holds for all vehicles and outlives a restart, RT-22, BUS-6`() throws {
    let map = try Self.town()
    let shared = RouterShared(graph: map.graph)
    func stage(_ vehicle: String, _ shared: RouterShared) -> RouterStageTests.Bench {
      var bench = RouterStageTests.Bench(map, shared)
      bench.stage = RouterStage(vehicle: vehicle, shared: shared)
      return bench
    }
    var (one, other) = (stage("car1", shared), stage("car2", shared))
    let early = try #require(other.stage.savedState)
    let policy = RoutePolicy(avoid: [.tolls])
    _ = try one.call("route/policy", RoutePolicyRequest(policy: policy.wire).encoded())
    #expect(try names(other.route("ad")) == ["Long Lane"])
    // What a vehicle saved before the policy came does not undo it, in whatever order states come.
    let late = try #require(one.stage.savedState)
    for states in [[early, late], [late, early]] {
      let again = RouterShared(graph: map.graph)
      for (vehicle, state) in zip(["car1", "car2"], states) {
        var restarted = stage(vehicle, again)
        try restarted.stage.restore(state)
      }
      var third = stage("car3", again)
      #expect(try names(third.route("ad")) == ["Long Lane"])
    }
    // An ended policy stays ended.
    _ = try one.call("route/policy", RoutePolicyRequest(policy: RoutePolicy().wire).encoded())
    let again = RouterShared(graph: map.graph)
    for state in [try #require(one.stage.savedState), late] {
      var restarted = stage("car1", again)
      try restarted.stage.restore(state)
    }
    #expect(again.policy.policy.isEmpty)
  }

  @Test func `a server is asked for what the policy wants, or refused by name, RT-22, RT-18`()
    throws
  {
    let town = try RouterStageTests.town()
    let osrm = try RouterEngineTests.osrm()
    let asked = Mutex("")
    let fetch: EngineFetch = { (target, body) throws(EngineFailure) in
      asked.withLock { $0 = target }
      return try osrm(target, body)
    }
    var bench = EngineBench(town, RouterEngineTests.server, fetch)
    _ = try set(RoutePolicy(avoid: [.ferries]), &bench)
    #expect(try bench.route("ad").engine == "http://drawn:5000")
    #expect(asked.withLock { $0 }.contains("exclude=ferry"))
    _ = try set(RoutePolicy(avoid: [.tunnels]), &bench)
    let error = try #require(try bench.refusal("ad"))
    #expect(error.code == "unsupported_option")
    #expect(error.message.contains("avoid.tunnels") && error.message.contains("policy"))
    // What the driver asked for is not blamed on the policy.
    let own = try #require(try bench.refusal("ad") { $0.avoid = [.tunnels] })
    #expect(!own.message.contains("policy"))
    #expect(try bench.route("ad") { $0.connectivity = .offline }.engine == "offline")
    let hybrid = try bench.route("ad") { $0.connectivity = .hybrid }
    #expect(hybrid.engine == "offline" && hybrid.fellBack?.contains("avoid.tunnels") == true)
  }

  @Test func `OSRM's API and imports follow the policy, RT-22, RT-19`() throws {
    var bench = EngineBench(try Self.town(), ExternalEngineSettings())
    let handler = OSRMRequestHandler(shared: bench.shared, vehicle: "ego")
    let (a, d) = (try bench.map.coordinate("a"), try bench.map.coordinate("d"))
    let target =
      "/route/v1/driving/\(a.longitudeDeg),\(a.latitudeDeg);\(d.longitudeDeg),\(d.latitudeDeg)"
    func lengthM() throws -> Double {
      let answer = handler.response(to: Array(target.utf8), now: Instant(seconds: 1))
      let json = try JSONSerialization.jsonObject(with: Data(answer.json)) as? [String: Any]
      let routes = json?["routes"] as? [[String: Any]]
      return try #require(routes?.first?["distance"] as? Double)
    }
    #expect(try lengthM() < 1000)
    _ = try set(RoutePolicy(avoid: [.tolls]), &bench)
    #expect(try lengthM() > 1200)
    let segments = try bench.map.edges("abcd").map { bench.map.graph.reference($0).wire }
    guard
      case .ok(let payload) = try bench.call(
        "route/import", RouteImportRequest(segments: segments).encoded())
    else { throw CallError(code: "internal", message: "no import") }
    let route = try Route(wire: try RouteImportReply(decoding: payload).route)
    #expect(route.violations.map(\.kind) == [.tolls])
  }

  @Test func `a router starts with the policy of a file, RT-22`() throws {
    func read(_ text: String) throws(StageFailure) -> RoutePolicy {
      try PolicyFile.policy(Array(text.utf8), path: "policy.json")
    }
    let policy = try read(
      """
      {"avoid": ["tolls"], "avoid_countries": ["CH"], "traffic": "flow", "speed_cap_mps": 25,
       "wishes": [{"segment": {"way": 1, "from": 2, "to": 3}, "speed_factor": 0.5}]}
      """)
    #expect(policy.avoid == [.tolls] && policy.avoidCountries == ["CH"])
    #expect(policy.traffic == .flow && policy.speedCapMps == 25)
    #expect(
      policy.wishes == [
        RoutePreference(.segment(SegmentReference(way: 1, from: 2, to: 3)), speedFactor: 0.5)
      ])
    #expect(try read("{}").isEmpty)
    for (text, place) in [
      ("[1]", "object"), ("{", "JSON"), ("{\"avoids\": []}", "avoids"),
      ("{\"avoid\": [\"hills\"]}", "avoid"), ("{\"speed_cap_mps\": 1000}", "speed_cap_mps"),
      ("{\"avoid_countries\": [\"ch\"]}", "avoid_countries"),
    ] {
      #expect {
        _ = try read(text)
      } throws: { error in
        let message = (error as? StageFailure)?.message ?? ""
        return message.contains("policy.json") && message.contains(place)
      }
    }
    #expect(throws: StageFailure.self) { try PolicyFile.read("/nowhere/policy.json") }
  }
}
