import DrawnRoutes
import Foundations
import Geodesy
import MessagePack
import Messages
import NavigatorStage
import Route
import RouteWire
import Stage
import Testing

/// A navigator stage fed with messages, its outputs sorted by topic.
private struct Desk {
  var stage: NavigatorStage
  var outputs: [EncodedOutput] = []
  private var sequence: UInt64 = 0

  init(_ given: [String: ParameterValue] = [:]) throws {
    let parameters = try Parameters(given, declared: NavigatorStage.manifest.parameters)
    stage = NavigatorStage(vehicle: "ego", shared: try NavigatorStage.load(parameters))
  }

  mutating func send(_ message: some TopicMessage, t: Double) throws {
    sequence += 1
    let inbound = EncodedMessage(
      topic: type(of: message).topic, stamp: Instant(seconds: t), source: "test", run: 1,
      sequence: sequence, payload: message.encoded())
    outputs += try stage.receive(.message(inbound))
  }

  mutating func call(_ request: some CallMessage, id: String, t: Double) throws {
    let call = EncodedCall(
      id: id, name: type(of: request).call, stamp: Instant(seconds: t),
      payload: request.encoded())
    outputs += try stage.receive(.call(call))
  }

  mutating func locate(
    _ route: Route, _ index: Int, _ offsetM: Double, t: Double, speedMps: Double = 10
  ) throws {
    let at = place(Double(index) * 100 + offsetM)
    try send(
      LocationMatched(
        state: .matched, latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, bearingDeg: 90,
        segment: route.segments[index].reference.wire, offsetM: offsetM, probability: 0.9,
        raw: LocationRaw(
          latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, speedMps: speedMps, accuracyM: 5)),
      t: t)
  }

  func said<Message: TopicMessage>(_: Message.Type) throws -> [Message] {
    try outputs.compactMap { output in
      guard case .publish(let topic, _, let payload, _, _, _) = output, topic == Message.topic
      else { return nil }
      return try Message(decoding: payload)
    }
  }

  var calls: [(name: String, payload: [UInt8], token: UInt64)] {
    outputs.compactMap {
      if case .call(let name, let payload, _, let token) = $0 {
        (name, payload, token)
      } else {
        nil
      }
    }
  }

  func reply(to id: String) -> EncodedOutcome? {
    outputs.compactMap { (output: EncodedOutput) -> EncodedOutcome? in
      if case .reply(id, let outcome) = output { outcome } else { nil }
    }.first
  }
}

@Suite struct NavigatorStageTests {
  private let route = drawn("abcdefg", maneuvers: [2, 4])

  @Test func `a start asks the router from here, and its route becomes active, PR-10`() throws {
    var desk = try Desk()
    try desk.call(
      NavigateStartRequest(to: WireWaypoint(latDeg: 0, lonDeg: 0.01)), id: "c-1", t: 0)
    #expect(desk.calls.isEmpty)
    try desk.locate(route, 0, 10, t: 1)
    let call = try #require(desk.calls.first)
    #expect(call.name == "route/calculate")
    let asked = try RouteCalculateRequest(decoding: call.payload)
    #expect(asked.body.waypoints.count == 2)
    #expect(desk.reply(to: "c-1") == nil)
    desk.outputs += try desk.stage.receive(
      .reply(
        token: call.token, stamp: Instant(seconds: 2),
        outcome: .ok(payload: RouteCalculateReply(routes: [route.wire]).encoded())))
    #expect(try desk.said(RouteActive.self).map(\.route?.id) == ["r-1"])
    #expect(try desk.said(Session.self).map(\.state) == [.started])
    guard case .ok(let payload)? = desk.reply(to: "c-1") else {
      Issue.record("no answer to the start")
      return
    }
    #expect(try NavigateStartReply(decoding: payload).routeId == "r-1")
  }

  @Test func `a request without mode and language gets those of the stack, RT-10`() throws {
    func asked(_ request: NavigateStartRequest) throws -> WireRouteRequest {
      var desk = try Desk(["mode": .string("truck"), "language": .string("de-DE")])
      try desk.call(request, id: "c-1", t: 0)
      try desk.locate(route, 0, 10, t: 1)
      return try RouteCalculateRequest(decoding: try #require(desk.calls.first).payload).body
    }
    let plain = try asked(NavigateStartRequest(to: WireWaypoint(latDeg: 0, lonDeg: 0.01)))
    #expect(plain.mode == .truck && plain.language == "de-DE")
    let own = try asked(
      NavigateStartRequest(
        to: WireWaypoint(latDeg: 0, lonDeg: 0.01), mode: .bicycle, language: "fr-FR"))
    #expect(own.mode == .bicycle && own.language == "fr-FR")
  }

  @Test func `a router that fails is passed on to the caller by its code, RT-12`() throws {
    var desk = try Desk()
    try desk.locate(route, 0, 10, t: 0)
    try desk.call(
      NavigateStartRequest(to: WireWaypoint(latDeg: 0, lonDeg: 0.01)), id: "c-1", t: 1)
    desk.outputs += try desk.stage.receive(
      .reply(
        token: desk.calls[0].token, stamp: Instant(seconds: 2),
        outcome: .failed(CallError(code: "no_route_found", message: "No road."))))
    #expect(
      desk.reply(to: "c-1") == .failed(CallError(code: "no_route_found", message: "No road.")))
  }

  @Test func `a whole drive on the wire: progress, maneuvers, arrival, PR-1, PR-9, MS-3`() throws {
    var desk = try Desk()
    try desk.call(NavigateSetRouteRequest(route: route.wire), id: "c-1", t: 0)
    for second in 0..<60 {
      try desk.locate(route, second / 10, Double(second % 10) * 10, t: Double(second))
    }
    // Where the route is drawn clocks follow the nautical zones.
    let progress = try desk.said(GuidanceProgress.self)
    #expect(progress.allSatisfy { $0.etaZone == "Etc/GMT" && $0.etaUtcOffsetS == 0 })
    #expect(progress.allSatisfy { !$0.etaZoneDiffers })
    // Within 20 m of the end, and not a metre before.
    #expect([59, 60].contains(try desk.said(GuidanceProgress.self).count))
    #expect(
      try desk.said(GuidanceManeuver.self).filter { $0.event == .done }.map(\.index) == [0, 1, 2])
    #expect(try desk.said(GuidanceArrival.self).map(\.event) == [.destinationReached])
    #expect(try desk.said(GuidanceMilestone.self).map(\.kind) == [.destination])
    #expect(try desk.said(RouteActive.self).map(\.reason) == [.import, .cleared])
    #expect(try desk.said(GuidanceLanes.self).map(\.maneuverIndex) == [1, 2, nil])
  }

  @Test func `progress goes out before the road, limit and maneuvers of its fix, PR-1`() throws {
    var desk = try Desk()
    try desk.call(NavigateSetRouteRequest(route: route.wire), id: "c-1", t: 0)
    var fixesWithMore = 0
    for metres in stride(from: 15, to: 590, by: 10) {
      let before = desk.outputs.count
      try desk.locate(route, metres / 100, Double(metres % 100), t: 10 + Double(metres) / 10)
      let topics = desk.outputs[before...].compactMap { output in
        if case .publish(let topic, _, _, _, _, _) = output { topic } else { nil }
      }
      guard let progress = topics.firstIndex(of: GuidanceProgress.topic) else { continue }
      let besides = [GuidanceManeuver.topic, GuidanceRoad.topic, GuidanceSpeed.topic]
      #expect(!topics[..<progress].contains(where: besides.contains), "\(topics)")
      if topics[progress...].contains(GuidanceManeuver.topic) { fixesWithMore += 1 }
    }
    #expect(fixesWithMore >= 2)
  }

  @Test func `a restarted stage goes on and repeats nothing, PR-11, BUS-6`() throws {
    var desk = try Desk()
    try desk.call(NavigateSetRouteRequest(route: route.wire), id: "c-1", t: 0)
    for second in 0..<30 {
      try desk.locate(route, second / 10, Double(second % 10) * 10, t: Double(second))
    }
    let state = try #require(desk.stage.savedState)
    var again = try Desk()
    try again.stage.restore(state)
    for second in 30..<60 {
      try again.locate(route, second / 10, Double(second % 10) * 10, t: Double(second))
    }
    #expect(try again.said(GuidanceProgress.self).first?.travelledM == 300)
    #expect(
      try again.said(GuidanceManeuver.self).filter { $0.event == .done }.map(\.index) == [2])
    #expect(try again.said(RouteActive.self).map(\.reason) == [.cleared])
    #expect(try again.said(GuidanceArrival.self).count == 1)
  }

  @Test func `a restarted stage keeps the pace that it learned of the driver, PR-11, PR-15`()
    throws
  {
    let long = drawn(String("abcdefghijklmnopqrstuvwxyz"))
    var desk = try Desk()
    try desk.call(NavigateSetRouteRequest(route: long.wire), id: "c-1", t: 0)
    func drive(_ desk: inout Desk, _ seconds: Range<Int>) throws {
      for second in seconds {
        let metres = second * 8
        try desk.locate(
          long, metres / 100, Double(metres % 100), t: Double(second), speedMps: 8)
      }
    }
    try drive(&desk, 0..<120)
    let state = try WireNavigatorState(decoding: try #require(desk.stage.savedState))
    #expect(state.paceDrivenS > 60 && state.paceUsualS > 0 && state.paceUsualS < state.paceDrivenS)
    var again = try Desk()
    try again.stage.restore(state.encoded())
    var forgetful = state
    (forgetful.paceDrivenS, forgetful.paceUsualS) = (0, 0)
    var other = try Desk()
    try other.stage.restore(forgetful.encoded())
    try drive(&desk, 120..<122)
    try drive(&again, 120..<122)
    try drive(&other, 120..<122)
    func remainingS(_ desk: Desk) throws -> Double {
      try #require(try desk.said(GuidanceProgress.self).last).remainingS
    }
    #expect(abs(try remainingS(again) - remainingS(desk)) < 2)
    #expect(try remainingS(again) > remainingS(other) + 5)
    // Numbers that no drive leads to are a new trip.
    for (driven, usual) in [(1.0, 1e9), (1e9, 1), (0, 900)] {
      (forgetful.paceDrivenS, forgetful.paceUsualS) = (driven, usual)
      var odd = try Desk()
      try odd.stage.restore(forgetful.encoded())
      try drive(&odd, 120..<122)
      #expect(try remainingS(odd) == remainingS(other))
    }
  }

  /// Matched to a road that the route does not use, 60 m north of it.
  private func beside(_ eastM: Double) -> LocationMatched {
    let at = place(eastM, north: 60)
    return LocationMatched(
      state: .matched, latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, bearingDeg: 0,
      segment: WireSegment(way: 9, from: 1, to: 2), offsetM: 1, probability: 0.9,
      raw: LocationRaw(
        latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, speedMps: 10, accuracyM: 5))
  }

  @Test func `off the route the way back is asked for, with the place it was left at, RT-13, PR-8`()
    throws
  {
    var desk = try Desk()
    try desk.call(NavigateSetRouteRequest(route: route.wire), id: "c-1", t: 0)
    try desk.locate(route, 1, 50, t: 1)
    for second in 2...4 { try desk.send(beside(180), t: Double(second)) }
    let asked = try #require(desk.calls.first)
    #expect(asked.name == "route/return")
    let back = try RouteReturnRequest(decoding: asked.payload)
    #expect(back.handle == "h-1")
    #expect(back.section == 0)
    #expect(back.travelledOnSectionM == 150)
    #expect(back.strategy == .nextStop)
    let new = drawn("xyzg", id: "r-2")
    desk.outputs += try desk.stage.receive(
      .reply(
        token: asked.token, stamp: Instant(seconds: 5),
        outcome: .ok(payload: RouteReturnReply(route: new.wire).encoded())))
    #expect(try desk.said(RouteActive.self).map(\.route?.id) == ["r-1", "r-2"])
  }

  @Test func `a router that forgot the route is asked for a new one, RT-13, RT-16`() throws {
    var desk = try Desk()
    try desk.call(NavigateSetRouteRequest(route: route.wire), id: "c-1", t: 0)
    try desk.locate(route, 1, 50, t: 1)
    for second in 2...4 { try desk.send(beside(180), t: Double(second)) }
    let asked = try #require(desk.calls.first)
    desk.outputs += try desk.stage.receive(
      .reply(
        token: asked.token, stamp: Instant(seconds: 5),
        outcome: .failed(CallError(code: "route_handle_missing", message: "Forgotten."))))
    #expect(desk.calls.map(\.name) == ["route/return", "route/calculate"])
    #expect(try desk.said(GuidanceReroute.self).map(\.state) == [.started])
    let anew = try RouteCalculateRequest(decoding: desk.calls[1].payload)
    #expect(anew.body.waypoints.count == 2)
    desk.outputs += try desk.stage.receive(
      .reply(
        token: desk.calls[1].token, stamp: Instant(seconds: 6),
        outcome: .ok(
          payload: RouteCalculateReply(routes: [drawn("xyzg", id: "r-2").wire]).encoded())))
    #expect(try desk.said(RouteActive.self).map(\.route?.id) == ["r-1", "r-2"])
  }

  @Test func `re-sequenced stops, and a route without a handle, are asked for anew, RT-13`() throws
  {
    for (route, strategy) in [
      (drawn("abcdefg", handle: nil), "next_stop"), (drawn("abcdefg"), "resequence"),
    ] {
      var desk = try Desk(["reroute_strategy": .string(strategy)])
      try desk.call(NavigateSetRouteRequest(route: route.wire), id: "c-1", t: 0)
      try desk.locate(route, 1, 50, t: 1)
      for second in 2...4 { try desk.send(beside(180), t: Double(second)) }
      #expect(desk.calls.map(\.name) == ["route/calculate"])
    }
  }

  @Test func `what was proposed outlives a crash on the wire, PR-11`() throws {
    var desk = try Desk(["rerouting": "ask"])
    try desk.call(NavigateSetRouteRequest(route: route.wire), id: "c-1", t: 0)
    try desk.locate(route, 1, 50, t: 1)
    for second in 2...4 { try desk.send(beside(180), t: Double(second)) }
    desk.outputs += try desk.stage.receive(
      .reply(
        token: try #require(desk.calls.first).token, stamp: Instant(seconds: 5),
        outcome: .ok(payload: RouteReturnReply(route: drawn("xyzg", id: "r-2").wire).encoded())))
    #expect(try desk.said(GuidanceReroute.self).map(\.state) == [.started, .proposed])
    var again = try Desk(["rerouting": "ask"])
    try again.stage.restore(try #require(desk.stage.savedState))
    try again.call(NavigateAcceptRerouteRequest(), id: "c-2", t: 6)
    #expect(try again.said(RouteActive.self).map(\.route?.id) == ["r-2"])
  }

  @Test func `without a map the route tells of its roads, at any length, PR-1`() throws {
    var desk = try Desk()
    let twice = drawn("abcbcd")
    try desk.call(NavigateSetRouteRequest(route: twice.wire), id: "c-1", t: 0)
    try desk.locate(twice, 0, 10, t: 1)
    try desk.locate(twice, 1, 10, t: 11)
    try desk.locate(twice, 2, 10, t: 21)
    #expect(try desk.said(GuidanceRoad.self).map(\.road?.name) == ["S0", "S1", "S2"])
  }

  @Test func `a stage restarted off the road leads on to the destination, PR-11, BUS-6`() throws {
    let far = drawn("abcdefg", offRoad: place(600, north: -500))
    var desk = try Desk()
    try desk.call(NavigateSetRouteRequest(route: far.wire), id: "c-1", t: 0)
    for second in 0..<60 {
      try desk.locate(far, second / 10, Double(second % 10) * 10, t: Double(second))
    }
    #expect(try desk.said(GuidanceArrival.self).count == 1)
    var again = try Desk()
    try again.stage.restore(try #require(desk.stage.savedState))
    for second in 60..<70 {
      try again.locate(far, 5, 95, t: Double(second))
    }
    #expect(try again.said(GuidanceArrival.self).isEmpty)
    #expect(try again.said(GuidanceProgress.self).isEmpty)
    #expect(try again.said(GuidanceOffroad.self).count == 10)
  }

  @Test func `garbage is refused with its place and changes nothing, BUS-5`() throws {
    var desk = try Desk()
    try desk.call(NavigateSetRouteRequest(route: route.wire), id: "c-1", t: 0)
    try desk.locate(route, 0, 10, t: 0)
    let before = desk.stage.savedState
    for bytes in [[], [0xc1], [0x81, 0xa5], LocationRaw(latDeg: 1, lonDeg: 1).encoded()] {
      let garbage = EncodedMessage(
        topic: LocationMatched.topic, stamp: Instant(seconds: 1), source: "x", run: 1,
        sequence: 1, payload: bytes)
      #expect(throws: Refusal.self) { try desk.stage.receive(.message(garbage)) }
    }
    #expect(throws: Refusal.self) {
      try desk.stage.receive(
        .call(
          EncodedCall(
            id: "c", name: "navigate/start", stamp: Instant(seconds: 1), payload: [0x80])))
    }
    #expect((desk.stage.savedState == before) == true)
  }

  @Test func `what an older release kept was seen where it was, PR-11`() throws {
    // The road is driven twice: only who was seen behind its first time is on the second.
    let twice = drawn("abcdabcde")
    for (seen, remainingM) in [(true, 250.0), (false, 650)] {
      let old = WireNavigatorState(
        route: twice.wire.encoded(), travelledM: 520, seen: seen, stampNs: 0)
      var desk = try Desk()
      try desk.stage.restore(old.encoded())
      try desk.locate(twice, 5, 50, t: 1)
      let progress = try #require(try desk.said(GuidanceProgress.self).last)
      #expect(progress.estimated == false)
      #expect(progress.remainingM == remainingM)
    }
  }
}
