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
  /// One over that.
  private let perSigma: Double
  /// Share of the evidence that counts: fixes close in time err alike and are not
  /// independent.
  let weight: Double
  /// The same for the distance alone: fixes farther apart than `independentS` say more.
  let distanceWeight: Double
  /// Of being on no road.
  let offRoadLog: Double
  private let course: Course?
  private let speedMps: Double?
  let routeNats: Double
  let againstNats: Double
  let minorRoadNats: Double
  let bywayNats: Double

  /// A course that says something of the road.
  private struct Course {
    var deg: Double
    /// Standard deviation between it and the direction in which the road is drawn.
    var sigmaDeg: Double
    var outlierShare: Double
  }

  @inline(__always) init(fix: Fix, elapsedS: Double?, tuning: MatcherTuning) {
    // Of the fix what counts alone: a whole one is dear to copy.
    self.init(
      sigmaM: Self.sigmaM(toldM: fix.accuracyM, tuning: tuning),
      Self.course(
        fix.bearingDeg, accuracyDeg: fix.bearingAccuracyDeg, speedMps: fix.speedMps, tuning),
      speedMps: fix.speedMps, elapsedS: elapsedS, tuning)
  }

  private init(
    sigmaM: Double, _ course: Course?, speedMps: Double?, elapsedS: Double?,
    _ tuning: MatcherTuning
  ) {
    self.sigmaM = sigmaM
    perSigma = 1 / sigmaM
    self.course = course
    self.speedMps = speedMps
    weight = Double.maximum(
      0.05, Double.minimum(1, (elapsedS ?? tuning.independentS) / tuning.independentS))
    distanceWeight = weight * (elapsedS.map { Self.news($0, tuning) } ?? tuning.firstNews)
    let offRoadM = Double.minimum(
      tuning.greatestOffRoadM,
      Double.maximum(tuning.leastOffRoadM, tuning.offRoadSigmas * sigmaM))
    offRoadLog = -(offRoadM / sigmaM) * (offRoadM / sigmaM) / 2 * distanceWeight
    routeNats = tuning.routeNats
    againstNats = tuning.againstNats
    minorRoadNats = tuning.minorRoadNats
    bywayNats = tuning.bywayNats
  }

  /// How much more a fix says of its place than one `independentS` after the last, which `sigmaM` is meant for.
  ///
  /// What the errors of two fixes have in common fades exponentially with the time between them.
  static func news(_ elapsedS: Double, _ tuning: MatcherTuning) -> Double {
    let later = elapsedS - tuning.independentS
    guard later > 0 else { return 1 }
    return tuning.greatestNews - (tuning.greatestNews - 1) * Double.exp(-later / tuning.errorTimeS)
  }

  /// Standard deviation along each axis by an accuracy, nil where none is told; 68 % of a plane's normal error lie within 1.51 of it.
  static func sigmaM(toldM: Double?, tuning: MatcherTuning) -> Double {
    guard let accuracy = toldM else { return tuning.defaultSigmaM }
    return Double.minimum(
      tuning.greatestSigmaM, Double.maximum(tuning.leastSigmaM, tuning.toldSigmas * accuracy / 1.51)
    )
  }

  @inline(__always) func log(
    _ candidate: Candidate, traits: RoadTraits, isOnRoute: Bool
  ) -> Double {
    let d = candidate.distanceM * perSigma
    var nats = 0.0
    // Neither of many receivers.
    if course != nil { nats += courseNats(candidate) }
    if speedMps != nil { nats += speedNats(traits) }
    if isOnRoute { nats += routeNats }
    if candidate.state.isAgainst { nats -= againstNats }
    if traits.isMinor { nats -= minorRoadNats }
    if traits.isByway { nats -= bywayNats }
    return nats * weight - d * d / 2 * distanceWeight
  }

  func courseNats(_ candidate: Candidate) -> Double {
    guard let course else { return 0 }
    let d = Angle.differenceDeg(course.deg, candidate.bearingDeg) / course.sigmaDeg
    let share = course.outlierShare
    return Double.log((1 - share) * Double.exp(-d * d / 2) + share)
  }

  private static func course(
    _ deg: Double?, accuracyDeg: Double?, speedMps: Double?, _ tuning: MatcherTuning
  ) -> Course? {
    guard let deg else { return nil }
    let speed = speedMps ?? tuning.headingFullMps
    guard speed >= tuning.headingFromMps else { return nil }
    let isSlow = speed < tuning.headingFullMps
    var sigmaDeg = isSlow ? tuning.slowHeadingSigmaDeg : tuning.headingSigmaDeg
    if let told = accuracyDeg {
      sigmaDeg =
        isSlow
        ? Double.maximum(tuning.slowHeadingSigmaDeg, told)
        : Double.hypot(told, tuning.roadHeadingSigmaDeg)
    }
    return Course(deg: deg, sigmaDeg: sigmaDeg, outlierShare: tuning.headingOutlierShare)
  }

  /// What a speed far above the road's usual one takes away: nobody drives 110 km/h on a frontage
  /// road.
  func speedNats(_ traits: RoadTraits) -> Double {
    guard let speedMps, traits.speedMps > 0 else { return 0 }
    let usual = Double(traits.speedMps) * 1.3 + 3
    return -Double.minimum(2, 2 * Double.maximum(0, speedMps / usual - 1))
  }
}
