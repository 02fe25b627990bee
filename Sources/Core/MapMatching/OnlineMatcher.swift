import Foundations
import Geodesy
public import Positioning
public import RoadGraph

/// Matches the fixes of one vehicle to roads as they arrive.
///
/// It is a hidden Markov model. The hidden states are directed places on roads, wrong-way travel
/// and being off-road; the observations are fixes. Each fix is answered at once with the likeliest
/// place so far. After a fixed lag it is answered again, with the later fixes known. The state is
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
    /// The vehicle is stationary at the step, MM-11.
    case stationary
    /// The fix lies on the path from that step to the next.
    case between
  }

  /// A fix that is still to be smoothed.
  struct Entry: Sendable {
    enum Resolution: Sendable {
      /// The step with this number represents the fix.
      case step(Int)
      /// The final answer; boxed, since few waiting fixes have one.
      indirect case answered(Match)
    }
    var fix: Fix
    var resolution: Resolution
    var isTeleport: Bool
    var part: Part

    var serial: Int? {
      guard case .step(let serial) = resolution else { return nil }
      return serial
    }

    /// Whether the fix is the step with this number itself.
    func isStep(_ number: Int) -> Bool { serial == number && part == .step }

    var finalMatch: Match? {
      guard case .answered(let match) = resolution else { return nil }
      return match
    }
  }

  /// The result of evaluating a fix.
  enum FixAssessment {
    /// The newest step is the fix itself.
    case stepped(isTeleport: Bool)
    /// The newest step also represents the fix.
    case sameStep(Part)
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
  /// Seconds between `last` and the fix before it.
  var lastElapsedS: Double?
  /// Fixes that cannot follow from `last`, each of which can follow from the one before.
  var jumped: [(fix: Fix, time: Instant)] = []
  var lastMatch: Match?
  var advance = AdvanceFilter()
  /// Detector of stationary periods for a receiver that reports no speed.
  var stationaryDetector = StationaryDetector()
  var errors = ReceiverErrors()
  var wholeTrace = WholeTraceState()

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

  /// Forgets all fixes and pending answers: the clock was set, or another drive begins.
  ///
  /// The route stays, because it can be set before the first fix. The error estimates of the
  /// receiver (`errors`) stay, because the receiver is the same.
  /// `lastElapsedS` is reset by the next fix, and `advance` before its first use. `wholeTrace`
  /// is never reset.
  public mutating func reset() {
    trellis.clear()
    entries.removeAll()
    last = nil
    jumped.removeAll()
    lastMatch = nil
    stationaryDetector = StationaryDetector()
    errors.white.interrupt()
  }

  /// Matches one fix.
  ///
  /// Fixes arrive in the order of their time; a fix out of order is an outlier until enough fixes
  /// agree (MM-4). `bridgesGap` is true if the state before a long silence is still useful, as
  /// after a tunnel.
  public mutating func match(_ fix: Fix, bridgesGap: Bool = false) -> Answer {
    let assessment = assess(fix, bridgesGap: bridgesGap)
    let match = immediateMatch(to: fix, assessment)
    lastMatch = match
    return Answer(match: match, smoothed: smooth(fix, assessment))
  }

  /// Returns the final answers of earlier fixes, each once and in order, without an immediate
  /// answer for this fix.
  public mutating func smooth(_ fix: Fix, bridgesGap: Bool = false) -> [Match] {
    smooth(fix, assess(fix, bridgesGap: bridgesGap))
  }

  private mutating func smooth(_ fix: Fix, _ assessment: FixAssessment) -> [Match] {
    record(fix, assessment)
    let smoothed = smooth(until: fix.time)
    // The step before the first pending one determines where its path comes from.
    trellis.forget(before: (entries.first { $0.serial != nil }?.serial ?? trellis.lastSerial) - 1)
    return smoothed
  }

  mutating func record(_ fix: Fix, _ assessment: FixAssessment) {
    switch assessment {
    case .stepped(let isTeleport):
      entries.append(
        Entry(
          fix: fix, resolution: .step(trellis.lastSerial), isTeleport: isTeleport, part: .step))
    case .sameStep(let part):
      entries.append(
        Entry(fix: fix, resolution: .step(trellis.lastSerial), isTeleport: false, part: part))
    case .refused(let reason):
      entries.append(
        Entry(
          fix: fix, resolution: .answered(Match(outcome: .noMatch(reason), fix: fix)),
          isTeleport: false,
          part: .step))
    }
  }

  /// Smooths all remaining fixes, as at the end of a trace.
  public mutating func finish() -> [Match] {
    stepLast()
    explainSteps(entries.count)
    let decoded = trellis.decoded(trellis.steps.count, countsAlternatives: wholeTrace.isActive)
    var matches: [Match] = []
    swap(&matches, &wholeTrace.finished)
    appendFinal(entries.count, decoded, into: &matches)
    entries.removeAll(keepingCapacity: wholeTrace.isActive)
    return matches
  }

  /// Share of the likeliest path in the probability of all paths since the last start, 0 to 1.
  ///
  /// In contrast to `MatchedTrace.confidence`, it is not calibrated to the correctness of the path.
  public var pathShare: Double { LogMath.exp(trellis.pathShareLog) }

  // MARK: One fix

  /// Processes a fix; `standing` contains its stationary place in a whole trace.
  mutating func assess(
    _ fix: Fix, bridgesGap: Bool, stationary: StationaryFix? = nil
  ) -> FixAssessment {
    guard let time = fix.time else { return .refused(.noTime) }
    guard fix.place.isValid else { return .refused(.outlier) }
    if let accuracy = fix.accuracyM, accuracy > tuning.weakAccuracyM {
      return .refused(last == nil ? .warmingUp : .inaccurate)
    }
    guard let last else {
      return restart(stationary?.seen(fix) ?? fix, at: time, isTeleport: false)
    }
    let elapsedS = time.seconds(since: last.time)
    // A fix out of order is an outlier; as with jumps, several that agree are a drive of their own.
    guard elapsedS >= 0 else { return jump(fix, at: time) }
    guard elapsedS > 0 else { return .refused(.repeatedTime) }
    let mark = MotionConstraints.Mark(fix, at: time)
    let straightM = last.place.distanceM(to: fix.place)
    if elapsedS > tuning.forgetS, !bridgesGap {
      return restart(
        stationary?.seen(fix) ?? fix, at: time, isTeleport: straightM > 4 * tuning.radiusM)
    }
    guard
      MotionConstraints.isPlausible(
        from: last, to: mark, straightM: straightM, elapsedS: elapsedS, mode: network.mode,
        tuning: tuning)
    else {
      return jump(fix, at: time)
    }
    if !jumped.isEmpty { jumped.removeAll() }
    let isSparse =
      elapsedS > tuning.paceFromS && elapsedS <= tuning.paceRatio * (lastElapsedS ?? elapsedS)
    lastElapsedS = elapsedS
    self.last = mark
    // A receiver that reports its speed smooths its positions itself.
    if tuning.whiteStepSigmas > 0 || fix.speedMps == nil {
      errors.white.update(fix.place, at: time)
    }
    if let stationary {
      guard stationary.isStep else { return .sameStep(.stationary) }
      trellis.extend(
        with: stationary.seen(fix), at: time, elapsedS: elapsedS, isSparse: isSparse, route: route)
      return .stepped(isTeleport: false)
    }
    if let part = part(
      of: fix, at: time, elapsedS: elapsedS, straightM: straightM, from: last.place)
    {
      return .sameStep(part)
    }
    trellis.extend(with: fix, at: time, elapsedS: elapsedS, isSparse: isSparse, route: route)
    return .stepped(isTeleport: false)
  }

  private mutating func restart(_ fix: Fix, at time: Instant, isTeleport: Bool) -> FixAssessment {
    finalizeAll()
    trellis.clear()
    jumped.removeAll()
    lastMatch = nil
    last = MotionConstraints.Mark(fix, at: time)
    lastElapsedS = nil
    errors.white.interrupt()
    errors.white.update(fix.place, at: time)
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
    let answer = restart(run[0].fix, at: run[0].time, isTeleport: true)
    for (before, after) in zip(run, run.dropFirst()) {
      last = MotionConstraints.Mark(after.fix, at: after.time)
      trellis.extend(
        with: after.fix, at: after.time, elapsedS: after.time.seconds(since: before.time),
        route: route)
    }
    return answer
  }
}
