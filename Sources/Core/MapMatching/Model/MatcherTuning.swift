public import RoadGraph

/// The parameters of the matcher, each with its rationale.
public struct MatcherTuning: Hashable, Sendable {
  /// Radius in metres around a fix within which roads are candidates (MM-1).
  public var radiusM = 50.0
  /// Maximum number of candidates; the nearest are kept.
  public var candidateLimit = 24
  /// Standard deviation of a fix without a reported accuracy.
  ///
  /// It is larger than the error of a receiver. At one fix per second the errors of a phone are
  /// correlated over about ten seconds. Full trust in each fix would follow them onto the next
  /// road. Tuned on the tuning half of docs/benchmarks.md.
  public var defaultSigmaM = 20.0
  /// Factor by which the reported standard deviation of a fix is multiplied.
  ///
  /// The errors of fixes a second apart are correlated: treated as independent, they follow a drift
  /// of some seconds onto the next road. Tuned with P7 of docs/benchmarks.md and on the Kubicka
  /// tracks with a reported accuracy of 5 m.
  public var reportedSigmas = 2.0
  /// Lower bound of the standard deviation: maps have errors of this size.
  public var leastSigmaM = 5.0
  public var greatestSigmaM = 30.0
  /// Fixes closer in time than this have correlated errors and are weighted by the time between
  /// them.
  public var independentS = 1.0
  /// Weight of the distance of a fix whose error is uncorrelated with that of the previous fix.
  public var greatestNews = 2.2
  /// The same for the first fix of all.
  ///
  /// In online matching the kind of road and the active route indicate better where a drive begins.
  public var firstNews = 1.0
  /// Time constant of the error correlation: seconds in which it falls by a factor of e.
  public var errorTimeS = 4.0
  /// Fixes with a worse accuracy are not matched (TU-1).
  public var weakAccuracyM = 50.0

  /// Below this speed a course carries no information (MM-3).
  public var headingFromMps = 1.0
  /// Below this speed a course carries less information.
  public var headingFullMps = 3.0
  /// Standard deviation of a course without a reported accuracy.
  public var headingSigmaDeg = 15.0
  public var slowHeadingSigmaDeg = 45.0
  /// Standard deviation between the direction of driving and that of the road, in addition to the
  /// reported error of a course.
  ///
  /// A receiver's course does not drift. It separates roads that diverge by ten degrees long before
  /// the position does. Tuned with P7 of docs/benchmarks.md.
  public var roadHeadingSigmaDeg = 4.0
  /// Share of courses that are completely wrong.
  public var headingOutlierShare = 0.05

  /// Difference in metres between road and straight line that lowers the probability by a factor of
  /// e, for no elapsed time.
  public var betaM = 7.0
  /// Increase of `betaM` for each second between the fixes: longer gaps hide more bends.
  public var betaMps = 4.0
  /// Upper bound of the seconds that increase `betaM`: longer silences hide no more bends.
  public var betaS = 30.0
  /// Increase of `betaM` for each metre of the fixes' standard deviations.
  public var betaSigmas = 0.2
  /// Standard deviations by which noise may move a place back along its road.
  public var slackSigmas = 1.5
  /// Share of the difference between measured and expected position along the road that is applied
  /// at once.
  ///
  /// It holds if the independent errors of fixes reach `whiteFullM` (`WhiteNoiseEstimator`); up to
  /// `whiteFromM` all of the difference is applied. Smoothing does not reduce errors that are
  /// correlated over seconds, and smoothed positions lag.
  public var advanceGain = 0.6
  public var whiteFromM = 1.8
  public var whiteFullM = 5.0
  /// Share of the difference that corrects the estimated speed.
  public var advanceSpeedGain = 0.1
  /// Time constant in seconds of the shared error of fixes, which is subtracted from the places of
  /// online matching (`CorrelatedErrorFilter`).
  public var sharedErrorS = 10.0
  /// Distance in metres of vehicles from the drawn line of a road: an offset across the road within
  /// it is not an error.
  public var besideRoadM = 3.0
  /// Standard deviations by which noise may make a vehicle seem faster than it can be; beyond that
  /// a fix is an outlier.
  public var plausibleSigmas = 3.0
  /// Ratio of path length to straight line up to which a path may be driven at the maximum speed of
  /// a vehicle.
  public var windingRatio = 1.5
  /// Speed on the excess length of longer paths, as a share of that speed: loops and detours are no
  /// racetracks.
  public var detourSpeedShare = 0.45
  /// Cost of turning back, in nats (powers of e of the probability).
  public var turnBackNats = 12.0
  public var turnBackAtDeadEndNats = 0.5
  /// Cost of entering a one-way road from its wrong end.
  public var wrongWayNats = 7.0
  /// Penalty of each fix on a one-way road against its direction.
  ///
  /// Next to a dual carriageway, noise and an offset of the map must not add up to driving on the
  /// wrong side.
  public var againstNats = 0.7
  public var restrictedTurnNats = 6.0
  /// Cost of an off-network transition: unmapped roads, wrong turn restrictions.
  public var offGridNats = 30.0
  /// Metres equivalent to one nat on the paths of a few seconds; longer paths are compared by
  /// `TransitionCost`.
  public var metersPerNat = 15.0
  /// Preference of drivers for fast roads where fixes are far apart; 0 for the shortest path.
  ///
  /// Metres of road are weighted by the ratio of 20 m/s to the speed of the road, to the power of
  /// this exponent.
  public var speedExponent = 0.7
  /// Detour in metres that a driver accepts to avoid a right-angle turn.
  public var turnM = 60.0
  /// Penalty in nats for each metre by which the driving cost of a path exceeds its length.
  ///
  /// Of two paths that explain the fixes equally well, the one with the lower driving cost is
  /// likelier. The value is lower for online answers, which would detect an expensive turn too
  /// late.
  public var drivingNatsPerM = 0.002
  /// Sampling intervals above this many seconds, one after the other, count as sparse sampling.
  ///
  /// A vehicle with sparse sampling drives between its fixes. During a gap in denser sampling its
  /// behaviour is unknown: it may be parked in a garage. Tuned on the real gaps and the fixes a
  /// minute apart of docs/benchmarks.md.
  public var paceFromS = 30.0
  /// Ratio to the previous sampling interval up to which an interval still belongs to the same
  /// sparse sampling.
  public var paceRatio = 1.5
  /// The same as `betaS` for sparse sampling.
  public var pacedBetaS = 60.0
  /// Factor on the driving cost for sparse sampling.
  public var pacedDriving = 1.3
  /// Penalty in nats of a path for the share of the sampling interval that it leaves unused, for
  /// sparse sampling.
  public var earlyNats = 3.0
  /// Metres of driving cost for each metre of the straight line off-road.
  public var offRoadWeight = 2.0
  /// The same for a path that the map lacks, which may be long.
  public var jumpWeight = 4.0
  /// Penalty in nats for each metre by which a place moves back along its road.
  public var backwardNatsPerM = 0.1

  public var leaveRoadNats = 20.0
  public var joinRoadNats = 3.0
  /// Being off-road is as likely as being this many standard deviations from a road.
  public var offRoadSigmas = 4.0
  public var leastOffRoadM = 30.0
  public var greatestOffRoadM = 45.0

  /// Bonus of the active route for its roads with each fix (MM-9).
  public var routeNats = 0.7
  /// Penalty of roads off the active route at the first fix: a vehicle that receives a route starts
  /// on it.
  public var startElsewhereNats = 3.0
  /// Penalty of parking aisles, driveways and service roads.
  public var minorRoadNats = 0.5
  /// Penalty of tracks and paths that a car may use (MM-10): cars match to streets.
  public var bywayNats = 4.0

  /// Fixes and seconds after which an answer is smoothed, whichever comes first (MM-8).
  public var lagFixes = 5
  public var lagS = 10.0
  /// Whether an answer is smoothed as soon as all paths that are still followed agree on it, at the
  /// lag at the latest.
  public var answersAtConvergence = false
  /// Fixes and seconds for which a jump must last to be accepted, whichever is longer (MM-4).
  public var jumpFixes = 3
  public var jumpS = 5.0
  /// Seconds without a fix after which earlier fixes are ignored.
  public var forgetS = 180.0
  /// Below this speed the vehicle is stationary (MM-11).
  public var stationaryMps = 0.7
  /// Without a reported speed, a fix within this many standard deviations of the last is no step of
  /// its own.
  public var standstillSigmas = 0.2
  /// The same for a fix that has moved on: it is placed on the path to the next without being
  /// evaluated.
  public var stepSigmas = 0.2
  /// The same in standard deviations of the observed white noise (`WhiteNoiseEstimator`), if that
  /// is more; 0 not to use it.
  ///
  /// With random errors, two fixes close together carry no information about the path between them.
  public var whiteStepSigmas = 0.0
  /// Upper bound of the step length due to white noise, in standard deviations of a fix.
  public var longestStepSigmas = 2.0

  /// Paths that cost more than this are searched for only if no cheaper one explains a fix.
  public var nearNats = 2.0
  /// States of a step that are this much less likely than the best are not followed.
  public var pruneNats = 20.0
  /// Dominance bound in nats: paths that are worse than an alternative by this much are pruned.
  ///
  /// The alternative leads from another state to the same place, or to a place that fits the fix as
  /// well.
  public var dominanceNats = 8.0

  public init() {}

  /// The parameters for whole traces.
  ///
  /// A fix counts only if the vehicle has moved on from the one before. It carries little
  /// information about the path, and the place is known from both sides.
  public static var wholeTrace: MatcherTuning { MatcherTuning().forWholeTraces }

  /// These parameters, adapted to whole traces.
  public var forWholeTraces: MatcherTuning {
    var tuning = self
    tuning.stepSigmas = 0.8
    tuning.whiteStepSigmas = 4
    tuning.drivingNatsPerM = 0.005
    tuning.turnM = 90
    // Later fixes separate a turn from noise; in online matching a turn must not be accepted too
    // easily.
    tuning.turnBackNats = 8
    // The error of the first fix is uncorrelated with any other, and later fixes show where the
    // drive began.
    tuning.firstNews = tuning.greatestNews
    // The fixes after a gap show where the vehicle went meanwhile.
    tuning.forgetS = 900
    return tuning
  }

  /// These parameters for answers that wait for path convergence, at most 100 fixes or 100 s.
  ///
  /// The result is nearly that of the whole trace, and half of the answers are available within
  /// four to seven fixes. This is the variable window of C. Goh et al., "Online map-matching based
  /// on Hidden Markov model for real-time traffic sensing applications", IEEE ITSC 2012.
  public var forConvergence: MatcherTuning {
    var tuning = forWholeTraces
    tuning.answersAtConvergence = true
    tuning.lagFixes = 100
    tuning.lagS = 100
    return tuning
  }

  /// Returns the share applied at once for fixes whose independent error has the standard deviation
  /// `whiteM`.
  func advanceGain(whiteM: Double) -> Double {
    let share = (whiteM - whiteFromM) / Double.maximum(0.1, whiteFullM - whiteFromM)
    return 1 - (1 - advanceGain) * Double.minimum(1, Double.maximum(0, share))
  }

  /// Whether paths are the same with these parameters and with `other`, so that both can share
  /// decoded map data.
  ///
  /// The standard deviations of fixes and the lag do not affect paths.
  func hasPathParameters(of other: MatcherTuning) -> Bool {
    // Called for each fix, nearly always with the same parameters.
    if self == other { return true }
    var same = self
    same.defaultSigmaM = other.defaultSigmaM
    same.answersAtConvergence = other.answersAtConvergence
    same.lagFixes = other.lagFixes
    same.lagS = other.lagS
    return same == other
  }

  /// Returns the speed that no vehicle of `mode` exceeds.
  public static func greatestSpeedMps(_ mode: TravelMode) -> Double {
    switch mode {
    case .car, .taxi: 70
    case .truck, .bus: 45
    case .scooter: 35
    case .bicycle: 25
    case .pedestrian: 12
    }
  }
}
