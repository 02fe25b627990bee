import Foundations
import Route

extension Navigator {
  /// Requests the traffic on the route if the interval has passed.
  mutating func askTraffic(at now: Instant) -> [NavigatorOutput] {
    // After a restart with no known start, the interval starts again.
    if following?.pricing.asked == nil { following?.pricing.asked = now }
    guard let current = following,
      let handle = current.track.route.handle, let travelledM = current.track.travelledM,
      current.pricing.isStale == true
        || settings.trafficIntervalS > 0
          && now.seconds(since: current.pricing.asked ?? now) >= settings.trafficIntervalS,
      !pending.values.contains(.traffic(routeID: current.track.route.id))
    else { return [] }
    following?.pricing.asked = now
    following?.pricing.isStale = nil
    let section = current.track.sectionIndex(atM: travelledM)
    return [
      .requestTraffic(
        token: token(for: .traffic(routeID: current.track.route.id)), handle: handle,
        section: section,
        travelledOnSectionM: travelledM - current.track.route.sections[section].startM)
    ]
  }

  /// Stores the router's answer, which the next progress message shows.
  mutating func priced(
    _ token: UInt64, _ routeID: String, _ prices: SpanTraffic, _ trafficTime: Instant,
    at now: Instant
  ) -> [NavigatorOutput] {
    guard case .traffic(let asked)? = pending[token] else { return [] }
    pending[token] = nil
    guard asked == routeID, following?.track.route.id == routeID else { return [] }
    do {
      return try reprice(prices, trafficTime, at: now)
    } catch {
      let problem = NavigatorProblem(
        code: "internal", sentence: "The router's durations do not belong to this route: \(error).")
      return [.problem(problem, during: "traffic", routeID: routeID)]
    }
  }

  /// Stores traffic supplied by an application, TR-9.
  mutating func setTraffic(
    _ routeID: String, _ prices: SpanTraffic, _ trafficTime: Instant, call: String, at now: Instant
  ) -> [NavigatorOutput] {
    guard let route = following?.track.route else {
      return [.answer(call: call, .failure(.noRoute))]
    }
    guard route.id == routeID else {
      let problem = NavigatorProblem(
        code: "other_route",
        sentence: "The traffic belongs to route \(routeID); route \(route.id) is being followed.")
      return [.answer(call: call, .failure(problem))]
    }
    do {
      return try reprice(prices, trafficTime, at: now) + [.answer(call: call, .success(.done))]
    } catch {
      let problem = NavigatorProblem(
        code: "invalid", sentence: "The traffic does not belong to this route: \(error).",
        field: "spans")
      return [.answer(call: call, .failure(problem))]
    }
  }

  /// Applies new traffic, and publishes the route with it if a screen would look different.
  private mutating func reprice(
    _ prices: SpanTraffic, _ trafficTime: Instant, at now: Instant
  ) throws(PricingFault) -> [NavigatorOutput] {
    let closed = following?.track.route.closedSpans
    guard let hasChanged = try following?.track.reprice(prices), let current = following else {
      return []
    }
    following?.pricing.asked = now
    following?.pricing.traffic = trafficTime
    if hasChanged { following?.pricing.isUnpublished = true }
    // A change of closures is published at once.
    return publishTraffic(at: now, isUrgent: current.track.route.closedSpans != closed)
  }

  /// Publishes the route if its traffic has changed visibly and was not published a moment ago.
  mutating func publishTraffic(at now: Instant, isUrgent: Bool = false) -> [NavigatorOutput] {
    guard let current = following else { return [] }
    let since = current.pricing.published.map { now.seconds(since: $0) } ?? .infinity
    guard
      isUrgent || current.pricing.isUnpublished == true && since >= settings.trafficPublishPauseS
    else { return [] }
    following?.pricing.isUnpublished = nil
    following?.pricing.published = now
    let route = current.track.route
    return [.activate(route, .traffic, replaces: route.id, isPaused: isPaused)]
  }
}
