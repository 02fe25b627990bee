public import Route

extension Maneuver {
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
