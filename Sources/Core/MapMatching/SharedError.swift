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

  /// Seconds in which an error falls by e.
  static let forgottenS = 10.0
  /// How far vehicles drive from the middle of a road that is drawn as a line, and the line lies from it.
  static let roadM = 3.0
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
    self.doubt.eastNorthM2 = Double.minimum(mostM2, Double.maximum(-mostM2, doubt.eastNorthM2))
    (self.acrossM2, self.count, self.time) = (acrossM2, count, time)
  }

  /// Metres by which the receiver errs forwards along a road.
  func alongM(bearingDeg: Double) -> Double {
    let ahead = Self.ahead(bearingDeg)
    return ahead.eastM * error.eastM + ahead.northM * error.northM
  }

  /// Notes a fix that was put on `road`, which leads to `bearingDeg` there, with `probability`.
  ///
  /// `whiteM` is how far fixes err each on its own: that part is not shared, and hides it.
  mutating func note(
    _ fix: Coordinate, at now: Instant, on road: Coordinate, bearingDeg: Double,
    probability: Double, whiteM: Double
  ) {
    let off = LocalPlane(origin: road).point(fix)
    let ahead = Self.ahead(bearingDeg)
    let (rightEast, rightNorth) = (ahead.northM, -ahead.eastM)
    let acrossM = rightEast * off.eastM + rightNorth * off.northM
    count = min(count + 1, Self.memoryCount)
    acrossM2 += (acrossM * acrossM - acrossM2) / Double(count)
    wait(until: now, whiteM: whiteM)
    // A road that may be the wrong one says less.
    let seenM2 =
      (Self.roadM * Self.roadM + whiteM * whiteM)
      / Double.maximum(0.01, probability * probability)
    let eastM2 = doubt.eastM2 * rightEast + doubt.eastNorthM2 * rightNorth
    let northM2 = doubt.eastNorthM2 * rightEast + doubt.northM2 * rightNorth
    let variance = rightEast * eastM2 + rightNorth * northM2 + seenM2
    let surprise = acrossM - rightEast * error.eastM - rightNorth * error.northM
    error.eastM += eastM2 / variance * surprise
    error.northM += northM2 / variance * surprise
    doubt.eastM2 = Double.maximum(0, doubt.eastM2 - eastM2 * (eastM2 / variance))
    doubt.northM2 = Double.maximum(0, doubt.northM2 - northM2 * (northM2 / variance))
    doubt.eastNorthM2 -= eastM2 * (northM2 / variance)
  }

  /// Forgets as errors do by `now`; all where that is before the fix noted last.
  private mutating func wait(until now: Instant, whiteM: Double) {
    let elapsedS = time.map { now.seconds(since: $0) } ?? .infinity
    let share = elapsedS >= 0 ? Double.exp(-elapsedS / Self.forgottenS) : 0
    let sharedM2 = count >= Self.leastCount ? Double.maximum(0, acrossM2 - whiteM * whiteM) : 0
    let freshM2 = (1 - share * share) * sharedM2
    error.eastM *= share
    error.northM *= share
    doubt.eastM2 = share * share * doubt.eastM2 + freshM2
    doubt.northM2 = share * share * doubt.northM2 + freshM2
    doubt.eastNorthM2 *= share * share
    time = now
  }

  /// A metre forwards.
  private static func ahead(_ bearingDeg: Double) -> PlanePoint {
    let radians = bearingDeg * .pi / 180
    return PlanePoint(eastM: Double.sin(radians), northM: Double.cos(radians))
  }
}
