import EventTime
import Geodesy
import RealModule

/// The part of a receiver's error that its fixes of some seconds share, as the roads they were put on tell.
///
/// A fix beside its road shows what the receiver errs across it; what it errs along it no road shows. Behind a turn the one is the
/// other, and the error is still much the same. It is a Gauss-Markov process along two axes, seen across the road by a Kalman filter
/// (A. Gelb, "Applied Optimal Estimation", MIT Press 1974, 4.2); that roads correct a receiver is the idea of G. Taylor, G. Blewitt et al., "Road
/// Reduction Filtering for GPS-GIS Navigation", Transactions in GIS 5 (3), 2001. State is bounded.
struct SharedError: Hashable, Sendable {
  /// The likeliest error, of the fix noted last.
  private(set) var error = PlanePoint(eastM: 0, northM: 0)
  /// How far that may be wrong: variances of its axes, and what they have in common.
  private(set) var doubt = Doubt()
  /// Mean square of how far fixes lay across, and how many it is of, at most `memoryCount`.
  private(set) var acrossM2 = 0.0
  private(set) var count = 0
  /// The time of the fix noted last; nil before the first.
  private(set) var time: Instant?

  struct Doubt: Hashable, Sendable, BitwiseCopyable {
    var eastM2 = 0.0
    var northM2 = 0.0
    var eastNorthM2 = 0.0
  }

  /// Fixes of which the mean square is.
  static let memoryCount = 64
  /// Fewer tell nothing.
  static let leastCount = 6

  init() {}

  /// As it was kept; nil where no error can be so.
  init?(error: PlanePoint, doubt: Doubt, acrossM2: Double, count: Int, time: Instant?) {
    let squares = [doubt.eastM2, doubt.northM2, acrossM2]
    guard (0...Self.memoryCount).contains(count), error.eastM.isFinite, error.northM.isFinite,
      squares.allSatisfy({ $0 >= 0 && $0.isFinite }), doubt.eastNorthM2.isFinite
    else { return nil }
    (self.error, self.doubt) = (error, doubt)
    // No two axes have more in common than both have: what is more by a rounding is no damage.
    let mostM2 = doubt.eastM2.squareRoot() * doubt.northM2.squareRoot() * (1 + 1e-9)
    if abs(doubt.eastNorthM2) > mostM2 {
      self.doubt.eastNorthM2 = doubt.eastNorthM2 > 0 ? mostM2 : -mostM2
    }
    (self.acrossM2, self.count, self.time) = (acrossM2, count, time)
  }

  /// Metres by which the receiver errs forwards along a road that leads to `bearingDeg`.
  func alongM(bearingDeg: Double) -> Double {
    let ahead = PlanePoint(bearingDeg: bearingDeg, lengthM: 1)
    return ahead.eastM * error.eastM + ahead.northM * error.northM
  }

  /// Notes a fix that was put on `place`.
  ///
  /// `whiteM` is how far fixes err each on its own: that part is not shared, and hides it.
  mutating func note(
    _ fix: Coordinate, at now: Instant, on place: MatchedPlace, whiteM: Double,
    tuning: MatcherTuning
  ) {
    let off = LocalPlane(origin: place.coordinate).point(fix)
    let right = PlanePoint(bearingDeg: place.bearingDeg + 90, lengthM: 1)
    let acrossM = right.eastM * off.eastM + right.northM * off.northM
    count = min(count + 1, Self.memoryCount)
    acrossM2 += (acrossM * acrossM - acrossM2) / Double(count)
    // Lies across as well, and is no shared error.
    let apartM2 = tuning.besideRoadM * tuning.besideRoadM + whiteM * whiteM
    let sharedM2 = count >= Self.leastCount ? Double.maximum(0, acrossM2 - apartM2) : 0
    wait(until: now, sharedM2: sharedM2, forgottenS: tuning.sharedErrorS)
    // A road that may be the wrong one says less.
    see(
      acrossM, to: right,
      seenM2: apartM2 / Double.maximum(0.01, place.probability * place.probability))
  }

  /// Forgets as errors do by `now`; all where that is before the fix noted last.
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

  /// Learns that the error is `acrossM` in a direction, seen with a variance of `seenM2`.
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
