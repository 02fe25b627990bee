import EventTime
import Positioning

// What is said of a fix once what came after it is known (MM-8).
extension OnlineMatcher {
  mutating func smooth(until now: Instant?) -> [Match] {
    var count = max(0, entries.count - max(1, tuning.lagFixes))
    if let now {
      while count < entries.count - 1,
        now.seconds(since: entries[count].fix.time ?? now) >= tuning.lagS
      { count += 1 }
    }
    guard count > 0 else { return [] }
    let lastSerial = entries.prefix(count).last { $0.serial != nil }?.serial
    let smoothed = settled(
      count, lastSerial.map { trellis.decoded($0 - trellis.firstSerial + 1) } ?? [])
    entries.removeFirst(count)
    return smoothed
  }

  /// Gives all fixes that wait their last word: what comes now says nothing of them.
  mutating func settleAll() {
    guard entries.contains(where: { $0.settled == nil }) else { return }
    explainSteps(entries.count)
    let matches = settled(
      entries.count, trellis.decoded(trellis.steps.count, countsAlternatives: isWholeTrace))
    if isWholeTrace {
      finished += matches
      entries.removeAll()
    } else {
      for (index, match) in matches.enumerated() { entries[index].word = .settled(match) }
    }
  }

  /// Whether all fixes come before any answer.
  var isWholeTrace: Bool { trellis.spareLimit == Self.longestWindow }

  /// The last word on the first `count` fixes that wait.
  func settled(_ count: Int, _ decoded: [Trellis.Decoded]) -> [Match] {
    entries.prefix(count).map { entry in
      guard case .step(let serial) = entry.word else {
        return entry.settled ?? Match(outcome: .noMatch(.outlier), fix: entry.fix)
      }
      let index = serial - trellis.firstSerial
      guard decoded.indices.contains(index) else {
        return Match(outcome: .noMatch(.outlier), fix: entry.fix)
      }
      let known = decoded[index]
      var match = answer(
        step: index, state: known.state, probability: known.probability, offRoad: known.offRoad,
        fix: entry.fix, isTeleport: entry.isTeleport)
      match.alternativeCount = known.alternatives
      return entry.isHeld ? Self.standing(match) : match
    }
  }
}
