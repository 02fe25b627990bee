import Geodesy
import RoadGraph
import Route

/// Joins two maneuvers that walkers perceive as one, since they see across a street and use no
/// lanes.
enum PedestrianManeuverJoining {
  /// Walkers see the second place from the first.
  private static let nearM = 15.0
  /// Another road this close to the direction could be mistaken for the intended one.
  private static let alikeDeg = 35.0
  /// Angle assumed after a jog of some metres, as seen from before it.
  private static let jogDeg = 30.0

  /// The single finding that replaces two; nil if both are needed.
  ///
  /// A crossing or steps between them remain a maneuver of their own.
  static func joined(_ a: Finding, _ b: Finding, _ path: PathContext) -> Finding? {
    guard path.mode == .pedestrian, path.isWithin(nearM, from: a.segment, to: b.segment),
      case .turn = FootActions.action(a, path.mode), let first = a.turnAngleDeg
    else { return nil }
    switch FootActions.action(b, path.mode) {
    case .continueOn:
      // Steps, a corridor or another street begin straight on after the turn, so the turn leads
      // there.
      guard abs(b.turnAngleDeg ?? 0) < TurnGrade.slightDeg else { return nil }
      var one = a
      one.lastSegment = b.lastSegment
      return one
    case .turn:
      guard first * (b.turnAngleDeg ?? 0) < 0,
        !(a.segment..<b.segment).contains(where: { isApart(path, $0) })
      else { return nil }
      return jog(a, b, path, first)
    default: return nil
    }
  }

  /// The turn that replaces a jog to one side and back, from where it begins to where it ends.
  private static func jog(
    _ a: Finding, _ b: Finding, _ path: PathContext, _ first: Double
  ) -> Finding? {
    var total = Angle.turnDeg(from: a.bearingBeforeDeg, to: b.bearingAfterDeg)
    if abs(total) < TurnGrade.straightDeg { total = first < 0 ? -jogDeg : jogDeg }
    // A jog to the left that ends further to the right needs both turns.
    guard total * first > 0 else { return nil }
    let others = Junction(path, a.segment).others
    func isAlike(_ angleDeg: Double) -> Bool {
      others.contains { Angle.differenceDeg($0.angleDeg, angleDeg) < alikeDeg }
    }
    guard !isAlike(total) else { return nil }
    // Where a road leads straight on, the first turn is the one that is seen.
    if abs(first) >= alikeDeg, others.contains(where: { abs($0.angleDeg) < alikeDeg }) {
      total = first
      guard !isAlike(first) else { return nil }
    }
    guard abs(total) < TurnGrade.sharpDeg else { return nil }
    var one = a
    one.action = .turn(TurnGrade(angleDeg: total))
    one.turnAngleDeg = total
    one.lastSegment = b.lastSegment
    one.bearingAfterDeg = b.bearingAfterDeg
    return one
  }

  /// Whether a piece of the path has its own instruction: a crossing, steps, or the inside of a
  /// building.
  private static func isApart(_ path: PathContext, _ index: Int) -> Bool {
    switch path.facts(index).pathKind(path.mode) {
    case .crossing, .steps, .corridor: true
    case nil, .cyclePath, .path, .track: false
    }
  }
}
