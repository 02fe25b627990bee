public import Geodesy
public import RoadGraph
public import Route

/// A place of a question, with what was said of it alone.
public struct OSRMPlace: Hashable, Sendable {
  public enum Approach: Hashable, Sendable {
    case unrestricted
    /// On the side of the road on which one drives.
    case curb
    /// On the other side.
    case opposite
  }

  /// Degrees clockwise from north, and how far the road may differ either way.
  public struct Bearing: Hashable, Sendable {
    public var deg: Double
    public var rangeDeg: Double
  }

  public var coordinate: Coordinate
  public var bearing: Bearing?
  /// Metres; nil for no limit of the client's.
  public var radiusM: Double?
  public var approach = Approach.unrestricted
  public var hint: OSRMHint?

  public init(_ coordinate: Coordinate) { self.coordinate = coordinate }
}

/// How a line is written.
public enum OSRMGeometry: String, Hashable, Sendable {
  case polyline
  case polyline6
  case geojson
}

public enum OSRMOverview: String, Hashable, Sendable {
  case simplified
  case full
  case none = "false"
}

/// What is told of each piece of a leg.
public enum OSRMAnnotation: String, Hashable, Sendable, CaseIterable {
  case nodes
  case distance
  case duration
  case datasources
  case weight
  case speed
}

/// How a route is to be written.
public struct OSRMLook: Hashable, Sendable {
  public var steps = false
  public var annotations: Set<OSRMAnnotation> = []
  public var geometry = OSRMGeometry.polyline
  public var overview = OSRMOverview.simplified
  public init() {}
}

public struct OSRMTableWish: Hashable, Sendable {
  /// Indices of places; nil for all.
  public var sources: [Int]?
  public var destinations: [Int]?
  public var durations = true
  public var distances = false
  /// Metres a second over the straight line where no road leads.
  public var fallbackSpeedMps: Double?
  /// The straight line is between the places on the road, not those that were given.
  public var fallbackIsSnapped = false
  public var scaleFactor = 1.0
  public init() {}
}

/// A question in OSRM's v5 API.
public struct OSRMQuestion: Hashable, Sendable {
  public enum Service: Hashable, Sendable {
    /// `alternatives` more than the best; `goesOn`: no turning back at places on the way, nil for the
    /// mode's habit.
    case route(alternatives: Int, goesOn: Bool?)
    case nearest(count: Int)
    case table(OSRMTableWish)
    /// Seconds since 1970 of each place; `splits` where time or roads leave a gap.
    case match(timesS: [Double], splits: Bool, tidies: Bool)
  }

  public var mode: TravelMode
  public var service: Service
  public var places: [OSRMPlace]
  public var look = OSRMLook()
  /// Indices of the places at which legs end, in order; nil for all.
  public var waypoints: [Int]?
  public var exclude: Set<Avoidance> = []
  /// Size, weight and load; 0 for what the question does not name.
  public var vehicle = VehicleSize()
  /// Also roads from which none lead on.
  public var snapsAnywhere = false
  public var givesHints = true
  public var givesWaypoints = true

  /// Whether a place is so particular that the nearest road which fits may lie far away.
  public var isNarrow: Bool {
    places.contains { $0.bearing != nil || $0.approach != .unrestricted } || !exclude.isEmpty
  }

  public init(mode: TravelMode, service: Service, places: [OSRMPlace]) {
    self.mode = mode
    self.service = service
    self.places = places
  }
}

/// The most that one question may ask for; what OSRM's own server allows.
public struct OSRMLimits: Hashable, Sendable {
  public var routePlaces = 500
  public var matchPlaces = 100
  public var tablePlaces = 100
  public var nearestCount = 100
  public var alternatives = 3
  /// Metres around a place of a trace within which roads are weighed.
  public var matchRadiusM = 500.0
  public init() {}
}
