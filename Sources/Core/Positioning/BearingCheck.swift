import EventTime
import Geodesy

/// Compares reported bearings with the direction in which the positions move, and tells where they cannot be true.
struct BearingCheck: Codable, Hashable, Sendable {
  private struct Mark: Codable, Hashable, Sendable {
    var place: Coordinate
    var time: Instant
    var bearingDeg: Double
  }

  /// Whether reported bearings are left out.
  private(set) var isIgnoring = false
  /// Fixes that the evidence for `isIgnoring` spans.
  private(set) var evidenceFixes = 0
  private var mark: Mark?
  private var fixesSinceMark = 0
  private var wrong = 0
  private var right = 0
  private var fixesWhileWrong = 0
  /// A bearing other than 0 was reported: senders without one report 0.
  private var hasReportedOther = false
  /// The bearing has changed since it was found wrong: a constant agrees now and then.
  private var hasChanged = false

  /// Metres after which the direction of two positions says something.
  private static let strideM = 15.0
  private static let longestS = 10.0
  private static let differenceDeg = 60.0
  /// Strides in a row that make a verdict, and that take it back.
  private static let evidence = 4
  private static let agreeing = 8

  /// Takes the next fix; whether its bearing can be believed.
  mutating func take(_ fix: Fix, at time: Instant) -> Bool {
    guard let bearing = fix.bearingDeg else { return true }
    if bearing != 0 { hasReportedOther = true }
    compare(Mark(place: fix.place, time: time, bearingDeg: bearing))
    return !isIgnoring && hasReportedOther
  }

  private mutating func compare(_ new: Mark) {
    fixesSinceMark += 1
    guard let mark, new.time > mark.time, new.time.seconds(since: mark.time) <= Self.longestS else {
      restart(new)
      return
    }
    if new.bearingDeg != mark.bearingDeg { hasChanged = true }
    guard mark.place.distanceM(to: new.place) >= Self.strideM else { return }
    let movedDeg = mark.place.bearingDeg(to: new.place)
    let offDeg = Double.minimum(
      abs(Angle.differenceDeg(movedDeg, new.bearingDeg)),
      abs(Angle.differenceDeg(movedDeg, mark.bearingDeg)))
    if offDeg > Self.differenceDeg {
      wrong += 1
      right = 0
      fixesWhileWrong += fixesSinceMark
    } else {
      right += 1
      wrong = 0
      fixesWhileWrong = 0
    }
    if !isIgnoring, wrong >= Self.evidence {
      (isIgnoring, evidenceFixes, hasChanged) = (true, fixesWhileWrong + 1, false)
    } else if isIgnoring, right >= Self.agreeing, hasChanged {
      isIgnoring = false
    }
    restart(new)
  }

  private mutating func restart(_ new: Mark) {
    mark = new
    fixesSinceMark = 0
  }
}
