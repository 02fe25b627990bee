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
    if !isOnRoad(junction), let gap = gap(junction) {
      finding.lastSegment = gap.end
      finding.bearingAfterDeg = junction.path.startBearingDeg(junction.path.edges[gap.end])
      finding.action = .uTurn(gap.angleDeg < 0 ? .left : .right)
    }
    finding.turnAngleDeg = finding.action == .uTurn(.left) ? -180 : 180
    return finding
  }

  private func isOnRoad(_ junction: Junction) -> Bool {
    junction.path.graph.twin(junction.path.edges[junction.index - 1])
      == junction.path.edges[junction.index]
  }

  private func isThroughGap(_ junction: Junction) -> Bool {
    // A ring that one leaves is no carriageway.
    junction.from.flags.contains(.oneWay) && !junction.from.isRoundabout
      && abs(junction.angleDeg) > 30 && gap(junction) != nil
  }

  // The edge of the other carriageway behind a gap, and the angle of all turns: to one side, nearly all the way round.
  private func gap(_ junction: Junction) -> (end: Int, angleDeg: Double)? {
    let path = junction.path
    var (index, lengthM, total) = (junction.index, 0.0, junction.angleDeg)
    while index + 1 < path.edges.count {
      lengthM += path.graph.lengthM(path.edges[index])
      guard lengthM < Self.gapM else { return nil }
      index += 1
      let turn = Junction(path, index).angleDeg
      guard turn * junction.angleDeg > 0 || abs(turn) < 10 else { return nil }
      total += turn
      let road = path.road(index)
      if abs(total) > 150, road.flags.contains(.oneWay),
        Junction.sharesName(junction.from, road, path.graph)
      {
        return (index, total)
      }
    }
    return nil
  }
}
