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

  struct Entry: Sendable {
    var fix: Fix
    var time: Instant?
    /// The step that tells of it; nil where `settled` is the last word.
    var serial: Int?
    var settled: Match?
    var isTeleport: Bool
    /// A fix at a stand, answered by the step of the fix before.
    var isHeld: Bool
  }

  public let network: MatchingNetwork
  public let tuning: MatcherTuning
  var trellis: Trellis
  /// Edges of the active route in their direction; its prior (MM-9).
  public internal(set) var route: Set<EdgeID> = []
  /// The fixes still to be smoothed.
  var entries: [Entry] = []
  /// The newest fix that was believed.
  var last: (fix: Fix, time: Instant)?
  /// Fixes that cannot follow from `last`, each of which can follow from the one before.
  var jumped: [(fix: Fix, time: Instant)] = []
  var lastMatch: Match?

  /// Numbers of the fixes of a whole trace that are to be explained; nil for none.
  var explained: Range<Int>?
  var explanations: [FixExplanation] = []

  /// False for whole traces, of which only the last word is asked.
  var answersAtOnce = true
  /// The fixes of a whole trace before it are settled; 0 online.
  var unsettled = 0
  private var nextSettling = longestWindow

  public init(network: MatchingNetwork, tuning: MatcherTuning = MatcherTuning()) {
    self.network = network
    self.tuning = tuning
    trellis = Trellis(network: network, tuning: tuning)
  }

  /// Sets the roads of the active route, in their direction; empty for none.
  public mutating func setRoute(_ edges: Set<EdgeID>) { route = edges }

  /// Forgets everything but the route: the clock was set, or another drive begins.
  public mutating func reset() {
    trellis.clear()
    entries.removeAll()
    last = nil
    jumped.removeAll()
    lastMatch = nil
  }

  /// Answers one fix.
  ///
  /// Fixes come in the order of their time; one that does not is an outlier. `bridgesGap` where what
  /// was known before a long silence is of use yet, as behind a tunnel.
  public mutating func match(_ fix: Fix, bridgesGap: Bool = false) -> Answer {
    let before = trellis.steps.isEmpty ? nil : trellis.lastSerial
    let (match, serial) = weigh(fix, bridgesGap: bridgesGap)
    entries.append(
      Entry(
        fix: fix, time: fix.time, serial: serial, settled: serial == nil ? match : nil,
        isTeleport: match.isTeleport, isHeld: serial != nil && serial == before))
    lastMatch = match
    let smoothed = smooth(until: fix.time)
    // The step before the first that is still to be told says where its way comes from.
    trellis.forget(before: (entries.first { $0.serial != nil }?.serial ?? trellis.lastSerial) - 1)
    return Answer(match: match, smoothed: smoothed)
  }

  /// Takes one fix of a whole trace; `finish` answers.
  mutating func take(_ fix: Fix) {
    answersAtOnce = false
    let before = trellis.steps.isEmpty ? nil : trellis.lastSerial
    let (match, serial) = weigh(fix)
    entries.append(
      Entry(
        fix: fix, time: fix.time, serial: serial, settled: serial == nil ? match : nil,
        isTeleport: match.isTeleport, isHeld: serial != nil && serial == before))
    if explained == nil, trellis.steps.count >= nextSettling {
      settleConverged()
      nextSettling = max(Self.longestWindow, 2 * trellis.steps.count)
    }
  }

  /// Steps that a whole trace keeps before it looks for what can change no more.
  private static let longestWindow = 8192
  /// Steps behind those that are settled: what comes later changes no probability by so much.
  private static let settledMargin = 256

  /// Settles the fixes of a long trace up to where all likely ways were one.
  ///
  /// Memory is so bounded by the window and not by the trace (Goh et al. 2012).
  private mutating func settleConverged() {
    guard let index = trellis.convergence(before: trellis.steps.count - Self.settledMargin),
      index > 0
    else { return }
    let decoded = trellis.decoded(index + 1)
    let last = trellis.firstSerial + index
    for number in unsettled..<entries.count {
      if let serial = entries[number].serial {
        guard serial < last else { break }
        entries[number].settled = settled(entries[number], decoded)
        entries[number].serial = nil
      }
      unsettled = number + 1
    }
    // The step before the first that is still to be told says where its way comes from.
    trellis.forget(before: last - 1)
  }

  /// Smooths all fixes that are left, as at the end of a trace.
  public mutating func finish() -> [Match] {
    settleAll()
    defer {
      entries.removeAll()
      unsettled = 0
    }
    return entries.compactMap(\.settled)
  }

  /// Share of the likeliest way in the probability of all, 0 to 1, since the last start.
  public var confidence: Double { Logs.exp(trellis.confidenceLog) }

  // MARK: One fix

  /// The filtered answer, and the step that holds it; nil where no step does.
  private mutating func weigh(_ fix: Fix, bridgesGap: Bool = false) -> (Match, Int?) {
    guard let time = fix.time else { return (Match(outcome: .noMatch(.noTime), fix: fix), nil) }
    if let accuracy = fix.accuracyM, accuracy > tuning.weakAccuracyM {
      return (Match(outcome: .noMatch(last == nil ? .warmingUp : .outlier), fix: fix), nil)
    }
    guard let last else { return begin(fix, at: time, isTeleport: false) }
    let elapsedS = time.seconds(since: last.time)
    guard elapsedS > 0 else { return (Match(outcome: .noMatch(.outlier), fix: fix), nil) }
    let straightM = last.fix.place.distanceM(to: fix.place)
    if elapsedS > tuning.forgetS, !bridgesGap {
      return begin(fix, at: time, isTeleport: straightM > 4 * tuning.radiusM)
    }
    guard canFollow(last.fix, fix, straightM: straightM, elapsedS: elapsedS) else {
      return jump(fix, at: time)
    }
    jumped.removeAll()
    if stands(fix, since: last, elapsedS: elapsedS), let held = hold(fix) {
      self.last = (fix, time)
      return (held, trellis.lastSerial)
    }
    self.last = (fix, time)
    trellis.extend(with: fix, at: time, elapsedS: elapsedS, route: route)
    return (filtered(isTeleport: false), trellis.lastSerial)
  }

  private mutating func begin(
    _ fix: Fix, at time: Instant, isTeleport: Bool
  ) -> (Match, Int?) {
    settleAll()
    trellis.clear()
    jumped.removeAll()
    lastMatch = nil
    last = (fix, time)
    trellis.extend(with: fix, at: time, elapsedS: 0, route: route)
    return (filtered(isTeleport: isTeleport), trellis.lastSerial)
  }

  /// A fix that cannot follow: an outlier, until enough of them agree (MM-4).
  private mutating func jump(_ fix: Fix, at time: Instant) -> (Match, Int?) {
    if let before = jumped.last {
      let follows = canFollow(
        before.fix, fix, straightM: before.fix.place.distanceM(to: fix.place),
        elapsedS: time.seconds(since: before.time))
      if !follows || time <= before.time { jumped.removeAll() }
    }
    jumped.append((fix, time))
    guard jumped.count >= tuning.jumpFixes, let first = jumped.first,
      time.seconds(since: first.time) >= tuning.jumpS
    else {
      if jumped.count > 64 { jumped.removeFirst() }
      return (Match(outcome: .noMatch(.outlier), fix: fix), nil)
    }
    // The fixes since the jump tell more than the last of them alone.
    let run = Array(jumped.suffix(16))
    var answer = begin(run[0].fix, at: run[0].time, isTeleport: true)
    for (before, after) in zip(run, run.dropFirst()) {
      last = after
      trellis.extend(
        with: after.fix, at: after.time, elapsedS: after.time.seconds(since: before.time),
        route: route)
      answer = (filtered(isTeleport: true), trellis.lastSerial)
    }
    return answer
  }

  private func canFollow(
    _ before: Fix, _ after: Fix, straightM: Double, elapsedS: Double
  ) -> Bool {
    Motion.isPlausible(
      from: before, to: after, straightM: straightM, elapsedS: elapsedS, mode: network.mode,
      tuning: tuning)
  }

  // MARK: Standing (MM-11)

  private func stands(
    _ fix: Fix, since last: (fix: Fix, time: Instant), elapsedS: Double
  ) -> Bool {
    guard let anchor = trellis.steps.last else { return false }
    let awayM = anchor.fix.place.distanceM(to: fix.place)
    if let speed = fix.speedMps { return speed < tuning.standstillMps && awayM < 100 }
    // Without a speed a place within the noise is the same place; at high rates steps are small
    // anyway.
    return elapsedS >= 0.8 && awayM < Double.maximum(4, tuning.standstillSigmas * anchor.sigmaM)
  }

  private func hold(_ fix: Fix) -> Match? {
    guard answersAtOnce else { return Match(outcome: .noMatch(.warmingUp), fix: fix) }
    guard var held = lastMatch, trellis.steps.last != nil else { return nil }
    if case .noMatch(let reason) = held.outcome, reason != .offRoad, reason != .noMapData {
      held = filtered(isTeleport: false)
    }
    held.fix = fix
    held.isTeleport = false
    return Self.standing(held)
  }

  /// A match of a vehicle that has not moved since the one before.
  static func standing(_ match: Match) -> Match {
    guard case .matched(var place) = match.outcome else { return match }
    var match = match
    place.path = [place.state]
    // A place held is as far away as it is; MM-1 bounds what is newly matched.
    place.distanceM = match.fix.place.distanceM(to: place.coordinate)
    match.outcome = .matched(place)
    return match
  }

  // MARK: Answers

  private func filtered(isTeleport: Bool) -> Match {
    guard let step = trellis.steps.last, answersAtOnce else {
      return Match(
        outcome: .noMatch(.warmingUp), fix: Fix(place: Coordinate(latitudeDeg: 0, longitudeDeg: 0)),
        isTeleport: isTeleport)
    }
    let posterior = step.posterior
    var match = answer(
      step: trellis.steps.count - 1, state: step.best, probability: posterior[step.best],
      offRoad: posterior[step.offRoadState], fix: step.fix, isTeleport: isTeleport)
    if let before = lastMatch?.place, case .matched(let place) = match.outcome {
      match.outcome = .matched(
        network.holding(place, at: before, of: step.fix, move: step.moves[step.best], step: step))
    }
    return match
  }

  /// The answer that a state of a kept step means.
  func answer(
    step index: Int, state: Int, probability: Double, offRoad: Double, fix: Fix, isTeleport: Bool
  ) -> Match {
    let step = trellis.steps[index]
    guard state < step.candidates.count else {
      let isOutside =
        network.graph.boundingBox.map { !$0.expanded(byM: 1000).contains(fix.place) } ?? true
      return Match(
        outcome: .noMatch(step.candidates.isEmpty && isOutside ? .noMapData : .offRoad), fix: fix,
        offRoadProbability: offRoad, isTeleport: isTeleport,
        candidateCount: step.candidates.count)
    }
    let place = network.place(
      step.candidates[state], path: trellis.path(to: state, at: index),
      probability: probability, sigmaM: step.sigmaM)
    return Match(
      outcome: .matched(place), fix: fix, offRoadProbability: offRoad, isTeleport: isTeleport,
      candidateCount: step.candidates.count)
  }
}
