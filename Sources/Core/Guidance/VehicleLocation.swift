public import Foundations
public import Geodesy
public import RoadAhead
public import RoadGraph
public import Route

/// One location as guidance sees it: where the vehicle is, and how certain that is.
public struct VehicleLocation: Codable, Hashable, Sendable {
  /// The result of the matcher; nil if there is no match.
  public struct Match: Codable, Hashable, Sendable {
    public var place: Coordinate
    public var bearingDeg: Double?
    public var segment: SegmentReference
    /// Metres from the start of the segment.
    public var offsetM: Double
    /// Probability of this piece of road, 0 to 1.
    public var probability: Double
    /// Total probability of all roads that the active route does not use; nil if that is not known.
    public var offRouteProbability: Double?
    /// Segments driven since the previous match, including the first and the last; empty if not
    /// known.
    public var path: [SegmentReference]
    public var isWrongWay: Bool
    /// The match started again: it is not known how the vehicle reached this place.
    public var isTeleport: Bool

    public init(
      place: Coordinate, bearingDeg: Double?, segment: SegmentReference, offsetM: Double,
      probability: Double, offRouteProbability: Double? = nil, path: [SegmentReference] = [],
      isWrongWay: Bool = false, isTeleport: Bool = false
    ) {
      self.place = place
      self.bearingDeg = bearingDeg
      self.segment = segment
      self.offsetM = offsetM
      self.probability = probability
      self.offRouteProbability = offRouteProbability
      self.path = path
      self.isWrongWay = isWrongWay
      self.isTeleport = isTeleport
    }
  }

  public var time: Instant
  public var match: Match?
  /// The unmatched fix; nil for an estimated location.
  public var raw: Coordinate?
  /// Radius of 68 % in metres; nil if the receiver did not report it.
  public var accuracyM: Double?
  public var speedMps: Double?
  /// Whether the receiver measured the speed; false if it was derived from positions alone.
  public var isSpeedMeasured: Bool
  public var isEstimated: Bool
  /// Whether the matcher did not use the fix, because it is an outlier or has no map there.
  ///
  /// Such a fix is no evidence of where the vehicle is.
  public var isUnused: Bool?
  /// Attributes of the road in the map; nil if there is no map or no match.
  public var road: RoadFacts?
  /// Further attributes of the road, and its limits at this moment; nil like `road`.
  public var situation: RoadSituation?
  public var limits: SpeedLimits?

  public init(
    time: Instant, match: Match?, raw: Coordinate?, accuracyM: Double? = nil,
    speedMps: Double? = nil, isSpeedMeasured: Bool = true, isEstimated: Bool = false,
    road: RoadFacts? = nil,
    situation: RoadSituation? = nil, limits: SpeedLimits? = nil
  ) {
    self.time = time
    self.match = match
    self.raw = raw
    self.accuracyM = accuracyM
    self.speedMps = speedMps
    self.isSpeedMeasured = isSpeedMeasured
    self.isEstimated = isEstimated
    self.road = road
    self.situation = situation
    self.limits = limits
  }

  /// The best known position: on the road if matched, otherwise the fix.
  public var place: Coordinate? { match?.place ?? raw }
}
