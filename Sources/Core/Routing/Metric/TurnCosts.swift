import RealModule
import RoadGraph

/// The costs of turns by their angle.
///
/// They are a logistic curve of the angle: straight on is free, and a right angle costs half of the
/// sharpest turn. Turns across the oncoming traffic cost more. Angles are in 256ths of the circle.
struct TurnCosts: Sendable {
  /// Milliseconds by the angle to the right, for traffic on the right and on the left.
  let onRight: Column<UInt32>
  let onLeft: Column<UInt32>

  init(mode: TravelMode, tuning: RoutingTuning, avoidsDifficult: Bool = false) {
    let sharpestS =
      switch mode {
      case .car, .taxi, .scooter: tuning.turnS
      case .truck, .bus: tuning.turnS * 1.5
      case .bicycle: tuning.turnS / 2
      case .pedestrian: 0.0
      }
    let right = (0..<256).map { unit in
      let costMS = Self.costMS(angle: unit, sharpestS: sharpestS, bias: tuning.turnBias)
      let isAcross = unit >= 128 && Double(256 - unit) * 360 / 256 >= tuning.difficultTurnDeg
      return avoidsDifficult && isAcross
        ? costMS + UInt32(clamping: tuning.avoidedTurnMS) : costMS
    }
    onRight = Column(right)
    onLeft = Column((0..<256).map { right[(256 - $0) & 255] })
  }

  private static func costMS(angle unit: Int, sharpestS: Double, bias: Double) -> UInt32 {
    let degrees = Double(unit < 128 ? unit : unit - 256) * 360 / 256
    let exponent =
      degrees >= 0
      ? 13 / bias * degrees / 180 - 6.5 * bias
      : 13 * bias * -degrees / 180 - 6.5 / bias
    return UInt32((1000 * sharpestS / (1 + Double.exp(-exponent))).rounded())
  }
}
