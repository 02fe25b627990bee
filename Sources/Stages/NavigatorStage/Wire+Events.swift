import EventTime
import Geodesy
import Guidance
import MessagePack
import Messages
import RoadAhead
import RoadGraph
import Route
import RouteWire
import Stage

/// The map data of a road: the same as long as the vehicle is on it.
struct CachedRoad: Hashable, Sendable {
  var segment: SegmentReference
  var edge: EdgeID
  var mode: TravelMode
  var road: RoadFacts
  var situation: RoadSituation
}

extension CachedRoad {
  /// Returns the road of a segment; nil if it is not in the map.
  static func find(
    _ segment: SegmentReference, _ map: RoadMap, mode: TravelMode, known: inout CachedRoad?
  ) -> CachedRoad? {
    if let known, known.segment == segment, known.mode == mode { return known }
    guard let edge = map.edge(segment) else { return nil }
    known = CachedRoad(
      segment: segment, edge: edge, mode: mode, road: RoadFacts(map.graph, edge),
      situation: RoadSituation(map.graph, edge, mode: mode))
    return known
  }
}

extension VehicleLocation {
  /// Creates a matched location with the data of the stage's map or route about its road.
  init(
    _ wire: LocationMatched, at stamp: Instant, in stage: inout NavigatorStage
  ) throws(Refusal) {
    var match: Match?
    if wire.state == .matched {
      guard let lat = wire.latDeg, let lon = wire.lonDeg, let segment = wire.segment else {
        throw Refusal(
          reason: "incomplete",
          message: "\(LocationMatched.topic): a match needs lat_deg, lon_deg and segment",
          field: "segment")
      }
      match = Match(
        place: Coordinate(latitudeDeg: lat, longitudeDeg: lon), bearingDeg: wire.bearingDeg,
        segment: SegmentReference(wire: segment), offsetM: wire.offsetM ?? 0,
        probability: wire.probability ?? 0, offRouteProbability: wire.offRouteProbability,
        path: wire.path.map(SegmentReference.init(wire:)), isWrongWay: wire.wrongWay,
        isTeleport: wire.teleport)
    }
    self.init(
      time: stamp, match: match,
      raw: wire.raw.map { Coordinate(latitudeDeg: $0.latDeg, longitudeDeg: $0.lonDeg) },
      accuracyM: wire.raw?.accuracyM, speedMps: wire.speedMps ?? wire.raw?.speedMps,
      // A receiver speed that the matcher replaced does not count as measured.
      isSpeedMeasured: wire.speedMps == nil || wire.speedMps == wire.raw?.speedMps,
      isEstimated: wire.estimated)
    if wire.state == .noMatch, wire.reason != .offRoad { isUnused = true }
    guard let match else { return }
    let mode = stage.mode
    guard let map = stage.shared.map,
      let here = CachedRoad.find(match.segment, map, mode: mode, known: &stage.known)
    else {
      // Without a map the spans of the route contain the data of its roads.
      road = stage.navigator.road(of: match.segment)
      return
    }
    road = here.road
    situation = here.situation
    limits = SpeedLimits(
      map, here.edge, mode: mode, at: stamp, vehicleMps: stage.shared.vehicleLimitMps,
      stage.shared.circumstances(of: stage.navigator.route))
  }
}

extension BetterRoute {
  init(_ wire: RouteBetter) throws(Refusal) {
    guard let route = wire.route else {
      throw Refusal(
        reason: "incomplete", message: "\(RouteBetter.topic): found needs its route",
        field: "route")
    }
    self.init(
      id: wire.id, routeID: wire.routeId, route: try Route.received(route, RouteBetter.topic),
      gainS: wire.gainS, longerM: wire.longerM, shapeChanged: wire.shapeChanged,
      avoidsClosure: wire.avoidsClosure, thresholdS: wire.thresholdS)
  }
}

extension Route {
  /// Returns a route from its wire form, or throws a refusal that names the topic or call and the
  /// field.
  static func received(_ wire: WireRoute, _ place: String) throws(Refusal) -> Route {
    do throws(RouteWireFault) {
      return try Route(wire: wire)
    } catch {
      throw Refusal(
        reason: "broken_route", message: "\(place): route.\(error.field): \(error.message)",
        field: "route.\(error.field)")
    }
  }
}

extension NavigatorStage {
  /// Returns the command of a call to the navigator.
  static func command(
    _ request: CallRequest, defaultMode: TravelMode
  ) throws(Refusal) -> NavigatorCommand {
    switch request.name {
    case NavigateStartRequest.call:
      return try start(try request.decoded(), defaultMode: defaultMode)
    case NavigateSetRouteRequest.call:
      let wire: NavigateSetRouteRequest = try request.decoded()
      guard let route = wire.route else { return .stop }
      return .setRoute(try Route.received(route, request.name))
    case NavigateSkipWaypointRequest.call:
      let wire: NavigateSkipWaypointRequest = try request.decoded()
      if let index = wire.index { return .skipWaypoint(.userIndex(Int(clamping: index))) }
      return .skipWaypoint(wire.waypoint.map { .waypoint(Int(clamping: $0)) } ?? .next)
    case NavigateAddWaypointRequest.call:
      let wire: NavigateAddWaypointRequest = try request.decoded()
      return .addWaypoint(Waypoint(wire: wire.waypoint), at: Int(clamping: wire.at))
    case NavigateOrderWaypointsRequest.call:
      let wire: NavigateOrderWaypointsRequest = try request.decoded()
      return .orderWaypoints(wire.stops.map { Int(clamping: $0) })
    case NavigateAcceptBetterRequest.call:
      let wire: NavigateAcceptBetterRequest = try request.decoded()
      return .acceptBetter(id: wire.id)
    case NavigateRejectBetterRequest.call:
      let wire: NavigateRejectBetterRequest = try request.decoded()
      return .rejectBetter(id: wire.id)
    case NavigateSetReroutingRequest.call:
      let wire: NavigateSetReroutingRequest = try request.decoded()
      return .setRerouting(
        ReroutePolicy.Mode(rawValue: wire.policy.rawValue) ?? .automatic,
        wire.strategy.flatMap { ReroutePolicy.Strategy(rawValue: $0.rawValue) })
    case NavigateAvoidAheadRequest.call:
      let wire: NavigateAvoidAheadRequest = try request.decoded()
      return .avoidAhead(metres: wire.lengthM)
    case NavigateSetTrafficRequest.call:
      let wire: NavigateSetTrafficRequest = try request.decoded()
      return .setTraffic(
        routeID: wire.body.routeId, SpanTraffic(wire.body),
        trafficTime: Instant(nanoseconds: wire.body.pricedNs))
    default:
      return try bareCommand(request)
    }
  }

  private static func bareCommand(_ request: CallRequest) throws(Refusal) -> NavigatorCommand {
    switch request.name {
    case NavigateStopRequest.call: return .stop
    case NavigateAcceptRerouteRequest.call: return .acceptReroute
    case NavigateRejectRerouteRequest.call: return .rejectReroute
    case NavigateCancelRerouteRequest.call: return .cancelReroute
    case NavigateKeepRouteRequest.call: return .keepRoute
    case NavigatePauseRequest.call: return .pause
    case NavigateResumeRequest.call: return .resume
    default:
      throw Refusal(
        reason: "no_such_service", message: "the navigator does not serve \(request.name)")
    }
  }

  private static func start(
    _ wire: NavigateStartRequest, defaultMode: TravelMode
  ) throws(Refusal) -> NavigatorCommand {
    let waypoints = wire.waypoints + (wire.to.map { [$0] } ?? [])
    guard waypoints.count >= (wire.fromHere ? 1 : 2) else {
      throw Refusal(
        reason: "invalid",
        message: "\(NavigateStartRequest.call): the destination is missing; set to or waypoints",
        field: "to")
    }
    let all = WireRouteRequest(
      waypoints: waypoints, mode: wire.mode ?? defaultMode.wire,
      optimisation: wire.optimisation.flatMap { .init(rawValue: $0.rawValue) } ?? .fastest,
      avoid: wire.avoid, traffic: .init(rawValue: wire.traffic.rawValue) ?? .flowAndClosures,
      departureNs: wire.departureNs, firstManeuverClearanceM: wire.firstManeuverClearanceM,
      alternatives: wire.alternatives, language: wire.language, wishes: wire.wishes,
      avoidCountries: wire.avoidCountries, speedCapMps: wire.speedCapMps, vehicle: wire.vehicle,
      maxDifficulty: wire.maxDifficulty, carPool: wire.carPool,
      connectivity: .init(rawValue: wire.connectivity.rawValue) ?? .default)
    return .start(
      RouteRequest(wire: all), fromHere: wire.fromHere, requestID: wire.requestId)
  }

  /// Returns the navigator event for the outcome of a call.
  mutating func answer(_ token: UInt64, _ outcome: CallOutcome) -> NavigatorEvent {
    let kind = calls.removeValue(forKey: token)
    if kind == .price { return price(token, outcome) }
    switch outcome {
    case .failed(let error):
      let problem = NavigatorProblem(code: error.code, sentence: error.message)
      return kind == .traffic
        ? .notPriced(token: token, problem)
        : .routed(token: token, .failure(problem), at: now)
    case .ok(let payload):
      do {
        if kind == .traffic {
          let reply = try RouteTrafficReply(decoding: payload).body
          return .priced(
            token: token, routeID: reply.routeId, SpanTraffic(reply),
            trafficTime: Instant(nanoseconds: reply.pricedNs), at: now)
        }
        if case .back? = kind {
          let reply = try RouteReturnReply(decoding: payload)
          return .routed(token: token, .success(try Route(wire: reply.route)), at: now)
        }
        let reply = try RouteCalculateReply(decoding: payload)
        guard let first = reply.routes.first else {
          let problem = NavigatorProblem(
            code: "no_route_found", sentence: "The router answered without a route.")
          return .routed(token: token, .failure(problem), at: now)
        }
        return .routed(
          token: token, .success(try Route(wire: first)),
          alternatives: try reply.routes.dropFirst().map { try Route(wire: $0) }, at: now)
      } catch {
        let problem = NavigatorProblem(code: "internal", sentence: "The router's answer: \(error)")
        return kind == .traffic
          ? .notPriced(token: token, problem)
          : .routed(token: token, .failure(problem), at: now)
      }
    }
  }
}

extension NavigatorStage {
  /// Converts the price of a route to an event of the navigator.
  private func price(_ token: UInt64, _ outcome: CallOutcome) -> NavigatorEvent {
    let result: Result<Double, NavigatorProblem>
    switch outcome {
    case .failed(let error):
      result = .failure(NavigatorProblem(code: error.code, sentence: error.message))
    case .ok(let payload):
      do throws(DecodeError) {
        result = .success(try RouteTrafficReply(decoding: payload).body.durationLatestS)
      } catch {
        result = .failure(
          NavigatorProblem(code: "internal", sentence: "The router's answer: \(error)"))
      }
    }
    return .betterPriced(token: token, result, at: now)
  }
}

extension SpanTraffic {
  /// Creates traffic from a reply of `route/traffic`, or from an application.
  init(_ wire: WireTrafficAnswer) {
    let spans = wire.spans
    self.init(
      firstSpan: spans.span.first.map { Int(clamping: $0) } ?? 0,
      entries: spans.span.indices.map { index in
        let until = wire.spanUntilNs.indices.contains(index) ? wire.spanUntilNs[index] : 0
        return Entry(
          lengthM: spans.lengthM[index], latestS: spans.durationLatestS[index],
          delayS: spans.delayS[index],
          flow: Flow(
            speedMps: spans.trafficSpeedMps[index], jamFactor: spans.jamFactor[index],
            kind: SpeedKind(wire: spans.speedKind[index]),
            until: until == 0 ? nil : Instant(nanoseconds: until)))
      })
  }
}
