public import RoadGraph

/// Why the matcher put a fix where it did: what was weighed, how likely each was, and what told them apart.
///
/// Likelihoods are natural logarithms ("nats"), each less than that of the best by what is said.
public struct FixExplanation: Hashable, Sendable {
  /// One place that the fix may have been taken at.
  public struct Candidate: Hashable, Sendable {
    /// The place; nil for being on no road.
    public var place: MatchedPlace?
    /// What the fix alone says of it, by kind.
    public var evidence: Evidence
    /// What the likeliest way from the fix before costs.
    public var way: Way
    /// What the past, this fix and what came later say of it together, less than the best's.
    public var totalNats: Double
    /// Probability by all ways together, 0 to 1.
    public var probability: Double
  }

  /// What a fix says of a place, in nats; what all places share is left out.
  public struct Evidence: Hashable, Sendable {
    public var distance = 0.0
    public var course = 0.0
    public var speed = 0.0
    /// What the active route adds.
    public var route = 0.0
    /// What driving against a one-way, minor roads and tracks lose.
    public var road = 0.0
    /// The sum, weighed by how much the fix tells that those before it did not.
    public var total = 0.0
  }

  /// How a place was come to.
  public struct Way: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
      case start
      case drive
      /// Noise threw the place back along its road.
      case back
      /// By a way that the map does not have.
      case jump
      case offRoad = "off_road"
    }
    public var kind: Kind
    /// Number of the candidate of the fix before; nil at a start.
    public var from: Int?
    /// Metres by road; nil where there is none.
    public var lengthM: Double?
    /// Metres that the fixes let expect.
    public var expectedM: Double?
    public var nats: Double
  }

  /// The pieces of road of one way through the fix before, this one and the one behind it.
  public struct Path: Hashable, Sendable {
    /// Numbers of the candidates; nil where there is no such fix.
    public var before: Int?
    public var here: Int
    public var after: Int?
    public var segments: [SegmentReference]
    public var totalNats: Double
  }

  /// Number of the fix in the trace.
  public var index: Int
  /// The likeliest first.
  public var candidates: [Candidate]
  public var winner: Path?
  public var runnerUp: Path?
  /// Why it is so, a sentence each.
  public var reasons: [String]
}

extension Emission {
  /// What `log` says, by kind.
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
