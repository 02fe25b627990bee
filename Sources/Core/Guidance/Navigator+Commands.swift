import Foundations
import Geodesy
import RoadGraph
import Route

extension Navigator {
  /// Executes a command of a person or program; exactly one answer follows, immediately or with the
  /// route.
  mutating func execute(
    _ command: NavigatorCommand, call: String, at now: Instant
  ) -> [NavigatorOutput] {
    switch command {
    case .start(let request, let fromHere, let requestID):
      return start(request, fromHere: fromHere, requestID: requestID, call: call, at: now)
    case .stop:
      return clear() + [done(call)]
    case .setRoute(let route):
      return clear() + activate(route, .import, at: now)
        + [.answer(call: call, .success(.route(id: route.id)))]
    case .skipWaypoint(let choice):
      return skip(choice, call: call)
    case .addWaypoint(let waypoint, let place):
      return add(waypoint, at: place, call: call)
    case .orderWaypoints(let stops):
      return order(stops, call: call)
    case .avoidAhead(let metres):
      return avoidAhead(metres, call: call)
    case .acceptBetter, .rejectBetter:
      return decideBetter(command, call: call, at: now)
    case .setTraffic(let routeID, let prices, let trafficTime):
      return setTraffic(routeID, prices, trafficTime, call: call, at: now)
    case .acceptReroute, .rejectReroute, .cancelReroute, .setRerouting, .keepRoute:
      return executeRerouting(command, call: call, at: now)
    case .pause, .resume:
      return hold(command == .pause, call: call)
    }
  }

  private func done(_ call: String) -> NavigatorOutput {
    .answer(call: call, .success(.done))
  }

  private func refuseReroute(_ call: String) -> NavigatorOutput {
    .answer(
      call: call,
      .failure(
        NavigatorProblem(code: "no_proposal", sentence: "No reroute is proposed now.")))
  }

  private mutating func start(
    _ request: RouteRequest, fromHere: Bool, requestID: String?, call: String, at now: Instant
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
      // As long as the stack has no time, only the deadline of the call itself ends the wait.
      let until = now.nanoseconds > 0 ? now.advanced(bySeconds: settings.locationPatienceS) : nil
      waitingStart = PendingStart(call: call, request: request, requestID: requestID, until: until)
      return outputs + (until.map { [.wake(at: $0)] } ?? [])
    }
    return outputs
      + requestStart(request, fromHere: fromHere, requestID: requestID, call: call)
  }

  /// Fails a start for which no location was received in time.
  mutating func endPendingStart(at now: Instant) -> [NavigatorOutput] {
    guard let waiting = waitingStart, let until = waiting.until, now >= until else { return [] }
    waitingStart = nil
    return [.answer(call: waiting.call, .failure(.noLocation))]
  }

  mutating func requestStart(
    _ request: RouteRequest, fromHere: Bool, requestID: String?, call: String
  ) -> [NavigatorOutput] {
    var request = request
    var match: VehicleLocation.Match?
    if fromHere, let location = last, let place = location.place {
      match = location.match
      let here =
        match.map { origin($0, speedMps: location.speedMps) } ?? Waypoint(place: place)
      request.waypoints.insert(here, at: 0)
    }
    let token = token(for: .start(call: call))
    return [
      .requestRoute(
        token: token, request, origin: match, speedMps: fromHere ? last?.speedMps : nil,
        requestID: requestID)
    ]
  }

  private mutating func skip(_ choice: StopChoice, call: String) -> [NavigatorOutput] {
    guard let now = following else { return [.answer(call: call, .failure(.noRoute))] }
    let waypoints = now.track.route.waypoints
    let ahead = waypoints.indices.filter { $0 >= now.milestones.next && $0 < waypoints.count - 1 }
    let chosen =
      switch choice {
      case .next: ahead.first
      case .waypoint(let index): ahead.first { $0 == index }
      case .userIndex(let index): ahead.first { waypoints[$0].userIndex == index }
      }
    guard let chosen else {
      let problem = NavigatorProblem(
        code: "no_waypoint", sentence: "There is no stop ahead with this index that can be skipped."
      )
      return [.answer(call: call, .failure(problem))]
    }
    let left = ahead.filter { $0 != chosen } + [waypoints.count - 1]
    return requestRemainingRoute(left.map { waypoints[$0].original }, call: call)
  }

  private mutating func add(
    _ waypoint: Waypoint, at place: Int, call: String
  ) -> [NavigatorOutput] {
    guard let now = following else { return [.answer(call: call, .failure(.noRoute))] }
    var left = now.track.route.waypoints.dropFirst(now.milestones.next).map(\.original)
    var added = waypoint
    let index = waypoint.userIndex ?? now.lastUserIndex + 1
    guard !now.track.route.waypoints.contains(where: { $0.userIndex == index }) else {
      let problem = NavigatorProblem(
        code: "invalid", sentence: "Another stop of the trip has the index \(index).",
        field: "waypoint.index")
      return [.answer(call: call, .failure(problem))]
    }
    added.userIndex = index
    left.insert(added, at: min(max(0, place), max(0, left.count - 1)))
    return requestRemainingRoute(left, index: index, call: call)
  }

  private mutating func order(_ stops: [Int], call: String) -> [NavigatorOutput] {
    guard let now = following else { return [.answer(call: call, .failure(.noRoute))] }
    func refuse(_ code: String, _ sentence: String, _ field: String) -> [NavigatorOutput] {
      let problem = NavigatorProblem(code: code, sentence: sentence, field: field)
      return [.answer(call: call, .failure(problem))]
    }
    guard !stops.isEmpty else { return refuse("invalid", "The list of stops is empty.", "stops") }
    var rest = Array(now.track.route.waypoints.dropFirst(now.milestones.next))
    let indices = rest.compactMap(\.userIndex).map(String.init).joined(separator: ", ")
    var ordered: [RouteWaypoint] = []
    for (place, index) in stops.enumerated() {
      guard !stops[..<place].contains(index) else {
        return refuse("invalid", "The stop \(index) is listed twice.", "stops[\(place)]")
      }
      guard let found = rest.firstIndex(where: { $0.userIndex == index }) else {
        return refuse(
          "no_waypoint",
          "No remaining stop has the index \(index); the remaining stops are \(indices).",
          "stops[\(place)]")
      }
      ordered.append(rest.remove(at: found))
    }
    return requestRemainingRoute((ordered + rest).map(\.original), call: call)
  }

  private mutating func avoidAhead(_ metres: Double?, call: String) -> [NavigatorOutput] {
    guard let now = following else { return [.answer(call: call, .failure(.noRoute))] }
    guard last?.place != nil else { return [.answer(call: call, .failure(.noLocation))] }
    guard let hereM = now.track.travelledM, !now.deviation.isOff else {
      let problem = NavigatorProblem(
        code: "off_route",
        sentence: "The vehicle is not on its route, so there is no road ahead to avoid.")
      return [.answer(call: call, .failure(problem))]
    }
    let route = now.track.route
    let next = route.maneuvers.dropFirst(now.nextManeuver).first { $0.offsetM > hereM }
    let endM = metres.map { hereM + $0 } ?? next?.offsetM ?? route.lengthM
    let roads = now.track.roads(fromM: hereM, toM: min(endM, route.lengthM) - 1)
    // A long detour is preferred to a short piece of them.
    let wishes = roads.map { RoutePreference(.segment($0), isClosed: true) }
    let left = route.waypoints.dropFirst(min(now.milestones.next, route.waypoints.count - 1))
    return requestRemainingRoute(left.map(\.original), call: call, wishes: wishes)
  }

  private mutating func requestRemainingRoute(
    _ rest: [Waypoint], index: Int? = nil, call: String, wishes: [RoutePreference] = []
  ) -> [NavigatorOutput] {
    guard let now = following else { return [.answer(call: call, .failure(.noRoute))] }
    guard let location = last, let place = location.place else {
      return [.answer(call: call, .failure(.noLocation))]
    }
    var request = now.track.route.request
    let here =
      location.match.map { origin($0, speedMps: location.speedMps) } ?? Waypoint(place: place)
    request.waypoints = [here] + rest
    request.wishes += wishes.filter { !request.wishes.contains($0) }
    request.departure = nil
    request.alternatives = 0
    return [
      .requestRoute(
        token: token(for: .waypoints(call: call, index: index)), request, origin: location.match,
        speedMps: location.speedMps)
    ]
  }

  private mutating func executeRerouting(
    _ command: NavigatorCommand, call: String, at now: Instant
  ) -> [NavigatorOutput] {
    switch command {
    case .acceptReroute:
      guard let found = proposed, let old = following?.track.route.id else {
        return [refuseReroute(call)]
      }
      proposed = nil
      let completed = report(.completed, found.reason, routeID: old, newRoute: found.route)
      return activate(found.route, .reroute, at: now, ending: completed) + [done(call)]
    case .rejectReroute:
      guard let found = proposed else { return [refuseReroute(call)] }
      proposed = nil
      if !found.reason.isAboutStop { reroute.keepsRoute = true }
      if found.reason == .passedStop { following?.passed?.isWanted = true }
      let old = following?.track.route.id ?? found.route.id
      return [.reroute(report(.rejected, found.reason, routeID: old)), done(call)]
    case .cancelReroute:
      guard pending.values.contains(where: { $0.isReroute }) else {
        let problem = NavigatorProblem(
          code: "no_reroute", sentence: "No reroute is being computed.")
        return [.answer(call: call, .failure(problem))]
      }
      return cancelReroutes() + [done(call)]
    case .setRerouting(let mode, let strategy):
      reroute.mode = mode
      if let strategy { reroute.strategy = strategy }
      return
        (mode == .off
        ? cancelReroute(.cancelled, for: .deviation)
          + cancelReroute(.cancelled, for: .routeOutdated) : []) + [done(call)]
    default:
      guard following != nil else { return [.answer(call: call, .failure(.noRoute))] }
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

extension Navigator.Purpose {
  var isReroute: Bool {
    if case .reroute = self { true } else { false }
  }
}
