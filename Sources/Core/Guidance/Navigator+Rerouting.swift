import EventTime
import Geodesy
import RoadGraph
import Route

extension Navigator {
  /// Asks for a way from here to what is left of the trip, where the policy lets it.
  mutating func startReroute(from sighting: Sighting) -> [NavigatorOutput] {
    guard let now = following, let match = sighting.match, rerouteToken == nil,
      proposedReroute == nil, reroute.mayRequest(at: sighting.time, from: match.place)
    else { return [] }
    var request = now.track.route.request
    request.waypoints =
      [origin(match, speedMps: sighting.speedMps)]
      + waypointsLeft(now, strategy: reroute.strategy, from: match.place)
    request.departure = nil
    request.alternatives = 0
    request.firstManeuverClearanceM = settings.clearanceS * (sighting.speedMps ?? 0)
    let routeID = now.track.route.id
    let token = token(for: .reroute(routeID: routeID))
    return [
      .reroute(report(.started, routeID: routeID)),
      .requestRoute(token: token, request, origin: match, speedMps: sighting.speedMps),
    ]
  }

  func origin(_ match: Sighting.Match, speedMps: Double?) -> Waypoint {
    // At rest the bearing is noise, and any direction will do.
    let moves = (speedMps ?? 2) > 1.5
    return Waypoint(place: match.place, bearingDeg: moves ? match.bearingDeg : nil)
  }

  func waypointsLeft(
    _ now: Following, strategy: ReroutePolicy.Strategy, from place: Coordinate
  ) -> [Waypoint] {
    let route = now.track.route
    let first = min(now.milestones.next, route.waypoints.count - 1)
    let left = route.waypoints[first...].map(\.original)
    switch strategy {
    case .nextWaypoint:
      return left
    case .nextStop:
      return Array(left.drop { $0.kind == .passThrough })
    case .resequence:
      return Self.resequenced(left.filter { $0.kind == .stopover }, from: place)
    }
  }

  // Nearest neighbour as the crow flies; the destination stays the last.
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

  var rerouteToken: UInt64? {
    pending.first { if case .reroute = $0.value { true } else { false } }?.key
  }

  /// The vehicle is on its route: what was asked for since it left is void.
  mutating func backOnRoute() -> [NavigatorOutput] {
    proposedReroute = nil
    let outputs = cancelReroute(.dropped)
    reroute.settled()
    return outputs
  }

  mutating func cancelReroute(_ state: RerouteReport.State) -> [NavigatorOutput] {
    guard let token = rerouteToken, case .reroute(let routeID)? = pending[token] else { return [] }
    pending[token] = nil
    return [.cancelRequest(token: token), .reroute(report(state, routeID: routeID))]
  }

  func report(
    _ state: RerouteReport.State, routeID: String, newRoute: Route? = nil,
    problem: NavigatorProblem? = nil
  ) -> RerouteReport {
    RerouteReport(
      state: state, strategy: reroute.strategy, routeID: routeID, newRoute: newRoute,
      problem: problem, attempt: max(1, reroute.attempts),
      nextTryS: state == .failed ? reroute.pauseS : nil)
  }

  // MARK: Answers

  mutating func routed(
    _ token: UInt64, _ result: Result<Route, NavigatorProblem>, at now: Instant
  ) -> [NavigatorOutput] {
    guard let purpose = pending.removeValue(forKey: token) else { return [] }
    switch purpose {
    case .start(let call):
      return answered(call, result, .new, at: now)
    case .waypoints(let call):
      return answered(call, result, .waypoints, at: now)
    case .reroute(let routeID):
      return rerouted(routeID, result, at: now)
    case .traffic:
      return []
    }
  }

  private mutating func answered(
    _ call: String, _ result: Result<Route, NavigatorProblem>, _ reason: ActivationReason,
    at now: Instant
  ) -> [NavigatorOutput] {
    switch result {
    case .success(let route):
      return activate(route, reason, at: now)
        + [.answer(call: call, .success(CommandAnswer(route)))]
    case .failure(let problem):
      return [.answer(call: call, .failure(problem))]
    }
  }

  private mutating func rerouted(
    _ routeID: String, _ result: Result<Route, NavigatorProblem>, at now: Instant
  ) -> [NavigatorOutput] {
    guard following?.track.route.id == routeID else { return [] }
    switch result {
    case .success(let route):
      if reroute.mode == .ask {
        proposedReroute = route
        return [.reroute(report(.proposed, routeID: routeID, newRoute: route))]
      }
      let completed = report(.completed, routeID: routeID, newRoute: route)
      return activate(route, .reroute, at: now) + [.reroute(completed)]
    case .failure(let problem):
      reroute.failed()
      return [.reroute(report(.failed, routeID: routeID, problem: problem))]
    }
  }

  // MARK: Traffic

  mutating func askTraffic(at now: Instant) -> [NavigatorOutput] {
    guard settings.trafficIntervalS > 0, let current = following,
      let handle = current.track.route.handle, let travelledM = current.track.travelledM,
      now.seconds(since: current.lastPriced ?? now) >= settings.trafficIntervalS,
      !pending.values.contains(.traffic(routeID: current.track.route.id))
    else { return [] }
    following?.lastPriced = now
    let section = current.track.sectionIndex(atM: travelledM)
    return [
      .requestTraffic(
        token: token(for: .traffic(routeID: current.track.route.id)), handle: handle,
        section: section,
        travelledOnSectionM: travelledM - current.track.route.sections[section].startM)
    ]
  }

  // The next progress shows it; nothing is said now.
  mutating func priced(
    _ token: UInt64, _ routeID: String, _ firstSpan: Int, _ latestS: [Double], at now: Instant
  ) -> [NavigatorOutput] {
    guard case .traffic(let asked)? = pending.removeValue(forKey: token), asked == routeID,
      following?.track.route.id == routeID
    else { return [] }
    following?.track.reprice(latestS: latestS, firstSpan: firstSpan)
    following?.lastPriced = now
    return []
  }
}
