import Geodesy
import Messages
import RoadGraph
import Route
import RouteWire
import Routing

extension RouteCalculation {
  /// Returns a route from the driver's position to the stops that were not passed, RT-13.
  func comeBack(_ wire: RouteReturnRequest, left: Route?) throws(RouteFailure) -> ReplyValue {
    let old: Route
    if let left {
      old = left
    } else {
      old = try leased(wire.handle ?? "")
    }
    let section = try checked(wire.section, of: old)
    let place = Coordinate(latitudeDeg: wire.latDeg, longitudeDeg: wire.lonDeg)
    let keepsPassThroughs = wire.strategy != .nextStop
    var request = old.remaining(
      from: Waypoint(place: place, bearingDeg: wire.bearingDeg),
      old.ahead(
        section: section, travelledM: wire.travelledOnSectionM,
        keepsPassThroughs: keepsPassThroughs))
    if wire.strategy == .resequence { request.waypoints = Self.resequenced(request.waypoints) }
    request.firstManeuverClearanceM = 8 * (wire.speedMps ?? 0)
    let origin = position(wire.segment, offsetM: wire.offsetM)
    let keeps = wire.strategy == .nextWaypoint || wire.strategy == .nextStop
    let kept =
      keeps
      ? try? rest(
        of: old, section: section, travelledM: wire.travelledOnSectionM,
        keepsPassThroughs: keepsPassThroughs)?.path : nil
    let answer = try selectEngine(request) { () throws(RouteFailure) in
      keeps
        ? try back(to: kept, request, origin: origin)
        : try compute(request, origin: origin).first
    } online: { () throws(RouteFailure) in
      try onlineBack(to: kept, request)
    }
    guard let route = answer.found else { throw .noRouteFound(fromWaypoint: 0) }
    return .routeReturn(
      RouteReturnReply(
        route: route.wire, rejoinsShapeIndex: rejoin(route, old, from: section).map { Int64($0) },
        engine: answer.engine, fellBack: answer.fellBack))
  }

  /// Returns the route back that keeps the old shape from the point where it meets it.
  ///
  /// The shape is kept if that costs at most a tenth more than a new route; `kept` is the rest of
  /// the old route, nil if it cannot be kept.
  private func back(
    to kept: FoundPath?, _ request: RouteRequest, origin: RoadPosition?
  ) throws(RouteFailure) -> Route? {
    try RoutingEngine.validate(request)
    progress.step(.searching)
    let found = try searching(request) { (engine) throws(RouteFailure) in
      let path = try shared.workspaces.withSpace { (space) throws(RouteFailure) -> FoundPath in
        let isCancelled = { progress.isCancelled }
        let fresh = try engine.path(
          request, origin: origin, in: &space, isCancelled: isCancelled, reached: searched)
        guard let kept, !fresh.breaksRestrictions,
          let again = try? engine.rejoining(
            kept, request, origin: origin, in: &space, isCancelled: isCancelled),
          Double(again.costMS) <= Double(fresh.costMS) * Self.keepingStretch
        else { return fresh }
        return again
      }
      return (paths: [path], metric: engine.metric)
    }
    progress.step(.building)
    return found.paths.first.map { build($0, request, found.metric, name: "\(number)") }
  }

  /// Returns the server's route back, continued along the old shape from where it meets it, by the
  /// same measure.
  private func onlineBack(
    to kept: FoundPath?, _ request: RouteRequest
  ) throws(RouteFailure) -> Route? {
    var request = request
    // It was not requested explicitly: it follows from the driver's speed, and no server supports
    // it.
    request.firstManeuverClearanceM = 0
    let engine = usualEngine(request)
    guard let fresh = try onlinePaths(request, engine).first else { return nil }
    progress.step(.building)
    guard let kept, let again = engine.joining(fresh, onto: kept),
      Double(again.costMS) <= Double(engine.costMS(of: fresh)) * Self.keepingStretch
    else {
      return build(
        fresh, request, clocked(engine.metric, along: fresh, request), name: "\(number)")
    }
    return build(again, request, clocked(engine.metric, along: again, request), name: "\(number)")
  }

  /// The old shape is kept if its cost is at most this multiple of the cost of a new path.
  private static let keepingStretch = 1.1

  /// Returns the rest of a route at current prices, and in addition the fastest route to the same
  /// stops.
  func refresh(_ wire: RouteRefreshRequest) throws(RouteFailure) -> ReplyValue {
    let old = try leased(wire.handle)
    let section = try checked(wire.section, of: old)
    guard
      let part = try rest(
        of: old, section: section, travelledM: wire.travelledOnSectionM, keepsPassThroughs: nil)
    else { throw .routeHandleOutdated }
    // Both routes are priced by the traffic of one moment, so that they can be compared.
    let engine = wire.better ? engine(part.request) : nil
    let metric = metric(
      engine?.metric ?? metric(part.request), along: part.path.legs, part.request)
    let route = build(
      part.path, part.request, clocked(metric, along: part.path, part.request), name: "\(number)")
    guard wire.better else { return .routeRefresh(RouteRefreshReply(route: route.wire)) }
    let better = try compute(part.request, origin: part.origin, suffix: "b", on: engine).first
    let isOther = better.map { $0.segments.map(\.reference) != route.segments.map(\.reference) }
    return .routeRefresh(
      RouteRefreshReply(
        route: route.wire, better: better?.wire, shapeChanged: isOther ?? false))
  }

  private func checked(_ section: Int64, of route: Route) throws(RouteFailure) -> Int {
    guard route.sections.indices.contains(Int(clamping: section)) else {
      throw .invalidOptions(
        "section \(section) does not exist; the route has \(route.sections.count) sections.")
    }
    return Int(section)
  }

  private func position(_ segment: WireSegment?, offsetM: Double?) -> RoadPosition? {
    guard let segment, let edge = shared.index.edge(SegmentReference(wire: segment)) else {
      return nil
    }
    let lengthM = shared.graph.lengthM(edge)
    return RoadPosition(edge: edge, offsetM: Double.minimum(lengthM, offsetM ?? 0))
  }

  // The nearest stop next, the destination last.
  private static func resequenced(_ waypoints: [Waypoint]) -> [Waypoint] {
    guard waypoints.count > 3, let destination = waypoints.last else { return waypoints }
    var open = Array(waypoints.dropFirst().dropLast())
    var ordered = [waypoints[0]]
    while !open.isEmpty {
      let here = ordered[ordered.count - 1].place
      let next = open.indices.min {
        here.distanceM(to: open[$0].place) < here.distanceM(to: open[$1].place)
      }
      ordered.append(open.remove(at: next ?? 0))
    }
    return ordered + [destination]
  }

  /// Returns the point of the old shape at which the new route meets it.
  private func rejoin(_ route: Route, _ old: Route, from section: Int) -> Int? {
    var pointOf: [SegmentReference: Int] = [:]
    for span in old.sections[section...].flatMap({ old.spans[$0.spans] }) {
      for segment in old.segments[span.segments] where pointOf[segment.reference] == nil {
        pointOf[segment.reference] = segment.shapeIndex
      }
    }
    return route.segments.lazy.compactMap { pointOf[$0.reference] }.first
  }
}
