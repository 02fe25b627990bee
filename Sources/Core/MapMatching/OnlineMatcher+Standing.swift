import EventTime
import Geodesy
import Positioning

// Which fixes say nothing of the way: those of one who stands, or has hardly moved on (MM-11).
extension OnlineMatcher {
  /// What a fix is of the newest step, nil for one that is a step of its own; `straightM` lies between it and the fix before at `before`.
  mutating func part(
    of fix: Fix, at time: Instant, elapsedS: Double, straightM: Double, from before: Coordinate
  ) -> Part? {
    let stands =
      !isWholeTrace && standstill.take(fix, at: time, slowestMps: tuning.standstillMps)
    let newest = trellis.steps.count - 1
    guard newest >= 0 else { return nil }
    if stands { return .held }
    // For nearly each fix the one before is a step.
    let place = trellis.steps[newest].fix.place
    let awayM = place == before ? straightM : place.distanceM(to: fix.place)
    if let speed = fix.speedMps {
      return speed < tuning.standstillMps && awayM < 100 ? .held : nil
    }
    // Without a speed a place within the noise is the same place; at high rates steps are small
    // anyway.
    guard elapsedS >= 0.8 else { return nil }
    let sigmaM = trellis.steps[newest].sigmaM
    if awayM < Double.maximum(4, tuning.standstillSigmas * sigmaM) { return .held }
    return awayM < Double.maximum(tuning.stepSigmas * sigmaM, whiteStepM(sigmaM)) ? .between : nil
  }

  /// Metres within which white noise hides the way driven, of fixes believed by `sigmaM`.
  private func whiteStepM(_ sigmaM: Double) -> Double {
    Double.minimum(tuning.whiteStepSigmas * whiteNoise.sigmaM, tuning.longestStepSigmas * sigmaM)
  }
}
