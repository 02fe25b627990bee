public import RoadGraph

/// Explains a match: the candidates, the likelihood of each, and what decided between them.
///
/// Likelihoods are natural logarithms ("nats"), given relative to the best where stated.
public struct FixExplanation: Hashable, Sendable {
  /// One place that the fix may have been taken at.
  public struct Candidate: Hashable, Sendable {
    /// The place; nil for being on no road.
    public var place: MatchedPlace?
    /// Evidence of the fix alone, by kind.
    public var evidence: Evidence
    /// The likeliest transition from the previous fix and its cost.
    public var transition: Transition
    /// Log-likelihood given earlier fixes, this fix and later fixes, relative to the best
    /// candidate.
    public var totalNats: Double
    /// Posterior probability over all paths, 0 to 1.
    public var probability: Double
  }

  /// Evidence of a fix for a place in nats, without the terms that all places share.
  public struct Evidence: Hashable, Sendable {
    public var distance = 0.0
    public var course = 0.0
    public var speed = 0.0
    /// Bonus of the active route.
    public var route = 0.0
    /// Penalties for driving against a one-way street, for minor roads and for tracks.
    public var road = 0.0
    /// The sum, weighted by how independent the fix is of the fixes before it.
    public var total = 0.0
  }

  /// The transition by which a place was reached.
  public struct Transition: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
      case start
      case drive
      /// Noise moved the position back along its road.
      case back
      /// Off-network transition, over a path that the map lacks.
      case jump
      case offRoad = "off_road"
    }
    public var kind: Kind
    /// Index of the candidate of the previous fix; nil at a start.
    public var from: Int?
    /// Metres by road; nil without a path by road.
    public var lengthM: Double?
    /// Distance in metres that the fixes suggest.
    public var expectedM: Double?
    public var nats: Double
  }

  /// The road segments of one path through the previous fix, this fix and the next one.
  public struct Path: Hashable, Sendable {
    /// Indices of the candidates; nil where there is no such fix.
    public var before: Int?
    public var here: Int
    public var after: Int?
    public var segments: [SegmentReference]
    public var totalNats: Double
  }

  /// Index of the fix in the trace.
  public var index: Int
  /// The candidates, the likeliest first.
  public var candidates: [Candidate]
  public var winner: Path?
  public var runnerUp: Path?
  /// Reasons for the decision, one sentence each.
  public var reasons: [String]
}

extension Emission {
  /// Returns the terms of `log` by kind.
  func evidence(
    _ candidate: MapMatching.Candidate, traits: RoadTraits, isOnRoute: Bool
  ) -> FixExplanation.Evidence {
    let d = candidate.distanceM / sigmaM
    var evidence = FixExplanation.Evidence()
    evidence.distance = -d * d / 2 * distanceWeight
    evidence.course = courseNats(candidate) * weight
    evidence.speed = speedNats(traits) * weight
    evidence.route = isOnRoute ? routeNats * weight : 0
    evidence.road =
      -weight
      * ((candidate.state.isAgainst ? againstNats : 0)
        + (traits.isMinor ? minorRoadNats : 0)
        + (traits.isByway ? bywayNats : 0))
    evidence.total = log(candidate, traits: traits, isOnRoute: isOnRoute)
    return evidence
  }
}
