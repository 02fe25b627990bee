import Geodesy
import Positioning
import RealModule
import RoadGraph

/// How likely a fix is to have been taken at a candidate, as logarithms.
///
/// Gaussian in the distance (P. Newson and J. Krumm, "Hidden Markov Map Matching Through Noise and
/// Sparseness", ACM SIGSPATIAL GIS 2009, eq. 1), times a Gaussian with a floor in the course.
/// Factors that all states of a step share are left out.
struct Emission {
  let sigmaM: Double
  /// Share of the evidence that counts: fixes close in time err alike and are not
  /// independent.
  let weight: Double
  /// The same for the distance alone: fixes farther apart than `independentS` say more.
  let distanceWeight: Double
  let fix: Fix
  let tuning: MatcherTuning

  init(fix: Fix, elapsedS: Double?, tuning: MatcherTuning) {
    self.fix = fix
    self.tuning = tuning
    sigmaM = Self.sigmaM(fix, tuning: tuning)
    weight = Double.maximum(
      0.05, Double.minimum(1, (elapsedS ?? tuning.independentS) / tuning.independentS))
    distanceWeight = weight * Self.news(elapsedS ?? tuning.independentS, tuning)
  }

  /// How much more a fix says of its place than one `independentS` after the last, which `sigmaM` is meant for.
  ///
  /// What the errors of two fixes have in common fades exponentially with the time between them.
  static func news(_ elapsedS: Double, _ tuning: MatcherTuning) -> Double {
    let later = elapsedS - tuning.independentS
    guard later > 0 else { return 1 }
    return tuning.greatestNews - (tuning.greatestNews - 1) * Double.exp(-later / tuning.errorTimeS)
  }

  /// Standard deviation along each axis; 68 % of a plane's normal error lie within 1.51 of it.
  static func sigmaM(_ fix: Fix, tuning: MatcherTuning) -> Double {
    guard let accuracy = fix.accuracyM else { return tuning.defaultSigmaM }
    return Double.minimum(
      tuning.greatestSigmaM, Double.maximum(tuning.leastSigmaM, tuning.toldSigmas * accuracy / 1.51)
    )
  }

  func log(_ candidate: Candidate, traits: RoadTraits, isOnRoute: Bool) -> Double {
    let d = candidate.distanceM / sigmaM
    var nats = course(candidate.bearingDeg) + speed(traits)
    if isOnRoute { nats += tuning.routeNats }
    if candidate.state.isAgainst { nats -= tuning.againstNats }
    if traits.isMinor { nats -= tuning.minorRoadNats }
    if traits.isByway { nats -= tuning.bywayNats }
    return nats * weight - d * d / 2 * distanceWeight
  }

  var offRoadLog: Double {
    let distance = Double.minimum(
      tuning.greatestOffRoadM,
      Double.maximum(tuning.leastOffRoadM, tuning.offRoadSigmas * sigmaM))
    let d = distance / sigmaM
    return -d * d / 2 * distanceWeight
  }

  func course(_ bearingDeg: Double) -> Double {
    guard let course = fix.bearingDeg else { return 0 }
    let speed = fix.speedMps ?? tuning.headingFullMps
    guard speed >= tuning.headingFromMps else { return 0 }
    let d = Angle.differenceDeg(course, bearingDeg) / courseSigmaDeg(speedMps: speed)
    let share = tuning.headingOutlierShare
    return Double.log((1 - share) * Double.exp(-d * d / 2) + share)
  }

  /// Standard deviation between the told course and the direction in which the road is drawn.
  private func courseSigmaDeg(speedMps: Double) -> Double {
    guard let told = fix.bearingAccuracyDeg else {
      return speedMps < tuning.headingFullMps ? tuning.slowHeadingSigmaDeg : tuning.headingSigmaDeg
    }
    guard speedMps >= tuning.headingFullMps else {
      return Double.maximum(tuning.slowHeadingSigmaDeg, told)
    }
    return Double.hypot(told, tuning.roadHeadingSigmaDeg)
  }

  /// What a speed far above the road's usual one takes away: nobody drives 110 km/h on a frontage
  /// road.
  func speed(_ traits: RoadTraits) -> Double {
    guard let speed = fix.speedMps, traits.speedMps > 0 else { return 0 }
    let usual = Double(traits.speedMps) * 1.3 + 3
    return -Double.minimum(2, 2 * Double.maximum(0, speed / usual - 1))
  }
}
