import DrawnMaps
import Foundations
import Geodesy
import Messages
import RoadGraph
import Route
import RouteWire
import Stage
import Testing
import Traffic

@testable import RouterStage

/// What traffic does to routes, as requests say and as answers tell.
@Suite struct RouterTrafficTests {
  private typealias Bench = RouterStageTests.Bench

  private static func incident(
    _ bench: inout Bench, _ letters: String, id: String, closed: Bool = false
  ) throws {
    let segments = try bench.map.edges(letters).map { bench.map.graph.reference($0).wire }
    let list = TrafficIncidents(
      feed: "works", observedNs: Instant(seconds: 100).nanoseconds,
      incidents: [WireIncident(id: id, kind: .construction, segments: segments, closed: closed)])
    _ = try bench.stage.receive(
      .message(
        EncodedMessage(
          topic: "traffic/incidents", stamp: Instant(seconds: 100), source: "test", run: 1,
          sequence: 1, key: "works", payload: list.encoded())))
  }

  @Test func `feeds without a report are no traffic, RT-7`() throws {
    var bench = Bench(try RouterStageTests.town())
    let observedNs = Instant(seconds: 100).nanoseconds
    let empty: [(String, [UInt8])] = [
      (
        TrafficFlow.topic,
        TrafficFlow(feed: "f", observedNs: observedNs, flow: WireFlowColumns())
          .encoded()
      ),
      (TrafficIncidents.topic, TrafficIncidents(feed: "f", observedNs: observedNs).encoded()),
    ]
    for (topic, payload) in empty {
      _ = try bench.stage.receive(
        .message(
          EncodedMessage(
            topic: topic, stamp: Instant(seconds: 100), source: "test", run: 1, sequence: 1,
            key: "f", payload: payload)))
    }
    func answer() throws -> WireTrafficAnswer {
      let route = try bench.route("ad", atS: 120)
      let ask = RouteTrafficRequest(handle: try #require(route.handle))
      guard case .ok(let payload) = try bench.call("route/traffic", ask.encoded(), atS: 120) else {
        throw CallError(code: "internal", message: "no answer")
      }
      let answer = try RouteTrafficReply(decoding: payload).body
      #expect(answer.trafficUsed == (route.trafficAgeS != nil))
      return answer
    }
    #expect(try !answer().trafficUsed)
    try Self.incident(&bench, "bc", id: "i-1")
    #expect(try answer().trafficUsed)
  }

  @Test func `each word says how traffic counts, RT-17`() throws {
    var bench = Bench(try RouterStageTests.town())
    try Self.incident(&bench, "bc", id: "i-1", closed: true)
    func road(_ use: TrafficUse) throws -> (names: Set<String>, route: Route) {
      let route = try Route(wire: bench.route("ad", atS: 120, traffic: use))
      return (Set(route.spans.map(\.road.name)), route)
    }
    // A closed road is gone around; as mere flow it has no speed of its own; off, nothing is known.
    #expect(try road(.flowAndClosures).names == ["Long Lane"])
    let flow = try road(.flow)
    #expect(flow.names == ["High Street"])
    #expect(flow.route.violations.isEmpty)
    #expect(flow.route.trafficAgeS == 20)
    #expect(try road(.off).names == ["High Street"])
    #expect(try road(.off).route.trafficAgeS == nil)
    // A jam counts as flow and as both, and not at all where traffic is off.
    var jammed = Bench(try RouterStageTests.town())
    try jammed.jam("bc", speedMmps: 300, jam: 97, observedS: 110)
    for (use, name) in [
      (TrafficUse.off, "High Street"), (.flow, "Long Lane"), (.flowAndClosures, "Long Lane"),
    ] {
      let route = try Route(wire: jammed.route("ad", atS: 120, traffic: use))
      #expect(Set(route.spans.map(\.road.name)) == [name])
    }
  }

  @Test func `a route says whether traffic was used and how old it was, RT-7`() throws {
    var bench = Bench(try RouterStageTests.town())
    #expect(try bench.route("ad", atS: 100).trafficAgeS == nil)
    try bench.jam("bc", speedMmps: 9000, jam: 20, observedS: 110)
    #expect(try bench.route("ad", atS: 110).trafficAgeS == 0)
    #expect(try bench.route("ad", atS: 170).trafficAgeS == 60)
    #expect(try bench.route("ad", atS: 170, traffic: .off).trafficAgeS == nil)
  }

  @Test func `traffic that has ended is not said to be used, RT-7`() throws {
    var bench = Bench(try RouterStageTests.town())
    let segments = try bench.map.edges("bc").map { bench.map.graph.reference($0) }
    let flow = TrafficFlow(
      feed: "test", observedNs: Instant(seconds: 110).nanoseconds,
      untilNs: Instant(seconds: 300).nanoseconds,
      flow: WireFlowColumns(
        way: segments.map(\.way), from: segments.map(\.from), to: segments.map(\.to),
        speedMmps: [9000], jamFactor: [20], untilS: [0]))
    _ = try bench.stage.receive(
      .message(
        EncodedMessage(
          topic: "traffic/flow", stamp: Instant(seconds: 110), source: "test", run: 1, sequence: 1,
          key: "test", payload: flow.encoded())))
    let route = try bench.route("ad", atS: 120)
    #expect(route.trafficAgeS == 10)
    #expect(try bench.route("ad", atS: 310).trafficAgeS == nil)
    let ask = RouteTrafficRequest(handle: try #require(route.handle))
    for (atS, ageS) in [(130.0, 20.0), (310.0, nil)] {
      guard case .ok(let payload) = try bench.call("route/traffic", ask.encoded(), atS: atS) else {
        throw CallError(code: "internal", message: "no answer")
      }
      let reply = try RouteTrafficReply(decoding: payload).body
      #expect(reply.trafficAgeS == ageS && reply.trafficUsed == (ageS != nil))
    }
  }

  @Test func `times come three ways, and each speed says its kind, RT-9`()
    throws
  {
    var bench = Bench(try RouterStageTests.town())
    try bench.jam("bc", speedMmps: 5000, jam: 60, observedS: 110)
    let route = try Route(wire: bench.route("acd", atS: 120))
    let kinds = route.spans.filter { $0.lengthM > 1 }.map(\.trafficKind)
    #expect(kinds == [.freeFlow, .live, .freeFlow])
    #expect(route.durations.trafficS > route.durations.freeFlowS + 10)
    func sums(_ parts: [Durations]) -> [Double] {
      let sum = parts.reduce(Durations.zero, +)
      return [sum.freeFlowS, sum.trafficS, sum.latestS]
    }
    let whole = sums([route.durations])
    for parts in [
      route.sections.map(\.durations), route.spans.map(\.durations),
      route.maneuvers.map(\.durations),
    ] {
      for (a, b) in zip(sums(parts), whole) { #expect(abs(a - b) < 1e-6) }
    }
    // Newer traffic changes what is latest, and nothing else.
    try bench.jam("bc", speedMmps: 2000, jam: 80, observedS: 200)
    let ask = RouteRefreshRequest(handle: try #require(route.handle))
    guard case .ok(let payload) = try bench.call("route/refresh", ask.encoded(), atS: 210) else {
      throw CallError(code: "internal", message: "no answer")
    }
    let later = try Route(wire: try RouteRefreshReply(decoding: payload).route)
    #expect(later.durations.latestS > route.durations.latestS + 20)
    #expect(abs(later.durations.freeFlowS - route.durations.freeFlowS) < 0.01)
  }

  @Test func `each field of traffic is reported by section and by span, TR-2`() throws {
    var bench = Bench(try RouterStageTests.town())
    try bench.jam("bc", speedMmps: 9000, jam: 20, observedS: 90)
    let route = try Route(wire: bench.route("acd"))
    let segments = try bench.map.edges("bc").map { bench.map.graph.reference($0) }
    let until = 300.0
    let flow = TrafficFlow(
      feed: "test", observedNs: Instant(seconds: 110).nanoseconds,
      untilNs: Instant(seconds: until).nanoseconds, speedKind: .predicted,
      flow: WireFlowColumns(
        way: segments.map(\.way), from: segments.map(\.from), to: segments.map(\.to),
        speedMmps: [4000], jamFactor: [65], untilS: [190]))
    _ = try bench.stage.receive(
      .message(
        EncodedMessage(
          topic: "traffic/flow", stamp: Instant(seconds: 110), source: "test", run: 1, sequence: 1,
          key: "test", payload: flow.encoded())))
    try Self.incident(&bench, "cd", id: "i-2")
    let ask = RouteTrafficRequest(handle: try #require(route.handle))
    guard case .ok(let payload) = try bench.call("route/traffic", ask.encoded(), atS: 120) else {
      throw CallError(code: "internal", message: "no answer")
    }
    let reply = try RouteTrafficReply(decoding: payload).body
    let spans = reply.spans
    #expect(spans.span == route.spans.indices.map { Int64($0) })
    let jammed = try #require(spans.speedKind.firstIndex(of: .predicted))
    #expect(spans.jamFactor[jammed] == 6.5)
    #expect(abs(spans.lengthM[jammed] - 300) < 1)
    #expect(abs(spans.trafficSpeedMps[jammed] - 4) < 0.01)
    #expect(spans.baseSpeedMps[jammed] > 10)
    #expect(abs(spans.durationLatestS[jammed] - 75) < 8)
    #expect(spans.delayS[jammed] > 40)
    #expect(reply.spanUntilNs[jammed] == Instant(seconds: until).nanoseconds)
    #expect(reply.incidents.map(\.id) == ["i-2"])
    #expect(reply.spanIncidents.last == WireSpanIncident(span: spans.span.last ?? -1, incident: 0))
    #expect(!reply.spanIncidents.contains { $0.span == Int64(jammed) })
    #expect(reply.sections.last?.incidents == [0])
    let first = try #require(reply.sections.first)
    #expect(first.jamFactor == 6.5)
    #expect(try #require(first.trafficSpeedMps) < #require(first.baseSpeedMps))
    #expect(abs(first.durationLatestS - first.durationFreeFlowS - first.delayS) < 1e-6)
    #expect(abs(reply.lengthM - route.lengthM) < 1e-6)
  }

  /// Monday, 5 January 2026, 08:00 by the clocks of the drawn maps' meridian.
  private static let morning = RouterRulesTests.morning

  @Test func `a departure selects what is typical at its time of the week, TR-7`() throws {
    let map = try RouterStageTests.town()
    let street = try map.edges("abcd").map { map.graph.reference($0) }
    let typical = try TypicalSpeeds(
      csv: "profile,rush,10,Mo-Fr 07:00-09:00\n"
        + street.map { "\($0.way),\($0.from),\($0.to),rush\n" }.joined())
    var bench = Bench(
      map, RouterShared(graph: map.graph, typical: typical))
    func route(departure: Instant) throws -> Route {
      var request = RouteRequest(
        waypoints: try "ad".map { Waypoint(place: try map.coordinate($0)) })
      request.departure = departure
      guard case .ok(let payload) = try bench.call("route/calculate", request.wire.encoded())
      else { throw CallError(code: "internal", message: "no route") }
      return try Route(
        wire: try #require(try RouteCalculateReply(decoding: payload).routes.first))
    }
    let rush = try route(departure: Self.morning)
    #expect(Set(rush.spans.map(\.road.name)) == ["Long Lane"])
    let noon = try route(departure: Self.morning.advanced(bySeconds: 4 * 3600))
    #expect(Set(noon.spans.map(\.road.name)) == ["High Street"])
    #expect(noon.spans.allSatisfy { $0.trafficKind == .freeFlow && $0.until == nil })
    let edge = Self.morning.advanced(bySeconds: 600)
    bench = Bench(
      map,
      RouterShared(
        graph: map.graph,
        typical: try TypicalSpeeds(
          csv: "profile,rush,80,Mo-Fr 07:00-09:00\n"
            + street.map { "\($0.way),\($0.from),\($0.to),rush\n" }.joined())))
    let slow = try route(departure: edge)
    #expect(slow.spans.allSatisfy { $0.trafficKind == .typical })
    #expect(slow.spans.allSatisfy { $0.until == Self.morning.advanced(bySeconds: 900) })
    #expect(slow.durations.trafficS > 1.1 * slow.durations.freeFlowS)
  }

  @Test func `what is typical of a quarter does not hang on who asks first in it, TR-7`() throws {
    let map = try RouterStageTests.town()
    let street = map.graph.reference(try map.edge("ab"))
    let placed = try TypicalSpeeds(
      csv: "profile,rush,10,Mo-Fr 08:05-09:00\n\(street.way),\(street.from),\(street.to),rush\n"
    ).placed(on: map.graph, index: SegmentIndex(map.graph))
    for asked in [[60.0, 600], [600, 60]] {
      let desk = TypicalSpeedCache(placed, edgeCount: map.graph.edgeCount)
      for afterS in asked {
        let filled = desk.filled(nil, at: Self.morning.advanced(bySeconds: afterS))
        // At the quarter's start the hours have not begun.
        #expect(filled.view()?.state(of: try map.edge("ab")) == nil, "\(afterS) of \(asked)")
      }
      let next = desk.filled(nil, at: Self.morning.advanced(bySeconds: 960))
      #expect(next.view()?.state(of: try map.edge("ab"))?.source == .typical)
    }
  }

  @Test func `a returning driver keeps the old shape, at most a tenth dearer, RT-13`()
    throws
  {
    // The old route leads by b and c. Who went on to e gets to d by Low Street alone, or at f back to the
    // old street: as far, but a turn more.
    let map = try DrawnMap(
      """
      a---b---c---d
          |   |   |
          |   |   |
          e---f---g
      """,
      ways: [
        "abcd": "highway=secondary name=High Street maxspeed=50",
        "be": "highway=secondary name=Link maxspeed=50",
        "cf": "highway=secondary name=Lane maxspeed=50",
        "efg": "highway=secondary name=Low Street maxspeed=50",
        "gd": "highway=secondary name=Low Street maxspeed=50",
      ], cell: 200)
    var bench = Bench(map)
    let old = try Route(wire: bench.route("ad"))
    #expect(Set(old.spans.map(\.road.name)) == ["High Street"])
    let place = try map.coordinate("e", "f", 0.5)
    var request = RouteRequest(waypoints: [
      Waypoint(place: place, bearingDeg: 90), Waypoint(place: try map.coordinate("d")),
    ])
    request.language = old.request.language
    guard case .ok(let payload) = try bench.call("route/calculate", request.wire.encoded()) else {
      throw CallError(code: "internal", message: "no route")
    }
    let fresh = try Route(
      wire: try #require(try RouteCalculateReply(decoding: payload).routes.first))
    #expect(Set(fresh.spans.map(\.road.name)) == ["Low Street"])
    func back() throws -> (route: Route, rejoins: Int64?) {
      let ask = RouteReturnRequest(
        handle: old.handle, latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg, bearingDeg: 90,
        section: 0, travelledOnSectionM: 820)
      guard case .ok(let payload) = try bench.call("route/return", ask.encoded(), atS: 150) else {
        throw CallError(code: "internal", message: "no way back")
      }
      let reply = try RouteReturnReply(decoding: payload)
      return (try Route(wire: reply.route), reply.rejoinsShapeIndex)
    }
    let kept = try back()
    #expect(kept.route.spans.map(\.road.name) == ["Low Street", "Lane", "High Street"])
    #expect(kept.rejoins != nil)
    #expect(kept.route.durations.trafficS < 1.1 * fresh.durations.trafficS)
    // The new shape is the old one from where they meet.
    let tail = kept.route.shape.suffix(2)
    #expect(Array(old.shape.suffix(2)) == Array(tail))
    try bench.jam("cd", speedMmps: 5000, jam: 60, observedS: 140)
    #expect(Set(try back().route.spans.map(\.road.name)) == ["Low Street"])
  }
}
