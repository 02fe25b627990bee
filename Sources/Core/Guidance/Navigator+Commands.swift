import EventTime
import Geodesy
import RoadGraph
import Route

extension Navigator {
  /// Does what a person or program asks for; exactly one answer follows, at once or with the route.
  mutating func obey(
    _ command: NavigatorCommand, call: String, at now: Instant
  ) -> [NavigatorOutput] {
    switch command {
    case .start(let request, let fromHere):
      return start(request, fromHere: fromHere, call: call)
    case .stop:
      return clear() + [done(call)]
    case .setRoute(let route):
      return clear() + activate(route, .import, at: now)
        + [.answer(call: call, .success(CommandAnswer(route)))]
    case .skipWaypoint(let index):
      return skip(index, call: call)
    case .addWaypoint(let waypoint, let place):
      return add(waypoint, at: place, call: call)
    case .acceptBetter(let id):
      guard let found = better.accept(id: id) else { return [refuseProposal(call)] }
      return [.better(found, .accepted, expires: nil)] + activate(found.route, .better, at: now)
        + [.answer(call: call, .success(CommandAnswer(found.route)))]
    case .rejectBetter(let id):
      guard let found = better.reject(id: id, at: now) else { return [refuseProposal(call)] }
      return [.better(found, .rejected, expires: nil), done(call)]
    case .acceptReroute, .rejectReroute, .cancelReroute, .setRerouting, .keepRoute:
      return obeyRerouting(command, call: call, at: now)
    case .pause, .resume:
      return hold(command == .pause, call: call)
    }
  }

  private func done(_ call: String) -> NavigatorOutput {
    .answer(call: call, .success(.done))
  }

  private func refuseProposal(_ call: String) -> NavigatorOutput {
    .answer(
      call: call,
      .failure(
        NavigatorProblem(code: "no_proposal", sentence: "No such better route is proposed now.")))
  }

  private mutating func start(
    _ request: RouteRequest, fromHere: Bool, call: String
  ) -> [NavigatorOutput] {
    var outputs: [NavigatorOutput] = []
    for (token, purpose) in pending.sorted(by: { $0.key < $1.key }) {
      guard case .start(let earlier) = purpose else { continue }
      pending[token] = nil
      outputs += [.cancelRequest(token: token), .answer(call: earlier, .failure(.superseded))]
    }
    if let waiting = waitingStart {
      outputs.append(.answer(call: waiting.call, .failure(.superseded)))
      waitingStart = nil
    }
    guard !fromHere || last?.place != nil else {
      waitingStart = WaitingStart(call: call, request: request)
      return outputs
    }
    return outputs + requestStart(request, fromHere: fromHere, call: call)
  }

  mutating func requestStart(
    _ request: RouteRequest, fromHere: Bool, call: String
  ) -> [NavigatorOutput] {
    var request = request
    var match: Sighting.Match?
    if fromHere, let sighting = last, let place = sighting.place {
      match = sighting.match
      let here =
        match.map { origin($0, speedMps: sighting.speedMps) } ?? Waypoint(place: place)
      request.waypoints.insert(here, at: 0)
    }
    let token = token(for: .start(call: call))
    return [
      .requestRoute(
        token: token, request, origin: match, speedMps: fromHere ? last?.speedMps : nil)
    ]
  }

  private mutating func skip(_ index: Int?, call: String) -> [NavigatorOutput] {
    guard let now = following else { return [.answer(call: call, .failure(.noRoute))] }
    let stops = now.track.route.waypoints.indices.filter {
      $0 >= now.milestones.next && $0 < now.track.route.waypoints.count - 1
    }
    guard let skipped = index ?? stops.first, stops.contains(skipped) else {
      return [
        .answer(
          call: call,
          .failure(
            NavigatorProblem(
              code: "invalid", sentence: "There is no such stop ahead that can be skipped.")))
      ]
    }
    let left = stops.filter { $0 != skipped } + [now.track.route.waypoints.count - 1]
    return requestRest(left.map { now.track.route.waypoints[$0].original }, call: call)
  }

  private mutating func add(
    _ waypoint: Waypoint, at place: Int, call: String
  ) -> [NavigatorOutput] {
    guard let now = following else { return [.answer(call: call, .failure(.noRoute))] }
    var left = now.track.route.waypoints.dropFirst(now.milestones.next).map(\.original)
    left.insert(waypoint, at: min(max(0, place), max(0, left.count - 1)))
    return requestRest(left, call: call)
  }

  private mutating func requestRest(_ rest: [Waypoint], call: String) -> [NavigatorOutput] {
    guard let now = following, let sighting = last, let place = sighting.place else {
      return [.answer(call: call, .failure(.noRoute))]
    }
    var request = now.track.route.request
    let here =
      sighting.match.map { origin($0, speedMps: sighting.speedMps) } ?? Waypoint(place: place)
    request.waypoints = [here] + rest
    return [
      .requestRoute(
        token: token(for: .waypoints(call: call)), request, origin: sighting.match,
        speedMps: sighting.speedMps)
    ]
  }

  private mutating func obeyRerouting(
    _ command: NavigatorCommand, call: String, at now: Instant
  ) -> [NavigatorOutput] {
    switch command {
    case .acceptReroute:
      guard let found = proposed, let old = following?.track.route.id else {
        return [refuseProposal(call)]
      }
      proposed = nil
      let completed = report(.completed, found.reason, routeID: old, newRoute: found.route)
      return activate(found.route, .reroute, at: now, ending: completed) + [done(call)]
    case .rejectReroute:
      guard let found = proposed else { return [refuseProposal(call)] }
      proposed = nil
      if found.reason != .missedStop { reroute.keepsRoute = true }
      let old = following?.track.route.id ?? found.route.id
      return [.reroute(report(.rejected, found.reason, routeID: old)), done(call)]
    case .cancelReroute:
      return cancelReroutes() + [done(call)]
    case .setRerouting(let mode, let strategy):
      reroute.mode = mode
      if let strategy { reroute.strategy = strategy }
      return
        (mode == .off
        ? cancelReroute(.cancelled, for: .deviation)
          + cancelReroute(.cancelled, for: .routeOutdated) : []) + [done(call)]
    default:
      reroute.keepsRoute = true
      return cancelReroutes() + [done(call)]
    }
  }

  private mutating func hold(_ pauses: Bool, call: String) -> [NavigatorOutput] {
    guard let route = following?.track.route else {
      return [.answer(call: call, .failure(.noRoute))]
    }
    guard pauses != isPaused else { return [done(call)] }
    isPaused = pauses
    return [
      .activate(route, .refresh, replaces: route.id, isPaused: pauses), done(call),
    ]
  }
}
