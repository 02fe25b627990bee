public import Positioning

extension MatchingNetwork {
  /// Matches the whole trace and explains the position of each wanted fix (MM-13).
  ///
  /// Fixes without a step, such as outliers and those of stationary periods, are explained by their
  /// outcome alone. With `isOnline` the immediate answers are explained instead. The cost is that
  /// of matching the trace plus that of the explanations.
  public func explain(
    trace fixes: [Fix], wanted: Range<Int>, isOnline: Bool = false,
    tuning: MatcherTuning? = nil
  ) -> [FixExplanation] {
    var numbers = tuning ?? (isOnline ? MatcherTuning() : .wholeTrace)
    let stands = isOnline ? [] : StationaryPeriod.all(in: fixes, slowestMps: numbers.stationaryMps)
    if !isOnline {
      numbers.lagFixes = .max
      numbers.lagS = .infinity
      // Explained with the parameters that the trace is matched with.
      let sample = fixes.prefix(NoiseEstimator.sampleCount)
      numbers = begun(with: sample, stands: stands, tuning: numbers).tuning
    }
    var matcher = OnlineMatcher(network: self, tuning: numbers)
    matcher.wholeTrace.stationaryPeriods = stands[...]
    matcher.wholeTrace.explained = wanted
    for (index, fix) in fixes.enumerated() {
      if isOnline {
        let answer = matcher.match(fix)
        if wanted.contains(index) { matcher.explainNewest(index, outcome: answer.match) }
        if index + 1 >= wanted.upperBound { break }
      } else {
        matcher.process(fix)
      }
    }
    if !isOnline {
      let matches = matcher.finish()
      matcher.giveBack()
      let reported = Set(matcher.wholeTrace.explanations.map(\.index))
      for index in wanted.clamped(to: matches.indices) where !reported.contains(index) {
        matcher.explainOutcome(index, matches[index])
      }
    }
    return matcher.wholeTrace.explanations.sorted { $0.index < $1.index }
  }
}

extension OnlineMatcher {
  /// Explains a fix by the newest step if that represents it.
  mutating func explainNewest(_ number: Int, outcome: Match) {
    if entries.last?.isStep(trellis.lastSerial) == true, !trellis.steps.isEmpty {
      wholeTrace.explanations.append(
        trellis.explanation(
          at: trellis.steps.count - 1, number: number, route: route, by: trellis.noHindsight()))
    } else {
      explainOutcome(number, outcome)
    }
  }

  /// Explains the first `count` waiting fixes of a whole trace, whose steps are about to be
  /// removed.
  mutating func explainSteps(_ count: Int) {
    guard let explained = wholeTrace.explained, wholeTrace.isActive else { return }
    let waiting = wholeTrace.finished.count..<(wholeTrace.finished.count + count)
    guard explained.overlaps(waiting) else { return }
    let hindsight = trellis.hindsight()
    for number in explained.clamped(to: waiting) {
      let entry = entries[number - wholeTrace.finished.count]
      guard entry.part == .step, let serial = entry.serial,
        trellis.steps.indices.contains(serial - trellis.firstSerial)
      else { continue }
      wholeTrace.explanations.append(
        trellis.explanation(
          at: serial - trellis.firstSerial, number: number, route: route, by: hindsight))
    }
  }

  /// Explains a fix that was not evaluated.
  mutating func explainOutcome(_ number: Int, _ match: Match) {
    let sentence =
      switch match.reason {
      case .noTime: "the fix has no time, so the path to it is unknown"
      case .outlier: "the fix is implausible after the previous fixes"
      case .inaccurate: "the accuracy of the fix is too poor to determine its road"
      case .repeatedTime: "the fix has the same time as the previous fix"
      case .frozen: "the receiver repeats an old position while the vehicle moves"
      case .warmingUp: "the trace starts here, and the fix is too inaccurate for a start"
      case .offRoad:
        "no road of the travel mode is near, or being off-road is more likely than all of them"
      case .noMapData: "the fix is outside the map"
      case nil:
        "the vehicle has hardly moved since the previous fix: its position follows from the neighbouring fixes"
      }
    wholeTrace.explanations.append(
      FixExplanation(
        index: number, candidates: [], winner: nil, runnerUp: nil, reasons: [sentence]))
  }
}
