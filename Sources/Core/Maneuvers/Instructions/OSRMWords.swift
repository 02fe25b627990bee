public import Route

extension Maneuver {
  /// The `type` of OSRM's step maneuvers.
  public var osrmType: String {
    switch action {
    case .depart: "depart"
    case .arrive: "arrive"
    case .continueOn: from.name == onto.name ? "continue" : "new name"
    case .turn: "turn"
    case .uTurn: from.name == onto.name && !from.name.isEmpty ? "continue" : "turn"
    case .fork: "fork"
    case .exit: "off ramp"
    case .ramp: "on ramp"
    case .merge: "merge"
    case .roundabout: "roundabout"
    case .ferry: "notification"
    }
  }

  /// The `modifier` of OSRM's step maneuvers; nil if OSRM has none.
  public var osrmModifier: String? {
    switch action {
    case .depart: nil
    case .arrive: side.flatMap { $0 == .ahead ? nil : $0.rawValue }
    case .continueOn, .ferry: "straight"
    case .turn(let grade): Self.osrmWord(grade)
    case .uTurn: "uturn"
    case .fork(let side), .exit(let side), .ramp(let side):
      switch side {
      case .left: "slight left"
      case .right: "slight right"
      case .ahead: "straight"
      }
    // OSRM names the side to steer to: away from the ramp, towards the traffic.
    case .merge(let side):
      side == .left ? "slight left" : side == .right ? "slight right" : "straight"
    case .roundabout:
      (roundaboutAngleDeg ?? 180) < 0
        ? Self.osrmWord(TurnGrade(angleDeg: 180 + (roundaboutAngleDeg ?? 180)))
        : Self.osrmWord(TurnGrade(angleDeg: 180 - (roundaboutAngleDeg ?? 180)))
    }
  }

  private static func osrmWord(_ grade: TurnGrade) -> String {
    switch grade {
    case .sharpLeft: "sharp left"
    case .left: "left"
    case .slightLeft: "slight left"
    case .straight: "straight"
    case .slightRight: "slight right"
    case .right: "right"
    case .sharpRight: "sharp right"
    }
  }

  /// The action as a single keyword in the style of commercial SDKs: `leftTurn`,
  /// `rightRoundaboutExit3`.
  public var actionWord: String {
    switch action {
    case .depart: "depart"
    case .arrive: "arrive"
    case .continueOn, .turn(.straight): "continueOn"
    case .turn(.left): "leftTurn"
    case .turn(.right): "rightTurn"
    case .turn(.slightLeft): "slightLeftTurn"
    case .turn(.slightRight): "slightRightTurn"
    case .turn(.sharpLeft): "sharpLeftTurn"
    case .turn(.sharpRight): "sharpRightTurn"
    case .uTurn(let side): side == .right ? "rightUTurn" : "leftUTurn"
    case .fork(let side): side == .ahead ? "middleFork" : "\(side.rawValue)Fork"
    case .exit(let side): side == .left ? "leftExit" : "rightExit"
    case .ramp(let side): side == .left ? "leftRamp" : "rightRamp"
    // The SDKs name the side from which the vehicle enters; the traffic is on the other side.
    case .merge(let side): side == .left ? "enterHighwayFromRight" : "enterHighwayFromLeft"
    case .roundabout(let exit):
      exit == 0
        ? "\(drivingSide)RoundaboutEnter" : "\(drivingSide)RoundaboutExit\(min(exit, 12))"
    case .ferry: "ferry"
    }
  }

  private var drivingSide: String { from.isLeftHand ? "left" : "right" }
}
