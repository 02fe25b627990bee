import Foundations
import Geodesy
import Positioning

/// Estimates the independent (white) part of the errors of fixes.
///
/// It is measured by the distance of each fix from the line between its two neighbours. White noise
/// increases that distance, while errors that are correlated over seconds hardly do. A vehicle
/// turns or brakes by a metre or two within a second. State is bounded.
struct WhiteNoiseEstimator: Hashable, Sendable {
  /// A fix that may be the neighbour of a later one.
  struct Neighbour: Hashable, Sendable, BitwiseCopyable {
    var place: Coordinate
    var time: Instant
  }

  /// The two newest fixes, the older first.
  private(set) var before: Neighbour?
  private(set) var newest: Neighbour?
  /// Mean square of the error along one axis, and the number of fixes in it, at most `memoryCount`.
  private(set) var squareM2 = 0.0
  private(set) var count = 0

  /// Maximum number of fixes in the mean.
  static let memoryCount = 64
  /// Fewer fixes are not informative.
  static let leastCount = 6
  /// Over longer intervals in seconds, noise cannot be separated from the vehicle's own motion.
  static let longestS = 2.0

  init() {}

  init(before: Neighbour?, newest: Neighbour?, squareM2: Double, count: Int) {
    self.before = before
    self.newest = newest
    self.squareM2 = squareM2
    self.count = count
  }

  /// Standard deviation along one axis; 0 after too few fixes.
  var sigmaM: Double { count >= Self.leastCount ? squareM2.squareRoot() : 0 }

  /// Adds the next fix of the drive, later than the previous one.
  mutating func update(_ place: Coordinate, at time: Instant) {
    defer { (before, newest) = (newest, Neighbour(place: place, time: time)) }
    guard let before, let newest else { return }
    let firstS = newest.time.seconds(since: before.time)
    let secondS = time.seconds(since: newest.time)
    guard firstS > 0, secondS > 0, firstS <= Self.longestS, secondS <= Self.longestS else { return }
    // A repeated position carries no information about the noise.
    guard before.place != newest.place, newest.place != place else { return }
    let plane = LocalPlane(origin: newest.place)
    let earlier = plane.point(before.place)
    let later = plane.point(place)
    let share = firstS / (firstS + secondS)
    let eastM = earlier.eastM + share * (later.eastM - earlier.eastM)
    let northM = earlier.northM + share * (later.northM - earlier.northM)
    // Variance of a weighted difference of three errors, for two axes.
    let weight = 2 * (1 + share * share + (1 - share) * (1 - share))
    count = min(count + 1, Self.memoryCount)
    squareM2 += ((eastM * eastM + northM * northM) / weight - squareM2) / Double(count)
  }

  /// Separates the following fixes from the earlier ones.
  mutating func interrupt() { (before, newest) = (nil, nil) }
}
