import Foundations
import Geodesy

/// Compares reported speeds with the movement of the positions and detects implausible ones.
///
/// Distances are summed over stretches of at most a minute. Speeds are wrong where they imply much
/// more distance than the steps between positions. They are also wrong where they imply much less
/// distance than the net displacement. Both bounds hold for any noise: noise lengthens steps, but
/// adds no net displacement.
struct SpeedCheck: Codable, Hashable, Sendable {
  private struct Mark: Codable, Hashable, Sendable {
    var place: Coordinate
    var time: Instant
    var mps: Double
  }

  /// The values that were compared since a start position.
  private struct Stretch: Codable, Hashable, Sendable {
    var start: Mark
    /// The last position that ended a step.
    var step: Mark
    var steps = 0
    /// Distances by the reported speeds and by the steps between positions, in metres.
    var reportedM = 0.0
    var walkedM = 0.0
    var longestStepM = 0.0
    /// Number of fixes in the stretch.
    var fixes = 1
  }

  /// Consecutive fixes with a speed of 0.
  private struct ZeroRun: Codable, Hashable, Sendable {
    var first: Mark
    var last: Mark
    var fixes = 1
    var longestStepM = 0.0

    /// Whether the positions moved on at `mps` or more, and not by a single jump.
    func hasMoved(atLeast metres: Double, mps: Double) -> Bool {
      let awayM = first.place.distanceM(to: last.place)
      return awayM > metres && awayM > mps * last.time.seconds(since: first.time)
        && longestStepM < 0.6 * awayM
    }

    mutating func add(_ mark: Mark) {
      longestStepM = Double.maximum(longestStepM, last.place.distanceM(to: mark.place))
      last = mark
      fixes += 1
    }
  }

  /// Whether reported speeds are left out.
  private(set) var isIgnoring = false
  /// Number of fixes since the evidence for `isIgnoring` began.
  private(set) var evidenceFixes = 0
  /// Distances since then by the reported speeds and by the positions, in metres.
  ///
  /// Positions are compared in strides, which noise lengthens only a little.
  private var reportedM = 0.0
  private var stridesM = 0.0
  private var stride: Mark?
  private var strideReportedM = 0.0
  private var stretch: Stretch?
  private var last: Mark?
  private var zeros: ZeroRun?
  private var hasReportedMotion = false

  /// Allowed position error at each end of a stretch, in metres.
  private static let slackM = 30.0
  /// Ratio of distances beyond which the difference is not a receiver's error.
  private static let ratio = 1.6
  private static let longestS = 60.0
  /// Seconds between fixes beyond which their speeds do not determine the distance between them.
  private static let longestStepS = 5.0
  private static let shortestStepS = 0.9
  private static let greatestMps = 90.0
  /// Distance from the first position, in metres, within which a vehicle at speed 0 may stand.
  private static let standingM = 15.0
  /// Metres and m/s of net movement that a vehicle at speed 0 never shows.
  private static let movedM = 30.0
  private static let movedMps = 3.0
  /// Length of a stride, and distance after which the factor can identify a unit, in metres.
  private static let strideM = 20.0
  private static let tellingM = 150.0
  /// Distance, in metres, over which speeds must agree before they are used again.
  private static let agreeingM = 150.0

  /// Ratio of the reported distance to the distance between positions, while speeds are ignored.
  var factor: Double { stridesM > 0 ? reportedM / stridesM : 0 }

  /// Whether `factor` is known well enough to identify a unit.
  var isFactorKnown: Bool { stridesM >= Self.tellingM || (isIgnoring && !hasReportedMotion) }

  /// Processes the next fix and returns whether its speed is plausible.
  mutating func check(_ fix: Fix, at time: Instant) -> Bool {
    guard let speed = fix.speedMps else { return true }
    let mark = Mark(place: fix.place, time: time, mps: speed)
    if isIgnoring { evidenceFixes += 1 }
    if isStuckAtZero(mark, speed) { return false }
    if isIgnoring { measure(mark) }
    compare(mark)
    last = mark
    return !isIgnoring
  }

  /// Adds to the distances from which `factor` is computed.
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

  /// Whether the reported speeds are 0 although the positions have moved on.
  ///
  /// A receiver that has never reported a motion is doubted sooner.
  private mutating func isStuckAtZero(_ mark: Mark, _ speed: Double) -> Bool {
    if speed > 0.05 {
      if !hasReportedMotion, isIgnoring { (isIgnoring, stretch) = (false, nil) }
      hasReportedMotion = true
      zeros = nil
      return false
    }
    guard var run = zeros else {
      zeros = ZeroRun(first: mark, last: mark)
      return false
    }
    run.add(mark)
    zeros = run
    let awayM = run.first.place.distanceM(to: mark.place)
    let hasMoved =
      hasReportedMotion
      ? run.hasMoved(atLeast: Self.movedM, mps: Self.movedMps) : awayM > 3 * Self.standingM
    if !isIgnoring, run.fixes >= 4, hasMoved {
      (isIgnoring, evidenceFixes) = (true, run.fixes)
      (reportedM, stridesM, stride, stretch) = (0, 0, nil, nil)
    }
    return isIgnoring || (!hasReportedMotion && awayM > Self.standingM)
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
    // A single jump is the receiver's error, and noise at standstill adds no net displacement.
    return chordM > Self.ratio * stretch.reportedM + Self.slackM && chordM > 0.7 * stretch.walkedM
      && stretch.longestStepM < 0.6 * stretch.walkedM && chordM > seconds
  }
}
