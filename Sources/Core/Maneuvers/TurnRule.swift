import RoadGraph
public import Route

/// Turns at crossings; nothing where the way on is plain.
struct TurnRule: ManeuverRule {
  func applies(_ junction: Junction) -> Bool {
    !junction.others.isEmpty && !isObvious(junction)
  }

  func maneuver(_ junction: Junction) -> Finding? {
    var finding = Finding(.turn(grade(junction)), junction)
    if abs(junction.angleDeg) > 170 {
      finding.action = .uTurn(junction.angleDeg < 0 ? .left : .right)
    }
    return finding
  }

  func isObvious(_ junction: Junction) -> Bool {
    let angle = abs(junction.angleDeg)
    let rivals = junction.rivals
    // Only driveways and the like beside: the road bends, and everybody follows it.
    if rivals.isEmpty { return angle < 60 || isOnlyRealRoad(junction) }
    let straightest = rivals.map { abs($0.angleDeg) }.min() ?? 180
    if angle < 40 {
      // Nobody would take a crossing road for the way straight on.
      if straightest > 60 || straightest - angle > 35 {
        return !rivals.contains { $0.continuesName && abs($0.angleDeg) < 60 }
          || junction.continuesName
      }
      return junction.continuesName && angle <= straightest + 10
        && !rivals.contains(where: \.continuesName)
    }
    return false
  }

  // A bend with nothing but lesser ways beside, and no other road straight on.
  private func isOnlyRealRoad(_ junction: Junction) -> Bool {
    let hasStraight = junction.others.contains { abs($0.angleDeg) < 40 }
    return !hasStraight || (junction.continuesName && !junction.onto.isByWay)
  }

  /// The grade by the angle, told apart from like turns to the same side.
  private func grade(_ junction: Junction) -> TurnGrade {
    let plain = TurnGrade(angleDeg: junction.angleDeg)
    let same = junction.rivals.filter { TurnGrade(angleDeg: $0.angleDeg) == plain }
    guard let other = same.first, plain != .straight else { return plain }
    let isSharper = abs(junction.angleDeg) > abs(other.angleDeg)
    return isSharper ? plain.sharper : plain.milder
  }
}

extension TurnGrade {
  /// The grade of an angle, right positive: straight to 20, slight to 50, sharp from 125 degrees on.
  public init(angleDeg: Double) {
    let isLeft = angleDeg < 0
    switch abs(angleDeg) {
    case ..<20: self = .straight
    case ..<50: self = isLeft ? .slightLeft : .slightRight
    case ..<125: self = isLeft ? .left : .right
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
