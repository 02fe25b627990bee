/// The parameters of a routing engine.
public struct RoutingTuning: Hashable, Sendable {
  /// Metres from the first waypoint within which a road must lie.
  public var originRadiusM = 1000.0
  /// Metres from every later waypoint within which a road must lie.
  public var destinationRadiusM = 10_000.0
  /// A destination farther than this from any road is off-road.
  public var matchingRadiusM = 75.0
  /// Roads up to this much farther away than the nearest one are candidates as well.
  public var candidateSlackM = 5.0
  /// Cost of each metre farther than the nearest candidate.
  public var candidateMSPerM: UInt64 = 5_000
  /// Cost of beginning or ending against the requested direction.
  public var againstBearingMS: UInt64 = 180_000
  /// A detour up to this cost is accepted to arrive at the curb, in milliseconds.
  public var acrossRoadMS: UInt64 = 300_000
  /// Directions that differ by at most this angle agree.
  public var bearingToleranceDeg = 60.0
  /// A place farther than this from the line of a motorway is not on it if another road is near.
  public var motorwayHalfWidthM = 10.0
  /// A road up to this much farther than the nearest motorway, tunnel or unsuitable road is
  /// preferred to it.
  public var unlikelySlackM = 100.0
  /// A place this close to the middle of a road is on the road itself, in metres.
  public var roadHalfWidthM = 5.0
  /// If the nearest roads lead nowhere, a road that the mode can leave is tried up to this much
  /// farther away.
  public var leavableSlackM = 150.0
  /// Roads of small islands are snapped to only within this distance, in metres.
  public var islandRadiusM = 50.0

  /// Maximum cost of the sharpest turn of a car, in seconds.
  public var turnS = 7.5
  /// If greater than one, turns across the oncoming traffic cost more.
  public var turnBias = 1.075
  public var uTurnMS: UInt64 = 20_000
  public var signalMS: UInt64 = 2_000

  /// Cost of leaving a motorway, trunk or primary road by a ramp and joining it again by another
  /// one, over the crossing between them.
  public var offAndOnMS: UInt64 = 90_000
  /// Cost of entering a service road from a street: car parks and forecourts are no short cuts.
  public var enterServiceMS: UInt64 = 20_000
  /// Cost of entering a road that is open only to local traffic.
  ///
  /// It is so high that no route leads through such a road if another path exists.
  public var enterDestinationMS: UInt64 = 36_000_000
  public var enterPrivateMS: UInt64 = 72_000_000
  /// Cost of a forbidden turn if the place cannot be reached otherwise.
  public var restrictedTurnMS: UInt64 = 3_600_000
  /// Factor of the time on a road that is to be avoided.
  public var avoidFactor: UInt64 = 100
  /// Factor of the time on an excluded road: a second on it costs more than a day's detour.
  public var excludeFactor: UInt64 = 100_000
  /// Factor of the time on a closed road, and an additional cost.
  public var closedFactor: UInt64 = 100
  public var closedMS: UInt64 = 7_200_000
  /// Seconds that a closed road adds to the travel time of a route that uses it.
  var closedS: Double { Double(closedMS) / 1000 }
  /// Maximum wait before a road that is closed on arrival and opens afterwards.
  public var waitMS: UInt64 = 1_800_000
  /// Cost of entering a road that a sign bars the vehicle from.
  ///
  /// It is higher than for any restricted land. It is paid once, however finely the road is cut.
  public var refusedMS: UInt64 = 172_800_000
  /// Additional cost of a turn that is to be avoided.
  public var avoidedTurnMS: UInt64 = 600_000
  /// From this angle on, a turn across the oncoming traffic is difficult.
  public var difficultTurnDeg = 45.0
  /// Cost of a turn within the first-maneuver clearance.
  public var earlyTurnMS: UInt64 = 45_000

  /// Maximum share of the best route's length that an alternative may use as well.
  public var alternativeSharing = 0.8
  /// Maximum cost of an alternative as a multiple of the best route's cost.
  public var alternativeStretch = 1.4

  public init() {}
}
