import Foundations
import Geodesy
import RoadGraph
import Route

extension Navigator {
  /// Requests a route from here to the remaining stops of the trip, if the policy allows it.
  mutating func startReroute(from location: VehicleLocation) -> [NavigatorOutput] {
    guard let left = following, let match = location.match, rerouteToken(.deviation) == nil,
      rerouteToken(.routeOutdated) == nil, proposed.map({ $0.reason.isAboutStop }) ?? true,
      reroute.mayRequest(at: location.time, from: match.place)
    else { return [] }
    // A vehicle on a route that is only outdated has not left it, and a mere suspicion is no
    // evidence.
    let verdict = left.deviation.isOff ? left.deviation.evidence : nil
    avoidWhereTurned(match, at: location.time)
    let settled = settlePassedStop(at: match.place)
    guard let now = following else { return settled }
    return settled
      + requestReroute(
        to: waypointsLeft(now, strategy: reroute.strategy, from: match.place),
        verdict == nil ? .routeOutdated : .deviation, from: match, speedMps: location.speedMps,
        because: verdict.map { (what: $0, sure: location.time) })
  }

  /// Requests another route in the mode and with the preferences of this one; cancels one to a
  /// missed stop.
  mutating func requestReroute(
    to stops: [Waypoint], _ reason: RerouteReport.Reason, from match: VehicleLocation.Match,
    speedMps: Double?, because evidence: (what: DeviationDetector.Evidence, sure: Instant)? = nil
  ) -> [NavigatorOutput] {
    guard let route = following?.track.route else { return [] }
    var request = route.request
    request.wishes = wishes(of: route)
    request.waypoints = [origin(match, speedMps: speedMps)] + stops
    request.departure = nil
    request.alternatives = 0
    // If a closed road lies ahead, the new route may turn back at once.
    let mayTurn = following?.turning?.allows(match) ?? false
    request.firstManeuverClearanceM = mayTurn ? 0 : settings.clearanceS * (speedMps ?? 0)
    let void = [.missedStop, .passedStop].flatMap {
      cancelReroute(.cancelled, for: $0) + withdraw($0)
    }
    let token = token(for: .reroute(routeID: route.id, reason))
    var started = report(.started, reason, routeID: route.id)
    (started.evidence, started.sure) = (evidence?.what, evidence?.sure)
    started.proposes = onlyProposes(reason)
    return void + [
      .reroute(started),
      .requestRoute(token: token, request, origin: match, speedMps: speedMps),
    ]
  }

  /// Avoids the roads ahead of a place on the route where the driver turned round.
  ///
  /// The driver may have seen that the road does not lead on.
  private mutating func avoidWhereTurned(_ match: VehicleLocation.Match, at now: Instant) {
    guard let current = following, let hereM = current.track.travelledM,
      hereM >= AvoidedRoads.drivenM,
      current.track.isTurnBack(match) || current.track.isBehind(match)
    else { return }
    let roads = current.track.roads(fromM: hereM, toM: hereM + AvoidedRoads.aheadM)
    following?.avoided = AvoidedRoads(roads, at: now).adding(current.avoided, at: now)
  }

  /// Returns the road preferences of the trip, with the roads avoided since the driver turned
  /// round.
  private func wishes(of route: Route) -> [RoutePreference] {
    guard let avoided = following?.avoided, let now = last?.time else {
      return route.request.wishes
    }
    let own = route.request.wishes.filter { !avoided.wishes.contains($0) }
    return own + (avoided.holds(at: now) ? avoided.wishes : [])
  }

  /// The place on a route that was left, from which the router can lead back to the route's own
  /// shape.
  public struct Departure: Hashable, Sendable {
    public var handle: String
    public var section: Int
    public var travelledOnSectionM: Double
    public var strategy: ReroutePolicy.Strategy
  }

  /// Where the route was left for which `token` requests a return; nil if a new route is required.
  public func departure(for token: UInt64) -> Departure? {
    guard case .reroute(let routeID, .deviation)? = pending[token], reroute.strategy != .resequence,
      let track = following?.track, track.route.id == routeID, let handle = track.route.handle,
      let travelledM = track.travelledM, following?.isOutdated != true,
      // A driver who turned round does not want to be led back to the same road.
      following?.avoided == nil, following?.turning == nil
    else { return nil }
    // The router treats the stops before the section as passed.
    let section = track.sectionIndex(atM: travelledM)
    guard following?.milestones.next == track.route.sections[section].lastWaypoint else {
      return nil
    }
    return Departure(
      handle: handle, section: section,
      travelledOnSectionM: travelledM - track.route.sections[section].startM,
      strategy: reroute.strategy)
  }

  func origin(_ match: VehicleLocation.Match, speedMps: Double?) -> Waypoint {
    // At rest the bearing is noise, and any direction is acceptable. Without a speed, the bearing
    // is used only for a match with a probability of 0.6 or more.
    let moves = speedMps.map { $0 > 1.5 } ?? (match.probability >= 0.6)
    guard moves, let bearingDeg = match.bearingDeg, following?.turning?.allows(match) != true
    else { return Waypoint(place: match.place) }
    // A vehicle that comes back along its road moves against the direction of its match.
    let isBack = following?.track.isBehind(match) ?? false
    let back = bearingDeg < 180 ? bearingDeg + 180 : bearingDeg - 180
    return Waypoint(place: match.place, bearingDeg: isBack ? back : bearingDeg)
  }

  func waypointsLeft(
    _ now: Following, strategy: ReroutePolicy.Strategy, from place: Coordinate
  ) -> [Waypoint] {
    let route = now.track.route
    let startsAnew = settings.visitsFirstStopOnStart && now.track.travelledM == nil
    let first = startsAnew ? 0 : min(now.milestones.next, route.waypoints.count - 1)
    let left = route.waypoints[first...].map(\.original)
    switch strategy {
    case .nextWaypoint:
      return left
    case .nextStop:
      let stops = Array(left.drop { $0.kind == .passThrough })
      // A round trip with only pass-through points must not end when the vehicle leaves the route.
      return stops.count == 1 && isRoundTrip(now, from: place) ? left : stops
    case .resequence:
      return Self.resequenced(left.filter { $0.kind == .stopover }, from: place)
    }
  }

  /// Whether the destination is near in a straight line, but far along the route.
  private func isRoundTrip(_ now: Following, from place: Coordinate) -> Bool {
    guard let end = now.track.route.waypoints.last?.matched else { return false }
    let leftM = now.track.route.lengthM - (now.track.travelledM ?? 0)
    return leftM > 1000 && leftM > 5 * place.distanceM(to: end)
  }

  // Nearest neighbour in straight-line distance; the destination stays last.
  private static func resequenced(_ stops: [Waypoint], from place: Coordinate) -> [Waypoint] {
    guard let destination = stops.last else { return [] }
    var rest = Array(stops.dropLast())
    var order: [Waypoint] = []
    var here = place
    while !rest.isEmpty {
      let nearest = rest.indices.min {
        here.distanceM(to: rest[$0].place) < here.distanceM(to: rest[$1].place)
      }
      guard let nearest else { break }
      here = rest[nearest].place
      order.append(rest.remove(at: nearest))
    }
    return order + [destination]
  }

  func rerouteToken(_ reason: RerouteReport.Reason) -> UInt64? {
    pending.first { if case .reroute(_, reason) = $0.value { true } else { false } }?.key
  }

  /// Discards all requests made since the vehicle left its route, because it is back on it.
  mutating func backOnRoute() -> [NavigatorOutput] {
    let outputs = withdraw(.deviation, .dropped) + cancelReroute(.dropped, for: .deviation)
    reroute.settled()
    return outputs
  }

  mutating func cancelReroute(
    _ state: RerouteReport.State, for reason: RerouteReport.Reason
  ) -> [NavigatorOutput] {
    guard let token = rerouteToken(reason), case .reroute(let routeID, _)? = pending[token] else {
      return []
    }
    pending[token] = nil
    return [
      .cancelRequest(token: token), .reroute(report(state, reason, routeID: routeID)),
    ]
  }

  /// Cancels all requests, whatever their reason.
  mutating func cancelReroutes() -> [NavigatorOutput] {
    RerouteReport.Reason.allCases.flatMap { cancelReroute(.cancelled, for: $0) }
      + RerouteReport.Reason.allCases.flatMap { withdraw($0) }
  }

  func report(
    _ state: RerouteReport.State, _ reason: RerouteReport.Reason = .deviation, routeID: String,
    newRoute: Route? = nil, problem: NavigatorProblem? = nil
  ) -> RerouteReport {
    RerouteReport(
      state: state, reason: reason, strategy: reroute.strategy, routeID: routeID,
      newRoute: newRoute,
      problem: problem, attempt: max(1, reroute.attempts),
      nextTryS: state == .failed ? reroute.pauseS : nil)
  }

  // MARK: Answers

  mutating func routed(
    _ token: UInt64, _ result: Result<Route, NavigatorProblem>, _ alternatives: [Route],
    at now: Instant
  ) -> [NavigatorOutput] {
    guard let purpose = pending.removeValue(forKey: token) else { return [] }
    switch purpose {
    case .start(let call):
      return reply(call, result, .new, alternatives, at: now)
    case .waypoints(let call, let index):
      return reply(call, result, .waypoints, index: index, at: now)
    case .reroute(let routeID, let reason):
      return rerouted(routeID, reason, result, at: now)
    case .traffic:
      return []
    }
  }

  private mutating func reply(
    _ call: String, _ result: Result<Route, NavigatorProblem>, _ reason: ActivationReason,
    _ alternatives: [Route] = [], index: Int? = nil, at now: Instant
  ) -> [NavigatorOutput] {
    switch result {
    case .success(let route):
      var outputs = activate(route, reason, at: now)
      if !alternatives.isEmpty {
        hasAlternatives = true
        outputs.append(.alternatives(alternatives))
      }
      let answer: CommandAnswer =
        if let index {
          .added(routeID: route.id, userIndex: index)
        } else if reason == .new {
          .started(route, alternatives: alternatives.count)
        } else {
          .route(id: route.id)
        }
      return outputs + [.answer(call: call, .success(answer))]
    case .failure(let problem):
      return [.answer(call: call, .failure(problem))]
    }
  }

  /// Withdraws the alternative routes, which belong to a start that another route has replaced.
  mutating func endAlternatives() -> [NavigatorOutput] {
    guard hasAlternatives else { return [] }
    hasAlternatives = false
    return [.alternatives([])]
  }

  /// Whether the driver must accept a new route for this reason before it is followed.
  private func onlyProposes(_ reason: RerouteReport.Reason) -> Bool {
    reason.isAboutStop ? settings.onMissed == .ask : reroute.mode == .ask
  }

  private mutating func rerouted(
    _ routeID: String, _ reason: RerouteReport.Reason, _ result: Result<Route, NavigatorProblem>,
    at now: Instant
  ) -> [NavigatorOutput] {
    guard following?.track.route.id == routeID else { return [] }
    switch result {
    case .success(let route):
      if onlyProposes(reason) {
        let expires =
          reason.isAboutStop ? now.advanced(bySeconds: Self.missedProposalS) : nil
        proposed = Proposal(route: route, reason: reason, expires: expires)
        return [.reroute(report(.proposed, reason, routeID: routeID, newRoute: route))]
      }
      let completed = report(.completed, reason, routeID: routeID, newRoute: route)
      return activate(route, .reroute, at: now, ending: completed)
    case .failure(let problem):
      if !reason.isAboutStop { reroute.failed() }
      return [.reroute(report(.failed, reason, routeID: routeID, problem: problem))]
    }
  }
}
