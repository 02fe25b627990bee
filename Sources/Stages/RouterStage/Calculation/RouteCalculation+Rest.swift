import Geodesy
import RoadGraph
import Route
import Routing

/// The rest of a route as a path of its own.
struct RemainingRoute {
  /// The path, with a leg for each pair of neighbouring waypoints of the request.
  var path: FoundPath
  var request: RouteRequest
  var origin: RoadPosition
}

extension Route {
  /// Returns the stops that were not passed, and pass-through points on the path to them.
  ///
  /// All of these are included if `keepsPassThroughs` is true, those after the next stop if it is
  /// false, and none if it is nil.
  func ahead(
    section: Int, travelledM: Double, keepsPassThroughs: Bool?
  ) -> [RouteWaypoint] {
    let hereM = sections[section].startM + travelledM
    return waypoints.dropFirst().filter { waypoint in
      if waypoint.original.kind == .stopover { return waypoint.section >= section }
      guard let keepsPassThroughs else { return false }
      return keepsPassThroughs
        ? waypoint.offsetM > hereM && waypoint.section >= section : waypoint.section > section
    }
  }

  /// Returns the old request from a new start on.
  func remaining(from start: Waypoint, _ ahead: [RouteWaypoint]) -> RouteRequest {
    var request = request
    request.waypoints = [start] + ahead.map(\.original)
    request.alternatives = 0
    request.firstManeuverClearanceM = 0
    return request
  }
}

extension RouteCalculation {
  /// Returns the rest of a route from a place on it; nil if a pass-through point does not lie on
  /// its path.
  ///
  /// `keepsPassThroughs` has the same meaning as in `Route.ahead`. The path passes the pass-through
  /// points, whether they are requested or not.
  func rest(
    of old: Route, section: Int, travelledM: Double, keepsPassThroughs: Bool?
  ) throws(RouteFailure) -> RemainingRoute? {
    let paths = try paths(of: old)
    let info = old.sections[section]
    let travelledM = Double.minimum(Double.maximum(0, travelledM), info.lengthM)
    let hereM = info.startM + travelledM
    let own = Array(old.segments(of: info))
    let at = own.lastIndex { $0.startM <= hereM } ?? 0
    let edge = paths[section].edges[at]
    let offsetM = Double.minimum(
      own[at].entryOffsetM + hereM - own[at].startM, shared.graph.lengthM(edge))
    let origin = RoadPosition(edge: edge, offsetM: offsetM)
    let place = shared.graph.coordinate(origin)
    let ahead = old.ahead(
      section: section, travelledM: travelledM, keepsPassThroughs: keepsPassThroughs)
    var first = paths[section]
    first.edges = Array(first.edges[at...])
    first.startOffsetM = offsetM
    if first.edges.count == 1 { first.endOffsetM = Double.maximum(offsetM, first.endOffsetM) }
    var legs: [RoadPath] = []
    for (number, path) in ([first] + paths[(section + 1)...]).enumerated() {
      let segments = old.segments(of: old.sections[section + number])
      guard
        let parts = parted(
          path, segments.dropFirst(number == 0 ? at : 0),
          at: ahead.filter {
            $0.original.kind == .passThrough && $0.section == section + number
          })
      else { return nil }
      legs += parts
    }
    let stops =
      [SnapCandidate(position: origin, coordinate: place, distanceM: 0, penaltyMS: 0)]
      + ahead.map { candidate($0, origin) }
    guard legs.count == stops.count - 1 else { return nil }
    return RemainingRoute(
      path: FoundPath(stops: stops, legs: legs, costMS: 0, breaksRestrictions: false),
      request: old.remaining(from: Waypoint(place: place), ahead), origin: origin)
  }

  /// Returns a path split at the pass-through points, in their order; nil if one is not on it.
  private func parted(
    _ path: RoadPath, _ segments: ArraySlice<RouteSegment>, at places: [RouteWaypoint]
  ) -> [RoadPath]? {
    let segments = Array(segments)
    var parts: [RoadPath] = []
    var (start, startOffsetM) = (0, path.startOffsetM)
    for place in places {
      guard let reference = place.segment, let alongM = place.segmentOffsetM else { return nil }
      // If a road is driven along twice, the occurrence at the matching distance is meant.
      let found = segments.indices[start...].filter { segments[$0].reference == reference }.min {
        func missM(_ segment: RouteSegment) -> Double {
          abs(segment.startM + alongM - segment.entryOffsetM - place.offsetM)
        }
        return missM(segments[$0]) < missM(segments[$1])
      }
      guard let index = found, index > start || alongM >= startOffsetM else { return nil }
      parts.append(
        RoadPath(
          edges: Array(path.edges[start...index]), startOffsetM: startOffsetM, endOffsetM: alongM))
      (start, startOffsetM) = (index, alongM)
    }
    guard start + 1 < path.edges.count || startOffsetM <= path.endOffsetM else { return nil }
    return parts + [
      RoadPath(
        edges: Array(path.edges[start...]), startOffsetM: startOffsetM, endOffsetM: path.endOffsetM)
    ]
  }

  private func candidate(_ waypoint: RouteWaypoint, _ fallback: RoadPosition) -> SnapCandidate {
    let edge = waypoint.segment.flatMap { shared.index.edge($0) }
    return SnapCandidate(
      position: edge.map { RoadPosition(edge: $0, offsetM: waypoint.segmentOffsetM ?? 0) }
        ?? fallback,
      coordinate: waypoint.matched, distanceM: waypoint.distanceM, penaltyMS: 0)
  }
}
