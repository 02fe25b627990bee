import Geodesy
import RoadGraph
public import Route

/// Turns at crossings; nothing if the continuation is obvious.
struct TurnRule: ManeuverRule {
  /// A bend of at least this angle may be a turn even if only lesser streets are next to it.
  private static let bendDeg = 60.0

  /// From this angle on, a road that branches off also makes a bend a turn.
  static let asideDeg = 45.0
  /// A bend up to this angle is announced only if a road leads straight on or branches off.
  private static let mildDeg = 65.0
  /// A ramp bends by less than this.
  private static let rampBendDeg = 100.0
  /// The two arms of a T junction differ in direction by more than this.
  private static let armsDeg = 130.0
  /// The arms of a road that splits bend by less than this, each to its side.
  private static let partDeg = 50.0

  func applies(_ junction: Junction) -> Bool {
    !(junction.others.isEmpty && junction.barred.isEmpty && junction.closed.isEmpty)
      // A path that begins in a roundabout follows it round.
      && !(junction.from.isRoundabout && junction.onto.isRoundabout) && !isObvious(junction)
  }

  func maneuver(_ junction: Junction) -> Finding? {
    var finding = Finding(.turn(grade(junction)), junction)
    if UTurnRule.leadsOntoOtherCarriageway(junction) {
      finding.action = .uTurn(junction.angleDeg < 0 ? .left : .right)
    }
    return finding
  }

  func isObvious(_ junction: Junction) -> Bool {
    let angle = abs(junction.angleDeg)
    // Going straight on needs an instruction only if the road's name turns off; roads that diverge
    // at small angles are a fork.
    guard angle >= TurnGrade.straightDeg else {
      return junction.continuesName
        || !junction.rivals.contains {
          $0.continuesName && abs($0.angleDeg) < (isLeftForLesser(junction) ? 120 : 60)
        }
    }
    if leavesLot(junction) { return false }
    guard angle < Self.asideDeg else {
      if isRampBend(junction) { return true }
      if seesClosedStreet(junction) || bendsBesidePath(junction) || endsItsName(junction) {
        return false
      }
      return !junction.comesToAnotherRoad && isBend(junction)
    }
    if endsRamp(junction) { return false }
    // Turning slightly onto a named road is announced; a ramp leads nowhere else.
    if junction.joinsAnotherRoad, !junction.from.isLink, !junction.onto.isNameless { return false }
    let rivals = junction.rivals
    guard let straightest = rivals.map({ abs($0.angleDeg) }).min() else {
      return !leavesItsName(junction)
    }
    // A ramp that leaves straight on is not part of the road, which bends.
    if junction.continuesName, !junction.onto.isLink,
      rivals.allSatisfy({ $0.road.isLink && !$0.continuesName })
    {
      return true
    }
    if straightest < TurnGrade.straightDeg {
      // Only a road's own bend needs no instruction if a lesser road goes straight on.
      return junction.keepsName
        && rivals.allSatisfy {
          abs($0.angleDeg) >= TurnGrade.straightDeg
            || ($0.isLesser && !$0.continuesName)
        }
    }
    if parts(junction) { return false }
    return angle < straightest + 8
      && (junction.continuesName
        || !rivals.contains { $0.continuesName && abs($0.angleDeg) < 90 })
  }

  // A vehicle on a bending ramp follows it; a ramp that leads back next to it is not an
  // alternative.
  private func isRampBend(_ junction: Junction) -> Bool {
    junction.from.isLink && junction.onto.isLink && abs(junction.angleDeg) < Self.rampBendDeg
      && junction.rivals.allSatisfy { abs($0.angleDeg) > 130 }
  }

  // The road ends and splits into two that bend to both sides; neither continues it.
  private func parts(_ junction: Junction) -> Bool {
    !junction.continuesName && !junction.from.isLink
      && junction.rivals.contains {
        $0.angleDeg * junction.angleDeg < 0 && abs($0.angleDeg) < Self.partDeg
      }
  }

  // The continuation is lesser than the road, which bends away: a track, a path, a service road.
  private func isLeftForLesser(_ junction: Junction) -> Bool {
    junction.onto.isByWay && !junction.from.isByWay && !junction.from.isLink
  }

  // Beyond the angle of a merge, or if the other side is possible too, a ramp ends in a turn.
  private func endsRamp(_ junction: Junction) -> Bool {
    guard junction.from.isLink, !junction.onto.isLink, !junction.path.isFast(junction.onto),
      junction.joinsAnotherRoad
    else { return false }
    return abs(junction.angleDeg) >= MergeRule.surfaceDeg
      || junction.rivals.contains { abs($0.angleDeg) < RampRule.crossingDeg }
  }

  // The path leaves a car park or driveway onto a street, and there are alternatives.
  private func leavesLot(_ junction: Junction) -> Bool {
    junction.from.isLot && !junction.onto.isLot && !junction.others.isEmpty
  }

  // A street leads straight on, or to the other side of a T junction, but the vehicle may not enter
  // it: a gate, a bus lane, a pedestrian zone.
  private func seesClosedStreet(_ junction: Junction) -> Bool {
    func isOtherArm(_ angleDeg: Double) -> Bool {
      abs(junction.angleDeg) >= Self.bendDeg && abs(angleDeg) < Self.armsDeg
        && Angle.differenceDeg(angleDeg, junction.angleDeg) > Self.armsDeg
    }
    func isSeen(_ road: RoadAttributes, _ angleDeg: Double) -> Bool {
      abs(angleDeg) < TurnGrade.straightDeg && road.isStreet
        // The road's own bend past the drive of a yard is obvious.
        && !(junction.keepsName && road.roadClass == .service)
    }
    let mode = junction.path.mode
    guard !junction.onto.isLink, !junction.from.isLink else { return false }
    return junction.closed.contains {
      isSeen($0.road, $0.angleDeg)
        || isOtherArm($0.angleDeg) && $0.road.isStreet && $0.road.roadClass != .service
    }
      || junction.onto.access(mode) != .private
        && junction.others.contains {
          $0.road.access(mode) == .private && isSeen($0.road, $0.angleDeg)
        }
  }

  // The road's name ends at a turn where another way, even a lesser one, leads on.
  private func endsItsName(_ junction: Junction) -> Bool {
    abs(junction.angleDeg) >= Self.bendDeg && junction.changesName && !junction.continuesName
      && !junction.from.isLink && !junction.onto.isLink
      && junction.others.contains {
        !$0.road.isLot && !$0.road.flags.contains(.ferry) && abs($0.angleDeg) < Self.armsDeg
          && $0.road.access(junction.path.mode) != .private
      }
  }

  // On foot and by bicycle, a path, steps or a track may lead straight on where the road bends.
  private func bendsBesidePath(_ junction: Junction) -> Bool {
    guard !junction.path.mode.isMotorised else { return false }
    return junction.others.contains {
      abs($0.angleDeg) < TurnGrade.slightDeg && !$0.road.isLot
        && abs($0.angleDeg) + TurnGrade.straightDeg < abs(junction.angleDeg)
        && $0.road.access(junction.path.mode) != .private
    }
  }

  // The name of a road ends at its bend, and a service road or track leads on straighter than the
  // bend.
  private func hasStraighterServiceRoad(_ junction: Junction) -> Bool {
    guard !junction.from.name.isEmpty, !junction.keepsName, !junction.from.isLink,
      !junction.onto.isLink
    else { return false }
    return junction.others.contains {
      ($0.road.roadClass == .service && abs($0.angleDeg) < abs(junction.angleDeg)
        || $0.road.roadClass == .track && abs($0.angleDeg) < TurnGrade.straightDeg)
        && !$0.road.flags.contains(.driveway) && !$0.road.flags.contains(.parkingAisle)
        && $0.road.access(junction.path.mode) != .private
    }
  }

  // A street goes straight on, and the road that bends away changes its name there.
  private func leavesItsName(_ junction: Junction) -> Bool {
    junction.changesName
      && junction.others.contains {
        !$0.road.isByWay && abs($0.angleDeg) < TurnGrade.straightDeg
          && $0.road.access(junction.path.mode) != .private
      }
  }

  // Drivers follow the road round its bend, since no other road could be mistaken for it.
  private func isBend(_ junction: Junction) -> Bool {
    // A road that leads back next to the arriving road is not an alternative at a bend.
    let isMild = abs(junction.angleDeg) < Self.mildDeg
    guard junction.rivals.allSatisfy({ isMild && leadsBack($0, junction) }) else { return false }
    if junction.rivals.isEmpty, junction.from.isLink, junction.onto.isLink { return true }
    if hasStraighterServiceRoad(junction) { return false }
    let isSharp = abs(junction.angleDeg) >= Self.bendDeg
    let lesser = junction.others.filter {
      !$0.road.isByWay && $0.road.access(junction.path.mode) != .private
    }
    // The road's name continues straight on along a lesser street.
    if lesser.contains(where: { $0.continuesName && abs($0.angleDeg) < TurnGrade.straightDeg }) {
      return false
    }
    guard isSharp || !junction.keepsName else { return true }
    let streets = lesser.map(\.angleDeg) + junction.barred.map(\.angleDeg)
    return !streets.contains { abs($0) < (isSharp ? 120 : 80) }
  }

  // Back next to the arriving road; at a road's own bend, also a lesser street on its outer side.
  private func leadsBack(_ branch: Junction.Branch, _ junction: Junction) -> Bool {
    if abs(branch.angleDeg) > 130 { return true }
    return junction.keepsName && !branch.continuesName
      && branch.angleDeg * junction.angleDeg < 0 && abs(branch.angleDeg) >= 80
      && branch.road.roadClassRaw > junction.onto.roadClassRaw
  }

  /// The grade by the angle; near its limits adjusted to differ from similar turns to the same
  /// side.
  private func grade(_ junction: Junction) -> TurnGrade {
    let plain = TurnChain.grade(junction)
    guard plain == .left || plain == .right else { return plain }
    let angle = abs(junction.angleDeg)
    let same = junction.rivals.filter { TurnGrade(angleDeg: $0.angleDeg) == plain }
      .map { abs($0.angleDeg) }
    if angle < TurnGrade.slightDeg + 25, same.contains(where: { $0 > angle + 20 }) {
      return plain.milder
    }
    if angle > TurnGrade.sharpDeg - 15, same.contains(where: { $0 < angle - 20 }) {
      return plain.sharper
    }
    return plain
  }
}

extension TurnGrade {
  static let straightDeg = 20.0
  static let slightDeg = 42.0
  static let sharpDeg = 133.0

  /// The grade of an angle, right positive: straight to 20, slight to 42, sharp from 133 degrees on.
  public init(angleDeg: Double) {
    let isLeft = angleDeg < 0
    switch abs(angleDeg) {
    case ..<Self.straightDeg: self = .straight
    case ..<Self.slightDeg: self = isLeft ? .slightLeft : .slightRight
    case ..<Self.sharpDeg: self = isLeft ? .left : .right
    default: self = isLeft ? .sharpLeft : .sharpRight
    }
  }

  var sharper: TurnGrade {
    switch self {
    case .slightLeft: .left
    case .left: .sharpLeft
    case .slightRight: .right
    case .right: .sharpRight
    case .sharpLeft, .sharpRight, .straight: self
    }
  }

  var milder: TurnGrade {
    switch self {
    case .sharpLeft: .left
    case .left: .slightLeft
    case .sharpRight: .right
    case .right: .slightRight
    case .slightLeft, .slightRight, .straight: self
    }
  }
}
