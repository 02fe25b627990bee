import RoadGraph
import Route

/// Two or more similar roads that lead on at small angles: keep left, right, or in the middle.
struct ForkRule: ManeuverRule {
  private static let spreadDeg = 50.0
  /// On major roads, angles below this are straight on, and angles from `offDeg` on are turns.
  private static let onDeg = 10.0
  private static let offDeg = 30.0

  func applies(_ junction: Junction) -> Bool {
    guard abs(junction.angleDeg) < Self.spreadDeg else { return false }
    let isGreat = junction.from.isLink && junction.from.roadClass <= .trunk
    if junction.from.isHighway || isGreat {
      return prongs(junction).contains { !isLeft(behind: $0, junction) }
    }
    return isPlainFork(junction)
  }

  // A major road that continues as itself past a lesser one needs no instruction.
  private func isLeft(behind branch: Junction.Branch, _ junction: Junction) -> Bool {
    junction.from.isHighway && junction.continuesName
      && (!branch.continuesName || abs(branch.angleDeg) >= TurnGrade.straightDeg)
      && branch.road.roadClassRaw > junction.onto.roadClassRaw
  }

  func maneuver(_ junction: Junction) -> Finding? {
    if leavesStraightRoad(junction) {
      return Finding(.turn(junction.angleDeg < 0 ? .slightLeft : .slightRight), junction)
    }
    let others = prongs(junction) + plainProngs(junction)
    if goesThrough(junction, past: others) { return Finding(.turn(.straight), junction) }
    let angles = others.map(\.angleDeg)
    let isLeftmost = angles.allSatisfy { junction.angleDeg < $0 }
    let isRightmost = angles.allSatisfy { junction.angleDeg > $0 }
    return Finding(.fork(isLeftmost ? .left : isRightmost ? .right : .ahead), junction)
  }

  // The road itself goes straight on and the path leaves it: that is a turn, not a fork.
  private func leavesStraightRoad(_ junction: Junction) -> Bool {
    guard !junction.from.isHighway, !junction.from.isLink, !junction.onto.isLink,
      !junction.keepsName
    else { return false }
    return junction.rivals.contains {
      $0.continuesName && !$0.road.isLink && abs($0.angleDeg) < 5
        && abs($0.angleDeg) + 10 < abs(junction.angleDeg)
    }
  }

  // The lane arrows point straight on for the road's own traffic, and to the sides for lesser
  // roads.
  private func goesThrough(_ junction: Junction, past others: [Junction.Branch]) -> Bool {
    guard !junction.from.isHighway, !junction.from.isLink, junction.continuesName,
      abs(junction.angleDeg) < TurnGrade.straightDeg
    else { return false }
    let lanes = LaneArrows.words(junction.path.graph.text(junction.from.turnLanes))
    let arrows = Set(lanes.flatMap { $0 })
    guard lanes.contains(["through"]), arrows.isDisjoint(with: ["slight_left", "slight_right"])
    else { return false }
    return others.allSatisfy {
      $0.isLesser && arrows.contains($0.angleDeg < junction.angleDeg ? "left" : "right")
    }
  }

  // The other roads that also look like the continuation.
  private func prongs(_ junction: Junction) -> [Junction.Branch] {
    junction.rivals.filter { branch in
      abs(branch.angleDeg) < Self.spreadDeg
        && abs(branch.angleDeg - junction.angleDeg) < Self.spreadDeg
        // Going straight on passes roads that turn off.
        && (abs(junction.angleDeg) >= Self.onDeg || abs(branch.angleDeg) < Self.offDeg)
        && branch.road.isLink == junction.onto.isLink
        && abs(Int(branch.road.roadClassRaw) - Int(junction.onto.roadClassRaw)) <= 1
    }
  }

  // On ordinary roads: two roads that both look straight, neither of them clearly the road itself.
  private func isPlainFork(_ junction: Junction) -> Bool {
    let angle = abs(junction.angleDeg)
    let near = plainProngs(junction)
    guard angle < TurnGrade.straightDeg else {
      return near.contains { isMirrored($0, junction) }
    }
    let straight = near.filter { abs($0.angleDeg) < TurnGrade.straightDeg }
    guard let straightest = straight.map({ abs($0.angleDeg) }).min() else { return false }
    let isRoad = junction.continuesName && !straight.contains(where: \.continuesName)
    // A road that keeps its name and number may be slightly less straight than the other one.
    let (from, onto) = (junction.from, junction.onto)
    let isNumbered = junction.keepsName && !onto.number.isEmpty && onto.number == from.number
    let marginDeg = isNumbered ? -5.0 : 10
    return !(isRoad && angle + marginDeg < straightest)
  }

  private func plainProngs(_ junction: Junction) -> [Junction.Branch] {
    junction.others.filter {
      abs($0.angleDeg) < Self.spreadDeg
        && ($0.isNegligible ? isNamesake($0, junction) : isLike($0, junction))
    }
  }

  // A lesser street that has the road's name and leaves next to it can be mistaken for it.
  private func isNamesake(_ branch: Junction.Branch, _ junction: Junction) -> Bool {
    branch.continuesName && !branch.road.isByWay && !branch.road.isLink
      && max(abs(junction.angleDeg), abs(branch.angleDeg)) < 15
  }

  private func isLike(_ branch: Junction.Branch, _ junction: Junction) -> Bool {
    guard branch.road.isLink == junction.onto.isLink else { return false }
    let isNear = abs(junction.angleDeg) < 10 && abs(branch.angleDeg) < 10
    return branch.road.roadClassRaw <= junction.onto.roadClassRaw + 1
      || isNear && (branch.continuesName || !junction.continuesName)
  }

  // Both deviate from straight on by a similar angle, to opposite sides.
  private func isMirrored(_ branch: Junction.Branch, _ junction: Junction) -> Bool {
    let (a, b) = (junction.angleDeg, branch.angleDeg)
    return a * b < 0 && max(abs(a), abs(b)) < 30 && abs(a + b) < 14
  }
}
