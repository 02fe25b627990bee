import DrawnMaps
import DrawnRoutes
import ExternalRouting
import Foundations
import Geodesy
import Harness
import Messages
import NavigatorStage
import Route
import RouteWire
import Stage

@testable import RouterStage

/// Calls of the navigator that fail; where it asks for a route, a router of its own map answers.
enum NavigatorCallErrors {
  private typealias Bench = RouterErrorBench

  static let all: [FailingCall] = [withoutRoute, proposals, stops, starts, given].flatMap { $0 }

  private static func navigator() throws -> MemoryHarness {
    try MemoryHarness(NavigatorStage.self)
  }

  /// A navigator that follows `route` and, where `position` is given, has a location on its first
  /// segment, as many metres from its start.
  private static func follow(
    _ harness: MemoryHarness, _ route: Route, atM position: Double? = nil
  ) throws {
    guard case .ok? = harness.end(NavigateSetRouteRequest(route: route.wire)) else {
      throw CallError(code: "internal", message: "the route is not followed")
    }
    if let position { locate(harness, route, atM: position, second: 1) }
  }

  private static func locate(
    _ harness: MemoryHarness, _ route: Route, atM position: Double, second: Double
  ) {
    let at = route.shape[0].interpolated(
      to: route.shape[1], fraction: position / route.segments[0].lengthM)
    let matched = LocationMatched(
      state: .matched, latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, bearingDeg: 90,
      segment: route.segments[0].reference.wire, offsetM: position, probability: 0.9,
      raw: LocationRaw(
        latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, speedMps: 10, accuracyM: 5))
    harness.publish(
      topic: LocationMatched.topic, stamp: Instant(seconds: second), payload: matched.encoded(),
      vehicle: "ego")
  }

  /// The same for each request in a fresh navigator, which follows `route` where that is given.
  private static func fresh(
    _ code: String, _ because: String, field: String? = nil, following route: Route? = nil,
    _ requests: [any RequestMessage]
  ) -> [FailingCall] {
    requests.map { request in
      FailingCall(type(of: request).call, code, because, field: field) {
        let harness = try navigator()
        if let route { try follow(harness, route) }
        return harness.end(request)
      }
    }
  }

  private static let stop = WireWaypoint(latDeg: 0, lonDeg: 0.001)

  private static func traffic(_ route: String, spans: WireTrafficSpans = WireTrafficSpans())
    -> NavigateSetTrafficRequest
  {
    NavigateSetTrafficRequest(
      WireTrafficAnswer(
        routeId: route, pricedNs: 0, lengthM: 100, durationLatestS: 10, delayS: 0, spans: spans))
  }

  // MARK: Without a route or a proposal

  private static let withoutRoute: [FailingCall] = [
    fresh(
      "no_route", "a vehicle without a route",
      [
        NavigateAddWaypointRequest(waypoint: stop), NavigateSkipWaypointRequest(),
        NavigateOrderWaypointsRequest(stops: [1]),
        NavigateAvoidAheadRequest(), NavigateKeepRouteRequest(), NavigatePauseRequest(),
        NavigateResumeRequest(),
        traffic("r-1"),
      ]),
    fresh(
      "no_proposal", "nothing that was proposed",
      [
        NavigateAcceptBetterRequest(), NavigateRejectBetterRequest(),
        NavigateAcceptRerouteRequest(), NavigateRejectRerouteRequest(),
      ]),
    fresh("no_reroute", "no reroute under way", [NavigateCancelRerouteRequest()]),
  ].flatMap { $0 }

  /// A navigator to which a better route was proposed, its fork 300 m ahead.
  private static func proposing(_ others: (MemoryHarness) -> Void = { _ in }) throws
    -> (harness: MemoryHarness, route: Route)
  {
    let harness = try navigator()
    others(harness)
    let route = drawn("abcdefghij", secondsPerSegment: 1_000)
    try follow(harness, route, atM: 10)
    let better = RouteBetter(
      id: "b-1", state: .found, routeId: route.id, route: drawn("abcdxyzwij", id: "r-2").wire,
      gainS: 600, longerM: 10, shapeChanged: true)
    harness.publish(
      topic: RouteBetter.topic, stamp: Instant(seconds: 2), payload: better.encoded(),
      vehicle: "ego")
    locate(harness, route, atM: 20, second: 3)
    return (harness, route)
  }

  /// A better route that was proposed a minute before `request`, and has expired.
  private static func expired(_ request: some RequestMessage) -> FailingCall {
    FailingCall(type(of: request).call, "expired", "a proposal of a minute ago") {
      let (harness, route) = try proposing()
      locate(harness, route, atM: 20, second: 70)
      return harness.end(request)
    }
  }

  /// A router for which all routes take the same time.
  private struct EqualPrices: Stage {
    typealias Shared = Bool
    static let manifest = Manifest(
      name: "router", about: "Prices all routes alike.", parameters: [], inputs: [], outputs: [],
      serves: ["route/traffic"], calls: [])

    static func load(_ parameters: Parameters) throws(StageFailure) -> Bool { true }
    init(vehicle: String, shared: Bool) {}

    mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
      guard case .call(let request) = event else { return [] }
      let answer = WireTrafficAnswer(
        routeId: "r-1", pricedNs: 0, lengthM: 100, durationLatestS: 100, delayS: 0,
        spans: WireTrafficSpans())
      return [.reply(callID: request.id, outcome: .ok(.routeTraffic(RouteTrafficReply(answer))))]
    }
  }

  private static let noGain = FailingCall(
    NavigateAcceptBetterRequest.call, "no_gain", "a proposal that saves nothing any more"
  ) {
    let (harness, _) = try proposing { $0.add(EqualPrices.self, name: "router", shared: true) }
    return harness.end(NavigateAcceptBetterRequest(id: "b-1"))
  }

  private static let proposals: [FailingCall] = [
    expired(NavigateAcceptBetterRequest(id: "b-1")),
    expired(NavigateRejectBetterRequest(id: "b-1")), noGain,
  ]

  // MARK: Stops

  /// A change of the stops of a route from a by b to d, by a navigator whose router has a map with `tags`.
  private static func change<Request: RequestMessage>(
    _ code: String, _ because: String, tags: [String: String] = [:],
    _ request: @escaping @Sendable (DrawnMap) throws -> Request
  ) -> FailingCall {
    FailingCall(Request.call, code, because) {
      let map = try Bench.roads()
      let wanted = Bench.request([
        try Bench.place(map, "a"), try Bench.place(map, "b"), try Bench.place(map, "d"),
      ])
      let route = try Bench.route(Bench.harness(map).end(RouteCalculateRequest(wanted.wire)))
      let harness = try navigator()
      harness.add(
        RouterStage.self, name: "router", shared: Bench.shared(try Bench.roads(tags)))
      try follow(harness, route, atM: 100)
      return harness.end(try request(map))
    }
  }

  private static func add(_ place: Coordinate) -> NavigateAddWaypointRequest {
    NavigateAddWaypointRequest(
      waypoint: WireWaypoint(latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg))
  }

  private static let stops: [FailingCall] = [
    fresh(
      "no_location", "a vehicle without a location", following: drawn("abcdefg", stops: [2]),
      [
        NavigateAddWaypointRequest(waypoint: stop), NavigateSkipWaypointRequest(),
        NavigateAvoidAheadRequest(), NavigateOrderWaypointsRequest(stops: [1]),
      ]),
    fresh(
      "no_waypoint", "a route without stops", following: drawn("abcdefg"),
      [NavigateSkipWaypointRequest()]),
    fresh(
      "no_waypoint", "a stop that the route does not have", field: "stops[0]",
      following: drawn("abcdefg"), [NavigateOrderWaypointsRequest(stops: [7])]),
    fresh(
      "invalid", "no stops", field: "stops", following: drawn("abcdefg"),
      [NavigateOrderWaypointsRequest(stops: [])]),
    fresh(
      "invalid", "an index that another stop has", field: "waypoint.index",
      following: drawn("abcdefg"),
      [NavigateAddWaypointRequest(waypoint: WireWaypoint(latDeg: 0, lonDeg: 0.001, index: 1))]),
    changes,
  ].flatMap { $0 }

  private static let changes: [FailingCall] = [
    change("could_not_match_destination", "a stop far from every road") {
      add(try Bench.place($0, "d", northM: 15_000))
    },
    change("no_route_found", "a stop on roads that do not meet") {
      add(try Bench.place($0, "h"))
    },
    change(
      "no_route_found", "a road on the way that is closed to cars", tags: ["bc": Bench.closedToCars]
    ) { _ in NavigateSkipWaypointRequest() },
    change(
      "no_route_found", "a road to the next stop that is closed to cars",
      tags: ["bc": Bench.closedToCars]
    ) { _ in NavigateOrderWaypointsRequest(stops: [1]) },
    change(
      "no_route_found", "a road ahead that is closed to cars", tags: ["bc": Bench.closedToCars]
    ) { _ in NavigateAvoidAheadRequest() },
    FailingCall("navigate/avoid_ahead", "off_route", "a vehicle on another road") {
      let harness = try navigator()
      try follow(harness, drawn("abcdefg"))
      locate(harness, drawn("xyz"), atM: 20, second: 1)
      return harness.end(NavigateAvoidAheadRequest())
    },
  ]

  // MARK: navigate/start

  private static func start(
    _ code: String, _ because: String, _ fetch: EngineFetch? = nil, times: Int = 1,
    _ request: @escaping @Sendable (DrawnMap) throws -> NavigateStartRequest
  ) -> FailingCall {
    FailingCall("navigate/start", code, because) {
      let map = try Bench.roads()
      var setting = RouterEngineTests.server
      (setting.callsPerHour, setting.connectivity) = (1, .offline)
      let harness = try navigator()
      harness.add(
        RouterStage.self, name: "router", shared: Bench.shared(map, setting, fetch))
      var end: EncodedOutcome?
      for _ in 0..<times { end = harness.end(try request(map)) }
      return end
    }
  }

  private static func trip(_ places: [Coordinate]) -> NavigateStartRequest {
    NavigateStartRequest(
      waypoints: places.map { WireWaypoint(latDeg: $0.latitudeDeg, lonDeg: $0.longitudeDeg) },
      fromHere: false)
  }

  private static func onlineTrip(_ map: DrawnMap) throws -> NavigateStartRequest {
    var request = trip([try Bench.place(map, "a"), try Bench.place(map, "d")])
    request.connectivity = .online
    return request
  }

  private static let starts: [FailingCall] =
    fresh("invalid", "no destination", field: "to", [NavigateStartRequest()]) + trips

  private static let trips: [FailingCall] = [
    start("could_not_match_origin", "an origin far from every road") {
      trip([try Bench.place($0, "a", northM: 5_000), try Bench.place($0, "d")])
    },
    start("could_not_match_destination", "a destination far from every road") {
      trip([try Bench.place($0, "a"), try Bench.place($0, "d", northM: 15_000)])
    },
    start("no_route_found", "roads that do not meet") {
      trip([try Bench.place($0, "a"), try Bench.place($0, "h")])
    },
    start("no_map_data", "a destination beyond the map") {
      trip([try Bench.place($0, "a"), Bench.beyond])
    },
    start("unsupported_option", "an option that the server cannot honour", Bench.dead) {
      var request = try onlineTrip($0)
      request.optimisation = .shortest
      return request
    },
    start("engine_unavailable", "a server that does not answer", Bench.dead) {
      try onlineTrip($0)
    },
    start("engine_budget_spent", "a second call in the hour", Bench.dead, times: 2) {
      try onlineTrip($0)
    },
    FailingCall("navigate/start", "no_location", "a vehicle without a location for 30 s") {
      // Before the stack has a time a start waits as long as its call allows.
      let harness = MemoryHarness(start: Instant(seconds: 100))
      try harness.add(NavigatorStage.self, name: "server", parameters: [:])
      var end: EncodedOutcome?
      let request = NavigateStartRequest(to: stop)
      harness.call(NavigateStartRequest.call, payload: request.encoded()) { end = $0 }
      _ = harness.run(until: Instant(seconds: 160))
      return end
    },
    FailingCall("navigate/start", "cancelled", "a later start") {
      let harness = try navigator()
      var end: EncodedOutcome?
      let request = NavigateStartRequest(to: stop)
      harness.call(NavigateStartRequest.call, payload: request.encoded()) { end = $0 }
      harness.call(NavigateStartRequest.call, payload: request.encoded()) { _ in }
      _ = harness.end(NavigateStopRequest())
      return end
    },
  ]

  // MARK: What an application hands in

  private static let given: [FailingCall] = [
    fresh("other_route", "traffic of another route", following: drawn("abcdefg"), [traffic("r-9")]),
    fresh(
      "invalid", "traffic of spans that the route does not have", field: "spans",
      following: drawn("abcdefg"),
      [
        traffic(
          "r-1",
          spans: WireTrafficSpans(
            span: [99], lengthM: [100], durationLatestS: [10], delayS: [0], baseSpeedMps: [10],
            trafficSpeedMps: [10], jamFactor: [0], speedKind: [.live]))
      ]),
    [brokenRoute],
  ].flatMap { $0 }

  private static let brokenRoute = FailingCall(
    "navigate/set_route", "invalid", "a broken route", field: "route.shape"
  ) {
    var wire = drawn("abcd").wire
    wire.shape = "\u{1}"
    return try navigator().end(NavigateSetRouteRequest(route: wire))
  }
}
