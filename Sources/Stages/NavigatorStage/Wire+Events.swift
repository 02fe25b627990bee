import Foundations
import Geodesy
import Guidance
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
    _ call: CallRequest, defaults: RequestDefaults
  ) throws(Refusal) -> NavigatorCommand {
    switch call.value {
    case .navigateStart(let request): return try start(request, defaults: defaults)
    case .navigateSetRoute(let request):
      guard let route = request.route else { return .stop }
      return .setRoute(try Route.received(route, call.name))
    case .navigateSkipWaypoint(let request):
      if let index = request.index { return .skipWaypoint(.userIndex(Int(clamping: index))) }
      return .skipWaypoint(request.waypoint.map { .waypoint(Int(clamping: $0)) } ?? .next)
    case .navigateAddWaypoint(let request):
      return .addWaypoint(Waypoint(wire: request.waypoint), at: Int(clamping: request.at))
    case .navigateOrderWaypoints(let request):
      return .orderWaypoints(request.stops.map { Int(clamping: $0) })
    case .navigateAcceptBetter(let request): return .acceptBetter(id: request.id)
    case .navigateRejectBetter(let request): return .rejectBetter(id: request.id)
    case .navigateSetRerouting(let request):
      return .setRerouting(
        ReroutePolicy.Mode(rawValue: request.policy.rawValue) ?? .automatic,
        request.strategy.flatMap { ReroutePolicy.Strategy(rawValue: $0.rawValue) })
    case .navigateAvoidAhead(let request): return .avoidAhead(metres: request.lengthM)
    case .navigateSetTraffic(let request):
      return .setTraffic(
        routeID: request.body.routeId, SpanTraffic(request.body),
        trafficTime: Instant(nanoseconds: request.body.pricedNs))
    default:
      guard let command = bareCommand(call.value) else {
        throw Refusal(
          reason: "no_such_service", message: "the navigator does not serve \(call.name)")
      }
      return command
    }
  }

  /// Returns the command of a request without fields; nil for another request.
  private static func bareCommand(_ request: RequestValue) -> NavigatorCommand? {
    switch request {
    case .navigateStop: .stop
    case .navigateAcceptReroute: .acceptReroute
    case .navigateRejectReroute: .rejectReroute
    case .navigateCancelReroute: .cancelReroute
    case .navigateKeepRoute: .keepRoute
    case .navigatePause: .pause
    case .navigateResume: .resume
    default: nil
    }
  }

  private static func start(
    _ wire: NavigateStartRequest, defaults: RequestDefaults
  ) throws(Refusal) -> NavigatorCommand {
    let waypoints = wire.waypoints + (wire.to.map { [$0] } ?? [])
    guard waypoints.count >= (wire.fromHere ? 1 : 2) else {
      throw Refusal(
        reason: "invalid",
        message: "\(NavigateStartRequest.call): the destination is missing; set to or waypoints",
        field: "to")
    }
    let all = WireRouteRequest(
      waypoints: waypoints, mode: wire.mode ?? defaults.mode.wire,
      optimisation: wire.optimisation.flatMap { .init(rawValue: $0.rawValue) } ?? .fastest,
      avoid: wire.avoid, traffic: .init(rawValue: wire.traffic.rawValue) ?? .flowAndClosures,
      departureNs: wire.departureNs, firstManeuverClearanceM: wire.firstManeuverClearanceM,
      alternatives: wire.alternatives, language: wire.language ?? defaults.language,
      wishes: wire.wishes, avoidCountries: wire.avoidCountries,
      speedCapMps: wire.speedCapMps, vehicle: wire.vehicle,
      maxDifficulty: wire.maxDifficulty, carPool: wire.carPool,
      connectivity: .init(rawValue: wire.connectivity.rawValue) ?? .default)
    return .start(
      RouteRequest(wire: all), fromHere: wire.fromHere, requestID: wire.requestId)
  }

  /// Returns the navigator event for the outcome of a call.
  mutating func navigatorEvent(_ token: UInt64, _ outcome: CallOutcome) -> NavigatorEvent {
    let kind = calls.removeValue(forKey: token)
    do throws(NavigatorProblem) {
      switch outcome {
      case .failed(let error): throw NavigatorProblem(code: error.code, sentence: error.message)
      case .ok(.routeTraffic(let reply)):
        let traffic = reply.body
        if kind == .price {
          return .betterPriced(token: token, .success(traffic.durationLatestS), at: now)
        }
        return .priced(
          token: token, routeID: traffic.routeId, SpanTraffic(traffic),
          trafficTime: Instant(nanoseconds: traffic.pricedNs), at: now)
      case .ok(.routeReturn(let reply)):
        return .routed(token: token, .success(try Route.route(reply.route)), at: now)
      case .ok(.routeCalculate(let reply)):
        return try routed(token, reply.routes)
      case .ok: return try routed(token, [])
      }
    } catch {
      return switch kind {
      case .price: .betterPriced(token: token, .failure(error), at: now)
      case .traffic: .notPriced(token: token, error)
      case .route, .back, nil: .routed(token: token, .failure(error), at: now)
      }
    }
  }

  private func routed(
    _ token: UInt64, _ routes: [WireRoute]
  ) throws(NavigatorProblem) -> NavigatorEvent {
    guard let first = routes.first else {
      throw NavigatorProblem(
        code: "no_route_found", sentence: "The router answered without a route.")
    }
    return .routed(
      token: token, .success(try Route.route(first)),
      alternatives: try routes.dropFirst().map { (wire) throws(NavigatorProblem) in
        try Route.route(wire)
      }, at: now)
  }
}

extension Route {
  /// Returns a route of the router's reply.
  fileprivate static func route(_ wire: WireRoute) throws(NavigatorProblem) -> Route {
    do throws(RouteWireFault) {
      return try Route(wire: wire)
    } catch {
      throw NavigatorProblem(code: "internal", sentence: "The router's answer: \(error)")
    }
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
