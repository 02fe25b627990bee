import RoadGraph
import Route

/// Which lanes lead to a maneuver.
enum LaneAdvice {
  /// Lanes of the edge before a maneuver, from left to right; empty if the map contains none, or
  /// none fits.
  static func lanes(_ finding: Finding, _ path: PathContext) -> [Lane] {
    // Lanes do not matter to walkers.
    guard finding.segment > 0, path.mode != .pedestrian else { return [] }
    let lanes = LaneArrows.words(path.graph.text(path.road(finding.segment - 1).turnLanes))
    guard !lanes.isEmpty else { return [] }
    let access = LaneAccess.words(path.road(finding.segment - 1), path.graph, count: lanes.count)
    let arrows = Set(lanes.flatMap { $0.isEmpty ? ["through"] : $0 })
    guard let wanted = arrow(for: finding, among: arrows) else { return [] }
    return zip(lanes, access).map { directions, access in
      let points = directions.isEmpty ? wanted == "through" : directions.contains(wanted)
      let leads = points && LaneAccess.lets(path.mode, use: access)
      return Lane(
        directions: directions, recommendation: leads ? .recommended : .notRecommended,
        active: leads ? wanted : nil, access: access)
    }
  }

  /// Marks those recommended lanes that are also right for the next maneuver.
  static func refined(_ lanes: [Lane], next: ManeuverAction) -> [Lane] {
    guard let side = side(of: next) else { return lanes }
    let fitting = lanes.indices.filter { lanes[$0].recommendation == .recommended }
    guard fitting.count > 1, let best = side == .left ? fitting.first : fitting.last else {
      return lanes
    }
    var refined = lanes
    refined[best].recommendation = .highlyRecommended
    return refined
  }

  private static func side(of action: ManeuverAction) -> Side? {
    switch action {
    case .turn(.left), .turn(.slightLeft), .turn(.sharpLeft): .left
    case .turn(.right), .turn(.slightRight), .turn(.sharpRight): .right
    case .fork(let side), .exit(let side), .ramp(let side), .uTurn(let side):
      side == .ahead ? nil : side
    case .merge, .roundabout, .ferry, .depart, .arrive, .continueOn, .turn(.straight): nil
    }
  }

  // The arrow that points closest to the direction of the path.
  private static func arrow(for finding: Finding, among arrows: Set<String>) -> String? {
    let aim: Double =
      switch finding.action {
      case .turn(let grade): angleOf[grade.rawValue] ?? 0
      case .uTurn(let side): side == .right ? 180 : -180
      case .fork(.left), .exit(.left), .ramp(.left): -45
      case .fork(.right), .exit(.right), .ramp(.right): 45
      case .fork(.ahead), .exit(.ahead), .ramp(.ahead), .continueOn, .merge, .depart, .arrive,
        .ferry:
        0
      case .roundabout: roundaboutAim(finding)
      }
    let known = arrows.compactMap { word in angleOf[word].map { (word, $0) } }
    let best = known.min { (abs($0.1 - aim), $0.0) < (abs($1.1 - aim), $1.0) }
    guard let best, abs(best.1 - aim) <= 60 else { return nil }
    return best.0
  }

  private static func roundaboutAim(_ finding: Finding) -> Double {
    guard let driven = finding.roundaboutAngleDeg else { return 0 }
    return Double.minimum(135, Double.maximum(-135, driven < 0 ? 180 + driven : 180 - driven))
      * (driven < 0 ? -1 : 1)
  }

  private static let angleOf: [String: Double] = [
    "reverse": -180, "sharp_left": -135, "left": -90, "slight_left": -45, "merge_to_left": -20,
    "through": 0, "straight": 0, "merge_to_right": 20, "slight_right": 45, "right": 90,
    "sharp_right": 135,
  ]
}
