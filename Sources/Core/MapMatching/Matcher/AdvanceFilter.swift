import Geodesy
import RealModule
import RoadGraph

/// Smooths the position along the road that online matching reports.
///
/// Vehicles move evenly, while the errors of fixes do not. This is an alpha-beta filter of the
/// distance driven (P. Kalata, "The Tracking Index", IEEE Trans. AES-20, 1984). The place stays on
/// the matched edge and near the position of the fix.
struct AdvanceFilter: Hashable, Sendable {
  /// Speed along the road in m/s; nil while it is unknown.
  private(set) var speedMps: Double?

  init(speedMps: Double? = nil) { self.speedMps = speedMps }

  /// Returns the metres from the last reported place to the place to report; the fix lies
  /// `measuredM` from the last reported place.
  ///
  /// The result is at least 0. Otherwise it differs from the measurement by at most `reachM`.
  /// `whiteM` is the standard deviation of the independent (white) error of fixes.
  mutating func advanceM(
    measuredM: Double, elapsedS: Double, toldMps: Double?, reachM: Double, whiteM: Double,
    tuning: MatcherTuning
  ) -> Double {
    // A receiver that reports a speed smooths its positions itself.
    guard elapsedS > 0, elapsedS <= 10, toldMps == nil else {
      speedMps = toldMps
      return Double.maximum(0, measuredM)
    }
    guard let speed = speedMps else {
      speedMps = Double.maximum(0, measuredM) / elapsedS
      return Double.maximum(0, measuredM)
    }
    let expectedM = speed * elapsedS
    let surprise = measuredM - expectedM
    let gain = 1 - power(1 - tuning.advanceGain(whiteM: whiteM), elapsedS)
    speedMps = Double.maximum(
      0, speed + tuning.advanceSpeedGain * surprise / Double.maximum(1, elapsedS))
    let steadyM = expectedM + gain * surprise
    return Double.maximum(
      0, Double.minimum(measuredM + reachM, Double.maximum(measuredM - reachM, steadyM)))
  }

  private func power(_ base: Double, _ exponent: Double) -> Double {
    base <= 0 ? 0 : Double.pow(base, exponent)
  }
}

extension MatchedPlace {
  /// Returns the metres by road from the last reported place `before` to this place; nil if the
  /// path between them is unknown.
  func advanceM(from before: MatchedPlace, network: MatchingNetwork) -> Double? {
    if state == before.state, path.count <= 1 { return offsetM - before.offsetM }
    guard path.count > 1, path.first == before.state else { return nil }
    let metres = path.dropLast().reduce(offsetM - before.offsetM) { $0 + network.lengthM($1) }
    guard network.reversed(before.state) == path[1] else { return metres }
    // The vehicle turned round at its last place or at this one, not at the end of the road.
    let length = network.lengthM(before.state)
    let turnedM =
      path.count == 2 ? Double.maximum(before.offsetM, length - offsetM) : before.offsetM
    return metres - 2 * (length - turnedM)
  }
}

extension MatchingNetwork {
  /// Returns the place moved by `metres` along its edge, at most to an end of the edge.
  func shifted(_ place: MatchedPlace, byM metres: Double) -> MatchedPlace {
    let length = lengthM(place.state)
    let offsetM = Double.minimum(length, Double.maximum(0, place.offsetM + metres))
    guard offsetM != place.offsetM else { return place }
    var shifted = place
    shifted.offsetM = offsetM
    shifted.position.offsetM = place.state.isAgainst ? length - offsetM : offsetM
    shifted.coordinate = graph.coordinate(shifted.position)
    let bearing = graph.bearingDeg(shifted.position)
    shifted.bearingDeg = place.state.isAgainst ? Angle.normalizedDeg(bearing + 180) : bearing
    return shifted
  }
}
