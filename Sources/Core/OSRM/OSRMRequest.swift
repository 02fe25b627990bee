public import Geodesy
public import RoadGraph
public import Route

/// A place of a request, with its own options.
public struct OSRMPlace: Hashable, Sendable {
  public enum Approach: Hashable, Sendable {
    case unrestricted
    /// On the side of the road on which traffic drives.
    case curb
    /// On the other side.
    case opposite
  }

  /// Degrees clockwise from north, and the allowed deviation of the road to either side.
  public struct Bearing: Hashable, Sendable {
    public var deg: Double
    public var rangeDeg: Double
  }

  public var coordinate: Coordinate
  public var bearing: Bearing?
  /// Metres; nil if the client sets no limit.
  public var radiusM: Double?
  public var approach = Approach.unrestricted
  public var hint: OSRMHint?

  public init(_ coordinate: Coordinate) { self.coordinate = coordinate }
}

/// The encoding of a line.
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

/// A kind of annotation for each piece of a leg.
public enum OSRMAnnotation: String, Hashable, Sendable, CaseIterable {
  case nodes
  case distance
  case duration
  case datasources
  case weight
  case speed
}

/// The output format of a route.
public struct OSRMOutputFormat: Hashable, Sendable {
  public var steps = false
  public var annotations: Set<OSRMAnnotation> = []
  public var geometry = OSRMGeometry.polyline
  public var overview = OSRMOverview.simplified
  public init() {}
}

public struct OSRMTableOptions: Hashable, Sendable {
  /// Indices of places; nil for all.
  public var sources: [Int]?
  public var destinations: [Int]?
  public var durations = true
  public var distances = false
  /// Speed along the straight line if there is no path, in metres per second.
  public var fallbackSpeedMps: Double?
  /// Whether the straight line is between the snapped positions and not between the given places.
  public var fallbackIsSnapped = false
  public var scaleFactor = 1.0
  public init() {}
}

/// A request of OSRM's v5 API.
public struct OSRMRequest: Hashable, Sendable {
  public enum Service: Hashable, Sendable {
    /// Up to `alternatives` routes more than the best.
    ///
    /// With `goesOn`, the route does not turn back at places along it; nil for the default of the
    /// mode.
    case route(alternatives: Int, goesOn: Bool?)
    case nearest(count: Int)
    case table(OSRMTableOptions)
    /// Seconds since 1970 of each place; `splits` if time or roads leave a gap.
    case match(timesS: [Double], splits: Bool, tidies: Bool)
  }

  public var mode: TravelMode
  public var service: Service
  public var places: [OSRMPlace]
  public var format = OSRMOutputFormat()
  /// Indices of the places where legs end, in order; nil for all.
  public var waypoints: [Int]?
  public var exclude: Set<Avoidance> = []
  /// Size, weight and load; 0 for values that the request does not contain.
  public var vehicle = VehicleSize()
  /// Whether to snap also to roads that lead nowhere.
  public var snapsAnywhere = false
  public var givesHints = true
  public var givesWaypoints = true

  /// Whether a place is so restricted that the nearest suitable road may be far away.
  public var isNarrow: Bool {
    places.contains { $0.bearing != nil || $0.approach != .unrestricted } || !exclude.isEmpty
  }

  public init(mode: TravelMode, service: Service, places: [OSRMPlace]) {
    self.mode = mode
    self.service = service
    self.places = places
  }
}

/// The limits of one request; the defaults of OSRM's own server.
public struct OSRMLimits: Hashable, Sendable {
  public var routePlaces = 500
  public var matchPlaces = 100
  public var tablePlaces = 100
  public var nearestCount = 100
  public var alternatives = 3
  /// Radius in metres around a point of a trace within which roads are considered.
  public var matchRadiusM = 500.0
  public init() {}
}
