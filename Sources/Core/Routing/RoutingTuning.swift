/// The numbers that a routing engine works with.
public struct RoutingTuning: Hashable, Sendable {
  /// Metres from the first waypoint within which a road must lie.
  public var originRadiusM = 1000.0
  /// Metres from every later waypoint within which a road must lie.
  public var destinationRadiusM = 10_000.0
  /// A destination farther than this from any road is off-road.
  public var matchingRadiusM = 75.0
  /// Roads this much farther than the nearest one are candidates as well.
  public var candidateSlackM = 5.0
  /// What each metre farther than the nearest candidate costs.
  public var candidateMSPerM: UInt64 = 5_000
  /// What it costs to begin or end against the direction asked for.
  public var againstBearingMS: UInt64 = 180_000
  /// A way round of so long is worth arriving at the curb, milliseconds.
  public var acrossRoadMS: UInt64 = 300_000
  /// Directions that differ by no more than this agree.
  public var bearingToleranceDeg = 60.0
  /// A place farther than this from the line of a motorway does not lie on it where another road is near.
  public var motorwayHalfWidthM = 10.0
  /// A road this much farther than the nearest motorway, tunnel or unsuitable road is taken instead of it.
  public var unlikelySlackM = 100.0
  /// A place so near to the middle of a road is on the road itself, in metres.
  public var roadHalfWidthM = 5.0
  /// Where the nearest roads lead nowhere, a road that the mode can leave is tried up to this much farther away.
  public var leavableSlackM = 150.0
  /// Roads of small islands are not snapped to from farther away.
  public var islandRadiusM = 50.0

  /// Seconds that the sharpest turn of a car costs at most.
  public var turnS = 7.5
  /// Greater than one: turns across the oncoming traffic cost more.
  public var turnBias = 1.075
  public var uTurnMS: UInt64 = 20_000
  public var signalMS: UInt64 = 2_000

  /// What it costs to leave a motorway by a ramp and join it again by another one, over the crossing between them.
  public var offAndOnMS: UInt64 = 90_000
  /// What it costs to enter a service road from a street: car parks and forecourts are no short cuts.
  public var enterServiceMS: UInt64 = 20_000
  /// What it costs to enter a road that is open only to those who have business there.
  ///
  /// So dear that no route leads through one while another way exists.
  public var enterDestinationMS: UInt64 = 36_000_000
  public var enterPrivateMS: UInt64 = 72_000_000
  /// What a banned turn costs when nothing else reaches the place.
  public var bannedTurnMS: UInt64 = 3_600_000
  /// Time on a road that is to be avoided counts this often.
  public var avoidFactor: UInt64 = 100
  /// Times as dear as it lasts is a road that is excluded: a second of it costs more than a day's detour.
  public var excludeFactor: UInt64 = 100_000
  /// Time on a closed road counts this often, and this comes on top.
  public var closedFactor: UInt64 = 100
  public var closedMS: UInt64 = 7_200_000
  /// Seconds that a closed road adds to the travel time of a route that uses it.
  var closedS: Double { Double(closedMS) / 1000 }
  /// A vehicle waits at most so long before a road that is closed when it gets there and opens afterwards.
  public var waitMS: UInt64 = 1_800_000
  /// What it costs to enter a road that a sign does not let the vehicle through.
  ///
  /// More than any land not to be driven through. Paid once, however finely the road is cut.
  public var refusedMS: UInt64 = 172_800_000
  /// A turn that is to be avoided costs this more.
  public var avoidedTurnMS: UInt64 = 600_000
  /// From this angle on a turn across the oncoming traffic is a difficult one.
  public var difficultTurnDeg = 45.0
  /// A turn within the first-maneuver clearance.
  public var earlyTurnMS: UInt64 = 45_000

  /// An alternative shares at most this part of the best route's length.
  public var alternativeSharing = 0.8
  /// An alternative costs at most this often what the best route costs.
  public var alternativeStretch = 1.4

  public init() {}
}
