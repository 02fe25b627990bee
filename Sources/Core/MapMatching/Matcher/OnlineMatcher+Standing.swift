import Foundations
import Geodesy
import Positioning

// Fixes without information about the path: the vehicle is stationary or has hardly moved (MM-11).
extension OnlineMatcher {
  /// Returns the part of a fix in the newest step; nil if the fix is a step of its own.
  ///
  /// `straightM` is its distance from the previous fix at `before`.
  mutating func part(
    of fix: Fix, at time: Instant, elapsedS: Double, straightM: Double, from before: Coordinate
  ) -> Part? {
    let stands =
      !wholeTrace.isActive
      && stationaryDetector.process(fix, at: time, slowestMps: tuning.stationaryMps)
    let newest = trellis.steps.count - 1
    guard newest >= 0 else { return nil }
    if stands { return .stationary }
    // For nearly every fix the previous one is a step.
    let place = trellis.steps[newest].fix.place
    let awayM = place == before ? straightM : place.distanceM(to: fix.place)
    if let speed = fix.speedMps {
      return speed < tuning.stationaryMps && awayM < 100 ? .stationary : nil
    }
    // Without a reported speed, a position within the noise counts as the same place; at high
    // sampling rates steps are small anyway.
    guard elapsedS >= 0.8 else { return nil }
    let sigmaM = trellis.steps[newest].sigmaM
    if awayM < Double.maximum(4, tuning.standstillSigmas * sigmaM) { return .stationary }
    return awayM < Double.maximum(tuning.stepSigmas * sigmaM, whiteStepM(sigmaM)) ? .between : nil
  }

  /// Returns the distance in metres within which white noise hides the driven path, for fixes with
  /// the standard deviation `sigmaM`.
  private func whiteStepM(_ sigmaM: Double) -> Double {
    Double.minimum(tuning.whiteStepSigmas * errors.white.sigmaM, tuning.longestStepSigmas * sigmaM)
  }
}
