public import Geodesy
public import Positioning
public import RoadGraph

/// Why a fix is on no road (MM-5).
public enum NoMatchReason: String, Codable, Hashable, Sendable, CaseIterable {
  /// No road of the mode is near, or no road is as likely as being off-road.
  case offRoad = "off_road"
  case noTime = "no_time"
  /// The map does not cover this place.
  case noMapData = "no_map_data"
  /// The fix is not plausible after the previous fixes.
  case outlier
  /// Nothing is known yet, and this fix is too weak to start with.
  case warmingUp = "warming_up"
  // New cases come last, because a handover between matchers identifies them by their index.
  /// The accuracy of the fix is too poor to determine its road.
  case inaccurate
  /// The fix has the same time as the previous one.
  case repeatedTime = "repeated_time"
  /// The receiver repeats an old position while the vehicle moves on.
  case frozen
}

/// A fix matched to a road.
public struct MatchedPlace: Hashable, Sendable {
  public var coordinate: Coordinate
  /// Direction of travel, clockwise from north.
  public var bearingDeg: Double
  /// The place in the graph: metres from the tail of the edge, also for travel against it.
  public var position: RoadPosition
  /// The edge, and whether it is driven against its one-way direction.
  public var state: TravelState
  /// The road segment in the direction of travel; reversed for travel against a one-way street.
  public var segment: SegmentReference
  /// Metres from the start of that segment in the direction of travel.
  public var offsetM: Double
  /// Edges driven since the previous match, the first and last included; empty if unknown.
  public var path: [TravelState]
  /// Probability of this edge, 0 to 1.
  public var probability: Double
  /// Metres between the fix and the road.
  public var distanceM: Double
  public var isInTunnel: Bool
  /// OSM layer of the road.
  public var zLevel: Int
  /// Standard deviation of the place along the road.
  public var uncertaintyM: Double

  public init(
    coordinate: Coordinate, bearingDeg: Double, position: RoadPosition, state: TravelState,
    segment: SegmentReference,
    offsetM: Double, path: [TravelState], probability: Double, distanceM: Double,
    isInTunnel: Bool, zLevel: Int, uncertaintyM: Double
  ) {
    self.coordinate = coordinate
    self.bearingDeg = bearingDeg
    self.position = position
    self.state = state
    self.segment = segment
    self.offsetM = offsetM
    self.path = path
    self.probability = probability
    self.distanceM = distanceM
    self.isInTunnel = isInTunnel
    self.zLevel = zLevel
    self.uncertaintyM = uncertaintyM
  }
}

extension MatchedPlace {
  /// Whether the vehicle drives against a one-way street (MM-7).
  public var isWrongWay: Bool { state.isAgainst }
}

/// The result of matching one fix (MM-6).
public struct Match: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    case matched(MatchedPlace)
    case noMatch(NoMatchReason)
  }

  public var outcome: Outcome
  /// The fix as received.
  public var fix: Fix
  /// Probability of being on no known road; nil if nothing was evaluated.
  @CompactOptional public var offRoadProbability: Double?
  /// Probability of being on roads that the active route does not use in this direction.
  ///
  /// It is nil without a route and in smoothed answers. Near a node a road consists of several
  /// edges: each may be unlikely although the vehicle has certainly left the route.
  @CompactOptional public var offRouteProbability: Double?
  /// The matcher started anew here after a jump (MM-4).
  public var isTeleport: Bool
  /// Number of candidates evaluated.
  public var candidateCount: Int
  /// Number of other places on a path that may still turn out to be the true one.
  ///
  /// It is 0 if the place is certain, and in the answers of an online matcher.
  public var alternativeCount = 0

  public init(
    outcome: Outcome, fix: Fix, offRoadProbability: Double? = nil,
    offRouteProbability: Double? = nil, isTeleport: Bool = false, candidateCount: Int = 0
  ) {
    self.outcome = outcome
    self.fix = fix
    self.offRoadProbability = offRoadProbability
    self.offRouteProbability = offRouteProbability
    self.isTeleport = isTeleport
    self.candidateCount = candidateCount
  }

  /// The place on the road; nil without a match.
  public var place: MatchedPlace? {
    guard case .matched(let place) = outcome else { return nil }
    return place
  }

  /// Why there is no match; nil with one.
  public var reason: NoMatchReason? {
    guard case .noMatch(let reason) = outcome else { return nil }
    return reason
  }
}
