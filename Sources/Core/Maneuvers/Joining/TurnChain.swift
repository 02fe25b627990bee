import Geodesy
import RoadGraph
import Route

/// Turns over several short pieces of road, as at crossings of divided roads, which drivers see as
/// one turn.
enum TurnChain {
  /// Pieces up to this total length belong to one crossing.
  private static let spanM = 30.0
  /// A bend of at least this angle is a turn of its own.
  private static let ownDeg = 60.0
  private static let leastDeg = 12.0
  /// A bend below this angle does not end a turn, whichever side it goes to.
  private static let wiggleDeg = 8.0

  /// The grade of a turn; a slight turn includes bends to the same side just before and after it.
  ///
  /// A road that continues as itself has no crossing there, so its bends are not counted.
  static func grade(_ junction: Junction) -> TurnGrade {
    let plain = TurnGrade(angleDeg: junction.angleDeg)
    guard abs(junction.angleDeg) < TurnGrade.slightDeg, !isSameRoad(junction) else { return plain }
    let path = junction.path
    var total = junction.angleDeg
    func adds(_ index: Int) -> Bool {
      let turn = path.turnDeg(at: index)
      // Bends between crossings belong to the road; a slight one does not end the turn.
      if path.isMereCut(path.edges[index - 1], path.edges[index]) {
        return abs(turn) < wiggleDeg
      }
      let isOwnSide = turn * junction.angleDeg > 0
      guard abs(turn) < (isOwnSide ? ownDeg : wiggleDeg) else { return false }
      total += turn
      return true
    }
    var index = junction.index - 1
    while index > 0, path.lengthM(from: index, to: junction.index) < spanM, adds(index) {
      index -= 1
    }
    index = junction.index + 1
    while index < path.edges.count, path.lengthM(from: junction.index, to: index) < spanM,
      adds(index)
    {
      index += 1
    }
    switch TurnGrade(angleDeg: total) {
    case .sharpLeft: return .left
    case .sharpRight: return .right
    case let grade: return grade
    }
  }

  private static func isSameRoad(_ junction: Junction) -> Bool {
    let (before, after) = (
      junction.path.edges[junction.index - 1], junction.path.edges[junction.index]
    )
    let ways = junction.path.graph.columns
    return junction.path.isSameName(junction.from, junction.onto)
      || ways.way(before) == ways.way(after)
  }

  /// One turn made of several bends that need no instruction on their own.
  ///
  /// The result is nil if they do not make a turn, or if the road after them is the same.
  /// `isSilent` returns whether a junction needs no instruction by itself.
  static func finding(from first: Junction, isSilent: (Junction) -> Bool) -> Finding? {
    let (path, index) = (first.path, first.index)
    guard bends(first, with: first), !first.from.isRoundabout, !first.from.isLink else {
      return nil
    }
    var last = first
    var total = first.angleDeg
    var rivals = first.rivals
    while last.index + 1 < path.edges.count,
      path.lengthM(from: index, to: last.index + 1) < spanM
    {
      let next = Junction(path, last.index + 1)
      guard bends(next, with: first) else { break }
      // A junction with its own instruction is not part of another turn.
      guard isSilent(next) else { return nil }
      last = next
      total += next.angleDeg
      rivals += next.rivals
    }
    guard last.index > index, abs(total) >= TurnRule.asideDeg, !last.onto.isLink,
      !path.keepsName(path.edges[index - 1], path.edges[last.index])
    else { return nil }
    let isChoice = rivals.contains {
      abs(Angle.turnDeg(from: first.bearingBeforeDeg, to: path.startBearingDeg($0.edge))) < 100
    }
    guard isChoice else { return nil }
    var finding = Finding(.turn(TurnGrade(angleDeg: total)), first, lastSegment: last.index)
    finding.turnAngleDeg = total
    finding.bearingAfterDeg = last.bearingAfterDeg
    return finding
  }

  private static func bends(_ junction: Junction, with first: Junction) -> Bool {
    junction.angleDeg * first.angleDeg > 0 && abs(junction.angleDeg) >= leastDeg
      && !junction.onto.isRoundabout
  }
}
