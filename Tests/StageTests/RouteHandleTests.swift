import DrawnMaps
import Foundations
import Geodesy
import Messages
import RoadGraph
import Route
import RouteWire
import Routing
import Stage
import Synchronization
import Testing
import Traffic

@testable import RouterStage

/// What the router promises of routes once made: handles, refreshing, times, and that one may give up.
@Suite struct RouteHandleTests {
  private typealias Bench = RouterStageTests.Bench

  @Test func `without a handle there is nothing to refresh or to price, RT-16`() throws {
    var bench = Bench(try RouterStageTests.town())
    _ = try bench.route("ad")
    let asks: [(String, [UInt8])] = [
      ("route/traffic", RouteTrafficRequest(handle: "").encoded()),
      ("route/refresh", RouteRefreshRequest(handle: "").encoded()),
      ("route/return", RouteReturnRequest(latDeg: 0, lonDeg: 0, section: 0).encoded()),
    ]
    for (name, payload) in asks {
      guard case .failed(let error) = try bench.call(name, payload) else {
        throw CallError(code: "internal", message: "\(name) answers")
      }
      #expect(error.code == "route_handle_missing", "\(name)")
    }
  }

  @Test func `each refreshed shape is a suffix of the old one, RT-14`() throws {
    var bench = Bench(try RouterStageTests.town())
    let route = try Route(wire: bench.route("acfe"))
    let handle = try #require(route.handle)
    for section in route.sections.indices {
      let info = route.sections[section]
      for share in [0, 0.01, 0.3, 0.5, 0.77, 0.999] {
        let ask = RouteRefreshRequest(
          handle: handle, section: Int64(section), travelledOnSectionM: share * info.lengthM)
        guard case .ok(let payload) = try bench.call("route/refresh", ask.encoded(), atS: 120)
        else { throw CallError(code: "internal", message: "no answer") }
        let rest = try Route(wire: try RouteRefreshReply(decoding: payload).route)
        // One point more than the suffix: the new start, which lies on the old shape.
        let kept = rest.shape.dropFirst()
        #expect(Array(kept) == Array(route.shape.suffix(kept.count)), "\(section), \(share)")
        #expect(kept.count >= route.shape.count - info.lastShapeIndex)
        let hereM = info.startM + share * info.lengthM
        #expect(abs(rest.lengthM - (route.lengthM - hereM)) < 0.5, "\(section), \(share)")
        let start = try #require(rest.shape.first)
        let place = try #require(kept.first)
        let before = route.shape[route.shape.count - kept.count - 1]
        #expect(
          abs(
            before.distanceM(to: start) + start.distanceM(to: place) - before.distanceM(to: place))
            < 0.1)
        #expect(rest.sections.count == route.sections.count - section)
      }
    }
  }

  @Test func `the times of the computing stay, whatever comes later, RT-9`() throws {
    var bench = Bench(try RouterStageTests.town())
    try bench.jam("bc", speedMmps: 9000, jam: 30, observedS: 90)
    let route = try Route(wire: bench.route("ad"))
    let handle = try #require(route.handle)
    #expect(route.durations.trafficS == route.durations.latestS)
    for (number, speed) in [Int64(2000), 12_000, 3000].enumerated() {
      let atS = 110 + Double(number) * 10
      try bench.jam("bc", speedMmps: speed, jam: 50, observedS: atS)
      let ask = RouteTrafficRequest(handle: handle)
      guard case .ok(let payload) = try bench.call("route/traffic", ask.encoded(), atS: atS) else {
        throw CallError(code: "internal", message: "no answer")
      }
      let latestS = try RouteTrafficReply(decoding: payload).body.durationLatestS
      #expect(abs(latestS - route.durations.trafficS) > 5)
      let kept = try bench.stage.handles.use(handle, at: Instant(seconds: atS))
      #expect(kept.durations == route.durations)
      #expect(kept.spans.map(\.durations) == route.spans.map(\.durations))
      #expect(kept.computedAt == route.computedAt)
    }
  }

  @Test func `who drives faster than the road is wont to gains time, TR-2`() throws {
    var bench = Bench(try RouterStageTests.town())
    let route = try Route(wire: bench.route("acd"))
    // Usually 45 km/h on these 300 m.
    try bench.jam("bc", speedMmps: 20_000, jam: 0, observedS: 110)
    let ask = RouteTrafficRequest(handle: try #require(route.handle))
    guard case .ok(let payload) = try bench.call("route/traffic", ask.encoded(), atS: 120) else {
      throw CallError(code: "internal", message: "no answer")
    }
    let reply = try RouteTrafficReply(decoding: payload).body
    #expect(abs(reply.delayS - (300 / 20 - 300 / 12.5)) < 0.2)
    #expect(try #require(reply.sections.first).delayS < -8)
    #expect(reply.sections.last?.delayS == 0)
    let delays = reply.spans.delayS
    #expect(delays.contains { $0 < -8 } && delays.allSatisfy { $0 <= 0 })
    #expect(abs(delays.reduce(0, +) - reply.delayS) < 0.01)
    #expect(abs(reply.lengthM - route.lengthM) < 1e-6)
  }

  @Test func `what is typical is no traffic that was used, and each span says so, RT-7`() throws {
    let map = try RouterStageTests.town()
    let street = try map.edges("abcd").map { map.graph.reference($0) }
    let typical = try TypicalSpeeds(
      csv: "profile,always,80,24/7\n"
        + street.map { "\($0.way),\($0.from),\($0.to),always\n" }.joined())
    var bench = Bench(map, RouterShared(graph: map.graph, typical: typical))
    let quiet = try Route(wire: bench.route("ad"))
    #expect(quiet.trafficAgeS == nil)
    #expect(quiet.spans.allSatisfy { $0.trafficKind == .typical })
    // What is known of one piece is traffic, and the rest is still typical.
    try bench.jam("bc", speedMmps: 11_000, jam: 10, observedS: 110)
    let jammed = try Route(wire: bench.route("ad", atS: 115))
    #expect(jammed.trafficAgeS == 5)
    #expect(Set(jammed.spans.map(\.trafficKind)) == [.live, .typical])
    let off = try Route(wire: bench.route("ad", atS: 115, traffic: .off))
    #expect(off.trafficAgeS == nil)
    #expect(off.spans.allSatisfy { $0.trafficKind == .freeFlow })
  }

  @Test(arguments: [false, true])
  func `a calculation of the router's own ends when it is cancelled, RT-18`(
    isCancelled: Bool
  ) throws {
    let map = try RouterStageTests.town()
    var stage = RouterStage(vehicle: "ego", shared: RouterShared(graph: map.graph))
    var request = RouteRequest(
      waypoints: try "adadadad".map { Waypoint(place: try map.coordinate($0)) })
    request.alternatives = 2
    var wire = request.wire
    wire.requestId = "q-1"
    let call = EncodedCall(
      id: "c1", name: "route/calculate", stamp: Instant(seconds: 100), payload: wire.encoded())
    guard case .work(_, let body)? = try stage.receive(.call(call)).last else {
      throw CallError(code: "internal", message: "no work")
    }
    var outputs: [EncodedOutput] = []
    if isCancelled {
      let cancel = EncodedCall(
        id: "c2", name: "route/cancel", stamp: Instant(seconds: 100),
        payload: RouteCancelRequest(requestId: "q-1").encoded())
      outputs = try stage.receive(.call(cancel))
      guard case .reply("c2", .ok(let reply))? = outputs.first else {
        throw CallError(code: "internal", message: "no reply")
      }
      #expect(try RouteCancelReply(decoding: reply).cancelled)
    }
    // One end, whenever the work notices.
    let codes = (outputs + body()).compactMap { output -> String? in
      guard case .reply("c1", let outcome) = output else { return nil }
      guard case .failed(let error) = outcome else { return "a route" }
      return error.code
    }
    #expect(codes == [isCancelled ? "cancelled" : "a route"])
  }

  @Test func `a search of many legs ends at the leg at which it is cancelled, RT-18`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    let request = RouteRequest(
      waypoints: try "adadadad".map { Waypoint(place: try map.coordinate($0)) }, alternatives: 2)
    let work = RouteCalculation(
      shared: shared, handles: RouteHandleStore(lifetimeS: 10, limit: 1), snapshot: nil,
      recentSheets: [:],
      number: 1, now: Instant(seconds: 100), progress: Progress())
    let engine = work.engine(request)
    for most in [1, 4, 9] {
      var looks = 0
      #expect(throws: RouteFailure.cancelled) {
        try shared.workspaces.withSpace { (space) throws(RouteFailure) in
          _ = try engine.paths(
            request, in: &space,
            isCancelled: {
              looks += 1
              return looks > most
            })
        }
      }
      // The end is looked for once more where the outcome is judged.
      #expect(looks <= most + 3)
    }
  }
}
