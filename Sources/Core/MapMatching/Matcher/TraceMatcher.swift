public import Geodesy
public import Positioning
import RoadGraph

/// A whole trace matched to roads (MM-13).
public struct MatchedTrace: Hashable, Sendable {
  /// One match for each fix, in the same order.
  public var matches: [Match]
  /// All edges driven, in order; after a gap off-road they continue at its other end.
  public var path: [TravelState]
  /// The line along `path` from the first matched place to the last.
  public var shape: [Coordinate]
  /// Metres driven along `path`, without gaps.
  public var lengthM: Double
  /// Probability that the path differs from the driven one by less than 5 % of its length, 0 to 1;
  /// 0 without a match.
  ///
  public var confidence: Double { evidence.probability }
  /// The evidence for the confidence.
  public var evidence: TraceConfidence
  /// The OSM ways driven, in order; their lengths add up to `lengthM`.
  public var ways: [MatchedWay]

  /// Index in `shape` at which each stretch without a gap begins.
  public var starts: [Int]

  /// Joins the paths of `matches` in their order, in linear time.
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

  /// The stretches without a gap, each as a line of its own.
  public var lines: [[Coordinate]] {
    zip(starts, starts.dropFirst() + [shape.count]).map { Array(shape[$0..<$1]) }
  }
}

extension MatchingNetwork {
  /// Matches a whole trace with all later fixes known: the same engine with an unbounded lag.
  ///
  /// If fixes have no reported accuracy, the first hundred determine the standard deviation for all
  /// (`NoiseEstimator`). Memory is one match per fix, and a window of some thousand fixes.
  /// `progress` receives the number of completed fixes, every 4,096 of them.
  public func match(
    trace fixes: [Fix], tuning: MatcherTuning = .wholeTrace, progress: ((Int) -> Void)? = nil
  ) -> MatchedTrace {
    var endless = tuning
    endless.lagFixes = .max
    endless.lagS = .infinity
    let sample = fixes.prefix(NoiseEstimator.sampleCount)
    var matcher = begun(
      with: sample, stands: StationaryPeriod.all(in: fixes, slowestMps: tuning.stationaryMps),
      tuning: endless)
    matcher.wholeTrace.finished.reserveCapacity(fixes.count)
    for index in sample.count..<fixes.count {
      matcher.process(fixes[index])
      if index % 4096 == 4095 { progress?(index + 1) }
    }
    let matches = matcher.finish()
    matcher.giveBack()
    return MatchedTrace(matches: matches, network: self)
  }

  /// Returns a matcher of a whole trace that has processed the first fixes and learnt the standard
  /// deviation from them.
  ///
  /// It learns from one fix after the other. Matched all at once, a path next to the true road
  /// would confirm itself: the errors of its fixes are large and all on one side.
  func begun(
    with sample: ArraySlice<Fix>, stands: [StationaryPeriod], tuning: MatcherTuning
  ) -> OnlineMatcher {
    var matcher = OnlineMatcher(network: self, tuning: tuning)
    matcher.wholeTrace.stationaryPeriods = stands[...]
    let learns = NoiseEstimator.isSampleInformative(sample, tuning)
    let first = matcher.trellis.model
    for (number, fix) in sample.enumerated() {
      matcher.process(fix)
      if learns, number % NoiseEstimator.learningCount == NoiseEstimator.learningCount - 1 {
        matcher.learnFromConvergedSteps()
      }
    }
    // Restarted if the standard deviation of some fixes was changed.
    guard matcher.trellis.model !== first else { return matcher }
    var learnt = tuning
    learnt.defaultSigmaM = matcher.learntSigmaM
    matcher.giveBack()
    matcher = OnlineMatcher(network: self, tuning: learnt)
    matcher.wholeTrace.stationaryPeriods = stands[...]
    for fix in sample { matcher.process(fix) }
    return matcher
  }
}
