import Foundations
import RoadGraph
import Route
import Routing
import Traffic

/// Routing with traffic or rules that change during the trip: each road is priced for the moment at
/// which it is reached, TR-10.
///
/// A trip is first calculated with the prices at its departure. That is the answer if no value
/// begins or ends before the trip is over and live speeds without an end count in full until then.
/// Otherwise the changes during the trip are collected, and it is calculated again.
extension RouteCalculation {
  /// Paths, the best first, and the metric by which they are the best.
  typealias FoundPaths = (paths: [FoundPath], metric: RoadMetric)

  /// Seconds by which a trip may take longer than at the prices of its departure before closed
  /// roads count as wide detours.
  private static let closedS = 7200.0

  /// Returns the result of `search` with each road priced for the moment at which it is reached.
  ///
  /// It is nil if nothing changes during the trip that `found` takes, or if nothing is found.
  func timed(
    _ request: RouteRequest, after found: FoundPaths,
    _ search: (RoutingEngine) throws(RouteFailure) -> FoundPaths
  ) throws(RouteFailure) -> FoundPaths? {
    guard mayChange(request), let path = found.paths.first else { return nil }
    let engine = timedEngine(request, lengthS: lengthS(path, found.metric, request)) { metric in
      // Roads that are closed during the whole span do not show how long the trip takes.
      path.isUsable(on: metric) ? lengthS(path, metric, request) : 0
    }
    guard let engine else { return nil }
    let again = try? search(engine)
    if progress.isCancelled { throw .cancelled }
    return again
  }

  /// Returns `metric` with the clock of a trip along known paths, from the departure of a request
  /// on.
  ///
  /// The metric itself is returned if nothing changes during that trip.
  func clocked(_ metric: RoadMetric, along path: FoundPath, _ request: RouteRequest) -> RoadMetric {
    guard mayChange(request), metric.clock == nil else { return metric }
    let timed = timedMetric(request, lengthS: lengthS(path, metric, request)) {
      path.isUsable(on: $0) ? lengthS(path, $0, request) : 0
    }
    guard let timed, path.isUsable(on: timed) else { return metric }
    return timed
  }

  /// Whether anything may change with time at all; takes constant time.
  func mayChange(_ request: RouteRequest) -> Bool {
    if !shared.rules.isEmpty { return true }
    let counted = traffic(for: effective(request))
    return counted.until != nil || counted.name.typicalSlot != nil
  }

  /// Returns the seconds within which changes may concern a trip along a path.
  ///
  /// They are the duration with rests, plus other costs up to two hours.
  private func lengthS(_ path: FoundPath, _ metric: RoadMetric, _ request: RouteRequest) -> Double {
    let takenS = metric.durationS(of: path, request)
    let costS = Double(RoutingEngine(metric: metric).costMS(of: path, request)) / 1000
    return takenS + Double.minimum(Self.closedS, Double.maximum(0, costS - takenS))
  }

  // MARK: Timelines

  /// Returns the engine of a trip during which something changes; nil if nothing does.
  private func timedEngine(
    _ request: RouteRequest, lengthS: Double, _ needsS: (RoadMetric) -> Double
  ) -> RoutingEngine? {
    let request = effective(request)
    guard let timed = timedRoads(request, lengthS: lengthS, needsS) else { return nil }
    return RoutingEngine(
      metric: timed.metric, method: bound(timed, request).map { .guided($0) } ?? .bidirectional
    ).adjusted(for: request, index: shared.index)
  }

  /// Returns the lower bounds that guide the search for a trip; nil if there are none.
  ///
  /// The fastest trip takes no longer than the one at the prices of the departure. Therefore live
  /// speeds have at least the weight that they have at its end. Other trips may take any time.
  private func bound(_ timed: TimeDependentRoads, _ request: RouteRequest) -> SearchBound? {
    guard let clock = timed.metric.clock else { return nil }
    let lengthS = timed.lengthS * Self.lengthStretch + Self.lengthMarginS
    let end = clock.departure.advanced(bySeconds: lengthS)
    let isBounded = request.optimisation == .fastest && !clock.fading.isNone
    let liveShare = clock.fading.isNone ? 1 : isBounded ? clock.fading.weight(at: end) : 0
    var bound = timed.map.engines.bound(
      timed.base, over: clock.timeline, liveShare: liveShare)
    if isBounded, liveShare > 0 { bound?.untilMS = UInt64(lengthS * 1000) }
    return bound
  }

  /// A search may first find a trip that takes somewhat longer than the known one.
  private static let lengthStretch = 1.05
  private static let lengthMarginS = 120.0

  /// Returns the metric of a trip during which something changes; nil if nothing does.
  func timedMetric(
    _ request: RouteRequest, lengthS: Double, _ needsS: (RoadMetric) -> Double
  ) -> RoadMetric? {
    let request = effective(request)
    return timedRoads(request, lengthS: lengthS, needsS).map {
      RoutingEngine(metric: $0.metric).adjusted(for: request, index: shared.index).metric
    }
  }

  /// Returns the changes during a trip of `lengthS` seconds, on a map with all roads open that are
  /// open at its best moment.
  ///
  /// `needsS` returns, at the prices of later moments, for how long changes may concern the trip.
  /// The span is extended until it covers that.
  private func timedRoads(
    _ request: RouteRequest, lengthS: Double, _ needsS: (RoadMetric) -> Double
  ) -> TimeDependentRoads? {
    var lengthS = lengthS
    var last: TimeDependentRoads?
    let counted = traffic(for: request)
    let departure = departure(request)
    // Two iterations nearly always suffice: spans grow by factors of two.
    for _ in 0..<6 {
      guard let changes = changes(request, counted, lengthS: lengthS) else { return last }
      let map = changes.best.map { shared.map(at: $0) } ?? view(request)
      let base = map.engines.metric(MetricKey(request), counted)
      let clock = TripClock(
        departure: departure, timeline: changes.timeline,
        fading: hasFadingSpeed(request) ? shared.ages.alongTrip(from: now) : .none)
      let metric = RoadMetric(base, clock: clock)
      let neededS = needsS(metric)
      last = TimeDependentRoads(
        map: map, base: base, metric: metric, lengthS: max(lengthS, neededS))
      if departure.advanced(bySeconds: neededS) <= changes.timeline.until { return last }
      lengthS = neededS
    }
    return last
  }

  /// Roads on which something changes during a trip.
  private struct TimeDependentRoads {
    var map: RouterShared
    /// The prices at the departure.
    var base: RoadMetric
    /// The same metric with the clock of the trip.
    var metric: RoadMetric
    /// Maximum duration of the trip in seconds.
    var lengthS: Double
  }

  /// Whether live speeds without an end apply to a request: their weight decreases along the trip.
  private func hasFadingSpeed(_ request: RouteRequest) -> Bool {
    request.traffic != .off && request.mode.isMotorised && !includesForecast(request)
      && snapshot?.hasOpenEndedSpeed(at: now) ?? false
  }

  /// Returns the changes on the roads in the next `lengthS` seconds; nil if there are none.
  private func changes(
    _ request: RouteRequest, _ counted: RequestTraffic, lengthS: Double
  ) -> TimelineCache.Changes? {
    let departure = departure(request)
    let end = departure.advanced(bySeconds: lengthS)
    let counts = request.traffic != .off && request.mode.isMotorised
    // The prices at the departure are those of the current traffic, unless the departure is far in
    // the future.
    let includesForecast = includesForecast(request)
    let since = includesForecast ? departure : now
    let span = TimelineCache.Span(from: since, until: end)
    let typical = counts ? shared.typical?.shares(span) : nil
    let rules = shared.rules.isEmpty ? nil : shared.timelines.rules(span, request.vehicle, shared)
    let changesTraffic = counted.until.map { $0 < end } ?? false
    // Live speeds count in full for the first third of their horizon.
    let fullEnd = shared.ages.alongTrip(from: now).begin
    let fades = fullEnd.map { $0 < end } ?? false && hasFadingSpeed(request)
    guard
      fades || changesTraffic || !(typical?.isConstant ?? true) || !(rules?.isConstant ?? true)
    else { return nil }
    let changes = shared.timelines.changes(
      span, snapshot: counts ? snapshot : nil, counted: counted, typical: typical, rules: rules,
      request.vehicle, shared)
    // Values that only age keep their weights at the departure.
    let changesAny = !changes.timeline.changing.isEmpty || !(rules?.isConstant ?? true)
    return fades || changesAny ? changes : nil
  }
}

extension FoundPath {
  /// Whether a metric's mode may use all roads of a path.
  fileprivate func isUsable(on metric: RoadMetric) -> Bool {
    legs.allSatisfy { $0.edges.allSatisfy(metric.network.isUsable) }
  }
}
