import Geodesy
import RoadGraph
import Route

/// Taking a ramp onto a major road, and slip roads that only shorten a turn.
struct RampRule: ManeuverRule {
  /// Maximum length of a slip road.
  private static let slipM = 200.0
  /// Roads that leave at this angle or more turn off.
  private static let asideDeg = 40.0
  /// A slip road longer than this that ends at a junction with several options leaves the choice to
  /// that junction.
  private static let ownEndM = 30.0
  /// A slip road that turns by more than this leads back.
  private static let backDeg = 165.0
  /// A road that turns back by more than this angle is no alternative at the end of a link.
  static let crossingDeg = 110.0

  func applies(_ junction: Junction) -> Bool {
    !junction.from.isLink && !junction.from.isHighway && junction.onto.isLink
      && (!junction.rivals.isEmpty || junction.onto.roadClass <= .trunk)
  }

  func maneuver(_ junction: Junction) -> Finding? {
    let path = junction.path
    guard let target = path.firstThroughRoad(from: junction.index) else {
      guard !junction.rivals.isEmpty else { return nil }
      return turn(junction, lastSegment: junction.index)
    }
    let road = path.road(target)
    // The roundabout after the link has its own instruction.
    guard !road.isRoundabout else { return turn(junction, lastSegment: junction.index) }
    // No other road leads on, but reaching another major road is announced even so.
    if junction.rivals.isEmpty {
      let isOther = road.roadClass <= .trunk && !path.sharesName(junction.from, road)
      return isOther ? Finding(.ramp(side(junction)), junction) : nil
    }
    if road.isHighway || road.roadClass == .motorway {
      return Finding(.ramp(side(junction)), junction)
    }
    guard path.lengthM(from: junction.index, to: target) <= Self.slipM,
      !hasChoice(junction.index + 1..<target, path), !endsAtCrossing(target, junction)
    else {
      // The links of ordinary roads are parts of their crossings.
      return junction.onto.roadClass <= .trunk
        ? Finding(.ramp(side(junction)), junction) : turn(junction, lastSegment: junction.index)
    }
    return turn(junction, lastSegment: target)
  }

  private func side(_ junction: Junction) -> Side {
    let rivals = junction.rivals.map(\.angleDeg)
    // If the others turn off, or there are none, only a road that itself bends has a side.
    let bendDeg = rivals.isEmpty ? TurnGrade.slightDeg : TurnGrade.straightDeg
    if abs(junction.angleDeg) < bendDeg, rivals.allSatisfy({ abs($0) >= Self.asideDeg }) {
      return .ahead
    }
    if let least = rivals.min(), junction.angleDeg < least { return .left }
    if let most = rivals.max(), junction.angleDeg > most { return .right }
    return abs(junction.angleDeg) < 10 ? .ahead : junction.angleDeg < 0 ? .left : .right
  }

  // The slip road and the road after it are one turn.
  private func turn(_ junction: Junction, lastSegment: Int) -> Finding? {
    let path = junction.path
    let outDeg = path.startBearingDeg(path.edges[lastSegment])
    let angleDeg = Angle.turnDeg(from: junction.bearingBeforeDeg, to: outDeg)
    let straightest = junction.rivals.map { abs($0.angleDeg) }.min() ?? 180
    guard abs(angleDeg) >= TurnGrade.straightDeg || straightest < TurnGrade.straightDeg else {
      return nil
    }
    let grade =
      lastSegment == junction.index ? TurnChain.grade(junction) : TurnGrade(angleDeg: angleDeg)
    var finding = Finding(.turn(grade), junction, lastSegment: lastSegment)
    if abs(angleDeg) < TurnGrade.straightDeg { finding.action = .fork(side(junction)) }
    let onto = path.road(lastSegment)
    let isOwn =
      path.sharesName(junction.from, onto) || junction.from.isNameless && onto.isNameless
    if abs(angleDeg) > Self.backDeg, isOwn || onto.isLink {
      finding.action = .uTurn(path.turnDeg(at: lastSegment) < 0 ? .left : .right)
    }
    finding.turnAngleDeg = angleDeg
    finding.bearingAfterDeg = outDeg
    return finding
  }

  // The link leads to a crossing with a turn of its own.
  private func endsAtCrossing(_ target: Int, _ junction: Junction) -> Bool {
    let path = junction.path
    guard path.lengthM(from: junction.index, to: target) > Self.ownEndM else { return false }
    return Junction(path, target).rivals.contains { abs($0.angleDeg) < Self.crossingDeg }
  }

  private func hasChoice(_ range: Range<Int>, _ path: PathContext) -> Bool {
    range.contains { !Junction(path, $0).rivals.isEmpty }
  }
}
