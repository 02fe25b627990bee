import ExternalRouting
import Geodesy
import Maneuvers
import RoadGraph
import Route
import Routing

extension RouteCalculation {
  /// Returns the route of a handle on this map, matched again if the map was replaced meanwhile,
  /// RT-16.
  ///
  /// - Throws: `routeHandleOutdated` if the route is unknown, or no longer on the map.
  func leased(_ handle: String) throws(RouteFailure) -> Route {
    let route = try handles.use(handle, at: now)
    if (try? paths(of: route)) != nil { return route }
    do throws(RouteFailure) {
      let again = try matchedAnew(route)
      handles.keep(again, at: now)
      return again
    } catch {
      guard case .cancelled = error else { throw .routeHandleOutdated }
      throw error
    }
  }

  /// Returns a route along the same shape with the same stops and the same handle.
  private func matchedAnew(_ route: Route) throws(RouteFailure) -> Route {
    var request = route.request
    // The path passes the pass-through points, whether they are requested or not.
    request.waypoints =
      [route.waypoints.first?.original].compactMap { $0 }
      + route.sections.compactMap { section in
        route.waypoints.indices.contains(section.lastWaypoint)
          ? route.waypoints[section.lastWaypoint].original : nil
      }
    guard request.waypoints.count == route.sections.count + 1,
      route.sections.allSatisfy({
        $0.firstShapeIndex <= $0.lastShapeIndex && route.shape.indices.contains($0.lastShapeIndex)
          && $0.firstShapeIndex >= 0
      })
    else { throw .routeHandleOutdated }
    progress.step(.matching)
    let engine = usualEngine(request)
    let legs = route.sections.map { Array(route.shape[$0.firstShapeIndex...$0.lastShapeIndex]) }
    let way = try imported(request, engine) { (importing, space) throws(RouteFailure) in
      try importing.way(along: legs, in: &space)
    }
    let finder = ManeuverFinder(graph: shared.graph)
    var built = RouteBuilder(metric: engine.metric).route(
      way.path, request: request, id: route.id, handle: route.handle, computedAt: now,
      maneuvers: { finder.maneuvers(along: $0) })
    built.assumeVehicle(effective(request).vehicle)
    return built
  }
}
