import Geodesy
import RoadGraph
import Route

/// Joining a greater road from a ramp, where its traffic comes from beside.
struct MergeRule: ManeuverRule {
  func applies(_ junction: Junction) -> Bool {
    junction.from.isLink && !junction.onto.isLink && junction.onto.roadClass <= .primary
      && abs(junction.angleDeg) < 45 && junction.rivals.isEmpty && through(junction) != nil
  }

  func maneuver(_ junction: Junction) -> Finding? {
    guard let other = through(junction) else { return nil }
    // Who comes in more from the right than the traffic has it on the left.
    let lean = Angle.turnDeg(
      from: junction.path.endBearingDeg(other), to: junction.bearingBeforeDeg)
    return Finding(.merge(lean < 0 ? .left : .right), junction)
  }

  /// The edge by which the road's own traffic comes.
  private func through(_ junction: Junction) -> EdgeID? {
    let path = junction.path
    return path.graph.edgesEntering(junction.node).first { edge in
      edge != path.edges[junction.index - 1]
        && edge != path.graph.twin(path.edges[junction.index])
        && path.isUsable(edge) && !path.graph.attributes(edge).isLink
        && Angle.differenceDeg(path.endBearingDeg(edge), junction.bearingAfterDeg) < 45
    }
  }
}
