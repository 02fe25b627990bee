import Foundations
import Geodesy
import RealModule

/// Estimates the part of a receiver's error that successive fixes share, from the roads they were
/// matched to.
///
/// The offset of a fix from its road shows the error across the road, but not the error along it.
/// After a turn, the one becomes the other, and the error has hardly changed. The error is a
/// Gauss-Markov process along two axes, observed across the road by a Kalman filter (A. Gelb,
/// "Applied Optimal Estimation", MIT Press 1974, 4.2). Correcting a receiver by roads is the idea
/// of G. Taylor, G. Blewitt et al., "Road Reduction Filtering for GPS-GIS Navigation", Transactions
/// in GIS 5 (3), 2001. State is bounded.
struct CorrelatedErrorFilter: Hashable, Sendable {
  /// The estimated error at the last fix.
  private(set) var error = PlanePoint(eastM: 0, northM: 0)
  /// Its covariance: the variances of the axes and their covariance.
  private(set) var doubt = ErrorCovariance()
  /// Mean square of the offsets across the road and the number of fixes in it, at most
  /// `memoryCount`.
  private(set) var acrossM2 = 0.0
  private(set) var count = 0
  /// The time of the last fix; nil before the first.
  private(set) var time: Instant?

  struct ErrorCovariance: Hashable, Sendable, BitwiseCopyable {
    var eastM2 = 0.0
    var northM2 = 0.0
    var eastNorthM2 = 0.0
  }

  /// Maximum number of fixes in the mean square.
  static let memoryCount = 64
  /// Fewer fixes are not informative.
  static let leastCount = 6

  init() {}

  /// Restores a stored estimate; nil if the values are impossible.
  init?(error: PlanePoint, doubt: ErrorCovariance, acrossM2: Double, count: Int, time: Instant?) {
    let squares = [doubt.eastM2, doubt.northM2, acrossM2]
    guard (0...Self.memoryCount).contains(count), error.eastM.isFinite, error.northM.isFinite,
      squares.allSatisfy({ $0 >= 0 && $0.isFinite }), doubt.eastNorthM2.isFinite
    else { return nil }
    (self.error, self.doubt) = (error, doubt)
    // The covariance cannot exceed the product of the standard deviations: an excess by rounding is
    // no damage.
    let mostM2 = doubt.eastM2.squareRoot() * doubt.northM2.squareRoot() * (1 + 1e-9)
    if abs(doubt.eastNorthM2) > mostM2 {
      self.doubt.eastNorthM2 = doubt.eastNorthM2 > 0 ? mostM2 : -mostM2
    }
    (self.acrossM2, self.count, self.time) = (acrossM2, count, time)
  }

  /// Returns the error in metres forwards along a road with the heading `bearingDeg`.
  func alongM(bearingDeg: Double) -> Double {
    let ahead = PlanePoint(bearingDeg: bearingDeg, lengthM: 1)
    return ahead.eastM * error.eastM + ahead.northM * error.northM
  }

  /// Updates the estimate with a fix that was matched to `place`.
  ///
  /// `whiteM` is the standard deviation of the independent error: that part is not shared, and it
  /// masks the shared part.
  mutating func update(
    _ fix: Coordinate, at now: Instant, on place: MatchedPlace, whiteM: Double,
    tuning: MatcherTuning
  ) {
    let off = LocalPlane(origin: place.coordinate).point(fix)
    let right = PlanePoint(bearingDeg: place.bearingDeg + 90, lengthM: 1)
    let acrossM = right.eastM * off.eastM + right.northM * off.northM
    count = min(count + 1, Self.memoryCount)
    acrossM2 += (acrossM * acrossM - acrossM2) / Double(count)
    // Also contributes to the offset across the road, but is not a shared error.
    let apartM2 = tuning.besideRoadM * tuning.besideRoadM + whiteM * whiteM
    let sharedM2 = count >= Self.leastCount ? Double.maximum(0, acrossM2 - apartM2) : 0
    wait(until: now, sharedM2: sharedM2, forgottenS: tuning.sharedErrorS)
    // A road that may be the wrong one carries less information.
    see(
      acrossM, to: right,
      seenM2: apartM2 / Double.maximum(0.01, place.probability * place.probability))
  }

  /// Lets the estimate decay up to `now`; resets it if that is before the last fix.
  private mutating func wait(until now: Instant, sharedM2: Double, forgottenS: Double) {
    let elapsedS = time.map { now.seconds(since: $0) } ?? .infinity
    let share = elapsedS >= 0 ? Double.exp(-elapsedS / forgottenS) : 0
    let freshM2 = (1 - share * share) * sharedM2
    error.eastM *= share
    error.northM *= share
    doubt.eastM2 = share * share * doubt.eastM2 + freshM2
    doubt.northM2 = share * share * doubt.northM2 + freshM2
    doubt.eastNorthM2 *= share * share
    time = now
  }

  /// Updates the estimate with the observation `acrossM` in a direction, with the variance
  /// `seenM2`.
  private mutating func see(_ acrossM: Double, to right: PlanePoint, seenM2: Double) {
    let eastM2 = doubt.eastM2 * right.eastM + doubt.eastNorthM2 * right.northM
    let northM2 = doubt.eastNorthM2 * right.eastM + doubt.northM2 * right.northM
    let variance = right.eastM * eastM2 + right.northM * northM2 + seenM2
    guard variance > 0 else { return }
    let surprise = acrossM - right.eastM * error.eastM - right.northM * error.northM
    error.eastM += eastM2 / variance * surprise
    error.northM += northM2 / variance * surprise
    doubt.eastM2 = Double.maximum(0, doubt.eastM2 - eastM2 * (eastM2 / variance))
    doubt.northM2 = Double.maximum(0, doubt.northM2 - northM2 * (northM2 / variance))
    doubt.eastNorthM2 -= eastM2 * (northM2 / variance)
  }
}
