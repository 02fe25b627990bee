import EventTime
import Geodesy
import Positioning

/// How much of the errors of fixes has nothing in common with those of the fixes before and after.
///
/// Seen in how far each fix lies from the line between its two neighbours: white noise throws it aside, while errors that go
/// together for seconds do so little, and a vehicle turns or brakes by a metre or two within a second. State is bounded.
struct WhiteNoise: Hashable, Sendable {
  /// A fix that may be the neighbour of one that comes.
  struct Neighbour: Hashable, Sendable, BitwiseCopyable {
    var place: Coordinate
    var time: Instant
  }

  /// The two newest fixes, the older first.
  private(set) var before: Neighbour?
  private(set) var newest: Neighbour?
  /// Mean square of one axis' error, and how many fixes it is of, at most `memoryCount`.
  private(set) var squareM2 = 0.0
  private(set) var count = 0

  /// Fixes of which it is the mean.
  static let memoryCount = 64
  /// Fewer tell nothing.
  static let leastCount = 6
  /// Further apart the vehicle's own motion is not told from noise.
  static let longestS = 2.0

  init() {}

  init(before: Neighbour?, newest: Neighbour?, squareM2: Double, count: Int) {
    self.before = before
    self.newest = newest
    self.squareM2 = squareM2
    self.count = count
  }

  /// Standard deviation of it along one axis; 0 where too few fixes have come.
  var sigmaM: Double { count >= Self.leastCount ? squareM2.squareRoot() : 0 }

  /// Notes the next fix of the drive, later than the one before.
  mutating func note(_ place: Coordinate, at time: Instant) {
    defer { (before, newest) = (newest, Neighbour(place: place, time: time)) }
    guard let before, let newest else { return }
    let firstS = newest.time.seconds(since: before.time)
    let secondS = time.seconds(since: newest.time)
    guard firstS > 0, secondS > 0, firstS <= Self.longestS, secondS <= Self.longestS else { return }
    // A receiver that says the same again says nothing of its noise.
    guard before.place != newest.place, newest.place != place else { return }
    let plane = LocalPlane(origin: newest.place)
    let earlier = plane.point(before.place)
    let later = plane.point(place)
    let share = firstS / (firstS + secondS)
    let eastM = earlier.eastM + share * (later.eastM - earlier.eastM)
    let northM = earlier.northM + share * (later.northM - earlier.northM)
    // Variance of a difference of three errors by their weights, of two axes.
    let weight = 2 * (1 + share * share + (1 - share) * (1 - share))
    count = min(count + 1, Self.memoryCount)
    squareM2 += ((eastM * eastM + northM * northM) / weight - squareM2) / Double(count)
  }

  /// What comes next has nothing to do with what came before.
  mutating func interrupt() { (before, newest) = (nil, nil) }
}
