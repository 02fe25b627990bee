public import EventTime

/// Decides when a vehicle is off its route: a fact, not yet a reason to do anything.
///
/// Off means: matched to a segment off the route, where this one or all such ones together have a
/// probability of 0.6 or more, or unmatched and farther than 50 m from it, for three fixes in a row (two where they are more than 5 s apart),
/// each of accuracy better than 25 m where it is given. A match whose distance from the route is less than the accuracy of
/// its fix (at least 1 m) does not decide, unless it lies on a road of the route: driven back, or out of turn. Estimated fixes do not count, nor do fixes
/// that the matcher did not use, nor fixes in doubt after a position jump (`LeapWatch`).
public struct DeviationWatch: Codable, Hashable, Sendable {
  public struct Tuning: Codable, Hashable, Sendable {
    public var probability = 0.6
    public var unmatchedDistanceM = 50.0
    public var fixes = 3
    public var sparseFixes = 2
    /// Seconds between fixes from which `sparseFixes` decides.
    public var sparseGapS = 5.0
    public var accuracyM = 25.0
    public init() {}
  }

  /// What led to the verdict.
  public struct Evidence: Codable, Hashable, Sendable {
    public enum Rule: String, Codable, Hashable, Sendable {
      case matchedOffRoute = "matched_off_route"
      case unmatchedFar = "unmatched_far"
    }
    public var rule: Rule
    public var fixes: Int
    public var since: Instant
    /// Least probability of being off the route among the matched; nil where none was matched.
    public var probability: Double?
    /// Least distance from the route in metres.
    public var distanceM: Double
    /// Worst accuracy among the fixes; nil where none said.
    public var accuracyM: Double?
  }

  public var tuning: Tuning
  /// The run of off-route fixes so far; nil where the last one was not off.
  public private(set) var evidence: Evidence?
  public private(set) var isOff = false
  private var lastTime: Instant?
  private var leaps: LeapWatch?
  private var isInDoubt: Bool?

  public init(tuning: Tuning = Tuning()) { self.tuning = tuning }

  /// Checks the next location for a position jump of the receiver.
  ///
  /// The caller does this before it reports whether the location is on the route.
  mutating func saw(_ sighting: Sighting) {
    guard let raw = sighting.raw, !sighting.isEstimated,
      (sighting.accuracyM ?? 0) < tuning.accuracyM
    else { return }
    var watch = leaps ?? LeapWatch()
    isInDoubt = watch.saw(raw, at: sighting.time)
    leaps = watch
  }

  /// A fix on the route: whatever was suspected is void.
  public mutating func sawOnRoute() {
    leaps?.sawOnRoute()
    isInDoubt = false
    evidence = nil
    isOff = false
    lastTime = nil
  }

  /// A fix that is not on the route; true when the vehicle counts as off it.
  ///
  /// A fix that cannot tell (weak, estimated, or near the route without a match) breaks a suspicion,
  /// but not a verdict.
  ///
  /// `isOnItsRoads` says whether the match lies on a road of the route, in either direction.
  public mutating func sawElsewhere(
    _ sighting: Sighting, distanceM: Double, isOnItsRoads: Bool = false
  ) -> Bool {
    guard let rule = rule(sighting, distanceM: distanceM) else {
      if !isOff {
        evidence = nil
        lastTime = nil
      }
      return false
    }
    let gap = lastTime.map { sighting.time.seconds(since: $0) } ?? 0
    lastTime = sighting.time
    var run =
      evidence
      ?? Evidence(rule: rule, fixes: 0, since: sighting.time, distanceM: distanceM)
    run.rule = rule
    run.fixes += 1
    run.distanceM = min(run.distanceM, distanceM)
    if let match = sighting.match {
      run.probability = min(run.probability ?? 1, Self.offProbability(match))
    }
    if let accuracy = sighting.accuracyM {
      run.accuracyM = max(run.accuracyM ?? 0, accuracy)
    }
    evidence = run
    let isApart =
      sighting.match == nil || isOnItsRoads
      || distanceM >= Double.maximum(Self.apartM, sighting.accuracyM ?? 0)
    if isApart,
      run.fixes >= tuning.fixes || (run.fixes >= tuning.sparseFixes && gap > tuning.sparseGapS)
    {
      isOff = true
    }
    return isOff
  }

  mutating func clockSet(bySeconds seconds: Double) {
    lastTime = lastTime?.advanced(bySeconds: seconds)
    if let since = evidence?.since { evidence?.since = since.advanced(bySeconds: seconds) }
  }

  /// Whether a match is sure and accurate enough to be evidence of where the vehicle is.
  func counts(_ sighting: Sighting) -> Bool {
    guard !sighting.isEstimated, isInDoubt != true, let match = sighting.match else { return false }
    return (sighting.accuracyM ?? 0) < tuning.accuracyM
      && Self.offProbability(match) >= tuning.probability
  }

  /// Fixes in a row that make a verdict, for fixes so many seconds apart.
  func fixesNeeded(gapS: Double) -> Int {
    gapS > tuning.sparseGapS ? tuning.sparseFixes : tuning.fixes
  }

  /// Least distance in metres at which a match is apart from the route.
  private static let apartM = 1.0

  private func rule(_ sighting: Sighting, distanceM: Double) -> Evidence.Rule? {
    guard !sighting.isEstimated, sighting.isUnused != true, isInDoubt != true else { return nil }
    if let accuracy = sighting.accuracyM, accuracy >= tuning.accuracyM { return nil }
    if let match = sighting.match {
      return Self.offProbability(match) >= tuning.probability ? .matchedOffRoute : nil
    }
    return distanceM > tuning.unmatchedDistanceM ? .unmatchedFar : nil
  }

  // A road that was left behind on the route counts by itself: the matcher takes it for the route's.
  private static func offProbability(_ match: Sighting.Match) -> Double {
    max(match.probability, match.offRouteProbability ?? 0)
  }
}
