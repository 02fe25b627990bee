import RoadGraph
public import Route

/// Turns at crossings; nothing where the way on is plain.
struct TurnRule: ManeuverRule {
  /// A bend from here on may be a turn though only lesser streets are beside it.
  private static let bendDeg = 60.0

  /// From here on a road that leads aside makes a turn of a bend, too.
  static let asideDeg = 45.0
  /// A bend up to here is told only where a road leads on ahead or aside.
  private static let mildDeg = 65.0
  /// A ramp bends by less than this.
  private static let rampBendDeg = 100.0
  /// Roads that part bend by less than this, each to its side.
  private static let partDeg = 50.0

  func applies(_ junction: Junction) -> Bool {
    !(junction.others.isEmpty && junction.barred.isEmpty && junction.closed.isEmpty)
      // Who begins in a roundabout follows it round.
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
    // Straight on needs words only where the road's name goes off; ways that part at small angles are a fork.
    guard angle >= TurnGrade.straightDeg else {
      return junction.continuesName
        || !junction.rivals.contains {
          $0.continuesName && abs($0.angleDeg) < (isLeftForLesser(junction) ? 120 : 60)
        }
    }
    if leavesLot(junction) { return false }
    guard angle < Self.asideDeg else {
      if isRampBend(junction) { return true }
      if seesClosedStreet(junction) || bendsBesidePath(junction) { return false }
      return !junction.comesToAnotherRoad && isBend(junction)
    }
    if endsRamp(junction) { return false }
    // Who comes slightly aside onto a road with a name is told of it; a ramp leads nowhere else.
    if junction.joinsAnotherRoad, !junction.from.isLink, !junction.onto.isNameless { return false }
    let rivals = junction.rivals
    guard let straightest = rivals.map({ abs($0.angleDeg) }).min() else {
      return !leavesItsName(junction)
    }
    // A ramp that leaves straight on is none of the road, which goes its own way.
    if junction.continuesName, !junction.onto.isLink,
      rivals.allSatisfy({ $0.road.isLink && !$0.continuesName })
    {
      return true
    }
    if straightest < TurnGrade.straightDeg {
      // Only a road's own bend goes without words beside a lesser road that goes straight on.
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

  // Whoever bends with a ramp follows it: what leads back beside it is no choice.
  private func isRampBend(_ junction: Junction) -> Bool {
    junction.from.isLink && junction.onto.isLink && abs(junction.angleDeg) < Self.rampBendDeg
      && junction.rivals.allSatisfy { abs($0.angleDeg) > 130 }
  }

  // The road ends in two that bend to both sides: neither goes on as itself.
  private func parts(_ junction: Junction) -> Bool {
    !junction.continuesName && !junction.from.isLink
      && junction.rivals.contains {
        $0.angleDeg * junction.angleDeg < 0 && abs($0.angleDeg) < Self.partDeg
      }
  }

  // The way on is a lesser one than the road, which bends away: a track, a path, a service road.
  private func isLeftForLesser(_ junction: Junction) -> Bool {
    junction.onto.isByWay && !junction.from.isByWay && !junction.from.isLink
  }

  // Beyond the angle of a merge, or where one may as well go to the other side, a ramp ends in a turn.
  private func endsRamp(_ junction: Junction) -> Bool {
    guard junction.from.isLink, !junction.onto.isLink, !junction.path.isFast(junction.onto),
      junction.joinsAnotherRoad
    else { return false }
    return abs(junction.angleDeg) >= MergeRule.surfaceDeg
      || junction.rivals.contains { abs($0.angleDeg) < RampRule.crossingDeg }
  }

  // Out of a car park or a driveway one comes to a street, and there is something else to take for the way.
  private func leavesLot(_ junction: Junction) -> Bool {
    junction.from.isLot && !junction.onto.isLot && !junction.others.isEmpty
  }

  // A street leads straight on, and the vehicle may not enter it: a gate, a bus lane, a pedestrian zone.
  private func seesClosedStreet(_ junction: Junction) -> Bool {
    func isSeen(_ road: RoadAttributes, _ angleDeg: Double) -> Bool {
      abs(angleDeg) < TurnGrade.straightDeg && road.isStreet
        // The road's own bend past the drive of a yard is plain.
        && !(junction.keepsName && road.roadClass == .service)
    }
    let mode = junction.path.mode
    guard !junction.onto.isLink, !junction.from.isLink else { return false }
    return junction.closed.contains { isSeen($0.road, $0.angleDeg) }
      || junction.onto.access(mode) != .private
        && junction.others.contains {
          $0.road.access(mode) == .private && isSeen($0.road, $0.angleDeg)
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

  // The name of a road ends at its bend, and a service road leads on straighter than the bend.
  private func isBesideWayOn(_ junction: Junction) -> Bool {
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

  // A street goes straight on, and the road that bends away has another name there.
  private func leavesItsName(_ junction: Junction) -> Bool {
    junction.changesName
      && junction.others.contains {
        !$0.road.isByWay && abs($0.angleDeg) < TurnGrade.straightDeg
          && $0.road.access(junction.path.mode) != .private
      }
  }

  // Everybody follows the road round its bend: beside it there is nothing that one could take for it.
  private func isBend(_ junction: Junction) -> Bool {
    // What leads back beside the road that one came by is no choice at a bend.
    let isMild = abs(junction.angleDeg) < Self.mildDeg
    guard junction.rivals.allSatisfy({ isMild && leadsBack($0, junction) }) else { return false }
    if junction.rivals.isEmpty, junction.from.isLink, junction.onto.isLink { return true }
    if isBesideWayOn(junction) { return false }
    let isSharp = abs(junction.angleDeg) >= Self.bendDeg
    let lesser = junction.others.filter {
      !$0.road.isByWay && $0.road.access(junction.path.mode) != .private
    }
    // The road's name goes straight on by a lesser street.
    if lesser.contains(where: { $0.continuesName && abs($0.angleDeg) < TurnGrade.straightDeg }) {
      return false
    }
    guard isSharp || !junction.keepsName else { return true }
    let streets = lesser.map(\.angleDeg) + junction.barred.map(\.angleDeg)
    return !streets.contains { abs($0) < (isSharp ? 120 : 80) }
  }

  // Back beside the road that one came by; from a road's own bend a lesser street to its outer side does so, too.
  private func leadsBack(_ branch: Junction.Branch, _ junction: Junction) -> Bool {
    if abs(branch.angleDeg) > 130 { return true }
    return junction.keepsName && !branch.continuesName
      && branch.angleDeg * junction.angleDeg < 0 && abs(branch.angleDeg) >= 80
      && branch.road.roadClassRaw > junction.onto.roadClassRaw
  }

  /// The grade by the angle; near its bounds told apart from like turns to the same side.
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
