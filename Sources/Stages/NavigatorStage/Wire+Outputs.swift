import Foundations
import Geodesy
import Guidance
import Messages
import RoadGraph
import Route
import RouteWire
import Stage

extension NavigatorStage {
  /// Converts the outputs of the navigator to outputs of the stage, in order.
  mutating func perform(_ outputs: [NavigatorOutput]) -> [StageOutput] {
    if !outputs.isEmpty { proposals.keep(navigator.memory) }
    return outputs.flatMap { perform($0) }
  }

  func publish(_ message: TopicValue) -> StageOutput { .publish(message, stamp: now) }

  /// Requests the traffic on the rest of a route, from a place in metres from the start of a section.
  private func askTraffic(
    _ token: UInt64, _ handle: String, _ section: Int, _ travelledOnSectionM: Double
  ) -> StageOutput {
    let request = RouteTrafficRequest(
      handle: handle, section: Int64(section), travelledOnSectionM: travelledOnSectionM)
    return .call(.routeTraffic(request), timeoutMS: shared.callTimeoutMS, token: token)
  }

  private mutating func perform(_ output: NavigatorOutput) -> [StageOutput] {
    switch output {
    case .requestRoute(let token, let request, let origin, let speedMps, let requestID):
      return [askRoute(token, request, origin, speedMps, requestID: requestID)]
    case .requestTraffic(let token, let handle, let section, let metres):
      calls[token] = .traffic
      return [askTraffic(token, handle, section, metres)]
    case .requestPrice(let token, let handle, let section, let metres):
      calls[token] = .price
      return [askTraffic(token, handle, section, metres)]
    case .cancelRequest(let token):
      calls[token] = nil
      return [.cancelCall(token: token)]
    case .activate(let route, let reason, let replaces, let isPaused):
      return activate(route, reason, replaces, isPaused) + checkRoute()
    case .answer(let call, let result):
      return [.reply(callID: call, outcome: Self.outcome(result))]
    case .wake(let moment):
      // The stage has one wake-up: the earliest.
      return [.wake(at: min(moment, navigator.nextDeadline ?? moment))]
    default:
      return announce(output).map { [publish($0)] } ?? []
    }
  }

  private mutating func activate(
    _ route: Route?, _ reason: ActivationReason, _ replaces: String?, _ isPaused: Bool
  ) -> [StageOutput] {
    let wire = route?.wire
    routeBytes = wire?.encoded()
    let message = RouteActive(
      reason: RouteActive.Reason(rawValue: reason.rawValue) ?? .new, paused: isPaused,
      route: wire, replaces: replaces)
    return [publish(.routeActive(message))] + drive(route, isPaused: isPaused)
  }

  // A drive begins with the first route and ends when none is left.
  private mutating func drive(_ route: Route?, isPaused: Bool) -> [StageOutput] {
    guard let route else {
      guard var ended = session else { return [] }
      ended.state = .ended
      ended.endedNs = now.nanoseconds
      session = nil
      return [publish(.session(ended))]
    }
    if session == nil { sessions += 1 }
    let current = Session(
      id: session?.id ?? "\(vehicle)-\(sessions)-\(now.nanoseconds / 1_000_000_000)",
      state: isPaused ? .paused : .started, mode: route.request.wire.mode,
      startedNs: session?.startedNs ?? now.nanoseconds)
    guard current != session else { return [] }
    session = current
    return [publish(.session(current))]
  }

  private static func outcome(
    _ result: Result<CommandAnswer, NavigatorProblem>
  ) -> CallOutcome {
    switch result {
    case .success(.done):
      return .ok(.navigateStop(NavigateStopReply()))
    case .success(.route(let id)):
      // The replies of all commands that only name a route are alike.
      return .ok(.navigateSkipWaypoint(NavigateSkipWaypointReply(routeId: id)))
    case .success(.better(let routeID, let gainS)):
      return .ok(
        .navigateAcceptBetter(NavigateAcceptBetterReply(routeId: routeID, gainS: gainS)))
    case .success(.started(let route, let alternatives)):
      return .ok(
        .navigateStart(
          NavigateStartReply(
            routeId: route.id, lengthM: route.lengthM, durationS: route.durations.latestS,
            alternatives: Int64(alternatives))))
    case .success(.added(let routeID, let index)):
      return .ok(
        .navigateAddWaypoint(NavigateAddWaypointReply(routeId: routeID, index: Int64(index))))
    case .failure(let problem):
      return .failed(CallError(code: problem.code, message: problem.sentence, field: problem.field))
    }
  }

  private func announce(_ output: NavigatorOutput) -> TopicValue? {
    switch output {
    case .alternatives(let routes):
      .routeAlternatives(RouteAlternatives(routes: routes.map(\.wire)))
    case .progress(let progress):
      .guidanceProgress(GuidanceProgress(progress, units: shared.units))
    case .deviation(let deviation):
      location.map { .guidanceDeviation(GuidanceDeviation(deviation, location: $0)) }
    case .reroute(let report): .guidanceReroute(GuidanceReroute(report))
    case .milestone(let milestone, let route):
      .guidanceMilestone(GuidanceMilestone(milestone, on: route))
    case .arrived(let arrival, let route): .guidanceArrival(GuidanceArrival(arrival, on: route))
    case .offRoad(let progress, let routeID):
      .guidanceOffroad(GuidanceOffroad(progress, routeID: routeID))
    case .arrivedOffRoad(let progress, let route):
      .guidanceArrival(GuidanceArrival(progress, on: route))
    case .nextManeuver(let index, let remainingM, let route):
      .guidanceManeuver(GuidanceManeuver(.next, index: index, remainingM: remainingM, on: route))
    case .maneuverDone(let index, let route):
      .guidanceManeuver(GuidanceManeuver(.done, index: index, remainingM: nil, on: route))
    case .better(let found, let state, let expires):
      .routeBetter(RouteBetter(found, state, expires: expires))
    case .lanes(let maneuver, let lanes, let routeID):
      .guidanceLanes(
        GuidanceLanes(
          routeId: routeID, maneuverIndex: maneuver.map(Int64.init), lanes: lanes.map(\.wire)))
    case .speed(let state): .guidanceSpeed(GuidanceSpeed(state))
    case .road(let road, let situation, let segment):
      .guidanceRoad(GuidanceRoad(road, situation, segment: segment))
    case .problem(let problem, let during, let routeID):
      .routeError(
        RouteError(
          code: problem.code, text: problem.sentence,
          during: RouteError.During(rawValue: during) ?? .traffic, routeId: routeID))
    case .requestRoute, .requestTraffic, .requestPrice, .cancelRequest, .activate, .answer, .wake:
      nil
    }
  }
}
