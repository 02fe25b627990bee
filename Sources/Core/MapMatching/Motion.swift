import EventTime
import Geodesy
import Positioning
import RoadGraph

/// What two fixes say about the way between them.
struct Motion: Hashable, Sendable {
  /// Metres that the vehicle has probably driven.
  var expectedM: Double
  /// Metres of difference from that which halve the belief by e.
  let betaM: Double
  /// One over that.
  private let natsPerOffM: Double
  /// Longest way that is searched for: one that the time allows, and no great detour.
  var limitM: Double
  /// Longest way that the time allows and that can be likelier than one that the map lacks.
  var wideM: Double
  /// Metres by which noise may throw a place back along its road.
  var slackM: Double
  /// Longest way that is weighed at first, turn costs as metres included.
  var nearM: Double
  /// Nats that the straight line costs on no road.
  var offRoadNats: Double
  /// Nats that a way costs which the map lacks.
  var jumpNats: Double
  /// Nats that a metre of driving cost beyond the length takes.
  private var drivingNatsPerM: Double
  /// The least that a metre of road takes: fast roads give.
  private var leastNatsPerM: Double
  /// Nats that a way of no length takes which leaves the whole time over.
  private var earlyNats = 0.0
  /// The least driving cost of a way that leaves no time over.
  private var unhurriedM = 0.0

  /// The motion between two fixes that are `elapsedS` apart, and the speeds that they tell.
  ///
  /// `straightM` lies between their places, `sigmasM` are those of both together, `isPaced` where the vehicle always reports that far apart.
  init(
    beforeMps: Double?, afterMps: Double?, straightM: Double, elapsedS: Double, mode: TravelMode,
    sigmasM sigmas: Double, isPaced: Bool, tuning: MatcherTuning
  ) {
    expectedM = straightM
    if elapsedS <= 3, let v0 = beforeMps, let v1 = afterMps {
      // Two speeds by Doppler tell more of a short way than two noisy places.
      expectedM = (straightM + (v0 + v1) / 2 * elapsedS) / 2
    }
    betaM =
      tuning.betaM
      + tuning.betaMps * Double.minimum(isPaced ? tuning.pacedBetaS : tuning.betaS, elapsedS)
      + tuning.betaSigmas * sigmas
    natsPerOffM = 1 / betaM
    let greatestM = MatcherTuning.greatestSpeedMps(mode) * elapsedS
    let fastest =
      Double.minimum(
        greatestM, tuning.windingRatio * straightM + tuning.detourSpeedShare * greatestM)
      + 2 * sigmas + 30
    // Roads wind, but a way five times as long as the straight line is a loop that evidence must
    // show otherwise; minutes leave time for one.
    limitM = Double.minimum(
      fastest, 2 * straightM + 250 + 15 * Double.maximum(0, elapsedS - 10) + 2 * sigmas)
    drivingNatsPerM = tuning.drivingNatsPerM * (isPaced ? tuning.pacedDriving : 1)
    if isPaced {
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

  /// The same with all ways that may count.
  var widened: Motion {
    var motion = self
    motion.limitM = wideM
    return motion
  }

  /// More than the logarithm of any way that `limitM` leaves out; nil where it leaves out none.
  var leftOutLog: Double? {
    wideM > limitM
      ? -(limitM - expectedM) / betaM - leastNatsPerM * limitM : nil
  }

  /// The logarithm of a transition's likelihood; nil for a way longer than is searched for.
  ///
  /// Exponential in the difference of road and expectation: Newson and Krumm 2009, eq. 2.
  func log(lengthM: Double, penaltyNats: Double, costM: Double) -> Double? {
    guard lengthM <= limitM else { return nil }
    let overM = earlyNats > 0 ? Double.maximum(0, unhurriedM - costM) : 0
    return -abs(lengthM - expectedM) * natsPerOffM - penaltyNats
      - drivingNatsPerM * (costM - lengthM) - (overM > 0 ? earlyNats * overM / unhurriedM : 0)
  }

  /// By which `log` falls with each metre of a way longer than expected: the cheapest way is the likeliest.
  ///
  /// Time left over, which is no sum over metres, is not in it.
  var wayPrice: WayPrice {
    WayPrice(
      natsPerCostM: drivingNatsPerM,
      natsPerM: Double.maximum(
        1 / betaM - drivingNatsPerM, -drivingNatsPerM * DrivingCost.leastWeight))
  }

  /// By how much `log` may be above what `wayPrice` takes from nothing: a way as long as expected loses no length.
  var grantedNats: Double { expectedM / betaM }

  /// What a fix tells of the motion to the next, without all that it may carry.
  struct Mark: Hashable, Sendable, BitwiseCopyable {
    var place: Coordinate
    var time: Instant
    var speedMps: Double?
    var accuracyM: Double?
  }

  /// Whether a vehicle can have come from one fix to the other: what cannot is an outlier (MM-4).
  static func isPlausible(
    from before: Mark, to after: Mark, straightM: Double, elapsedS: Double, mode: TravelMode,
    tuning: MatcherTuning
  ) -> Bool {
    let sigmas =
      Emission.sigmaM(toldM: before.accuracyM, tuning: tuning)
      + Emission.sigmaM(toldM: after.accuracyM, tuning: tuning)
    var fastest = MatcherTuning.greatestSpeedMps(mode)
    if elapsedS <= 5, let v0 = before.speedMps, let v1 = after.speedMps {
      fastest = Double.minimum(fastest, Double.maximum(v0, v1) + 8 * elapsedS)
    }
    return straightM <= fastest * elapsedS + tuning.plausibleSigmas * sigmas + 20
  }
}

extension Motion.Mark {
  init(_ fix: Fix, at time: Instant) {
    self.init(
      place: fix.place, time: time, speedMps: fix.speedMps, accuracyM: fix.accuracyM)
  }
}
