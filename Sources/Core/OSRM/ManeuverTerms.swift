import Geodesy
import Maneuvers
import RoadGraph
public import Route

extension Maneuver {
  /// The `type` of OSRM's step maneuvers.
  ///
  /// A turn that stays on the road of the same name is a `continue`, and its modifier is that of
  /// the turn.
  public var osrmType: String {
    switch action {
    case .depart: "depart"
    case .arrive: "arrive"
    case .continueOn: from.name == onto.name ? "continue" : "new name"
    case .turn, .uTurn: from.name == onto.name && !from.name.isEmpty ? "continue" : "turn"
    case .fork: "fork"
    case .exit: "off ramp"
    case .ramp: "on ramp"
    case .merge: "merge"
    case .roundabout: "roundabout"
    case .ferry: "notification"
    }
  }

  /// The `modifier` of OSRM's step maneuvers; nil if OSRM has none.
  ///
  /// The modifier of a departure or arrival is the side of the place, and there is none for a
  /// place on the road.
  public var osrmModifier: String? {
    switch action {
    case .depart: nil
    case .arrive: side == .left ? "left" : side == .right ? "right" : nil
    case .continueOn, .ferry: "straight"
    case .turn(let grade): Self.osrmWord(grade)
    case .uTurn: "uturn"
    // For a merge, OSRM names the side to steer to: away from the ramp, towards the traffic.
    case .fork(let side), .exit(let side), .ramp(let side), .merge(let side):
      side == .left ? "slight left" : side == .right ? "slight right" : "straight"
    case .roundabout:
      // The angle is negative where traffic drives on the left, and its first exits are on the
      // left.
      Self.osrmWord(TurnGrade(angleDeg: Self.turnDeg(roundabout: roundaboutAngleDeg ?? 180)))
    }
  }

  /// The change of direction through a roundabout, right positive, by the angle driven around it.
  private static func turnDeg(roundabout drivenDeg: Double) -> Double {
    drivenDeg < 0 ? -180 - drivenDeg : 180 - drivenDeg
  }

  private static func osrmWord(_ grade: TurnGrade) -> String {
    String(grade.rawValue.map { $0 == "_" ? " " : $0 })
  }
}

/// OSRM's terms for roads and lanes.
enum OSRMTerms {
  static func mode(_ road: RoadFacts, _ mode: TravelMode) -> String {
    if road.isFerry { return "ferry" }
    return switch mode {
    case .pedestrian: "walking"
    case .bicycle: "cycling"
    case .car, .truck, .bus, .taxi, .scooter: "driving"
    }
  }

  /// OSRM's term for the arrow of a lane in OSM notation.
  static func indication(_ word: String) -> String {
    switch word {
    case "through": "straight"
    case "reverse": "uturn"
    case "merge_to_left": "slight left"
    case "merge_to_right": "slight right"
    default: String(word.map { $0 == "_" ? " " : $0 })
    }
  }

  static func classes(_ flags: RoadFlags, _ roadClass: RoadClass) -> [String] {
    var all: [String] = []
    if flags.contains(.toll) { all.append("toll") }
    if flags.contains(.ferry) { all.append("ferry") }
    if roadClass == .motorway { all.append("motorway") }
    if flags.contains(.tunnel) { all.append("tunnel") }
    return all
  }
}
