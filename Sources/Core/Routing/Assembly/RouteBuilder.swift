public import Foundations
import Geodesy
import RoadGraph
public import Route
import Traffic

/// Builds a complete route from a path: shape, segments, spans, sections, times, violations.
///
/// The maneuvers are supplied by a closure, so that this module does not depend on them.
public struct RouteBuilder {
  let metric: RoadMetric
  private var graph: RoadGraph { metric.network.graph }

  public init(metric: RoadMetric) { self.metric = metric }

  /// The route along `found`.
  ///
  /// `maneuvers` returns the maneuvers of one section: `segment` and `lastSegment` count from the
  /// section's first edge. Offsets, shape indices and durations are filled in here.
  public func route(
    _ found: FoundPath, request: RouteRequest, id: String, handle: String?, computedAt: Instant,
    maneuvers: (SectionPath) -> [Maneuver]
  ) -> Route {
    let plans = SectionPlan.plans(found, request.waypoints)
    var draft = RouteDraft(metric: metric)
    for (index, plan) in plans.enumerated() {
      let stop = found.stops[plan.lastWaypoint]
      let waypoint = request.waypoints[plan.lastWaypoint]
      let section = SectionPath(
        path: plan.path, mode: request.mode, language: request.language,
        arrivalSide: stop.side(
          of: waypoint.entry, on: plan.path.edges.last ?? stop.position.edge, graph),
        arrivalName: waypoint.arrivalName, isLast: index == plans.count - 1,
        arrivalOffRoad: offRoadLine(from: stop, to: waypoint.entry))
      let restS = index > 0 ? request.waypoints[plan.firstWaypoint].restS ?? 0 : 0
      draft.add(plan, section: index, maneuvers: maneuvers(section), afterRestS: restS)
    }
    return draft.finished(
      found, request: request, id: id, handle: handle, computedAt: computedAt, plans: plans)
  }

  /// The line from the road to `place`; nil within the matching radius.
  private func offRoadLine(from stop: SnapCandidate, to place: Coordinate) -> OffRoadLine? {
    guard stop.distanceM > metric.tuning.matchingRadiusM else { return nil }
    return OffRoadLine(
      lengthM: stop.distanceM, bearingDeg: stop.coordinate.bearingDeg(to: place))
  }
}

extension Waypoint {
  /// The name of an arrival: the place, and its entrance.
  fileprivate var arrivalName: String {
    guard let access, !access.name.isEmpty else { return name }
    return name.isEmpty ? access.name : "\(name), \(access.name)"
  }
}
