import Geodesy
import RoadGraph
import Route

/// The legs between two stopovers joined into one path, and the waypoints that it passes.
struct SectionPlan {
  var path: RoadPath
  var firstWaypoint: Int
  var lastWaypoint: Int
  /// For each pass-through point: its index, the edge's index in `path`, metres along the edge.
  var passed: [(waypoint: Int, edge: Int, offsetM: Double)] = []

  /// One plan for each pair of neighbouring stopovers.
  static func plans(_ found: FoundPath, _ waypoints: [Waypoint]) -> [SectionPlan] {
    var plans: [SectionPlan] = []
    for (index, leg) in found.legs.enumerated() {
      if index > 0, waypoints[index].kind == .passThrough, var plan = plans.popLast() {
        // At the end of a road the next leg begins on the edge that leads back.
        let isSame = plan.path.edges.last == leg.edges.first
        plan.passed.append(
          (
            index, plan.path.edges.count - 1,
            isSame ? leg.startOffsetM : plan.path.endOffsetM
          ))
        plan.path.edges += leg.edges.dropFirst(isSame ? 1 : 0)
        plan.path.endOffsetM = leg.endOffsetM
        plan.lastWaypoint = index + 1
        plans.append(plan)
      } else {
        plans.append(SectionPlan(path: leg, firstWaypoint: index, lastWaypoint: index + 1))
      }
    }
    return plans
  }
}

extension SnapCandidate {
  /// The side of the road on which `place` lies, in the direction of `edge`.
  func side(of place: Coordinate, on edge: EdgeID, _ graph: RoadGraph) -> Side {
    guard distanceM > 3 else { return .ahead }
    let offsetM =
      edge == position.edge ? position.offsetM : graph.lengthM(edge) - position.offsetM
    let along = graph.bearingDeg(RoadPosition(edge: edge, offsetM: offsetM))
    let turn = Angle.turnDeg(from: along, to: coordinate.bearingDeg(to: place))
    if abs(turn) < 20 || abs(turn) > 160 { return .ahead }
    return turn > 0 ? .right : .left
  }
}
