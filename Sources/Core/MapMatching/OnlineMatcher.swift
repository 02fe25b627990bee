import EventTime
import Geodesy
public import Positioning
public import RoadGraph

/// Puts the fixes of one vehicle on the road as they come.
///
/// A hidden Markov model: the hidden states are directed places on roads, wrong ways and being on
/// no road; fixes are what one sees of them. Each fix is answered at once with the likeliest place
/// so far, and once more after a fixed lag with what came after it known. State is bounded by the
/// lag.
public struct OnlineMatcher: Sendable {
  /// The answers to one fix.
  public struct Answer: Sendable {
    /// The fix just given.
    public var match: Match
    /// Earlier fixes, each once, in their order.
    public var smoothed: [Match]
  }

  /// What a fix has to do with the step that tells of it.
  enum Part: Int, Sendable {
    /// The step is its own.
    case step
    /// It stands where that does, MM-11.
    case held
    /// It lies on the way from that step to the next.
    case between
  }

  /// A fix that is still to be smoothed.
  struct Entry: Sendable {
    enum Word: Sendable {
      /// The step of this number tells of it.
      case step(Int)
      /// The last word; in a box, since few fixes wait with one.
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

    /// Whether the step of that number is its own.
    func isStep(_ number: Int) -> Bool { serial == number && part == .step }

    var settled: Match? {
      guard case .settled(let match) = word else { return nil }
      return match
    }
  }

  /// What became of a fix.
  enum Weighed {
    /// The newest step is its own.
    case stepped(isTeleport: Bool)
    /// The newest step tells of it, too.
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
  /// The newest fix that was believed.
  var last: Motion.Mark?
  /// Seconds between that and the one before.
  var lastElapsedS: Double?
  /// Fixes that cannot follow from `last`, each of which can follow from the one before.
  var jumped: [(fix: Fix, time: Instant)] = []
  var lastMatch: Match?
  var advance = AdvanceFilter()
  /// How far the fixes err that have their last word, where that is learnt, and the number of the first step that is not in it.
  var receiverError = ReceiverError()
  var firstUnlearnt = 0
  /// Whether it stands that tells no speed, by the fixes that came.
  var standstill = Standstill()
  /// How far fixes err each on its own, by those that came.
  var whiteNoise = WhiteNoise()
  /// What fixes of some seconds err in common, by the roads they were put on.
  var sharedError = SharedError()

  /// Numbers of the fixes of a whole trace that are to be explained; nil for none.
  var explained: Range<Int>?
  var explanations: [FixExplanation] = []

  /// All fixes come before any answer.
  var isWholeTrace = false
  /// Where it stands in a whole trace, those first that are to come; empty online.
  var stands: ArraySlice<Stand> = []
  /// The fixes of a whole trace that are settled, before `entries`; empty online.
  var finished: [Match] = []
  /// Steps at which a whole trace looks next for what can change no more.
  var nextSettling = longestWindow

  public init(network: MatchingNetwork, tuning: MatcherTuning = MatcherTuning()) {
    self.network = network
    self.tuning = tuning
    trellis = Trellis(network: network, tuning: tuning)
  }

  /// Sets the roads of the active route, in their direction; empty for none.
  public mutating func setRoute(_ edges: Set<EdgeID>) {
    route = edges
    // What was said with regard to another route is not said again.
    lastMatch?.offRouteProbability = nil
  }

  /// Forgets everything but the route: the clock was set, or another drive begins.
  public mutating func reset() {
    trellis.clear()
    entries.removeAll()
    last = nil
    jumped.removeAll()
    lastMatch = nil
    standstill = Standstill()
    whiteNoise.interrupt()
  }

  /// Answers one fix.
  ///
  /// Fixes come in the order of their time; one that does not is an outlier, until enough agree (MM-4). `bridgesGap` where what
  /// was known before a long silence is of use yet, as behind a tunnel.
  public mutating func match(_ fix: Fix, bridgesGap: Bool = false) -> Answer {
    let weighed = weigh(fix, bridgesGap: bridgesGap)
    let match = answer(to: fix, weighed)
    lastMatch = match
    return Answer(match: match, smoothed: smooth(fix, weighed))
  }

  /// The last word on earlier fixes, each once and in their order, where nobody asks for one on this fix at once.
  public mutating func smooth(_ fix: Fix, bridgesGap: Bool = false) -> [Match] {
    smooth(fix, weigh(fix, bridgesGap: bridgesGap))
  }

  private mutating func smooth(_ fix: Fix, _ weighed: Weighed) -> [Match] {
    note(fix, weighed)
    let smoothed = smooth(until: fix.time)
    // The step before the first that is still to be told says where its way comes from.
    trellis.forget(before: (entries.first { $0.serial != nil }?.serial ?? trellis.lastSerial) - 1)
    return smoothed
  }

  mutating func note(_ fix: Fix, _ weighed: Weighed) {
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

  /// Smooths all fixes that are left, as at the end of a trace.
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

  /// Share of the likeliest way in the probability of all, 0 to 1, since the last start.
  public var confidence: Double { Logs.exp(trellis.confidenceLog) }

  // MARK: One fix

  /// Takes a fix into the model; `standing` tells where it stands in a whole trace.
  mutating func weigh(
    _ fix: Fix, bridgesGap: Bool, standing: Standing? = nil
  ) -> Weighed {
    guard let time = fix.time else { return .refused(.noTime) }
    guard fix.place.isValid else { return .refused(.outlier) }
    if let accuracy = fix.accuracyM, accuracy > tuning.weakAccuracyM {
      return .refused(last == nil ? .warmingUp : .inaccurate)
    }
    guard let last else {
      return begin(standing?.seen(fix) ?? fix, at: time, isTeleport: false)
    }
    let elapsedS = time.seconds(since: last.time)
    // One out of its turn is an outlier; as with jumps, several that agree are a drive of their own.
    guard elapsedS >= 0 else { return jump(fix, at: time) }
    guard elapsedS > 0 else { return .refused(.repeatedTime) }
    let mark = Motion.Mark(fix, at: time)
    let straightM = last.place.distanceM(to: fix.place)
    if elapsedS > tuning.forgetS, !bridgesGap {
      return begin(
        standing?.seen(fix) ?? fix, at: time, isTeleport: straightM > 4 * tuning.radiusM)
    }
    guard
      Motion.isPlausible(
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
    // One that tells its speed steadies its places itself.
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

  private mutating func begin(_ fix: Fix, at time: Instant, isTeleport: Bool) -> Weighed {
    settleAll()
    trellis.clear()
    jumped.removeAll()
    lastMatch = nil
    last = Motion.Mark(fix, at: time)
    lastElapsedS = nil
    whiteNoise.interrupt()
    whiteNoise.note(fix.place, at: time)
    trellis.extend(with: fix, at: time, elapsedS: 0, route: route)
    return .stepped(isTeleport: isTeleport)
  }

  /// A fix that cannot follow: an outlier, until enough of them agree (MM-4).
  private mutating func jump(_ fix: Fix, at time: Instant) -> Weighed {
    if let before = jumped.last {
      let follows = Motion.isPlausible(
        from: Motion.Mark(before.fix, at: before.time), to: Motion.Mark(fix, at: time),
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
      // The first says how long the jump has lasted, at any rate.
      if jumped.count > 64 { jumped.remove(at: 1) }
      return .refused(.outlier)
    }
    // The fixes since the jump tell more than the last of them alone.
    let run = Array(jumped.suffix(16))
    let answer = begin(run[0].fix, at: run[0].time, isTeleport: true)
    for (before, after) in zip(run, run.dropFirst()) {
      last = Motion.Mark(after.fix, at: after.time)
      trellis.extend(
        with: after.fix, at: after.time, elapsedS: after.time.seconds(since: before.time),
        route: route)
    }
    return answer
  }
}
