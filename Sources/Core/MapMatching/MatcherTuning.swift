public import RoadGraph

/// The numbers that the matcher rests on, each with its reason.
public struct MatcherTuning: Hashable, Sendable {
  /// Metres around a fix within which roads are weighed (MM-1).
  public var radiusM = 50.0
  /// Candidates weighed at most; the nearest are kept.
  public var candidateLimit = 24
  /// Standard deviation of a fix that tells no accuracy.
  ///
  /// Wider than a receiver errs: at one fix a second the errors of a phone go together for some ten seconds, and
  /// believing each anew follows them onto the next road. Found on the tuning half of docs/benchmarks.md.
  public var defaultSigmaM = 20.0
  /// Sigmas by which one is reckoned that a fix tells.
  ///
  /// The errors of fixes a second apart go together: believed as if each were new, they follow a drift of some
  /// seconds onto the next road. Found with P7 of docs/benchmarks.md, and on the Kubicka tracks told 5 m.
  public var toldSigmas = 2.0
  /// No receiver is believed to be better than this: maps err by as much.
  public var leastSigmaM = 5.0
  public var greatestSigmaM = 30.0
  /// Fixes closer in time than this err alike, and count by the time between them.
  public var independentS = 1.0
  /// How much more a fix says of its place whose error has nothing in common with that of the one before.
  public var greatestNews = 2.2
  /// The same of the first fix of all; at once the kind of a road and the active route say more of where a drive begins.
  public var firstNews = 1.0
  /// Seconds in which what errors have in common falls by e.
  public var errorTimeS = 4.0
  /// Fixes of worse accuracy are not matched (TU-1).
  public var weakAccuracyM = 50.0

  /// Below this speed a course says nothing (MM-3).
  public var headingFromMps = 1.0
  /// Below this it says less.
  public var headingFullMps = 3.0
  /// Of a course that tells no accuracy.
  public var headingSigmaDeg = 15.0
  public var slowHeadingSigmaDeg = 45.0
  /// By how much one drives otherwise than the road is drawn, beside the error of a course that tells its accuracy.
  ///
  /// A receiver's course has no drift: it tells roads apart that part at ten degrees, long before its place does.
  /// Found with P7 of docs/benchmarks.md.
  public var roadHeadingSigmaDeg = 4.0
  /// Share of courses that are simply wrong.
  public var headingOutlierShare = 0.05

  /// Metres of difference between road and straight line that halve the belief by e, with no time
  /// gone.
  public var betaM = 7.0
  /// The same for each second between the fixes: longer gaps hide more bends.
  public var betaMps = 4.0
  /// Seconds beyond which a silence hides no more bends.
  public var betaS = 30.0
  /// The same for each metre of the fixes' sigmas.
  public var betaSigmas = 0.2
  /// Sigmas by which noise may throw a place back along its road.
  public var slackSigmas = 1.5
  /// Share of the difference between where a fix puts a vehicle on its road and where it was expected that is
  /// believed at once, where fixes err each on its own by `whiteFullM` and more (`WhiteNoise`); up to `whiteFromM` all of it is.
  ///
  /// Errors that go together for seconds are no less for being steadied, and what is steadied comes late.
  public var advanceGain = 0.6
  public var whiteFromM = 1.8
  public var whiteFullM = 5.0
  /// The share of it that its speed learns from.
  public var advanceSpeedGain = 0.1
  /// Seconds in which the error that fixes share falls by e, as it is taken off the places told at once (`SharedError`).
  public var sharedErrorS = 10.0
  /// Metres that vehicles drive from the line that a road is drawn as: what lies across it within that is no error.
  public var besideRoadM = 3.0
  /// Sigmas by which noise may make a vehicle faster than it can be; beyond, a fix is an outlier.
  public var plausibleSigmas = 3.0
  /// How many times as long as the straight line a way may be that is driven as fast as any vehicle drives.
  public var windingRatio = 1.5
  /// The share of that speed at which nobody drives what is longer: loops and detours are no racetracks.
  public var detourSpeedShare = 0.45
  /// Cost of turning back, in nats (powers of e of the probability).
  public var turnBackNats = 12.0
  public var turnBackAtDeadEndNats = 0.5
  /// Cost of entering a one-way road from its wrong end.
  public var wrongWayNats = 7.0
  /// What each fix on a one-way road against its direction loses: beside a dual carriageway noise and an offset
  /// of the map must not add up to driving on the wrong side.
  public var againstNats = 0.7
  public var bannedTurnNats = 6.0
  /// Cost of a transition that the map has no way for: unmapped roads, wrong bans.
  public var offGridNats = 30.0
  /// Metres that one nat is worth in the ways of a few seconds; longer ones are compared by `WayPrice`.
  public var metersPerNat = 15.0
  /// How much a driver prefers fast roads where fixes are far apart: power of 20 m/s over the road's speed by which
  /// its metres count; 0 for the shortest way.
  public var speedExponent = 0.7
  /// Metres that a driver goes round to save a turn by a right angle.
  public var turnM = 60.0
  /// Nats that a way loses for each metre of its driving cost beyond its length.
  ///
  /// Of two ways that explain the fixes alike the one that costs a driver less is the likelier. Less for the answers
  /// at once, which a dear turn would make late.
  public var drivingNatsPerM = 0.002
  /// Fixes that come more seconds apart than this one after the other are the pace at which a vehicle reports.
  ///
  /// Between them it drives. What it does in a silence among fixes that come sooner nobody knows: it may stand in a garage. Found on
  /// the real silences and the fixes a minute apart of docs/benchmarks.md.
  public var paceFromS = 30.0
  /// By how much longer than the one before a silence may be that is of the same pace.
  public var paceRatio = 1.5
  /// The same as `betaS` between fixes of a pace.
  public var pacedBetaS = 60.0
  /// How much more the driving cost counts between fixes of a pace.
  public var pacedDriving = 1.3
  /// Nats that a way loses between fixes of a pace for the share of the time in which nobody would be on it.
  public var earlyNats = 3.0
  /// Metres of driving cost for each metre of the straight line on no road.
  public var offRoadWeight = 2.0
  /// The same for a way that the map lacks: it may be a long one.
  public var jumpWeight = 4.0
  /// Nats for each metre by which a place falls back along its road.
  public var backwardNatsPerM = 0.1

  public var leaveRoadNats = 20.0
  public var joinRoadNats = 3.0
  /// Being on no road is as likely as lying this many sigmas from one.
  public var offRoadSigmas = 4.0
  public var leastOffRoadM = 30.0
  public var greatestOffRoadM = 45.0

  /// What the active route adds to its roads with each fix (MM-9).
  public var routeNats = 0.7
  /// What roads off the active route lose where nothing came before: one who is given a route begins on it.
  public var startElsewhereNats = 3.0
  /// What aisles, driveways and service roads lose.
  public var minorRoadNats = 0.5
  /// What tracks and paths that a car may use lose (MM-10): cars match to streets.
  public var bywayNats = 4.0

  /// Fixes and seconds after which an answer is smoothed, whichever is sooner (MM-8).
  public var lagFixes = 5
  public var lagS = 10.0
  /// Whether an answer is smoothed as soon as all ways that are still followed agree on it, at the lag at the latest.
  public var settlesWhereAgreed = false
  /// Fixes and seconds for which a jump must last to be believed, whichever is longer (MM-4).
  public var jumpFixes = 3
  public var jumpS = 5.0
  /// Seconds without a fix after which the past is no help.
  public var forgetS = 180.0
  /// Below this speed the vehicle stands (MM-11).
  public var standstillMps = 0.7
  /// Where no speed is told, a fix within so many sigmas of the last is no step of its own.
  public var standstillSigmas = 0.2
  /// The same for one that has moved on, and is put on the way to the next without being weighed.
  public var stepSigmas = 0.2
  /// The same in standard deviations of the white noise seen (`WhiteNoise`), where that is more: what is thrown about at
  /// random says by two fixes close together nothing of the way between; 0 not to look for it.
  public var whiteStepSigmas = 0.0
  /// No step is longer for white noise than so many sigmas.
  public var longestStepSigmas = 2.0

  /// Ways that cost more than this are searched only where no cheaper one explains a fix.
  public var nearNats = 2.0
  /// States of a step that are this much less likely than the best are not followed.
  public var pruneNats = 20.0
  /// No way is searched for that is unlikelier by so much than one from elsewhere to the same place, or than one to a
  /// place for which the fix speaks as much.
  public var outdoneNats = 8.0

  public init() {}

  /// The numbers for whole traces: a fix counts only where the vehicle has moved on from the one before, since what
  /// it says of the way is little and the place is known from both sides.
  public static var wholeTrace: MatcherTuning { MatcherTuning().forWholeTraces }

  /// These numbers as they are for whole traces.
  public var forWholeTraces: MatcherTuning {
    var tuning = self
    tuning.stepSigmas = 0.8
    tuning.whiteStepSigmas = 4
    tuning.drivingNatsPerM = 0.005
    tuning.turnM = 90
    // What comes later tells who turned from who is thrown back by noise; at once a turn must not come too easily.
    tuning.turnBackNats = 8
    // The error of the first fix has nothing in common with one before, and what comes later says where the drive began.
    tuning.firstNews = tuning.greatestNews
    // What came after a silence says where the vehicle went meanwhile.
    tuning.forgetS = 900
    return tuning
  }

  /// These numbers for answers that wait until all ways still followed agree, 100 fixes or 100 s at the most: nearly what
  /// the whole trace would tell, half of it within four to seven fixes.
  ///
  /// The variable window of C. Goh et al., "Online map-matching based on Hidden Markov model for real-time traffic
  /// sensing applications", IEEE ITSC 2012.
  public var forAgreement: MatcherTuning {
    var tuning = forWholeTraces
    tuning.settlesWhereAgreed = true
    tuning.lagFixes = 100
    tuning.lagS = 100
    return tuning
  }

  /// The share believed at once of fixes that err each on its own by `whiteM`.
  func advanceGain(whiteM: Double) -> Double {
    let share = (whiteM - whiteFromM) / Double.maximum(0.1, whiteFullM - whiteFromM)
    return 1 - (1 - advanceGain) * Double.minimum(1, Double.maximum(0, share))
  }

  /// Whether ways are the same by these numbers and by `other`: what is decoded of the map by one serves the other.
  ///
  /// How far fixes are believed and how long an answer waits enters no way.
  func hasWays(of other: MatcherTuning) -> Bool {
    // Asked for each fix, of the same numbers nearly always.
    if self == other { return true }
    var same = self
    same.defaultSigmaM = other.defaultSigmaM
    same.settlesWhereAgreed = other.settlesWhereAgreed
    same.lagFixes = other.lagFixes
    same.lagS = other.lagS
    return same == other
  }

  /// Speed that no vehicle of `mode` exceeds.
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
