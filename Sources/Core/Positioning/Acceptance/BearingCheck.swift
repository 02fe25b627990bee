import Foundations
import Geodesy

/// Compares reported bearings with the direction of movement and detects implausible ones.
struct BearingCheck: Codable, Hashable, Sendable {
  private struct Mark: Codable, Hashable, Sendable {
    var place: Coordinate
    var time: Instant
    var bearingDeg: Double
  }

  /// Whether reported bearings are left out.
  private(set) var isIgnoring = false
  /// Number of fixes that the evidence for `isIgnoring` spans.
  private(set) var evidenceFixes = 0
  private var mark: Mark?
  private var fixesSinceMark = 0
  private var wrong = 0
  private var right = 0
  private var fixesWhileWrong = 0
  /// Whether `lastOther` has a bearing other than 0.
  private var hasReportedOther = false
  /// Whether the bearing has changed since it was found wrong.
  ///
  /// A constant bearing also agrees now and then, so agreement alone is not enough.
  private var hasChanged = false
  /// The last fix with a bearing other than 0, or else the first fix.
  ///
  /// Receivers without a bearing report 0.
  private var lastOther: Mark?
  /// Number of consecutive fixes with a bearing of exactly 0.
  private var zeros = 0
  /// The first of these fixes, and the greatest distance of the others from its meridian, in
  /// metres.
  private var firstZero: Mark?
  private var offMeridianM = 0.0
  /// Whether the receiver has reported fractions of a degree.
  private var hasFractions = false

  /// Distance, in metres, after which the direction between two positions is evidence.
  private static let strideM = 15.0
  private static let longestS = 10.0
  private static let differenceDeg = 60.0
  /// Greatest angle to north that confirms a bearing of 0, at first and when it is repeated.
  private static let northDeg = 30.0
  private static let repeatedNorthDeg = 10.0
  /// Distance from a meridian, in metres, within which positions lie on a road due north.
  private static let meridianM = 1.0
  /// Distance driven north, in metres, that confirms a bearing of 0.
  private static let confirmingM = 10.0
  /// Consecutive strides after which bearings are ignored (`evidence`) or used again (`agreeing`).
  private static let evidence = 4
  private static let agreeing = 8

  /// Processes the next fix and returns whether its bearing is plausible.
  mutating func check(_ fix: Fix, at time: Instant) -> Bool {
    guard let bearing = fix.bearingDeg else { return true }
    let new = Mark(place: fix.place, time: time, bearingDeg: bearing)
    if bearing != 0 || lastOther == nil {
      hasReportedOther = bearing != 0
      lastOther = new
    }
    countZeros(new)
    if bearing != bearing.rounded() { hasFractions = true }
    compare(new)
    return !isIgnoring && (bearing != 0 || isNorthward(new))
  }

  private mutating func countZeros(_ new: Mark) {
    guard new.bearingDeg == 0, let firstZero else {
      (zeros, offMeridianM) = (new.bearingDeg == 0 ? 1 : 0, 0)
      firstZero = new.bearingDeg == 0 ? new : nil
      return
    }
    zeros += 1
    let eastM = LocalPlane(origin: firstZero.place).point(new.place).eastM
    offMeridianM = Double.maximum(offMeridianM, abs(eastM))
  }

  /// Whether the positions confirm a bearing of exactly 0.
  ///
  /// They do where the previous bearing was near 0, or where they have moved north since then. A
  /// repeated 0 needs a movement nearly due north, and for a receiver that reports fractions of a
  /// degree one exactly along a meridian: real bearings vary, those of a receiver that has lost its
  /// bearing do not.
  private func isNorthward(_ new: Mark) -> Bool {
    guard let lastOther, zeros <= 1 || !hasFractions || offMeridianM <= Self.meridianM else {
      return false
    }
    if zeros <= 1, hasReportedOther,
      abs(Angle.differenceDeg(lastOther.bearingDeg, 0)) <= Self.northDeg
    {
      return true
    }
    return lastOther.place.distanceM(to: new.place) >= Self.confirmingM
      && abs(Angle.differenceDeg(lastOther.place.bearingDeg(to: new.place), 0))
        <= (zeros <= 1 ? Self.northDeg : Self.repeatedNorthDeg)
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
