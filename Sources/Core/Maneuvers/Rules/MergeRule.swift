import Geodesy
import RoadGraph
import Route

/// Joining a major road from a ramp, where its traffic comes from the side.
struct MergeRule: ManeuverRule {
  /// Below this angle joining a road with crossings is a merge; above it is a turn.
  static let surfaceDeg = 30.0
  private static let highwayDeg = 45.0

  func applies(_ junction: Junction) -> Bool {
    junction.from.isLink && !junction.onto.isLink && junction.onto.roadClass <= .primary
      && junction.rivals.isEmpty && isGradual(junction) && through(junction) != nil
      && !isWithinRoad(junction)
  }

  // A link within one road that no other road leaves: the road continues.
  private func isWithinRoad(_ junction: Junction) -> Bool {
    let path = junction.path
    var index = junction.index - 1
    while index > 0, path.road(index).isLink {
      guard Junction(path, index).rivals.isEmpty else { return false }
      index -= 1
    }
    return !path.road(index).isLink && path.sharesName(path.road(index), junction.onto)
  }

  // Traffic signals let one lane after the other go, so there is no merging.
  private func isGradual(_ junction: Junction) -> Bool {
    if junction.path.isFast(junction.onto) { return abs(junction.angleDeg) < Self.highwayDeg }
    let node = junction.path.graph.columns.nodeFlags[junction.node.index]
    return abs(junction.angleDeg) < Self.surfaceDeg && !node.contains(.trafficSignals)
  }

  func maneuver(_ junction: Junction) -> Finding? {
    guard let other = through(junction) else { return nil }
    // A ramp that points more to the left than the road's traffic comes from the right: traffic is
    // on the left.
    let lean = Angle.turnDeg(
      from: junction.path.endBearingDeg(other), to: junction.bearingBeforeDeg)
    return Finding(.merge(lean < 0 ? .left : .right), junction)
  }

  /// The edge that the road's own traffic comes from.
  private func through(_ junction: Junction) -> EdgeID? {
    let path = junction.path
    return path.graph.edges(entering: junction.node).first { edge in
      edge != path.edges[junction.index - 1]
        && edge != path.graph.twin(path.edges[junction.index])
        && path.isUsable(edge) && !path.graph.attributes(edge).isLink
        && Angle.differenceDeg(path.endBearingDeg(edge), junction.bearingAfterDeg) < 45
    }
  }
}
