import Geodesy
import RoadGraph
import Route

/// Turning back: on the road itself, or through a gap onto its other carriageway.
struct UTurnRule: ManeuverRule {
  static let gapM = 40.0
  /// Turn angle above which a turn may be a U-turn, in degrees.
  private static let backDeg = 150.0
  /// Turn angle above which a turn is a U-turn, in degrees, if the arms are too short to compare.
  private static let plainlyBackDeg = 165.0
  /// Metres from the junction at which two carriageways of a road are still within `gapM` of each
  /// other.
  private static let besideM = 100.0

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

  /// Whether the path leads directly from one carriageway of a road onto the adjacent opposite one.
  ///
  /// A third arm is a turn and not a U-turn, however sharp its angle is.
  static func leadsOntoOtherCarriageway(_ junction: Junction) -> Bool {
    guard abs(junction.angleDeg) > Self.backDeg, junction.from.flags.contains(.oneWay),
      junction.onto.flags.contains(.oneWay), !junction.from.isRoundabout,
      !junction.onto.isRoundabout
    else { return false }
    let isOne =
      junction.from.isNameless && junction.onto.isNameless
      || junction.path.sharesName(junction.from, junction.onto)
    guard isOne else { return false }
    guard let gapM = junction.path.armsGapM(at: junction.index, reachM: Self.besideM) else {
      return abs(junction.angleDeg) > Self.plainlyBackDeg
    }
    return gapM < Self.gapM
  }

  private func isOnRoad(_ junction: Junction) -> Bool {
    junction.path.graph.twin(junction.path.edges[junction.index - 1])
      == junction.path.edges[junction.index]
  }

  private func isThroughGap(_ junction: Junction) -> Bool {
    // A ring being left is not a carriageway. Walkers cross the road to its other side.
    junction.path.mode != .pedestrian && junction.from.flags.contains(.oneWay)
      && !junction.from.isRoundabout
      && abs(junction.angleDeg) > 30 && gap(junction) != nil
  }

  // The edge of the other carriageway after a gap, and the total angle: all turns to one side,
  // nearly a full reversal. A way that leads back by itself is a ring or a turning loop, and no gap.
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
        path.sharesName(junction.from, road),
        !path.isOneOSMWay(from: junction.index - 1, through: index)
      {
        return (index, total)
      }
    }
    return nil
  }
}
