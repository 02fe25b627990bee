import Geodesy
import Messages
import RoadGraph
import Route
import RouteWire
import Routing

extension RouterWork {
  /// From where the driver is to the stops that he has not passed, RT-13.
  func comeBack(_ wire: RouteReturnRequest, left: Route?) throws(RouteFailure) -> [UInt8] {
    let old: Route
    if let left {
      old = left
    } else {
      old = try leased(wire.handle ?? "")
    }
    let section = try checked(wire.section, of: old)
    let place = Coordinate(latitudeDeg: wire.latDeg, longitudeDeg: wire.lonDeg)
    let keepsPassThroughs = wire.strategy != .nextStop
    var request = remaining(
      of: old, section: section, travelledM: wire.travelledOnSectionM,
      from: Waypoint(place: place, bearingDeg: wire.bearingDeg),
      keepsPassThroughs: keepsPassThroughs)
    if wire.strategy == .resequence { request.waypoints = Self.resequenced(request.waypoints) }
    request.firstManeuverClearanceM = 8 * (wire.speedMps ?? 0)
    let origin = position(wire.segment, offsetM: wire.offsetM)
    let kept = wire.strategy == .nextWaypoint || wire.strategy == .nextStop
    let route =
      kept
      ? try back(
        to: try? rest(of: old, section: section, travelledM: wire.travelledOnSectionM), request,
        origin: origin) : try compute(request, origin: origin).first
    guard let route else { throw .noRouteFound(fromWaypoint: 0) }
    return RouteReturnReply(
      route: route.wire, rejoinsShapeIndex: rejoin(route, old, from: section).map { Int64($0) }
    ).encoded()
  }

  /// The way back that keeps the old shape from where it is met, as long as that costs no more than a
  /// tenth more than a fresh one; `kept` is what is left of the old route, nil where it cannot be kept.
  private func back(
    to kept: Rest?, _ request: RouteRequest, origin: RoadPosition?
  ) throws(RouteFailure) -> Route? {
    try RoutingEngine.validate(request)
    let engine = engine(request)
    let path = try shared.workspaces.withSpace { (space) throws(RouteFailure) -> FoundPath in
      let isCancelled = { progress.isCancelled }
      let fresh = try engine.path(request, origin: origin, in: &space, isCancelled: isCancelled)
      guard let kept, kept.request.waypoints.count == request.waypoints.count, !fresh.breaksBans,
        let again = try? engine.rejoining(
          kept.path, request, origin: origin, in: &space, isCancelled: isCancelled),
        Double(again.costMS) <= Double(fresh.costMS) * Self.keepingStretch
      else { return fresh }
      return again
    }
    progress.step(.building)
    return build(path, request, engine.metric, name: "\(number)")
  }

  /// The old shape is kept where it costs at most so often what a fresh way costs.
  private static let keepingStretch = 1.1

  /// The rest of a route, priced now, and beside it the fastest way to the same stops.
  func refresh(_ wire: RouteRefreshRequest) throws(RouteFailure) -> [UInt8] {
    let old = try leased(wire.handle)
    let section = try checked(wire.section, of: old)
    let part = try rest(of: old, section: section, travelledM: wire.travelledOnSectionM)
    // What is compared is priced by the traffic of one moment.
    let engine = wire.better ? usualEngine(part.request) : nil
    let route = build(
      part.path, part.request, engine?.metric ?? metric(part.request), name: "\(number)")
    guard wire.better else { return RouteRefreshReply(route: route.wire).encoded() }
    let better = try compute(part.request, origin: part.origin, suffix: "b", on: engine).first
    let isOther = better.map { $0.segments.map(\.reference) != route.segments.map(\.reference) }
    return RouteRefreshReply(
      route: route.wire, better: better?.wire, shapeChanged: isOther ?? false
    ).encoded()
  }

  private func checked(_ section: Int64, of route: Route) throws(RouteFailure) -> Int {
    guard route.sections.indices.contains(Int(clamping: section)) else {
      throw .invalidOptions(
        "section \(section) is none of the route's \(route.sections.count) sections.")
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

  /// The old request from a new start on: stops that were passed stay passed.
  private func remaining(
    of old: Route, section: Int, travelledM: Double, from start: Waypoint,
    keepsPassThroughs: Bool
  ) -> RouteRequest {
    let hereM = old.sections[section].startM + travelledM
    let stops = old.waypoints.dropFirst().filter { waypoint in
      if waypoint.original.kind == .stopover { return waypoint.section >= section }
      return keepsPassThroughs && waypoint.offsetM > hereM && waypoint.section >= section
        || !keepsPassThroughs && waypoint.section > section
    }
    var request = old.request
    request.waypoints = [start] + stops.map(\.original)
    request.alternatives = 0
    request.firstManeuverClearanceM = 0
    return request
  }

  // Nearest next, the destination last.
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

  /// The point of the old shape at which the new route meets it.
  private func rejoin(_ route: Route, _ old: Route, from section: Int) -> Int? {
    var pointOf: [SegmentReference: Int] = [:]
    for span in old.sections[section...].flatMap({ old.spans[$0.spans] }) {
      for segment in old.segments[span.segments] where pointOf[segment.reference] == nil {
        pointOf[segment.reference] = segment.shapeIndex
      }
    }
    return route.segments.lazy.compactMap { pointOf[$0.reference] }.first
  }

  private struct Rest {
    var path: FoundPath
    var request: RouteRequest
    var origin: RoadPosition
  }

  /// What is left of a route as a path of its own.
  private func rest(
    of old: Route, section: Int, travelledM: Double
  ) throws(RouteFailure) -> Rest {
    let paths = try paths(of: old)
    let info = old.sections[section]
    let hereM = info.startM + Double.minimum(Double.maximum(0, travelledM), info.lengthM)
    let own = Array(old.segments(of: info))
    let at = own.lastIndex { $0.startM <= hereM } ?? 0
    let edge = paths[section].edges[at]
    let offsetM = Double.minimum(
      own[at].entryOffsetM + hereM - own[at].startM, shared.graph.lengthM(edge))
    let origin = RoadPosition(edge: edge, offsetM: offsetM)
    let place = shared.graph.coordinate(origin)
    var request = remaining(
      of: old, section: section, travelledM: travelledM, from: Waypoint(place: place),
      keepsPassThroughs: false)
    // The path goes by the places that one only drives by, whether they are asked for or not.
    request.waypoints.removeAll { $0.kind == .passThrough }
    var first = paths[section]
    first.edges = Array(first.edges[at...])
    first.startOffsetM = offsetM
    first.endOffsetM =
      first.edges.count == 1
      ? Double.maximum(offsetM, first.endOffsetM) : first.endOffsetM
    let stops =
      [SnapCandidate(position: origin, coordinate: place, distanceM: 0, penaltyMS: 0)]
      + old.sections[section...].map { candidate(old.waypoints[$0.lastWaypoint], origin) }
    return Rest(
      path: FoundPath(
        stops: stops, legs: [first] + paths[(section + 1)...], costMS: 0, breaksBans: false),
      request: request, origin: origin)
  }

  private func candidate(_ waypoint: RouteWaypoint, _ fallback: RoadPosition) -> SnapCandidate {
    let edge = waypoint.segment.flatMap { shared.index.edge($0) }
    return SnapCandidate(
      position: edge.map { RoadPosition(edge: $0, offsetM: waypoint.segmentOffsetM ?? 0) }
        ?? fallback,
      coordinate: waypoint.matched, distanceM: waypoint.distanceM, penaltyMS: 0)
  }
}
