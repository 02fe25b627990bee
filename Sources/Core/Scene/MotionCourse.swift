import Foundations
import Geodesy
import RealModule

/// The correction of the indicator's position since the last fix.
///
/// The error against the extrapolated position decreases with the metres that the vehicle drives,
/// so the result at a moment depends on that moment alone and not on the frames before it. The
/// correction is not faster than the vehicle, or than `crawlMps` if that is faster. It does not move
/// the indicator back while the vehicle moves. Only a large error, for example after a deviation
/// that was detected late, is corrected in time instead.
struct MotionCourse: Codable, Hashable {
  var since: Instant
  /// Metres that the fix was already extrapolated by.
  var carriedM: Double
  /// The error along the line, positive ahead; 0 if the indicator was not on it.
  var alongM = 0.0
  /// The error in the direction of travel that is not along the line.
  var aheadM = 0.0
  /// The remaining error, metres east and north.
  var driftEastM = 0.0
  var driftNorthM = 0.0
  /// Metres of driving after which 1 / e of the error is left.
  var scaleM: Double
  /// Whether the indicator is ahead of a moving vehicle.
  var isHeldBack = false
  /// Whether the error is so large that it is corrected in time.
  var isGliding = false
  /// Direction of travel at the fix; an extrapolation off the line keeps it.
  var directionDeg: Double
  var turn: MotionTurn

  /// Speed at which an error is corrected at least, metres per second.
  static let crawlMps = 3.0
  /// A slower vehicle counts as stationary, metres per second.
  static let movingMps = 0.5
  /// An error that is larger is corrected in time, metres.
  static let glideM = 25.0
  /// Time constant of that correction, seconds.
  static let glideS = 0.5

  /// The share of the error along and across the direction of travel that is left at `now`, when the
  /// fix is extrapolated by `carriedM`.
  func shares(carriedM: Double, at now: Instant) -> (along: Double, across: Double) {
    let elapsedS = now.seconds(since: since)
    let drivenM = Double.maximum(0, carriedM - self.carriedM)
    let spentM = Double.maximum(drivenM, Self.crawlMps * elapsedS)
    let across = Double.exp(isGliding ? -elapsedS / Self.glideS : -spentM / scaleM)
    return (isHeldBack ? Double.exp(-drivenM / scaleM) : across, across)
  }

  /// The error that is not along the line, for such shares.
  func drift(_ shares: (along: Double, across: Double)) -> PlanePoint {
    let ahead = PlanePoint(bearingDeg: directionDeg, lengthM: aheadM * shares.along)
    return PlanePoint(
      eastM: ahead.eastM + driftEastM * shares.across,
      northM: ahead.northM + driftNorthM * shares.across)
  }
}

/// The rotation of the indicator, with a limited rate.
///
/// It is integrated in steps of a fixed length from the last fix on, so that it does not depend on
/// the frames.
struct MotionTurn: Codable, Hashable {
  /// The direction after `steps` steps.
  var bearingDeg: Double
  var steps: Int

  static let stepS = 0.05
  /// Maximum rate, degrees per second.
  static let limitDegPerS = 120.0
  /// Time constant of a small rotation, seconds.
  static let settleS = 0.2
  /// Time after which any rotation towards a constant direction is over, seconds.
  static let overS = 4.0

  init(bearingDeg: Double) {
    self.bearingDeg = bearingDeg
    steps = 0
  }

  /// Integrates up to `elapsedS` seconds after the fix, and returns the direction at that moment:
  /// between two steps on the shorter way from one to the other.
  ///
  /// `target` returns the direction to rotate to at some seconds after the fix; nil keeps the
  /// current one. It is constant from `constantS` seconds on.
  mutating func advance(
    to elapsedS: Double, constantS: Double, target: (Double) -> Double?
  ) -> Double {
    if elapsedS > constantS + Self.overS { return target(elapsedS) ?? bearingDeg }
    func next() -> Double {
      Self.rotated(bearingDeg, to: target(Double(steps + 1) * Self.stepS), for: Self.stepS)
    }
    while Double(steps + 1) * Self.stepS <= elapsedS {
      bearingDeg = next()
      steps += 1
    }
    let share = (elapsedS - Double(steps) * Self.stepS) / Self.stepS
    return Angle.normalizedDeg(bearingDeg + Angle.turnDeg(from: bearingDeg, to: next()) * share)
  }

  /// The direction after `seconds` of rotation to `target`: at the limit, then exponential.
  static func rotated(_ bearingDeg: Double, to target: Double?, for seconds: Double) -> Double {
    guard let target else { return bearingDeg }
    let turnDeg = Angle.turnDeg(from: bearingDeg, to: target)
    let kneeDeg = limitDegPerS * settleS
    let limitedS = Double.maximum(0, (turnDeg.magnitude - kneeDeg) / limitDegPerS)
    let leftDeg: Double
    if seconds <= limitedS {
      leftDeg = turnDeg.magnitude - limitDegPerS * seconds
    } else {
      let knee = Double.minimum(turnDeg.magnitude, kneeDeg)
      leftDeg = knee * Double.exp(-(seconds - limitedS) / settleS)
    }
    return Angle.normalizedDeg(turnDeg < 0 ? target + leftDeg : target - leftDeg)
  }
}
