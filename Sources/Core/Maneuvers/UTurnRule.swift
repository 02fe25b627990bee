import Geodesy
import RoadGraph
import Route

/// Turning back: on the road itself, or through a gap onto its other carriageway.
struct UTurnRule: ManeuverRule {
  static let gapM = 40.0

  func applies(_ junction: Junction) -> Bool {
    isOnRoad(junction) || isThroughGap(junction)
  }

  func maneuver(_ junction: Junction) -> Finding? {
    var finding = Finding(.uTurn(junction.isLeftHand ? .right : .left), junction)
    if !isOnRoad(junction) {
      finding.lastSegment = junction.index + 1
      finding.bearingAfterDeg = junction.path.startBearingDeg(
        junction.path.edges[junction.index + 1])
      if let total = gapAngleDeg(junction) { finding.action = .uTurn(total < 0 ? .left : .right) }
    }
    finding.turnAngleDeg = finding.action == .uTurn(.left) ? -180 : 180
    return finding
  }

  private func isOnRoad(_ junction: Junction) -> Bool {
    junction.path.graph.twin(junction.path.edges[junction.index - 1])
      == junction.path.edges[junction.index]
  }

  private func isThroughGap(_ junction: Junction) -> Bool {
    let path = junction.path
    guard junction.index + 1 < path.edges.count,
      path.graph.lengthM(path.edges[junction.index]) < Self.gapM,
      junction.from.flags.contains(.oneWay),
      path.road(junction.index + 1).flags.contains(.oneWay),
      Junction.sharesName(junction.from, path.road(junction.index + 1), path.graph),
      let total = gapAngleDeg(junction)
    else { return false }
    return abs(total) > 150
  }

  // Both turns to one side, together nearly all the way round.
  private func gapAngleDeg(_ junction: Junction) -> Double? {
    let next = Junction(junction.path, junction.index + 1)
    guard junction.angleDeg * next.angleDeg > 0 else { return nil }
    return junction.angleDeg + next.angleDeg
  }
}
