import Foundations
import Geodesy
import Route

extension Navigator {
  /// Requested new prices of a better route and of the route being followed.
  struct BetterRoutePricing: Codable, Hashable, Sendable {
    /// Identity of the better route.
    var id: String
    /// The call that accepts it; nil if it is only priced again.
    var call: String?
    var currentToken: UInt64
    var betterToken: UInt64
    var currentS: Double?
    var betterS: Double?

    /// Seconds gained at the time of pricing; nil until both prices are known.
    var gainS: Double? {
      currentS.flatMap { current in betterS.map { current - $0 } }
    }
  }

  // MARK: Found by the poller

  mutating func betterFound(_ found: BetterRoute, at now: Instant) -> [NavigatorOutput] {
    guard let following, !following.hasArrived, found.routeID == following.track.route.id,
      following.hasStopsLeft(of: found.route), let situation = betterSituation
    else { return [] }
    let isChanged = better.found(
      found, insteadOf: following.track.route, situation, at: now)
    return (isChanged ? showGain() : []) + reviewBetter(at: now)
  }

  /// Performs the due actions for better routes; `mayPrice` is false if prices are requested
  /// anyway.
  mutating func reviewBetter(at now: Instant, mayPrice: Bool = true) -> [NavigatorOutput] {
    guard let following, !isPaused, var situation = betterSituation else { return [] }
    situation.isPricing = situation.isPricing || !mayPrice
    let verdicts = better.review(at: now, insteadOf: following.track.route, situation)
    return verdicts.flatMap { perform($0, at: now) }
  }

  /// The state of the vehicle on its route, as far as it matters for better routes.
  private var betterSituation: BetterRoutePolicy.Situation? {
    guard let following else { return nil }
    let track = following.track
    let here = track.travelledM ?? 0
    let next = track.route.maneuvers.dropFirst(following.nextManeuver).first
    let isSuspected = following.deviation.isOff || following.deviation.evidence != nil
    let isTurned = last?.match.map { track.isTurnBack($0) || track.isBehind($0) } ?? false
    return BetterRoutePolicy.Situation(
      travelledM: here, speedMps: last?.speedMps,
      toManeuverS: next.map { track.latestS(fromM: here, toM: $0.offsetM) } ?? .infinity,
      toEndS: track.latestS(fromM: here, toM: track.route.lengthM),
      isOnRoute: !isSuspected && !isTurned,
      stopsLeft: following.stopsLeft.count,
      isPricing: betterPricing != nil, isAccepting: betterPricing?.call != nil)
  }

  private mutating func perform(
    _ verdict: BetterRoutePolicy.Verdict, at now: Instant
  ) -> [NavigatorOutput] {
    switch verdict {
    case .expire(let old): return [.better(old, .expired, expires: nil)]
    case .withdraw(let old): return withdrawn(old)
    case .propose(let found, let expires):
      return [.better(found, .proposed, expires: expires), .wake(at: expires)]
    case .adopt(let found):
      return [.better(found, .accepted, expires: nil)] + change(to: found, at: now)
    case .price(let found, let newM): return price(found, newM: newM, for: nil)
    }
  }

  private func withdrawn(_ old: BetterRoute) -> [NavigatorOutput] {
    [.better(old, .withdrawn, expires: nil)]
  }

  /// Publishes the current gain of an open proposal.
  private func showGain() -> [NavigatorOutput] {
    better.open.map { [.better($0, .proposed, expires: better.nextDeadline)] } ?? []
  }

  /// Switches to a better route, which leads to the same stops.
  private mutating func change(to found: BetterRoute, at now: Instant) -> [NavigatorOutput] {
    if let route = following?.track.route { better.left(route, for: found, at: now) }
    return activate(found.route, .better, at: now)
  }

  /// Discards the candidates, because another route or none is followed from now on.
  mutating func withdrawBetter() -> [NavigatorOutput] {
    let void = better.routeChanged().map { withdrawn($0) } ?? []
    return void + endPricing(.ended)
  }

  // MARK: Prices

  /// Requests prices for the rest of both routes at the same moment.
  private mutating func price(
    _ found: BetterRoute, newM: Double, for call: String?
  ) -> [NavigatorOutput] {
    guard let track = following?.track else { return [] }
    let replaced = endPricing(.superseded)
    guard let handle = track.route.handle, let newHandle = found.route.handle else {
      return replaced
    }
    let pricing = BetterRoutePricing(
      id: found.id, call: call, currentToken: nextToken, betterToken: nextToken + 1)
    nextToken += 2
    betterPricing = pricing
    return replaced + [
      request(pricing.currentToken, handle, of: track.route, atM: track.travelledM ?? 0),
      request(pricing.betterToken, newHandle, of: found.route, atM: newM),
    ]
  }

  private func request(
    _ token: UInt64, _ handle: String, of route: Route, atM metres: Double
  ) -> NavigatorOutput {
    let section = max(0, route.sections.lastIndex { $0.startM <= metres } ?? 0)
    let startM = route.sections.indices.contains(section) ? route.sections[section].startM : 0
    return .requestPrice(
      token: token, handle: handle, section: section,
      travelledOnSectionM: max(0, metres - startM))
  }

  /// Stores one of the two prices, in seconds; nil if there is none.
  mutating func betterPriced(
    _ token: UInt64, _ result: Result<Double, NavigatorProblem>, at now: Instant
  ) -> [NavigatorOutput] {
    guard var pricing = betterPricing, let route = following?.track.route,
      token == pricing.currentToken || token == pricing.betterToken
    else { return [] }
    switch result {
    case .failure(let problem):
      betterPricing = nil
      let other = token == pricing.currentToken ? pricing.betterToken : pricing.currentToken
      _ = better.priced(pricing.id, gainS: nil, insteadOf: route, at: now)
      return [.cancelRequest(token: other)]
        + (pricing.call.map { [.answer(call: $0, .failure(problem))] } ?? [])
    case .success(let seconds):
      if token == pricing.currentToken {
        pricing.currentS = seconds
      } else {
        pricing.betterS = seconds
      }
      betterPricing = pricing
      guard let gainS = pricing.gainS else { return [] }
      betterPricing = nil
      let (ended, isChanged) = better.priced(
        pricing.id, gainS: gainS, insteadOf: route, at: now)
      var outputs = ended.map { withdrawn($0) } ?? []
      if let call = pricing.call {
        return ended == nil
          ? accept(pricing.id, call: call, at: now)
          : outputs + [.answer(call: call, .failure(.noGain(gainS)))]
      }
      if isChanged { outputs += showGain() }
      return outputs + reviewBetter(at: now)
    }
  }

  private mutating func endPricing(_ problem: NavigatorProblem) -> [NavigatorOutput] {
    guard let pricing = betterPricing else { return [] }
    betterPricing = nil
    let tokens = [
      pricing.currentS == nil ? pricing.currentToken : nil,
      pricing.betterS == nil ? pricing.betterToken : nil,
    ]
    return tokens.compactMap { $0.map { .cancelRequest(token: $0) } }
      + (pricing.call.map { [.answer(call: $0, .failure(problem))] } ?? [])
  }

  // MARK: The driver's answer

  mutating func decideBetter(
    _ command: NavigatorCommand, call: String, at now: Instant
  ) -> [NavigatorOutput] {
    let outputs = reviewBetter(at: now, mayPrice: false)
    do throws(BetterRoutePolicy.Refusal) {
      switch command {
      case .acceptBetter(let id):
        guard let situation = betterSituation else { throw .noProposal }
        let found = try better.acceptable(id: id, situation)
        guard following?.track.route.handle != nil, found.better.route.handle != nil else {
          // Without a handle no route can be priced, so the gain found earlier is used.
          return outputs + accept(found.better.id, call: call, at: now)
        }
        return outputs + price(found.better, newM: found.newM, for: call)
      case .rejectBetter(let id):
        guard let route = following?.track.route else { throw .noProposal }
        let found = try better.reject(id: id, insteadOf: route, at: now)
        return outputs + endPricing(.ended) + [
          .better(found, .rejected, expires: nil),
          .answer(call: call, .success(.route(id: route.id))),
        ]
      default:
        return []
      }
    } catch {
      return outputs + [.answer(call: call, .failure(NavigatorProblem(error)))]
    }
  }

  /// Follows an accepted proposal that was just priced, if it can still be followed.
  private mutating func accept(
    _ id: String, call: String, at now: Instant
  ) -> [NavigatorOutput] {
    guard let situation = betterSituation, let taken = better.accepted(id: id, situation) else {
      return [.answer(call: call, .failure(.ended))]
    }
    let found = taken.better
    guard taken.isStillAhead else {
      return withdrawn(found) + [.answer(call: call, .failure(.ended))]
    }
    return [.better(found, .accepted, expires: nil)] + change(to: found, at: now) + [
      .answer(call: call, .success(.better(routeID: found.route.id, gainS: found.gainS)))
    ]
  }
}

extension Navigator.Following {
  /// Remaining stops and pass-through points of the trip, including the destination.
  var stopsLeft: ArraySlice<RouteWaypoint> {
    track.route.waypoints.dropFirst(min(milestones.next, max(0, track.route.waypoints.count - 1)))
  }

  /// Waypoints within this distance in metres are the same.
  private static let sameM = 5.0

  /// Whether a new route leads to the remaining stops in the same order.
  func hasStopsLeft(of new: Route) -> Bool {
    let theirs = new.waypoints.dropFirst()
    return theirs.count == stopsLeft.count
      && zip(theirs, stopsLeft).allSatisfy {
        $0.original.kind == $1.original.kind
          && $0.original.place.distanceM(to: $1.original.place) <= Self.sameM
      }
  }
}

extension NavigatorProblem {
  static let ended = NavigatorProblem(BetterRoutePolicy.Refusal.ended)

  static func noGain(_ gainS: Double) -> NavigatorProblem {
    NavigatorProblem(
      code: "no_gain",
      sentence: gainS > 0
        ? "The proposed route now saves only \(Int(gainS.rounded())) s."
        : "The proposed route no longer saves time.")
  }

  init(_ refusal: BetterRoutePolicy.Refusal) {
    switch refusal {
    case .noProposal:
      self.init(code: "no_proposal", sentence: "No better route with this id is proposed now.")
    case .ended:
      self.init(code: "expired", sentence: "This better route is no longer proposed.")
    }
  }
}
