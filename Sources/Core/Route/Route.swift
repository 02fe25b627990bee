public import Foundations
public import Geodesy
public import RoadGraph

/// A route through waypoints with all the data that a driver or a screen needs to follow it.
///
/// Immutable and complete; programs that follow it keep indices into it. Indices point into
/// `shape`, `segments`, `spans` and `maneuvers`; metres count from the route's start.
public struct Route: Codable, Hashable, Sendable {
  public var id: String
  /// Identifies the route to the router for 24 hours after its last use; nil for routes without a
  /// handle.
  public var handle: String?
  public var request: RouteRequest
  /// One for each requested waypoint, in travel order.
  public var waypoints: [RouteWaypoint]
  /// All points from the first to the last waypoint on the road.
  public var shape: [Coordinate]
  /// Metres from the start to each point of `shape`, same count.
  public var shapeOffsetsM: [Double]
  /// The directed pieces of road, in order; contiguous.
  public var segments: [RouteSegment]
  /// One for each pair of neighbouring stopovers.
  public var sections: [RouteSection]
  public var spans: [RouteSpan]
  /// The first departs, the last arrives.
  public var maneuvers: [Maneuver]
  /// Without rests on the way.
  public var durations: Durations
  public var boundingBox: BoundingBox
  /// Stack time at which it was computed.
  public var computedAt: Instant
  public var violations: [Violation]
  /// Seconds since the report of the newest traffic used; nil if none was used.
  public var trafficAgeS: Double?
  /// Position of a destination that no road leads to; the straight line starts at the shape's end.
  public var offRoadDestination: Coordinate?
  /// Where the vehicle boards a ferry or car train, in travel order; not among the waypoints.
  public var addedStops: [AddedStop]
  /// The vehicle with legal sizes for missing ones of the request; nil if none is missing, or none
  /// matters.
  public var assumedVehicle: VehicleSize?

  public init(
    id: String, handle: String?, request: RouteRequest, waypoints: [RouteWaypoint],
    shape: [Coordinate], shapeOffsetsM: [Double], segments: [RouteSegment],
    sections: [RouteSection], spans: [RouteSpan], maneuvers: [Maneuver], durations: Durations,
    boundingBox: BoundingBox, computedAt: Instant, violations: [Violation], trafficAgeS: Double?,
    offRoadDestination: Coordinate?, addedStops: [AddedStop] = []
  ) {
    self.id = id
    self.handle = handle
    self.request = request
    self.waypoints = waypoints
    self.shape = shape
    self.shapeOffsetsM = shapeOffsetsM
    self.segments = segments
    self.sections = sections
    self.spans = spans
    self.maneuvers = maneuvers
    self.durations = durations
    self.boundingBox = boundingBox
    self.computedAt = computedAt
    self.violations = violations
    self.trafficAgeS = trafficAgeS
    self.offRoadDestination = offRoadDestination
    self.addedStops = addedStops
  }

  /// Records the vehicle whose sizes were used to find the route, if it differs from that of the
  /// request.
  public mutating func assumeVehicle(_ vehicle: VehicleSize) {
    assumedVehicle = vehicle == request.vehicle ? nil : vehicle
  }

  public var lengthM: Double { shapeOffsetsM.last ?? 0 }

  /// Event time of the newest traffic that was used; nil if none was used.
  public var trafficTime: Instant? {
    trafficAgeS.map { computedAt.advanced(bySeconds: -$0) }
  }

  /// Seconds of all rests at stops between the first waypoint and the last.
  public var restS: Double {
    waypoints.dropFirst().dropLast().reduce(0) { $0 + ($1.original.restS ?? 0) }
  }
}

/// Travel times in seconds, in three variants.
public struct Durations: Codable, Hashable, Sendable {
  public var freeFlowS: Double
  /// With the traffic at the time of computation; never changes.
  public var trafficS: Double
  /// With the latest known traffic.
  public var latestS: Double

  public init(freeFlowS: Double, trafficS: Double, latestS: Double) {
    self.freeFlowS = freeFlowS
    self.trafficS = trafficS
    self.latestS = latestS
  }

  public static let zero = Durations(freeFlowS: 0, trafficS: 0, latestS: 0)

  public static func + (a: Self, b: Self) -> Self {
    Durations(
      freeFlowS: a.freeFlowS + b.freeFlowS, trafficS: a.trafficS + b.trafficS,
      latestS: a.latestS + b.latestS)
  }
}

/// A requested waypoint and its position on the road.
public struct RouteWaypoint: Codable, Hashable, Sendable {
  public var original: Waypoint
  public var matched: Coordinate
  /// Metres from the route's start.
  public var offsetM: Double
  /// Index of the section that ends here; the first waypoint has the first section, which begins there.
  public var section: Int
  /// Name of the road that it lies on; empty if it has none.
  public var roadName: String
  /// The side of the road on which the original place lies.
  public var side: Side
  /// Index in the user's list; nil for a waypoint added by the router.
  public var userIndex: Int?
  /// Distance between the given and the matched place, in metres.
  public var distanceM: Double
  /// Point of the shape on which it lies.
  public var shapeIndex: Int
  /// The piece of road that it lies on, and metres along it; nil if not known.
  public var segment: SegmentReference?
  public var segmentOffsetM: Double?
  /// Whether it is farther from any road than the matching radius.
  public var isOffRoad: Bool
  /// Seconds from the departure to the arrival with the traffic at the time of computation.
  ///
  /// Rests before it are included; nil if not known.
  public var arrivalS: Double?

  public init(
    original: Waypoint, matched: Coordinate, offsetM: Double, section: Int, roadName: String,
    side: Side, userIndex: Int?, distanceM: Double = 0, shapeIndex: Int = 0,
    segment: SegmentReference? = nil, segmentOffsetM: Double? = nil, isOffRoad: Bool = false,
    arrivalS: Double? = nil
  ) {
    self.original = original
    // A reroute requests this waypoint again, and the user still knows it by this index.
    self.original.userIndex = userIndex
    self.matched = matched
    self.offsetM = offsetM
    self.section = section
    self.roadName = roadName
    self.side = side
    self.userIndex = userIndex
    self.distanceM = distanceM
    self.shapeIndex = shapeIndex
    self.segment = segment
    self.segmentOffsetM = segmentOffsetM
    self.isOffRoad = isOffRoad
    self.arrivalS = arrivalS
  }
}

public enum Side: String, Codable, Hashable, Sendable {
  case left
  case right
  case ahead
}

/// A directed piece of road in a route.
public struct RouteSegment: Codable, Hashable, Sendable {
  public var reference: SegmentReference
  /// Metres from the route's start to where it is entered.
  public var startM: Double
  /// Metres of it that the route covers.
  public var lengthM: Double
  /// Metres along the whole piece where the route enters it; 0 except for the first of a section.
  public var entryOffsetM: Double
  /// Point of the shape where it is entered.
  public var shapeIndex: Int
  /// Seconds on it, including the turn into it, with the traffic at the time of computation.
  public var durationS: Double

  public init(
    reference: SegmentReference, startM: Double, lengthM: Double, entryOffsetM: Double,
    shapeIndex: Int = 0, durationS: Double = 0
  ) {
    self.reference = reference
    self.startM = startM
    self.lengthM = lengthM
    self.entryOffsetM = entryOffsetM
    self.shapeIndex = shapeIndex
    self.durationS = durationS
  }
}

/// The piece of a route between two stopovers.
public struct RouteSection: Codable, Hashable, Sendable {
  /// Indices of the waypoints at its ends.
  public var firstWaypoint: Int
  public var lastWaypoint: Int
  public var startM: Double
  public var lengthM: Double
  public var durations: Durations
  /// Points of the shape, including the last one.
  public var firstShapeIndex: Int
  public var lastShapeIndex: Int
  public var spans: Range<Int>
  public var maneuvers: Range<Int>

  public init(
    firstWaypoint: Int, lastWaypoint: Int, startM: Double, lengthM: Double, durations: Durations,
    firstShapeIndex: Int, lastShapeIndex: Int, spans: Range<Int>, maneuvers: Range<Int>
  ) {
    self.firstWaypoint = firstWaypoint
    self.lastWaypoint = lastWaypoint
    self.startM = startM
    self.lengthM = lengthM
    self.durations = durations
    self.firstShapeIndex = firstShapeIndex
    self.lastShapeIndex = lastShapeIndex
    self.spans = spans
    self.maneuvers = maneuvers
  }
}

/// A piece of a section with constant attributes.
public struct RouteSpan: Codable, Hashable, Sendable {
  public var startM: Double
  public var lengthM: Double
  public var firstShapeIndex: Int
  public var segments: Range<Int>
  public var durations: Durations
  public var road: RoadFacts
  /// Usual speed without obstruction.
  public var baseSpeedMps: Double
  /// Speed that the durations with the latest traffic are based on.
  public var trafficSpeedMps: Double
  public var trafficKind: SpeedKind
  /// 0 free to 10 closed.
  public var jamFactor: Double
  /// When the traffic speed expires; nil if it is valid until it is replaced.
  public var until: Instant?

  public init(
    startM: Double, lengthM: Double, firstShapeIndex: Int, segments: Range<Int>,
    durations: Durations, road: RoadFacts, baseSpeedMps: Double, trafficSpeedMps: Double,
    trafficKind: SpeedKind, jamFactor: Double, until: Instant? = nil
  ) {
    self.startM = startM
    self.lengthM = lengthM
    self.firstShapeIndex = firstShapeIndex
    self.segments = segments
    self.durations = durations
    self.road = road
    self.baseSpeedMps = baseSpeedMps
    self.trafficSpeedMps = trafficSpeedMps
    self.trafficKind = trafficKind
    self.jamFactor = jamFactor
    self.until = until
  }
}

/// The source of a speed.
public enum SpeedKind: String, Codable, Hashable, Sendable, CaseIterable {
  case live
  case predicted
  case typical
  case freeFlow = "free_flow"
}
