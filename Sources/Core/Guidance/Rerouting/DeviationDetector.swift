public import Foundations

/// Decides when a vehicle is off its route; the verdict is a fact, not yet a reason to act.
///
/// A fix is off the route in either of two cases. It is matched to a segment off the route, where
/// this segment or all such segments together have a probability of 0.6 or more. Or it is unmatched
/// and farther than 50 m from the route.
///
/// The vehicle is off after three such fixes in a row (two if they are more than 5 s apart), each
/// with an accuracy better than 25 m if an accuracy is reported.
///
/// A match that is nearer to the route than the accuracy of its fix (at least 1 m) does not decide.
/// The exception is a match on a road of the route that is driven backwards or out of order.
/// Estimated fixes do not count, nor do fixes that the matcher did not use, nor fixes in doubt
/// after a position jump (`JumpDetector`).
public struct DeviationDetector: Codable, Hashable, Sendable {
  public struct Tuning: Codable, Hashable, Sendable {
    public var probability = 0.6
    public var unmatchedDistanceM = 50.0
    public var fixes = 3
    public var sparseFixes = 2
    /// Intervals between fixes longer than this make `sparseFixes` sufficient.
    public var sparseGapS = 5.0
    public var accuracyM = 25.0
    public init() {}
  }

  /// The evidence for the verdict.
  public struct Evidence: Codable, Hashable, Sendable {
    public enum Rule: String, Codable, Hashable, Sendable {
      case matchedOffRoute = "matched_off_route"
      case unmatchedFar = "unmatched_far"
    }
    public var rule: Rule
    public var fixes: Int
    public var since: Instant
    /// Lowest probability of being off the route among matched fixes; nil if none was matched.
    public var probability: Double?
    /// Smallest distance from the route in metres.
    public var distanceM: Double
    /// Worst accuracy among the fixes; nil if none was reported.
    public var accuracyM: Double?
  }

  public var tuning: Tuning
  /// The current run of off-route fixes; nil if the last fix was not off the route.
  public private(set) var evidence: Evidence?
  public private(set) var isOff = false
  private var lastTime: Instant?
  private var leaps: JumpDetector?
  private var isInDoubt: Bool?

  public init(tuning: Tuning = Tuning()) { self.tuning = tuning }

  /// Checks the next location for a position jump of the receiver.
  ///
  /// The caller does this before it reports whether the location is on the route.
  mutating func saw(_ location: VehicleLocation) {
    guard let raw = location.raw, !location.isEstimated,
      (location.accuracyM ?? 0) < tuning.accuracyM
    else { return }
    var watch = leaps ?? JumpDetector()
    isInDoubt = watch.saw(raw, at: location.time)
    leaps = watch
  }

  /// Processes a fix on the route, which clears any suspicion.
  public mutating func sawOnRoute() {
    leaps?.sawOnRoute()
    isInDoubt = false
    evidence = nil
    isOff = false
    lastTime = nil
  }

  /// Processes a fix that is not on the route; returns true if the vehicle counts as off it.
  ///
  /// A fix without clear evidence (weak, estimated, or near the route without a match) ends a
  /// suspicion, but not a verdict.
  ///
  /// `isOnItsRoads` is true if the match lies on a road of the route, in either direction.
  public mutating func sawElsewhere(
    _ location: VehicleLocation, distanceM: Double, isOnItsRoads: Bool = false
  ) -> Bool {
    guard let rule = rule(location, distanceM: distanceM) else {
      if !isOff {
        evidence = nil
        lastTime = nil
      }
      return false
    }
    let gap = lastTime.map { location.time.seconds(since: $0) } ?? 0
    lastTime = location.time
    var run =
      evidence
      ?? Evidence(rule: rule, fixes: 0, since: location.time, distanceM: distanceM)
    run.rule = rule
    run.fixes += 1
    run.distanceM = min(run.distanceM, distanceM)
    if let match = location.match {
      run.probability = min(run.probability ?? 1, Self.offProbability(match))
    }
    if let accuracy = location.accuracyM {
      run.accuracyM = max(run.accuracyM ?? 0, accuracy)
    }
    evidence = run
    let isApart =
      location.match == nil || isOnItsRoads
      || distanceM >= Double.maximum(Self.apartM, location.accuracyM ?? 0)
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

  /// Whether a match is certain and accurate enough to be evidence of the vehicle's position.
  func counts(_ location: VehicleLocation) -> Bool {
    guard !location.isEstimated, isInDoubt != true, let match = location.match else { return false }
    return (location.accuracyM ?? 0) < tuning.accuracyM
      && Self.offProbability(match) >= tuning.probability
  }

  /// Number of consecutive fixes needed for a verdict, for fixes at the given interval.
  func fixesNeeded(gapS: Double) -> Int {
    gapS > tuning.sparseGapS ? tuning.sparseFixes : tuning.fixes
  }

  /// Minimum distance in metres at which a match is separate from the route.
  private static let apartM = 1.0

  private func rule(_ location: VehicleLocation, distanceM: Double) -> Evidence.Rule? {
    guard !location.isEstimated, location.isUnused != true, isInDoubt != true else { return nil }
    if let accuracy = location.accuracyM, accuracy >= tuning.accuracyM { return nil }
    if let match = location.match {
      return Self.offProbability(match) >= tuning.probability ? .matchedOffRoute : nil
    }
    return distanceM > tuning.unmatchedDistanceM ? .unmatchedFar : nil
  }

  // A road that was just left on the route counts by itself, because the matcher assigns it to the
  // route.
  private static func offProbability(_ match: VehicleLocation.Match) -> Double {
    max(match.probability, match.offRouteProbability ?? 0)
  }
}
