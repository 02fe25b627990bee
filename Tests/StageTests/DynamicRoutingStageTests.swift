import DrawnRoutes
import DynamicRoutingStage
import Foundations
import MessagePack
import Messages
import Route
import RouteWire
import Stage
import Testing

@Suite struct DynamicRoutingStageTests {
  private let old = drawn("abcdefghijklmnop", secondsPerSegment: 100)

  private func message(_ body: some TopicMessage, t: Double) -> EncodedEvent {
    .message(
      EncodedMessage(
        topic: type(of: body).topic, stamp: Instant(seconds: t), source: "test", run: 1,
        sequence: 1, payload: body.encoded()))
  }

  private func progress(speedMps: Double? = nil) -> GuidanceProgress {
    var progress = GuidanceProgress(
      routeId: "r-1", onRoute: .yes, section: 0, travelledOnSectionM: 50, travelledM: 50,
      remainingM: 1450, remainingS: 1450, remainingText: "1.5 km", remainingNumber: 1.5,
      remainingUnit: .km, etaNs: 0, shapeIndex: 0, shapeFraction: 0.5, latDeg: 0, lonDeg: 0.0004)
    if let speedMps { (progress.speedMps, progress.bearingDeg) = (speedMps, 90) }
    return progress
  }

  private func stage(_ route: Route? = nil) throws -> DynamicRoutingStage {
    let parameters = try Parameters(
      ["poll_interval_s": 0, "min_time_difference_s": 60],
      declared: DynamicRoutingStage.manifest.parameters)
    var stage = DynamicRoutingStage(
      vehicle: "ego", shared: try DynamicRoutingStage.load(parameters))
    _ = try stage.receive(message(RouteActive(reason: .new, route: (route ?? old).wire), t: 0))
    return stage
  }

  private func calculation(_ outputs: [EncodedOutput]) throws -> RouteRequest? {
    for case .call("route/calculate", let payload, _, _) in outputs {
      return RouteRequest(wire: try RouteCalculateRequest(decoding: payload).body)
    }
    return nil
  }

  private func engines(
    _ connectivity: RouteEnginesReply.Connectivity, server options: [String]?
  ) -> EncodedOutcome {
    var engines = [
      WireRouteEngine(
        name: "offline", kind: .offline, modes: [.car],
        options: ["first_maneuver_clearance_m", "waypoints.bearing_deg"], maxWaypoints: 32,
        alternatives: 8, calls: 0, failures: 0)
    ]
    if let options {
      engines.append(
        WireRouteEngine(
          name: "http://server", kind: .osrm, modes: [.car], options: options, maxWaypoints: 32,
          alternatives: 3, calls: 0, failures: 0))
    }
    let reply = RouteEnginesReply(connectivity: connectivity, engines: engines)
    return .ok(payload: reply.encoded())
  }

  /// The request of a moving vehicle's check, once the engines' answer has come.
  private func checked(_ answer: EncodedOutcome, _ route: Route? = nil) throws -> RouteRequest {
    var stage = try stage(route)
    let asked = tokens(try stage.receive(message(progress(speedMps: 20), t: 10)))
    #expect(Set(asked.keys) == ["route/engines"])
    let calls = try stage.receive(
      .reply(
        token: try #require(asked["route/engines"]), stamp: Instant(seconds: 11), outcome: answer)
    )
    #expect(Set(tokens(calls).keys) == ["route/calculate", "route/traffic"])
    return try #require(try calculation(calls))
  }

  @Test func `a check asks an engine only for what it can do, DR-9`() throws {
    let bearing = ["waypoints.bearing_deg"]
    let cases: [(EncodedOutcome, clearanceM: Double, bearingDeg: Double?)] = [
      (engines(.offline, server: nil), 160, 90), (engines(.offline, server: []), 160, 90),
      (engines(.online, server: bearing), 0, 90), (engines(.online, server: []), 0, nil),
      (engines(.hybrid, server: bearing), 0, 90), (engines(.hybrid, server: nil), 160, 90),
      // Nothing is known: the router says itself what it cannot do.
      (.failed(CallError(code: "no_such_service", message: "")), 160, 90),
    ]
    for (answer, clearanceM, bearingDeg) in cases {
      let request = try checked(answer)
      #expect(request.firstManeuverClearanceM == clearanceM)
      #expect(request.waypoints[0].bearingDeg == bearingDeg)
    }
    // A route of a certain engine is checked by that engine.
    var own = old
    own.request.connectivity = .offline
    #expect(try checked(engines(.online, server: []), own).firstManeuverClearanceM == 160)
    own.request.connectivity = .online
    own.request.avoid = [.tunnels]
    let theirs = try checked(engines(.offline, server: []), own)
    #expect(theirs.firstManeuverClearanceM == 0 && theirs.avoid == [.tunnels])
  }

  @Test func `a route replaced while the engines are asked for ends its check, DR-6, DR-9`()
    throws
  {
    var stage = try stage()
    let asked = tokens(try stage.receive(message(progress(speedMps: 20), t: 10)))
    let token = try #require(asked["route/engines"])
    let new = drawn("abcxyz", id: "r-2")
    let cancelled = try stage.receive(message(RouteActive(reason: .new, route: new.wire), t: 11))
    #expect(
      cancelled.contains { if case .cancelCall(token) = $0 { true } else { false } })
    #expect(
      try stage.receive(
        .reply(
          token: token, stamp: Instant(seconds: 12), outcome: engines(.offline, server: nil))
      ).isEmpty)
  }

  private func errors(_ outputs: [EncodedOutput]) throws -> [RouteError] {
    var errors: [RouteError] = []
    for case .publish("route/error", _, let payload, _, _, _) in outputs {
      errors.append(try RouteError(decoding: payload))
    }
    return errors
  }

  @Test func `a route without a handle is one error when it becomes active, DR-9`() throws {
    let bare = drawn("abcdefgh", id: "r-1", handle: nil)
    let settings = try DynamicRoutingStage.load(
      try Parameters([:], declared: DynamicRoutingStage.manifest.parameters))
    var stage = DynamicRoutingStage(vehicle: "ego", shared: settings)
    let active = message(RouteActive(reason: .new, route: bare.wire), t: 0)
    let refused = try errors(try stage.receive(active))
    #expect(refused.map(\.code) == ["route_handle_missing"])
    #expect(refused.first?.during == .better && refused.first?.routeId == "r-1")
    #expect(try stage.receive(message(progress(), t: 700)).isEmpty)
    // Neither a restart nor a successor repeats it.
    let state = try #require(stage.savedState)
    let whole = try #require(stage.handOverState)
    for isRestart in [true, false] {
      var other = DynamicRoutingStage(vehicle: "ego", shared: settings)
      if isRestart { try other.restore(state) } else { try other.takeOver(whole) }
      #expect(try other.receive(active).isEmpty)
    }
  }

  @Test func `a planned route without a handle is not watched, DR-9, DR-7`() throws {
    var stage = DynamicRoutingStage(
      vehicle: "ego",
      shared: try DynamicRoutingStage.load(
        try Parameters([:], declared: DynamicRoutingStage.manifest.parameters)))
    let request = EncodedCall(
      id: "c-1", name: RouteWatchRequest.call, stamp: Instant(seconds: 0),
      payload: RouteWatchRequest(route: drawn("abcd", handle: nil).wire).encoded())
    guard case .reply("c-1", .failed(let error))? = try stage.receive(.call(request)).first else {
      Issue.record("it is watched")
      return
    }
    #expect(error.code == "route_handle_missing")
  }

  private func tokens(_ outputs: [EncodedOutput]) -> [String: UInt64] {
    var tokens: [String: UInt64] = [:]
    for output in outputs {
      if case .call(let name, _, _, let token) = output { tokens[name] = token }
    }
    return tokens
  }

  private func price(_ seconds: Double) -> EncodedOutcome {
    .ok(
      payload: RouteTrafficReply(
        WireTrafficAnswer(
          routeId: "r-1", pricedNs: 0, lengthM: 1450, durationLatestS: seconds, delayS: 0,
          spans: WireTrafficSpans())
      ).encoded())
  }

  @Test func `a check asks for the new route and the old one's price, and proposes, DR-1, DR-3`()
    throws
  {
    var stage = try stage()
    let asked = tokens(try stage.receive(message(progress(), t: 10)))
    let now = Instant(seconds: 11)
    let traffic = try #require(asked["route/traffic"])
    let calculate = try #require(asked["route/calculate"])
    #expect(
      try stage.receive(.reply(token: traffic, stamp: now, outcome: price(1450))).isEmpty)
    let new = drawn("abcxyz", id: "r-2", secondsPerSegment: 100)
    let outputs = try stage.receive(
      .reply(
        token: calculate, stamp: now,
        outcome: .ok(payload: RouteCalculateReply(routes: [new.wire]).encoded())))
    guard case .publish("route/better", _, let payload, _, _, _)? = outputs.first else {
      Issue.record("nothing proposed")
      return
    }
    let better = try RouteBetter(decoding: payload)
    #expect(better.state == .found)
    #expect(better.gainS == 950)
    #expect(better.shapeChanged)
  }

  @Test func `an engine out of reach is an error event, and the poller goes on, DR-4`() throws {
    var stage = try stage()
    let asked = tokens(try stage.receive(message(progress(), t: 10)))
    let failed = try stage.receive(
      .reply(
        token: try #require(asked["route/calculate"]), stamp: Instant(seconds: 11),
        outcome: .failed(CallError(code: "unavailable", message: "No router."))))
    #expect(
      failed.contains {
        if case .publish("route/error", _, _, _, _, _) = $0 { true } else { false }
      })
    #expect(tokens(try stage.receive(message(progress(), t: 12))).count == 2)
  }

  @Test func `an answer without a route is an error event, and the poller goes on, DR-4`() throws {
    var stage = try stage()
    let asked = tokens(try stage.receive(message(progress(), t: 10)))
    let failed = try stage.receive(
      .reply(
        token: try #require(asked["route/calculate"]), stamp: Instant(seconds: 11),
        outcome: .ok(payload: RouteCalculateReply(routes: []).encoded())))
    #expect(
      failed.contains {
        if case .publish("route/error", _, _, _, _, _) = $0 { true } else { false }
      })
    #expect(tokens(try stage.receive(message(progress(), t: 12))).count == 2)
  }

  @Test func `an answer for a route since replaced is dropped, DR-6`() throws {
    var stage = try stage()
    let asked = tokens(try stage.receive(message(progress(), t: 10)))
    let new = drawn("abcxyz", id: "r-2")
    let cancelled = try stage.receive(message(RouteActive(reason: .new, route: new.wire), t: 11))
    #expect(
      cancelled.count { if case .cancelCall = $0 { true } else { false } } == 2)
    #expect(
      try stage.receive(
        .reply(
          token: try #require(asked["route/traffic"]), stamp: Instant(seconds: 12),
          outcome: price(9000))
      ).isEmpty)
  }

  @Test func `a planned route is watched by request, until one is followed, DR-7`() throws {
    let parameters = try Parameters(
      ["poll_interval_s": 0, "min_time_difference_s": 60],
      declared: DynamicRoutingStage.manifest.parameters)
    var stage = DynamicRoutingStage(
      vehicle: "ego", shared: try DynamicRoutingStage.load(parameters))
    let request = EncodedCall(
      id: "c-1", name: RouteWatchRequest.call, stamp: Instant(seconds: 0),
      payload: RouteWatchRequest(route: old.wire).encoded())
    var replies: [String?] = []
    for case .reply(_, .ok(let payload)) in try stage.receive(.call(request)) {
      replies.append(try RouteWatchReply(decoding: payload).routeId)
    }
    #expect(replies == ["r-1"])
    let location = LocationMatched(state: .noMatch, reason: .offRoad)
    let asked = tokens(try stage.receive(message(location, t: 10)))
    #expect(Set(asked.keys) == ["route/calculate", "route/traffic"])
    _ = try stage.receive(message(RouteActive(reason: .new, route: old.wire), t: 11))
    let refused = try stage.receive(.call(request))
    for case .reply(_, let outcome) in refused {
      #expect(
        outcome
          == .failed(
            CallError(code: "busy", message: "A route is already being followed and watched.")))
    }
    #expect(refused.count == 1)
  }

  @Test func `a restarted poller goes on with the planned route, DR-7, BUS-6`() throws {
    let parameters = try Parameters(
      ["poll_interval_s": 0, "min_time_difference_s": 60],
      declared: DynamicRoutingStage.manifest.parameters)
    let settings = try DynamicRoutingStage.load(parameters)
    var stage = DynamicRoutingStage(vehicle: "ego", shared: settings)
    _ = try stage.receive(
      .call(
        EncodedCall(
          id: "c-1", name: RouteWatchRequest.call, stamp: Instant(seconds: 0),
          payload: RouteWatchRequest(route: old.wire).encoded())))
    var again = DynamicRoutingStage(vehicle: "ego", shared: settings)
    try again.restore(try #require(stage.savedState))
    // The broker tells a restarted poller that no route is followed.
    _ = try again.receive(message(RouteActive(reason: .cleared, route: nil), t: 9))
    let location = LocationMatched(state: .noMatch, reason: .offRoad)
    let asked = tokens(try again.receive(message(location, t: 10)))
    #expect(Set(asked.keys) == ["route/calculate", "route/traffic"])
    // Once a route is followed there is nothing planned to take back.
    _ = try again.receive(message(RouteActive(reason: .new, route: old.wire), t: 11))
    var third = DynamicRoutingStage(vehicle: "ego", shared: settings)
    try third.restore(try #require(again.savedState))
    #expect(tokens(try third.receive(message(location, t: 12))).isEmpty)
    #expect(throws: Refusal.self) { try third.restore([0xc1]) }
  }
}
