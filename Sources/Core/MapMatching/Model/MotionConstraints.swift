import Foundations
import Geodesy
import Positioning
import RoadGraph

/// The constraints that two fixes put on the path between them.
struct MotionConstraints: Hashable, Sendable {
  /// Distance in metres that the vehicle has probably driven.
  var expectedM: Double
  /// Difference from that in metres which lowers the probability by a factor of e.
  let betaM: Double
  /// Reciprocal of `betaM`.
  private let natsPerOffM: Double
  /// Length of the longest path that is searched for: the time allows it, and it is no great
  /// detour.
  var limitM: Double
  /// Length of the longest path that the time allows and that can be likelier than an off-network
  /// transition.
  var wideM: Double
  /// Metres by which noise may move a place back along its road.
  var slackM: Double
  /// Length of the longest path in the first search, turn costs in metres included.
  var nearM: Double
  /// Cost in nats of the straight line off-road.
  var offRoadNats: Double
  /// Cost in nats of a path that the map lacks.
  var jumpNats: Double
  /// Cost in nats for each metre by which the driving cost exceeds the length.
  private var drivingNatsPerM: Double
  /// Lowest cost in nats per metre of road; it is negative for fast roads.
  private var leastNatsPerM: Double
  /// Cost in nats of a path without length, which leaves all of the time unused.
  private var earlyNats = 0.0
  /// Lowest driving cost of a path that leaves no time unused.
  private var unhurriedM = 0.0

  /// Creates the motion between two fixes that are `elapsedS` apart, with their reported speeds.
  ///
  /// `straightM` is the distance between their positions and `sigmas` belongs to both together.
  /// `isSparse` is true if the vehicle always reports at that interval.
  init(
    beforeMps: Double?, afterMps: Double?, straightM: Double, elapsedS: Double, mode: TravelMode,
    sigmasM sigmas: Double, isSparse: Bool, tuning: MatcherTuning
  ) {
    expectedM = straightM
    if elapsedS <= 3, let v0 = beforeMps, let v1 = afterMps {
      // Over a short distance, two Doppler speeds are more accurate than two noisy positions.
      expectedM = (straightM + (v0 + v1) / 2 * elapsedS) / 2
    }
    betaM =
      tuning.betaM
      + tuning.betaMps * Double.minimum(isSparse ? tuning.pacedBetaS : tuning.betaS, elapsedS)
      + tuning.betaSigmas * sigmas
    natsPerOffM = 1 / betaM
    let greatestM = MatcherTuning.greatestSpeedMps(mode) * elapsedS
    let fastest =
      Double.minimum(
        greatestM, tuning.windingRatio * straightM + tuning.detourSpeedShare * greatestM)
      + 2 * sigmas + 30
    // Roads wind, but a path five times as long as the straight line is a loop, which needs
    // evidence. Minutes leave enough time for one.
    limitM = Double.minimum(
      fastest, 2 * straightM + 250 + 15 * Double.maximum(0, elapsedS - 10) + 2 * sigmas)
    drivingNatsPerM = tuning.drivingNatsPerM * (isSparse ? tuning.pacedDriving : 1)
    if isSparse {
      earlyNats = tuning.earlyNats
      unhurriedM = DrivingCost.unitMps * elapsedS
    }
    // The straight line disagrees with the reported speeds as much as a road along it would.
    let surpriseNats = Double.minimum(tuning.offGridNats, abs(straightM - expectedM) * natsPerOffM)
    offRoadNats = drivingNatsPerM * (tuning.offRoadWeight - 1) * straightM + surpriseNats
    jumpNats =
      tuning.offGridNats + drivingNatsPerM * (tuning.jumpWeight - 1) * straightM + surpriseNats
    leastNatsPerM = drivingNatsPerM * (DrivingCost.leastWeight - 1)
    let natsPerM = 1 / betaM + leastNatsPerM
    wideM = Double.maximum(
      limitM,
      natsPerM > 0 ? Double.minimum(fastest, (jumpNats + expectedM / betaM) / natsPerM) : fastest)
    slackM = Double.minimum(60, tuning.slackSigmas * sigmas)
    nearM = Double.minimum(limitM, Double.maximum(expectedM, straightM) + tuning.nearNats * betaM)
  }

  /// The same motion with all paths that may count.
  var widened: MotionConstraints {
    var motion = self
    motion.limitM = wideM
    return motion
  }

  /// Upper bound of the log-likelihood of all paths that `limitM` leaves out; nil if it leaves out
  /// none.
  var leftOutLog: Double? {
    wideM > limitM
      ? -(limitM - expectedM) / betaM - leastNatsPerM * limitM : nil
  }

  /// Returns the log-likelihood of a transition; nil for a path longer than the search limit.
  ///
  /// Exponential in the difference between the path length and the expected length: Newson and
  /// Krumm 2009, eq. 2.
  func log(lengthM: Double, penaltyNats: Double, costM: Double) -> Double? {
    guard lengthM <= limitM else { return nil }
    let overM = earlyNats > 0 ? Double.maximum(0, unhurriedM - costM) : 0
    return -abs(lengthM - expectedM) * natsPerOffM - penaltyNats
      - drivingNatsPerM * (costM - lengthM) - (overM > 0 ? earlyNats * overM / unhurriedM : 0)
  }

  /// The decrease of `log` for each metre of a path longer than expected: the cheapest path is the
  /// likeliest.
  ///
  /// It does not include unused time, which is not a sum over metres.
  var transitionCost: TransitionCost {
    TransitionCost(
      natsPerCostM: drivingNatsPerM,
      natsPerM: Double.maximum(
        1 / betaM - drivingNatsPerM, -drivingNatsPerM * DrivingCost.leastWeight))
  }

  /// Upper bound by which `log` may exceed the value from `transitionCost`: a path as long as
  /// expected loses nothing for its length.
  var grantedNats: Double { expectedM / betaM }

  /// The fields of a fix that the motion to the next depends on.
  struct Mark: Hashable, Sendable, BitwiseCopyable {
    var place: Coordinate
    var time: Instant
    var speedMps: Double?
    var accuracyM: Double?
  }

  /// Whether a vehicle can have come from one fix to the other; otherwise the later fix is an
  /// outlier (MM-4).
  static func isPlausible(
    from before: Mark, to after: Mark, straightM: Double, elapsedS: Double, mode: TravelMode,
    tuning: MatcherTuning
  ) -> Bool {
    let sigmas =
      Emission.sigmaM(reportedM: before.accuracyM, tuning: tuning)
      + Emission.sigmaM(reportedM: after.accuracyM, tuning: tuning)
    var fastest = MatcherTuning.greatestSpeedMps(mode)
    if elapsedS <= 5, let v0 = before.speedMps, let v1 = after.speedMps {
      fastest = Double.minimum(fastest, Double.maximum(v0, v1) + 8 * elapsedS)
    }
    return straightM <= fastest * elapsedS + tuning.plausibleSigmas * sigmas + 20
  }
}

extension MotionConstraints.Mark {
  init(_ fix: Fix, at time: Instant) {
    self.init(
      place: fix.place, time: time, speedMps: fix.speedMps, accuracyM: fix.accuracyM)
  }
}
