import Foundations
import Geodesy
import Positioning

extension [Fix] {
  /// These fixes with places that have errors of `sigmaM` to the east and to the north.
  ///
  /// `correlation` is that of the errors of successive fixes, 0 (white noise) to 1 (AR(1)).
  func withErrors(seed: UInt64, sigmaM: Double, correlation: Double = 0) -> [Fix] {
    var random = SplitMix64(seed: seed)
    var (eastM, northM) = (sigmaM * random.gaussian(), sigmaM * random.gaussian())
    let newM = sigmaM * (1 - correlation * correlation).squareRoot()
    return map { fix in
      defer {
        eastM = correlation * eastM + newM * random.gaussian()
        northM = correlation * northM + newM * random.gaussian()
      }
      var fix = fix
      fix.place = LocalPlane(origin: fix.place).coordinate(
        PlanePoint(eastM: eastM, northM: northM))
      return fix
    }
  }
}
