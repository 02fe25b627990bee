public import Geodesy
public import Positioning
import RoadGraph

/// A whole trace on the road (MM-13).
public struct MatchedTrace: Hashable, Sendable {
  /// One for each fix, in the same order.
  public var matches: [Match]
  /// All pieces of road driven, in order; where the trace leaves the road they go on behind the
  /// gap.
  public var path: [TravelState]
  /// The line from the first to the last place matched along `path`.
  public var shape: [Coordinate]
  /// Metres driven along `path`, gaps left out.
  public var lengthM: Double
  /// Probability that the path differs from the driven one by less than 5 % of its length, 0 to 1; 0 without a match.
  ///
  public var confidence: Double { evidence.probability }
  /// The evidence for the confidence.
  public var evidence: TraceConfidence
  /// The OSM ways driven, in order; their lengths add up to `lengthM`.
  public var ways: [MatchedWay]

  /// Where in `shape` each stretch without a gap begins.
  public var starts: [Int]

  /// The path of `matches` in their order, in linear time.
  public init(matches: [Match], network: MatchingNetwork) {
    var line = DrivenLine(network: network)
    for match in matches {
      if case .matched(let place) = match.outcome { line.add(place, at: match.fix.time) }
    }
    line.end()
    self.matches = matches
    evidence = TraceConfidence(matches, line: line)
    ways = line.ways
    path = line.path
    shape = line.shape
    lengthM = line.lengthM
    starts = line.starts
  }

  /// The stretches without a gap, each a line of its own.
  public var lines: [[Coordinate]] {
    zip(starts, starts.dropFirst() + [shape.count]).map { Array(shape[$0..<$1]) }
  }
}

extension MatchingNetwork {
  /// Matches a whole trace with what comes later known: the same engine with no bound to its lag.
  ///
  /// Where fixes tell no accuracy, the first hundred tell how far all are believed (`ReceiverError`). Memory is a match for each fix, and
  /// a window of some thousand fixes. `progress` hears how many fixes are done, every 4,096 of them.
  public func match(
    trace fixes: [Fix], tuning: MatcherTuning = .wholeTrace, progress: ((Int) -> Void)? = nil
  ) -> MatchedTrace {
    var endless = tuning
    endless.lagFixes = .max
    endless.lagS = .infinity
    let sample = fixes.prefix(ReceiverError.sampleCount)
    var matcher = begun(
      with: sample, stands: Stand.all(in: fixes, slowestMps: tuning.standstillMps), tuning: endless)
    matcher.finished.reserveCapacity(fixes.count)
    for index in sample.count..<fixes.count {
      matcher.take(fixes[index])
      if index % 4096 == 4095 { progress?(index + 1) }
    }
    let matches = matcher.finish()
    matcher.giveBack()
    return MatchedTrace(matches: matches, network: self)
  }

  /// A matcher of a whole trace that has taken the first fixes, and believes all as far as these tell.
  ///
  /// That is learnt from one after the other: matched all at once, a stretch beside the true road would bear itself out, since its fixes
  /// err far, and all to one side.
  func begun(
    with sample: ArraySlice<Fix>, stands: [Stand], tuning: MatcherTuning
  ) -> OnlineMatcher {
    var matcher = OnlineMatcher(network: self, tuning: tuning)
    matcher.stands = stands[...]
    let learns = ReceiverError.canTell(sample, tuning)
    let first = matcher.trellis.model
    for (number, fix) in sample.enumerated() {
      matcher.take(fix)
      if learns, number % ReceiverError.learningCount == ReceiverError.learningCount - 1 {
        matcher.learnWhereAgreed()
      }
    }
    // Begun anew where some fixes were believed more than others.
    guard matcher.trellis.model !== first else { return matcher }
    var believing = tuning
    believing.defaultSigmaM = matcher.learntSigmaM
    matcher.giveBack()
    matcher = OnlineMatcher(network: self, tuning: believing)
    matcher.stands = stands[...]
    for fix in sample { matcher.take(fix) }
    return matcher
  }
}
