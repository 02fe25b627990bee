import Foundations
import Geodesy
import Maneuvers
import Messages
import RoadGraph
import Route
import RouteWire
import Routing
import Traffic

/// One calculation with all data that it needs: it runs concurrently with the event loop.
struct RouteCalculation: Sendable {
  let shared: RouterShared
  let handles: RouteHandleStore
  /// The known traffic; nil if there is none.
  let snapshot: TrafficSnapshot?
  /// Sheets that were the newest until a moment ago, with the seconds since then.
  let recentSheets: [Int: Double]
  /// The number of this calculation of the vehicle, from which identities are derived.
  let number: UInt64
  let now: Instant
  let progress: Progress
  /// The policy of the stack at the time of the call.
  var policy = RoutePolicy()

  func calculate(_ request: RouteRequest) throws(RouteFailure) -> ReplyValue {
    let answer = try selectEngine(request)
    return .routeCalculate(
      RouteCalculateReply(
        routes: answer.found.map(\.wire), engine: answer.engine, fellBack: answer.fellBack))
  }

  /// Returns routes for a request, the best first, each with a handle.
  func compute(
    _ request: RouteRequest, origin: RoadPosition? = nil, suffix: String = "",
    on given: RoutingEngine? = nil
  ) throws(RouteFailure) -> [Route] {
    try RoutingEngine.validate(request)
    progress.step(.searching)
    let found = try searching(request, on: given) { (engine) throws(RouteFailure) in
      let paths = try shared.workspaces.withSpace { (space) throws(RouteFailure) in
        try engine.paths(
          request, origin: origin, in: &space, isCancelled: { progress.isCancelled },
          reached: searched)
      }
      return (paths: paths, metric: engine.metric)
    }
    progress.step(.building)
    return found.paths.enumerated().map { index, path in
      defer { progress.advance(to: Double(index + 1) / Double(found.paths.count)) }
      return build(
        path, request, found.metric, name: "\(number)\(suffix)\(index == 0 ? "" : "-\(index)")")
    }
  }

  /// Returns the paths that `search` finds with the engine of a request, or with the given one, the
  /// best first.
  ///
  /// If there is no route, it searches once more with roads opened that are closed at the departure
  /// only: an unavoidable closure does not hide the route, RT-7. If something changes during the
  /// trip, each road is priced for the moment at which it is reached, TR-10.
  func searching(
    _ request: RouteRequest, on given: RoutingEngine? = nil,
    _ search: (RoutingEngine) throws(RouteFailure) -> FoundPaths
  ) throws(RouteFailure) -> FoundPaths {
    let found: FoundPaths
    do throws(RouteFailure) {
      found = try search(given ?? engine(request))
    } catch {
      guard error.isWantOfRoads, let metric = openedMetric(request) else { throw error }
      // Too rare to build a hierarchy for it.
      let opened = try? search(RoutingEngine(metric: metric))
      if progress.isCancelled { throw .cancelled }
      guard let opened else { throw error }
      found = opened
    }
    return try timed(request, after: found, search) ?? found
  }

  /// Share of the searching step for building the metric if no earlier request needed the same one.
  private static let preparingShare = 0.3

  /// Records the completed share of a search, 0 to 1, once its metric is available.
  func searched(_ share: Double) {
    progress.advance(to: Self.preparingShare + (1 - Self.preparingShare) * share)
  }

  /// Returns a request as it is calculated: with the policy of the stack, RT-22, and with legal
  /// sizes if it has none, RT-3.
  ///
  /// Routes keep the original request, so that a later policy applies to requests that follow from
  /// them.
  func effective(_ request: RouteRequest) -> RouteRequest {
    policy.applied(to: request).withLegalSizes(on: shared.graph)
  }

  func engine(_ request: RouteRequest) -> RoutingEngine {
    usualEngine(request).adjusted(for: effective(request), index: shared.index)
  }

  /// Returns the engine without preferences for areas and segments.
  func usualEngine(_ request: RouteRequest) -> RoutingEngine {
    let request = effective(request)
    let progress = progress
    return view(request).engines.engine(MetricKey(request), traffic(for: request)) {
      progress.advance(to: Self.preparingShare * $0)
    }
  }

  /// Returns the departure: a past departure is replaced by now, with the current traffic.
  func departure(_ request: RouteRequest) -> Instant { max(now, request.departure ?? now) }

  /// Returns the map at the departure.
  func view(_ request: RouteRequest) -> RouterShared {
    shared.at(departure(request), request.vehicle)
  }

  /// Returns the costs and times for a request, including preferences for areas and segments.
  func metric(_ request: RouteRequest) -> RoadMetric {
    let request = effective(request)
    let usual = view(request).engines.metric(MetricKey(request), traffic(for: request))
    return RoutingEngine(metric: usual).adjusted(for: request, index: shared.index).metric
  }

  /// Returns the metric in which roads closed at the departure only are open, at the price of
  /// closed roads; nil if there are none.
  private func openedMetric(_ request: RouteRequest) -> RoadMetric? {
    let request = effective(request)
    let opened = shared.opened(at: departure(request), request.vehicle, for: request.mode)
    guard let opened else { return nil }
    let usual = opened.map.engines.metric(MetricKey(request), traffic(for: request))
    return RoutingEngine(metric: usual).adjusted(
      for: request, closed: opened.closed, index: shared.index
    ).metric
  }

  /// Returns `usual`, or another metric if the paths have roads that may be used at other times
  /// only, and not now.
  ///
  /// Linear in the edges of the paths.
  func metric(
    _ usual: RoadMetric, along paths: [RoadPath], _ request: RouteRequest
  ) -> RoadMetric {
    let isOpen = paths.allSatisfy { $0.edges.allSatisfy { usual.network.isUsable($0) } }
    return isOpen ? usual : openedMetric(request) ?? usual
  }

  func build(
    _ path: FoundPath, _ request: RouteRequest, _ metric: RoadMetric, name: String
  ) -> Route {
    let finder = ManeuverFinder(graph: shared.graph)
    var route = RouteBuilder(metric: metric).route(
      path, request: request, id: "r-\(name)", handle: "h-\(name)", computedAt: now,
      maneuvers: { finder.maneuvers(along: $0) })
    route.assumeVehicle(effective(request).vehicle)
    handles.keep(route, at: now)
    return route
  }

  // MARK: Traffic

  func traffic(_ wire: RouteTrafficRequest) throws(RouteFailure) -> ReplyValue {
    let route = try handles.use(wire.handle, at: now)
    let section = Int(clamping: wire.section)
    guard route.sections.indices.contains(section) else {
      throw .invalidOptions(
        "section \(wire.section) does not exist; the route has \(route.sections.count) sections.")
    }
    let pricing = try pricing(route, section: section, travelledM: wire.travelledOnSectionM)
    var answer = pricing.traffic(section: section, travelledM: wire.travelledOnSectionM)
    // The view may have been built for an earlier request.
    answer.ageS = pricing.metric.traffic?.ageS(at: now)
    return .routeTraffic(Wire.reply(answer, route: route, pricedNs: now.nanoseconds))
  }

  /// Returns the prices of a route from a place on.
  func pricing(
    _ route: Route, section: Int, travelledM: Double
  ) throws(RouteFailure) -> RoutePricing {
    let sections = try paths(of: route)
    let metric = metric(metric(route.request), along: sections, route.request)
    func pricing(_ metric: RoadMetric) -> RoutePricing {
      RoutePricing(
        metric: metric, route: route, sections: sections, section: section, travelledM: travelledM)
    }
    let usual = pricing(metric)
    guard mayChange(route.request) else { return usual }
    let restS = route.sections.dropFirst(section + 1).reduce(0) {
      $0 + (route.waypoints[$1.firstWaypoint].original.restS ?? 0)
    }
    func needsS(_ pricing: RoutePricing) -> Double {
      restS + pricing.traffic(section: section, travelledM: travelledM).durations.latestS
    }
    func isUsable(_ metric: RoadMetric) -> Bool {
      sections.allSatisfy { $0.edges.allSatisfy(metric.network.isUsable) }
    }
    let timed = timedMetric(route.request, lengthS: needsS(usual)) {
      isUsable($0) ? needsS(pricing($0)) : 0
    }
    guard let timed, isUsable(timed) else { return usual }
    return pricing(timed)
  }

  /// Returns the paths of a route's sections on this map.
  ///
  /// - Throws: `routeHandleOutdated` if the map no longer has one of its segments.
  func paths(of route: Route) throws(RouteFailure) -> [RoadPath] {
    // Stored routes also come from a saved state, which is not trustworthy.
    guard route.isGapless else { throw .routeHandleOutdated }
    var paths: [RoadPath] = []
    for section in route.sections {
      let segments = route.segments(of: section)
      var edges: [EdgeID] = []
      for segment in segments {
        guard let edge = shared.index.edge(segment.reference) else { throw .routeHandleOutdated }
        edges.append(edge)
      }
      guard let first = segments.first, let last = segments.last, let edge = edges.last else {
        throw .routeHandleOutdated
      }
      // Segments are as long as their shapes, whose points are rounded; a stop has its exact
      // position.
      let stop =
        route.waypoints.indices.contains(section.lastWaypoint)
        ? route.waypoints[section.lastWaypoint] : nil
      let ownM = stop?.segment == last.reference ? stop?.segmentOffsetM : nil
      let endM = Double.minimum(
        ownM ?? last.entryOffsetM + last.lengthM, shared.graph.lengthM(edge))
      paths.append(
        RoadPath(edges: edges, startOffsetM: first.entryOffsetM, endOffsetM: endM))
    }
    return paths
  }
}

extension Route {
  /// Whether the spans cover the segments, and the sections the spans, each once and in order.
  fileprivate var isGapless: Bool {
    func covers(_ ranges: [Range<Int>], _ count: Int) -> Bool {
      var next = 0
      for range in ranges {
        guard range.lowerBound == next, !range.isEmpty else { return false }
        next = range.upperBound
      }
      return next == count
    }
    return covers(spans.map(\.segments), segments.count)
      && covers(sections.map(\.spans), spans.count)
  }

  /// Returns the segments of a section, in order.
  func segments(of section: RouteSection) -> ArraySlice<RouteSegment> {
    guard let first = spans[section.spans].first, let last = spans[section.spans].last else {
      return []
    }
    return segments[first.segments.lowerBound..<last.segments.upperBound]
  }
}
