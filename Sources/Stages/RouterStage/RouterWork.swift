import EventTime
import Geodesy
import Maneuvers
import Messages
import RoadGraph
import Route
import RouteWire
import Routing
import Traffic

/// One calculation, with all that it needs taken along: runs beside the work loop.
struct RouterWork: Sendable {
  let shared: RouterShared
  let leases: Leases
  /// All that is known of traffic; nil for nothing.
  let sheet: TrafficSheet?
  /// Sheets that were the newest until a moment ago, and for how many seconds they have not been.
  let recentSheets: [Int: Double]
  /// Counts the calculations of a vehicle; makes identities.
  let number: UInt64
  let now: Instant
  let progress: Progress
  /// The policy of the stack when the call came.
  var policy = RoutePolicy()

  func calculate(_ request: RouteRequest) throws(RouteFailure) -> [UInt8] {
    let answer = try answered(request)
    return RouteCalculateReply(
      routes: answer.found.map(\.wire), engine: answer.engine, fellBack: answer.fellBack
    ).encoded()
  }

  /// Routes for a request, the best first; each gets a handle.
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

  /// Returns the paths that `search` finds with the engine of a request, or with the given one, the best first.
  ///
  /// Where that is no route, it searches once more over roads that are closed at the departure only: a closure that
  /// cannot be kept does not hide the route, RT-7. Where something changes during the trip, each road is priced for the
  /// moment at which it is reached, TR-10.
  func searching(
    _ request: RouteRequest, on given: RoutingEngine? = nil,
    _ search: (RoutingEngine) throws(RouteFailure) -> FoundPaths
  ) throws(RouteFailure) -> FoundPaths {
    let found: FoundPaths
    do throws(RouteFailure) {
      found = try search(given ?? engine(request))
    } catch {
      guard error.isWantOfRoads, let metric = openedMetric(request) else { throw error }
      // Too rare to make a hierarchy for it.
      let opened = try? search(RoutingEngine(metric: metric))
      if progress.isCancelled { throw .cancelled }
      guard let opened else { throw error }
      found = opened
    }
    return try timed(request, after: found, search) ?? found
  }

  /// Share of the searching step that goes into the metric, where nobody has asked for the same before.
  private static let preparingShare = 0.3

  /// Notes how much of a search is done, 0 to 1, once its metric is there.
  func searched(_ share: Double) {
    progress.advance(to: Self.preparingShare + (1 - Self.preparingShare) * share)
  }

  /// A request as it is calculated: with the policy of the stack, RT-22, and with legal sizes where it names none, RT-3.
  ///
  /// Routes keep the request as it was asked, so that a later policy applies to what follows from them.
  func effective(_ request: RouteRequest) -> RouteRequest {
    policy.applied(to: request).withLegalSizes(on: shared.graph)
  }

  func engine(_ request: RouteRequest) -> RoutingEngine {
    usualEngine(request).adjusted(for: effective(request), index: shared.index)
  }

  /// The engine without wishes about areas and segments.
  func usualEngine(_ request: RouteRequest) -> RoutingEngine {
    let request = effective(request)
    let progress = progress
    return view(request).engines.engine(MetricKey(request), traffic(for: request)) {
      progress.advance(to: Self.preparingShare * $0)
    }
  }

  /// When one sets out: a departure that is past is over, and what holds now counts.
  func departure(_ request: RouteRequest) -> Instant { max(now, request.departure ?? now) }

  /// The map as it is when one sets out.
  func view(_ request: RouteRequest) -> RouterShared {
    shared.at(departure(request), request.vehicle)
  }

  /// The costs and times for a request, wishes about areas and segments included.
  func metric(_ request: RouteRequest) -> RoadMetric {
    let request = effective(request)
    let usual = view(request).engines.metric(MetricKey(request), traffic(for: request))
    return RoutingEngine(metric: usual).adjusted(for: request, index: shared.index).metric
  }

  /// The metric on which roads that are closed at the departure only are open at the price of closed ones; nil where
  /// there are none.
  private func openedMetric(_ request: RouteRequest) -> RoadMetric? {
    let request = effective(request)
    let opened = shared.opened(at: departure(request), request.vehicle, for: request.mode)
    guard let opened else { return nil }
    let usual = opened.map.engines.metric(MetricKey(request), traffic(for: request))
    return RoutingEngine(metric: usual).adjusted(
      for: request, closed: opened.closed, index: shared.index
    ).metric
  }

  /// `usual`, or another metric for paths with roads that may be used at other times only, and not now.
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
    leases.keep(route, at: now)
    return route
  }

  // MARK: Traffic

  func traffic(_ wire: RouteTrafficRequest) throws(RouteFailure) -> [UInt8] {
    let route = try leases.use(wire.handle, at: now)
    let section = Int(clamping: wire.section)
    guard route.sections.indices.contains(section) else {
      throw .invalidOptions(
        "section \(wire.section) is none of the route's \(route.sections.count) sections.")
    }
    let pricing = try pricing(route, section: section, travelledM: wire.travelledOnSectionM)
    var answer = pricing.traffic(section: section, travelledM: wire.travelledOnSectionM)
    // The view may have been made for who asked before.
    answer.ageS = pricing.metric.traffic?.ageS(at: now)
    return Wire.reply(answer, route: route, pricedNs: now.nanoseconds).encoded()
  }

  /// The prices of a route from a place on.
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

  /// The paths of a route's sections on this map.
  ///
  /// - Throws: `routeHandleOutdated` where the map does not have a piece of it any more.
  func paths(of route: Route) throws(RouteFailure) -> [RoadPath] {
    // Leases also come back from a saved state, which may be anybody's.
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
      // Segments are as long as their shape, whose points are rounded: where a stop lies it knows itself.
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

  /// The segments of a section, in order.
  func segments(of section: RouteSection) -> ArraySlice<RouteSegment> {
    guard let first = spans[section.spans].first, let last = spans[section.spans].last else {
      return []
    }
    return segments[first.segments.lowerBound..<last.segments.upperBound]
  }
}
