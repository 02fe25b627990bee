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
    let stands = isOnline ? [] : Stand.all(in: fixes, slowestMps: numbers.standstillMps)
    if !isOnline {
      numbers.lagFixes = .max
      numbers.lagS = .infinity
      // Explained with the parameters that the trace is matched with.
      let sample = fixes.prefix(ReceiverError.sampleCount)
      numbers = begun(with: sample, stands: stands, tuning: numbers).tuning
    }
    var matcher = OnlineMatcher(network: self, tuning: numbers)
    matcher.stands = stands[...]
    matcher.explained = wanted
    for (index, fix) in fixes.enumerated() {
      if isOnline {
        let answer = matcher.match(fix)
        if wanted.contains(index) { matcher.explainNewest(index, outcome: answer.match) }
        if index + 1 >= wanted.upperBound { break }
      } else {
        matcher.take(fix)
      }
    }
    if !isOnline {
      let matches = matcher.finish()
      matcher.giveBack()
      let told = Set(matcher.explanations.map(\.index))
      for index in wanted.clamped(to: matches.indices) where !told.contains(index) {
        matcher.explainOutcome(index, matches[index])
      }
    }
    return matcher.explanations.sorted { $0.index < $1.index }
  }
}

extension OnlineMatcher {
  /// Explains a fix by the newest step if that represents it.
  mutating func explainNewest(_ number: Int, outcome: Match) {
    if entries.last?.isStep(trellis.lastSerial) == true, !trellis.steps.isEmpty {
      explanations.append(
        trellis.explanation(
          at: trellis.steps.count - 1, number: number, route: route, by: trellis.noHindsight()))
    } else {
      explainOutcome(number, outcome)
    }
  }

  /// Explains the first `count` waiting fixes of a whole trace, whose steps are about to be
  /// removed.
  mutating func explainSteps(_ count: Int) {
    guard let explained, isWholeTrace else { return }
    let waiting = finished.count..<(finished.count + count)
    guard explained.overlaps(waiting) else { return }
    let hindsight = trellis.hindsight()
    for number in explained.clamped(to: waiting) {
      let entry = entries[number - finished.count]
      guard entry.part == .step, let serial = entry.serial,
        trellis.steps.indices.contains(serial - trellis.firstSerial)
      else { continue }
      explanations.append(
        trellis.explanation(
          at: serial - trellis.firstSerial, number: number, route: route, by: hindsight))
    }
  }

  /// Explains a fix that was not evaluated.
  mutating func explainOutcome(_ number: Int, _ match: Match) {
    let sentence =
      switch match.reason {
      case .noTime: "the fix has no time, so nothing can be said of the way to it"
      case .outlier: "the fix cannot follow from those before it"
      case .inaccurate: "the accuracy of the fix is too poor to say on which road it is"
      case .repeatedTime: "the fix has the time of the one before"
      case .frozen: "the receiver repeats an old position while the vehicle moves on"
      case .warmingUp: "nothing is known yet, and the fix is too weak to begin with"
      case .offRoad: "no road of the mode is near, or none is as likely as being beside all"
      case .noMapData: "the map does not reach here"
      case nil:
        "the vehicle has hardly moved on from the fix before: its place follows from those around it"
      }
    explanations.append(
      FixExplanation(
        index: number, candidates: [], winner: nil, runnerUp: nil, reasons: [sentence]))
  }
}
