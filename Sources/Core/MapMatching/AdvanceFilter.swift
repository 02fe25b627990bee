import Geodesy
import RealModule
import RoadGraph

/// Steadies the place told at once along its road: vehicles go on evenly, and the errors of fixes do not.
///
/// An alpha-beta filter of the metres driven (P. Kalata, "The Tracking Index", IEEE Trans. AES-20, 1984). The
/// place stays on the piece of road that was matched, and near where the fix puts it.
struct AdvanceFilter: Hashable, Sendable {
  /// Metres a second along the road; nil where nothing is known.
  private(set) var speedMps: Double?

  init(speedMps: Double? = nil) { self.speedMps = speedMps }

  /// Metres from the place told last to the place to tell, where the fix puts it `measuredM` from there.
  ///
  /// Never less than 0, and never farther than `reachM` from what is measured but for that.
  /// `whiteM` is how far fixes err each on its own.
  mutating func advanceM(
    measuredM: Double, elapsedS: Double, toldMps: Double?, reachM: Double, whiteM: Double,
    tuning: MatcherTuning
  ) -> Double {
    // A receiver that tells a speed steadies its places itself.
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
  /// Metres by road from `before`, which was told last, to this place; nil where the way between is not known.
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
  /// The same place `metres` further on along its piece of road, or as far as that goes.
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
