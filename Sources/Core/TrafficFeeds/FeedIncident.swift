public import Geodesy
public import RoadGraph

/// The kind of an incident, with values from Protocols/types/incident.yaml.
public enum IncidentKind: String, Hashable, Sendable, CaseIterable {
  case accident
  case congestion
  case construction
  case roadClosed = "road_closed"
  case laneRestriction = "lane_restriction"
  case vehicleBrokenDown = "vehicle_broken_down"
  case obstacle
  case weather
  case event
  case other
}

/// How much an incident obstructs traffic, with values from Protocols/types/incident.yaml.
public enum IncidentImpact: String, Hashable, Sendable, CaseIterable {
  case low
  case minor
  case major
  case critical
}

/// An incident as a feed reports it, before it is placed on a map.
public struct FeedIncident: Hashable, Sendable {
  /// Unique within the feed.
  public var id: String
  public var kind: IncidentKind
  /// nil if the feed does not rate it.
  public var impact: IncidentImpact?
  /// A sentence for people.
  public var text: String?
  public var place: FeedPlace
  public var effect: FeedEffect
  public var validity: FeedValidity

  public init(
    id: String, kind: IncidentKind, impact: IncidentImpact? = nil, text: String? = nil,
    place: FeedPlace = FeedPlace(), effect: FeedEffect = FeedEffect(),
    validity: FeedValidity = FeedValidity()
  ) {
    self.id = id
    self.kind = kind
    self.impact = impact
    self.text = text
    self.place = place
    self.effect = effect
    self.validity = validity
  }
}

/// The direction of a road to which an incident applies.
public enum FeedDirection: String, Hashable, Sendable {
  /// The direction in which a line is drawn.
  case along
  /// Against the direction in which a line is drawn.
  case against
  case both
  /// Both directions of the carriageway that a line runs along, without a separate opposite carriageway.
  case road
}

/// Where an incident is: segments if the feed names them, otherwise points, lines and areas.
public struct FeedPlace: Hashable, Sendable {
  public var segments: [SegmentReference] = []
  public var points: [Coordinate] = []
  public var lines: [[Coordinate]] = []
  /// Lines by reference; if they are found in the map, points, lines and areas are for display
  /// only.
  public var references: [OpenLRReference] = []
  /// Each line consists of its two ends only; the road between them is unknown.
  public var hasEndsOnly = false
  /// Each an outer ring and its holes.
  public var areas: [[[Coordinate]]] = []
  /// nil: along lines, and both directions at points.
  public var direction: FeedDirection?
  /// Direction of travel at points, clockwise from north; nil if not known.
  public var bearingDeg: Double?
  /// Number of the road as signed, which selects among the roads near a point; nil if not known.
  public var roadNumber: String?
  /// The incident is on slip roads only, not on the main road.
  public var isSlipRoad = false

  public init() {}

  public init(
    points: [Coordinate] = [], lines: [[Coordinate]] = [], direction: FeedDirection? = nil,
    bearingDeg: Double? = nil
  ) {
    self.points = points
    self.lines = lines
    self.direction = direction
    self.bearingDeg = bearingDeg
  }

  /// Whether the place has neither segments nor references nor coordinates.
  public var isEmpty: Bool {
    segments.isEmpty && references.isEmpty && points.isEmpty && lines.isEmpty && areas.isEmpty
  }

  /// All coordinates, in the order points, lines, outer rings, references.
  public var coordinates: [Coordinate] {
    points + lines.flatMap { $0 } + areas.flatMap { $0.first ?? [] }
      + references.flatMap { $0.points.map(\.at) }
  }
}

/// What an incident does to traffic while it holds.
public struct FeedEffect: Hashable, Sendable {
  /// No motor vehicle gets through.
  public var isClosed: Bool
  /// nil if not known.
  public var lanesClosed: Int?
  /// Lanes that stay open; nil if not known.
  public var lanesOpen: Int?
  /// A temporary or advised limit.
  public var speedLimitMps: Double?
  /// Measured or observed speed of traffic.
  public var speedMps: Double?
  /// Observed jam factor, from 0, free, to 10, closed.
  public var jamFactor: Double?
  /// Seconds that the incident costs.
  public var delayS: Double?

  public init(
    isClosed: Bool = false, lanesClosed: Int? = nil, lanesOpen: Int? = nil,
    speedLimitMps: Double? = nil, speedMps: Double? = nil, jamFactor: Double? = nil,
    delayS: Double? = nil
  ) {
    self.isClosed = isClosed
    self.lanesClosed = lanesClosed
    self.lanesOpen = lanesOpen
    self.speedLimitMps = speedLimitMps
    self.speedMps = speedMps
    self.jamFactor = jamFactor
    self.delayS = delayS
  }
}
