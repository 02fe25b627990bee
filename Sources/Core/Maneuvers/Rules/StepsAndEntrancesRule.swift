import RoadGraph
import Route

/// Announces steps, entrances of buildings and stretches to push a bicycle, on foot and by bicycle.
struct StepsAndEntrancesRule: ManeuverRule {
  /// Flights no farther apart than this are one staircase.
  private static let flightsM = 50.0

  func applies(_ junction: Junction) -> Bool {
    let (from, onto) = (junction.from, junction.onto)
    guard !junction.path.mode.isMotorised, !onto.flags.contains(.ferry) else { return false }
    if junction.path.mode == .bicycle, onto.access(.bicycle) == .dismount,
      from.access(.bicycle) != .dismount
    {
      return true
    }
    return onto.roadClass == .steps && from.roadClass != .steps && !hasSteps(before: junction)
      || junction.path.mode == .pedestrian && onto.flags.contains(.indoor)
        && !from.flags.contains(.indoor)
  }

  func maneuver(_ junction: Junction) -> Finding? { Finding(.continueOn, junction) }

  // Consecutive flights of stairs are announced once.
  private func hasSteps(before junction: Junction) -> Bool {
    let path = junction.path
    return path.edges.indices[..<junction.index].reversed()
      .prefix { path.isWithin(Self.flightsM, from: $0 + 1, to: junction.index) }
      .contains { path.road($0).roadClass == .steps }
  }
}

/// Actions for walkers and cyclists, who do not use ramps or choose lanes: turns by their angle.
enum FootActions {
  /// The action of a finding for a traveller by `mode`.
  static func action(_ finding: Finding, _ mode: TravelMode) -> ManeuverAction {
    switch finding.action {
    case _ where mode.isMotorised: finding.action
    case .exit(let side), .ramp(let side): .turn(grade(finding, side))
    case .fork(let side) where mode == .pedestrian: .turn(grade(finding, side))
    case .merge:
      abs(finding.turnAngleDeg ?? 0) < TurnGrade.straightDeg
        ? .continueOn : .turn(TurnGrade(angleDeg: finding.turnAngleDeg ?? 0))
    default: finding.action
    }
  }

  /// The grade by the angle; if two roads both lead nearly straight on, the side decides.
  private static func grade(_ finding: Finding, _ side: Side) -> TurnGrade {
    let grade = TurnGrade(angleDeg: finding.turnAngleDeg ?? 0)
    switch (grade, side) {
    case (.straight, .left), (.slightRight, .left): return .slightLeft
    case (.straight, .right), (.slightLeft, .right): return .slightRight
    default: return grade
    }
  }
}
