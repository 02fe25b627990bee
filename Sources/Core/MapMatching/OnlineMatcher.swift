import EventTime
import Geodesy
public import Positioning
public import RoadGraph

/// Matches the fixes of one vehicle to roads as they arrive.
///
/// A hidden Markov model: the hidden states are directed places on roads, wrong-way travel and
/// being off-road; the observations are fixes. Each fix is answered at once with the likeliest
/// place so far. After a fixed lag it is answered again with the later fixes known. The state is
/// bounded by the lag.
public struct OnlineMatcher: Sendable {
  /// The answers to one fix.
  public struct Answer: Sendable {
    /// The match of the newest fix.
    public var match: Match
    /// The smoothed matches of earlier fixes, each once and in order.
    public var smoothed: [Match]
  }

  /// The relation of a fix to the step that represents it.
  enum Part: Int, Sendable {
    /// The fix is a step of its own.
    case step
    /// The vehicle stands at the step, MM-11.
    case held
    /// The fix lies on the path from that step to the next.
    case between
  }

  /// A fix that is still to be smoothed.
  struct Entry: Sendable {
    enum Word: Sendable {
      /// The step with this number represents the fix.
      case step(Int)
      /// The final answer; boxed, since few waiting fixes have one.
      indirect case settled(Match)
    }
    var fix: Fix
    var word: Word
    var isTeleport: Bool
    var part: Part

    var serial: Int? {
      guard case .step(let serial) = word else { return nil }
      return serial
    }

    /// Whether the fix is the step with this number itself.
    func isStep(_ number: Int) -> Bool { serial == number && part == .step }

    var settled: Match? {
      guard case .settled(let match) = word else { return nil }
      return match
    }
  }

  /// The result of evaluating a fix.
  enum FixAssessment {
    /// The newest step is the fix itself.
    case stepped(isTeleport: Bool)
    /// The newest step also represents the fix.
    case joined(Part)
    case refused(NoMatchReason)
  }

  public let network: MatchingNetwork
  public let tuning: MatcherTuning
  var trellis: Trellis
  /// Edges of the active route in their direction; its prior (MM-9).
  public internal(set) var route: Set<EdgeID> = []
  /// The fixes still to be smoothed.
  var entries: [Entry] = []
  /// The newest fix that was accepted.
  var last: MotionConstraints.Mark?
  /// Seconds between that and the fix before it.
  var lastElapsedS: Double?
  /// Fixes that cannot follow from `last`, each of which can follow from the one before.
  var jumped: [(fix: Fix, time: Instant)] = []
  var lastMatch: Match?
  var advance = AdvanceFilter()
  /// Error estimate of the fixes with final answers, where it is learnt, and the number of the
  /// first step not included.
  var receiverError = NoiseEstimator()
  var firstUnlearnt = 0
  /// Detector of stationary periods for a receiver that reports no speed.
  var standstill = StationaryDetector()
  /// Estimate of the independent error of each fix.
  var whiteNoise = WhiteNoiseEstimator()
  /// Estimate of the error that the fixes of some seconds share, from the roads they were matched
  /// to.
  var sharedError = CorrelatedErrorFilter()

  /// Numbers of the fixes of a whole trace that are to be explained; nil for none.
  var explained: Range<Int>?
  var explanations: [FixExplanation] = []

  /// Whether all fixes arrive before any answer.
  var isWholeTrace = false
  /// Stationary periods of a whole trace, from the next one on; empty online.
  var stands: ArraySlice<StationaryPeriod> = []
  /// The settled fixes of a whole trace, which precede `entries`; empty online.
  var finished: [Match] = []
  /// Number of steps at which a whole trace next looks for steps that can no longer change.
  var nextSettling = longestWindow

  public init(network: MatchingNetwork, tuning: MatcherTuning = MatcherTuning()) {
    self.network = network
    self.tuning = tuning
    trellis = Trellis(network: network, tuning: tuning)
  }

  /// Sets the roads of the active route, in their direction; empty for none.
  public mutating func setRoute(_ edges: Set<EdgeID>) {
    route = edges
    // Probabilities for another route are not reported again.
    lastMatch?.offRouteProbability = nil
  }

  /// Resets everything except the route: the clock was set, or another drive begins.
  public mutating func reset() {
    trellis.clear()
    entries.removeAll()
    last = nil
    jumped.removeAll()
    lastMatch = nil
    standstill = StationaryDetector()
    whiteNoise.interrupt()
  }

  /// Matches one fix.
  ///
  /// Fixes arrive in the order of their time; a fix out of order is an outlier until enough fixes
  /// agree (MM-4). `bridgesGap` is true if the state before a long silence is still useful, as
  /// after a tunnel.
  public mutating func match(_ fix: Fix, bridgesGap: Bool = false) -> Answer {
    let weighed = weigh(fix, bridgesGap: bridgesGap)
    let match = answer(to: fix, weighed)
    lastMatch = match
    return Answer(match: match, smoothed: smooth(fix, weighed))
  }

  /// Returns the final answers of earlier fixes, each once and in order, without an immediate
  /// answer for this fix.
  public mutating func smooth(_ fix: Fix, bridgesGap: Bool = false) -> [Match] {
    smooth(fix, weigh(fix, bridgesGap: bridgesGap))
  }

  private mutating func smooth(_ fix: Fix, _ weighed: FixAssessment) -> [Match] {
    note(fix, weighed)
    let smoothed = smooth(until: fix.time)
    // The step before the first pending one determines where its path comes from.
    trellis.forget(before: (entries.first { $0.serial != nil }?.serial ?? trellis.lastSerial) - 1)
    return smoothed
  }

  mutating func note(_ fix: Fix, _ weighed: FixAssessment) {
    switch weighed {
    case .stepped(let isTeleport):
      entries.append(
        Entry(
          fix: fix, word: .step(trellis.lastSerial), isTeleport: isTeleport, part: .step))
    case .joined(let part):
      entries.append(
        Entry(fix: fix, word: .step(trellis.lastSerial), isTeleport: false, part: part))
    case .refused(let reason):
      entries.append(
        Entry(
          fix: fix, word: .settled(Match(outcome: .noMatch(reason), fix: fix)), isTeleport: false,
          part: .step))
    }
  }

  /// Smooths all remaining fixes, as at the end of a trace.
  public mutating func finish() -> [Match] {
    stepLast()
    explainSteps(entries.count)
    let decoded = trellis.decoded(trellis.steps.count, countsAlternatives: isWholeTrace)
    var matches: [Match] = []
    swap(&matches, &finished)
    settle(entries.count, decoded, into: &matches)
    entries.removeAll(keepingCapacity: isWholeTrace)
    return matches
  }

  /// Share of the likeliest path in the probability of all paths since the last start, 0 to 1.
  public var confidence: Double { LogMath.exp(trellis.confidenceLog) }

  // MARK: One fix

  /// Processes a fix; `standing` contains its stationary place in a whole trace.
  mutating func weigh(
    _ fix: Fix, bridgesGap: Bool, standing: Standing? = nil
  ) -> FixAssessment {
    guard let time = fix.time else { return .refused(.noTime) }
    guard fix.place.isValid else { return .refused(.outlier) }
    if let accuracy = fix.accuracyM, accuracy > tuning.weakAccuracyM {
      return .refused(last == nil ? .warmingUp : .inaccurate)
    }
    guard let last else {
      return begin(standing?.seen(fix) ?? fix, at: time, isTeleport: false)
    }
    let elapsedS = time.seconds(since: last.time)
    // A fix out of order is an outlier; as with jumps, several that agree are a drive of their own.
    guard elapsedS >= 0 else { return jump(fix, at: time) }
    guard elapsedS > 0 else { return .refused(.repeatedTime) }
    let mark = MotionConstraints.Mark(fix, at: time)
    let straightM = last.place.distanceM(to: fix.place)
    if elapsedS > tuning.forgetS, !bridgesGap {
      return begin(
        standing?.seen(fix) ?? fix, at: time, isTeleport: straightM > 4 * tuning.radiusM)
    }
    guard
      MotionConstraints.isPlausible(
        from: last, to: mark, straightM: straightM, elapsedS: elapsedS, mode: network.mode,
        tuning: tuning)
    else {
      return jump(fix, at: time)
    }
    if !jumped.isEmpty { jumped.removeAll() }
    let isPaced =
      elapsedS > tuning.paceFromS && elapsedS <= tuning.paceRatio * (lastElapsedS ?? elapsedS)
    lastElapsedS = elapsedS
    self.last = mark
    // A receiver that reports its speed smooths its positions itself.
    if tuning.whiteStepSigmas > 0 || fix.speedMps == nil { whiteNoise.note(fix.place, at: time) }
    if let standing {
      guard standing.isStep else { return .joined(.held) }
      trellis.extend(
        with: standing.seen(fix), at: time, elapsedS: elapsedS, isPaced: isPaced, route: route)
      return .stepped(isTeleport: false)
    }
    if let part = part(
      of: fix, at: time, elapsedS: elapsedS, straightM: straightM, from: last.place)
    {
      return .joined(part)
    }
    trellis.extend(with: fix, at: time, elapsedS: elapsedS, isPaced: isPaced, route: route)
    return .stepped(isTeleport: false)
  }

  private mutating func begin(_ fix: Fix, at time: Instant, isTeleport: Bool) -> FixAssessment {
    settleAll()
    trellis.clear()
    jumped.removeAll()
    lastMatch = nil
    last = MotionConstraints.Mark(fix, at: time)
    lastElapsedS = nil
    whiteNoise.interrupt()
    whiteNoise.note(fix.place, at: time)
    trellis.extend(with: fix, at: time, elapsedS: 0, route: route)
    return .stepped(isTeleport: isTeleport)
  }

  /// Handles a fix that cannot follow: it is an outlier until enough of them agree (MM-4).
  private mutating func jump(_ fix: Fix, at time: Instant) -> FixAssessment {
    if let before = jumped.last {
      let follows = MotionConstraints.isPlausible(
        from: MotionConstraints.Mark(before.fix, at: before.time),
        to: MotionConstraints.Mark(fix, at: time),
        straightM: before.fix.place.distanceM(to: fix.place),
        elapsedS: time.seconds(since: before.time), mode: network.mode, tuning: tuning)
      if !follows || time <= before.time { jumped.removeAll() }
    }
    // A position that only repeats, such as that of a transmitter mast, is no further evidence.
    if let before = jumped.last, before.fix.place == fix.place,
      let first = jumped.first, time.seconds(since: first.time) < tuning.forgetS
    {
      return .refused(.outlier)
    }
    jumped.append((fix, time))
    guard jumped.count >= tuning.jumpFixes, let first = jumped.first,
      time.seconds(since: first.time) >= tuning.jumpS
    else {
      // The first fix is kept, since it determines how long the jump has lasted.
      if jumped.count > 64 { jumped.remove(at: 1) }
      return .refused(.outlier)
    }
    // All fixes since the jump carry more information than the last of them alone.
    let run = Array(jumped.suffix(16))
    let answer = begin(run[0].fix, at: run[0].time, isTeleport: true)
    for (before, after) in zip(run, run.dropFirst()) {
      last = MotionConstraints.Mark(after.fix, at: after.time)
      trellis.extend(
        with: after.fix, at: after.time, elapsedS: after.time.seconds(since: before.time),
        route: route)
    }
    return answer
  }
}
