import RoadGraph
import Route

/// Two or more like ways that lead on at small angles: keep left, right, or in the middle.
struct ForkRule: ManeuverRule {
  private static let spreadDeg = 50.0

  func applies(_ junction: Junction) -> Bool {
    guard abs(junction.angleDeg) < Self.spreadDeg, !prongs(junction).isEmpty else { return false }
    if junction.from.isHighway || junction.from.isLink { return true }
    return !leavesTheRoad(junction) && !isObvious(junction)
  }

  func maneuver(_ junction: Junction) -> Finding? {
    let angles = prongs(junction).map(\.angleDeg)
    let isLeftmost = angles.allSatisfy { junction.angleDeg < $0 }
    let isRightmost = angles.allSatisfy { junction.angleDeg > $0 }
    return Finding(.fork(isLeftmost ? .left : isRightmost ? .right : .ahead), junction)
  }

  // The road goes straight on and keeps its name: to leave it is a turn, however slight.
  private func leavesTheRoad(_ junction: Junction) -> Bool {
    !junction.continuesName && abs(junction.angleDeg) >= 20
      && junction.rivals.contains { $0.continuesName && abs($0.angleDeg) < 15 }
  }

  // The other ways that look like a way on as well.
  private func prongs(_ junction: Junction) -> [Junction.Branch] {
    junction.rivals.filter { branch in
      abs(branch.angleDeg) < Self.spreadDeg
        && abs(branch.angleDeg - junction.angleDeg) < Self.spreadDeg
        && branch.road.isLink == junction.onto.isLink
        && abs(Int(branch.road.roadClassRaw) - Int(junction.onto.roadClassRaw)) <= 1
    }
  }

  // On lesser roads the straighter way that keeps its name needs no words.
  private func isObvious(_ junction: Junction) -> Bool {
    let others = prongs(junction)
    let straightest = others.map { abs($0.angleDeg) }.min() ?? 180
    if junction.continuesName, !others.contains(where: \.continuesName) {
      return abs(junction.angleDeg) < straightest + 20
    }
    return abs(junction.angleDeg) + 20 < straightest && !others.contains(where: \.continuesName)
  }
}
