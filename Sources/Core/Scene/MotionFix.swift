import Foundations
import Geodesy
import RealModule

/// A fix that the indicator is extrapolated from.
struct MotionFix: Codable, Hashable {
  var place: Coordinate
  var bearingDeg: Double?
  /// Measured, or from the two newest places, metres per second.
  var speedMps: Double
  var accelerationMps2: Double
  /// Metres along the line; nil off the line.
  var offsetM: Double?
  var at: Instant

  private static let brakingMps2 = -5.0
  private static let speedingUpMps2 = 3.0
  /// Longest time before the fix for which it is extrapolated back, seconds.
  private static let backS = 1.0

  /// A fix after `before`; without a measured speed, the distance from `before` gives one.
  init(
    place: Coordinate, bearingDeg: Double?, speedMps: Double?, offsetM: Double?, at: Instant,
    after before: MotionFix?, jumpM: Double
  ) {
    self.place = place
    self.bearingDeg = bearingDeg
    self.offsetM = offsetM
    self.at = at
    let elapsedS = before.map { at.seconds(since: $0.at) } ?? 0
    guard let before else {
      self.speedMps = speedMps ?? 0
      accelerationMps2 = 0
      return
    }
    guard let speedMps else {
      accelerationMps2 = 0
      let metres: Double
      if let offsetM, let start = before.offsetM {
        metres = offsetM - start
      } else {
        metres = before.place.distanceM(to: place)
      }
      let isPlausible = elapsedS > 0 && metres >= 0 && metres <= jumpM
      self.speedMps = isPlausible ? metres / elapsedS : before.speedMps
      return
    }
    self.speedMps = speedMps
    guard elapsedS > 0 else {
      // The same moment once more.
      accelerationMps2 = before.accelerationMps2
      return
    }
    accelerationMps2 = Double.minimum(
      Self.speedingUpMps2,
      Double.maximum(Self.brakingMps2, (speedMps - before.speedMps) / elapsedS))
  }

  /// Metres from the fix to the extrapolated position at `now`; constant after `limitS` seconds, and
  /// after the vehicle has stopped.
  func carriedM(at now: Instant, limitS: Double) -> Double {
    let elapsedS = now.seconds(since: at)
    if elapsedS < 0 { return speedMps * Double.maximum(elapsedS, -Self.backS) }
    let a = accelerationMps2
    let stopS = a < 0 ? speedMps / -a : .infinity
    let t = Double.minimum(Double.minimum(elapsedS, limitS), stopS)
    return speedMps * t + a * t * t / 2
  }
}
