import EventTime
import Geodesy

/// Compares reported speeds with how the positions move, and tells where they cannot be true.
///
/// Sums over stretches of a minute at most: a reported speed is wrong where it says much more than the positions have
/// moved, step by step, or much less than they have moved in all. Both bounds hold however noisy positions are, since
/// noise makes steps longer and adds no distance in all.
struct SpeedCheck: Codable, Hashable, Sendable {
  private struct Mark: Codable, Hashable, Sendable {
    var place: Coordinate
    var time: Instant
    var mps: Double
  }

  /// What was compared since a position.
  private struct Stretch: Codable, Hashable, Sendable {
    var start: Mark
    /// The last position that ended a step.
    var step: Mark
    var steps = 0
    /// Metres by the reported speeds and by the steps between positions.
    var reportedM = 0.0
    var walkedM = 0.0
    var longestStepM = 0.0
    /// Fixes in it.
    var fixes = 1
  }

  /// Whether reported speeds are left out.
  private(set) var isIgnoring = false
  /// Fixes since the evidence for `isIgnoring` began.
  private(set) var evidenceFixes = 0
  /// Metres by the reported speeds and by the positions since then, in strides that noise makes little longer.
  private var reportedM = 0.0
  private var stridesM = 0.0
  private var stride: Mark?
  private var strideReportedM = 0.0
  private var stretch: Stretch?
  private var last: Mark?
  /// The first fix as long as no other speed than 0 was reported.
  private var onlyZeroSince: Mark?
  private var zeroFixes = 0
  private var hasReportedMotion = false

  /// Metres by which positions may lie beside the truth at each end.
  private static let slackM = 30.0
  /// More than this many times as much is no error of a receiver.
  private static let ratio = 1.6
  private static let longestS = 60.0
  /// Seconds between fixes beyond which speeds at both ends say nothing of the distance between.
  private static let longestStepS = 5.0
  private static let shortestStepS = 0.9
  private static let greatestMps = 90.0
  /// Metres from the first position within which a vehicle that has reported only 0 may stand.
  private static let standingM = 15.0
  /// Metres of a stride, and metres after which the factor is known well enough to tell a unit by.
  private static let strideM = 20.0
  private static let tellingM = 150.0
  /// Metres and fixes over which speeds must agree to be believed again.
  private static let agreeingM = 150.0

  /// Reported metres for one that the positions moved, while speeds are left out.
  var factor: Double { stridesM > 0 ? reportedM / stridesM : 0 }

  /// Whether `factor` is known well enough to tell a unit by.
  var isFactorKnown: Bool { stridesM >= Self.tellingM || (isIgnoring && !hasReportedMotion) }

  /// Takes the next fix; whether its speed can be believed.
  mutating func take(_ fix: Fix, at time: Instant) -> Bool {
    guard let speed = fix.speedMps else { return true }
    let mark = Mark(place: fix.place, time: time, mps: speed)
    if isIgnoring { evidenceFixes += 1 }
    if isStuckAtZero(mark, speed) { return false }
    if isIgnoring { measure(mark) }
    compare(mark)
    last = mark
    return !isIgnoring
  }

  /// Adds to the metres by which the factor is told.
  private mutating func measure(_ mark: Mark) {
    guard let last, let stride, isStep(from: last, to: mark) else {
      (self.stride, strideReportedM) = (mark, 0)
      return
    }
    strideReportedM +=
      (last.mps + mark.mps) / 2
      * mark.time.seconds(since: last.time)
    let metres = stride.place.distanceM(to: mark.place)
    guard metres >= Self.strideM else { return }
    stridesM += metres
    reportedM += strideReportedM
    (self.stride, strideReportedM) = (mark, 0)
  }

  /// Whether nothing but 0 was ever reported, although the positions have moved on.
  private mutating func isStuckAtZero(_ mark: Mark, _ speed: Double) -> Bool {
    if speed > 0.05 {
      if !hasReportedMotion, isIgnoring { (isIgnoring, stretch) = (false, nil) }
      hasReportedMotion = true
    }
    guard !hasReportedMotion else { return false }
    guard let first = onlyZeroSince else {
      onlyZeroSince = mark
      zeroFixes = 1
      return false
    }
    zeroFixes += 1
    let awayM = first.place.distanceM(to: mark.place)
    if !isIgnoring, awayM > 3 * Self.standingM, zeroFixes >= 4 {
      (isIgnoring, evidenceFixes) = (true, zeroFixes)
    }
    return isIgnoring || awayM > Self.standingM
  }

  private mutating func compare(_ mark: Mark) {
    guard let last, var stretch, isStep(from: last, to: mark) else {
      self.stretch = Stretch(start: mark, step: mark)
      return
    }
    let seconds = mark.time.seconds(since: last.time)
    stretch.fixes += 1
    stretch.reportedM += (last.mps + mark.mps) / 2 * seconds
    if mark.time.seconds(since: stretch.step.time) >= Self.shortestStepS {
      let stepM = stretch.step.place.distanceM(to: mark.place)
      stretch.step = mark
      stretch.steps += 1
      stretch.walkedM += stepM
      stretch.longestStepM = Double.maximum(stretch.longestStepM, stepM)
    }
    self.stretch = stretch
    judge(stretch)
  }

  private func isStep(from last: Mark, to mark: Mark) -> Bool {
    let seconds = mark.time.seconds(since: last.time)
    guard seconds > 0, seconds <= Self.longestStepS else { return false }
    let metres = last.place.distanceM(to: mark.place)
    return metres <= Self.greatestMps * seconds + Self.slackM
  }

  private mutating func judge(_ stretch: Stretch) {
    let seconds = stretch.step.time.seconds(since: stretch.start.time)
    let chordM = stretch.start.place.distanceM(to: stretch.step.place)
    if stretch.steps >= 3, isWrong(stretch, chordM: chordM, seconds: seconds) {
      if !isIgnoring {
        (isIgnoring, evidenceFixes) = (true, stretch.fixes)
        (reportedM, stridesM, stride) = (0, 0, nil)
      }
      restart(stretch)
    } else if stretch.walkedM >= Self.agreeingM {
      let ratio = stretch.reportedM / stretch.walkedM
      if isIgnoring, hasReportedMotion, ratio > 0.75, ratio < 1.3 {
        isIgnoring = false
      }
      restart(stretch)
    } else if seconds > Self.longestS {
      restart(stretch)
    }
  }

  private mutating func restart(_ stretch: Stretch) {
    self.stretch = Stretch(start: stretch.step, step: stretch.step)
  }

  private func isWrong(_ stretch: Stretch, chordM: Double, seconds: Double) -> Bool {
    if stretch.reportedM > Self.ratio * stretch.walkedM + Self.slackM { return true }
    // One leap is the receiver's error, and one who wanders about at a stand gets nowhere.
    return chordM > Self.ratio * stretch.reportedM + Self.slackM && chordM > 0.7 * stretch.walkedM
      && stretch.longestStepM < 0.6 * stretch.walkedM && chordM > seconds
  }
}
