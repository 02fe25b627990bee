import Geodesy
import RoadGraph
import Route

/// Joins two maneuvers that drivers perceive as one.
enum ManeuverJoining {
  /// Two turns closer together than this are at one place.
  private static let nearM = 25.0
  private static let bendM = 12.0
  /// A walker who turns and turns back within this distance continues in the same direction.
  private static let kerbM = 8.0
  /// Arms no farther apart than this meet at one crossing.
  private static let crossingM = 6.0
  /// Maximum distance of two joined turns if the second one has no alternative.
  private static let forcedM = 25.0

  /// Findings in the order of the path, with close turns joined.
  static func joined(_ findings: [Finding], _ path: PathContext) -> [Finding] {
    var all: [Finding] = []
    for next in findings {
      guard let last = all.last else {
        all.append(next)
        continue
      }
      if path.mode == .pedestrian, isKerbTurn(last, next, path) {
        all.removeLast()
        continue
      }
      if let one = PedestrianManeuverJoining.joined(last, next, path) {
        all[all.count - 1] = one
        continue
      }
      guard isBend(last.action), case .turn = next.action,
        path.lengthM(from: last.segment, to: next.segment) < nearM
      else {
        all.append(next)
        continue
      }
      switch pair(last, next, path) {
      case .one(let finding): all[all.count - 1] = finding
      case .none: all.removeLast()
      case .two: all.append(next)
      }
    }
    return all
  }

  /// Whether two opposite turns of a walker only lead around something, and the path continues as
  /// before.
  private static func isKerbTurn(_ a: Finding, _ b: Finding, _ path: PathContext) -> Bool {
    guard isBend(a.action), case .turn = b.action else { return false }
    let (before, after) = (path.road(a.segment - 1), path.road(b.lastSegment))
    let totalDeg = Angle.turnDeg(from: a.bearingBeforeDeg, to: b.bearingAfterDeg)
    return abs(totalDeg) < TurnGrade.straightDeg && before.isNameless && after.isNameless
      && path.isWithin(kerbM, from: a.segment, to: b.segment)
  }

  /// Whether a road that keeps its name is left for some metres along another road, as at a
  /// staggered crossing.
  private static func isStaggered(_ a: Finding, _ b: Finding, _ path: PathContext) -> Bool {
    let sharpest = Double.maximum(abs(a.turnAngleDeg ?? 0), abs(b.turnAngleDeg ?? 0))
    guard sharpest >= TurnGrade.slightDeg,
      !path.isWithin(crossingM, from: a.segment, to: b.segment)
    else { return false }
    let before = path.road(a.segment - 1)
    return (a.segment..<b.segment).contains {
      let road = path.road($0)
      return !road.isNameless && !road.isLink && !path.sharesName(before, road)
    }
  }

  /// Whether the second of two turns lies on the other carriageway of the road that the first one
  /// leaves.
  private static func crossesCarriageway(
    _ a: Finding, _ b: Finding, _ path: PathContext
  ) -> Bool {
    let (before, node) = (path.road(a.segment - 1), path.graph.tail(path.edges[b.segment]))
    return before.flags.contains(.oneWay)
      && path.graph.edges(leaving: node).contains {
        let road = path.graph.attributes($0)
        return $0 != path.edges[b.segment] && road.flags.contains(.oneWay)
          && path.sharesName(before, road)
      }
  }

  private static func isBend(_ action: ManeuverAction) -> Bool {
    switch action {
    case .turn, .fork: true
    default: false
    }
  }

  private enum Outcome {
    case none
    case one(Finding)
    case two
  }

  private static func pair(_ a: Finding, _ b: Finding, _ path: PathContext) -> Outcome {
    let total = Angle.turnDeg(from: a.bearingBeforeDeg, to: b.bearingAfterDeg)
    let first = a.turnAngleDeg ?? 0
    let second = b.turnAngleDeg ?? 0
    if first * second > 0 {
      // Two bends to the same side are one turn, unless a street lies between them or together they
      // turn back.
      let isForced = Junction(path, b.segment).others.isEmpty
      let isOne = isForced || crossesCarriageway(a, b, path)
      guard path.lengthM(from: a.segment, to: b.segment) < (isOne ? forcedM : bendM),
        abs(first) + abs(second) < 150
      else { return .two }
      var one = a
      one.action = .turn(TurnGrade(angleDeg: total))
      one.turnAngleDeg = total
      one.lastSegment = b.lastSegment
      one.bearingAfterDeg = b.bearingAfterDeg
      return .one(one)
    }
    if case .fork = a.action { return .two }
    // Right and immediately left again along the same road: the road continues.
    let before = path.road(a.segment - 1)
    let after = path.road(b.lastSegment)
    guard abs(total) < TurnGrade.straightDeg else { return .two }
    if path.sharesName(before, after) {
      return isStaggered(a, b, path) ? .two : .none
    }
    // Two slight bends within a few metres onto another road: drivers see the road straight across.
    guard path.lengthM(from: a.segment, to: b.segment) < bendM,
      abs(first) < TurnGrade.slightDeg, abs(second) < TurnGrade.slightDeg
    else { return .two }
    var one = a
    one.action = .turn(.straight)
    one.turnAngleDeg = total
    one.lastSegment = b.lastSegment
    one.bearingAfterDeg = b.bearingAfterDeg
    return .one(one)
  }
}
