import Geodesy
import Positioning
import RealModule
import RoadGraph

/// Emission probability of a fix at a candidate, as a logarithm.
///
/// Gaussian in the distance (P. Newson and J. Krumm, "Hidden Markov Map Matching Through Noise and
/// Sparseness", ACM SIGSPATIAL GIS 2009, eq. 1), times a Gaussian with a floor in the course.
/// Factors that all states of a step share are left out.
struct Emission {
  let sigmaM: Double
  /// Reciprocal of `sigmaM`.
  private let perSigma: Double
  /// Weight of the evidence: the errors of fixes close in time are correlated, so that the fixes
  /// are not independent.
  let weight: Double
  /// Weight of the distance alone; fixes more than `independentS` apart carry more information.
  let distanceWeight: Double
  /// Log-likelihood of being on no road.
  let offRoadLog: Double
  private let course: Course?
  private let speedMps: Double?
  let routeNats: Double
  let againstNats: Double
  let minorRoadNats: Double
  let bywayNats: Double

  /// A course that carries information about the road.
  private struct Course {
    var deg: Double
    /// Standard deviation between the course and the drawn direction of the road.
    var sigmaDeg: Double
    var outlierShare: Double
  }

  @inline(__always) init(fix: Fix, elapsedS: Double?, tuning: MatcherTuning) {
    // Only the needed fields are passed on: a whole fix is expensive to copy.
    self.init(
      sigmaM: Self.sigmaM(reportedM: fix.accuracyM, tuning: tuning),
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

  /// Returns the weight of a fix relative to one that is `independentS` after the previous fix, for
  /// which `sigmaM` is tuned.
  ///
  /// The correlation between the errors of two fixes decays exponentially with the time between
  /// them.
  static func news(_ elapsedS: Double, _ tuning: MatcherTuning) -> Double {
    let later = elapsedS - tuning.independentS
    guard later > 0 else { return 1 }
    return tuning.greatestNews - (tuning.greatestNews - 1) * Double.exp(-later / tuning.errorTimeS)
  }

  /// Returns the standard deviation along each axis for an accuracy, or the default if no accuracy
  /// is reported.
  ///
  /// 68 % of a normally distributed error in the plane lie within 1.51 standard deviations.
  static func sigmaM(reportedM: Double?, tuning: MatcherTuning) -> Double {
    guard let accuracy = reportedM else { return tuning.defaultSigmaM }
    return Double.minimum(
      tuning.greatestSigmaM,
      Double.maximum(tuning.leastSigmaM, tuning.reportedSigmas * accuracy / 1.51)
    )
  }

  @inline(__always) func log(
    _ candidate: Candidate, traits: RoadTraits, isOnRoute: Bool
  ) -> Double {
    let d = candidate.distanceM * perSigma
    var nats = 0.0
    // Many receivers report neither a course nor a speed.
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
    if let reported = accuracyDeg {
      sigmaDeg =
        isSlow
        ? Double.maximum(tuning.slowHeadingSigmaDeg, reported)
        : Double.hypot(reported, tuning.roadHeadingSigmaDeg)
    }
    return Course(deg: deg, sigmaDeg: sigmaDeg, outlierShare: tuning.headingOutlierShare)
  }

  /// Returns the log-likelihood penalty (at most 0) for a speed far above the usual speed of the
  /// road, such as 110 km/h on a frontage road.
  func speedNats(_ traits: RoadTraits) -> Double {
    guard let speedMps, traits.speedMps > 0 else { return 0 }
    let usual = Double(traits.speedMps) * 1.3 + 3
    return -Double.minimum(2, 2 * Double.maximum(0, speedMps / usual - 1))
  }
}
