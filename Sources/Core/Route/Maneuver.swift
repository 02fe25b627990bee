public import Geodesy

/// The action of the driver.
public enum ManeuverAction: Codable, Hashable, Sendable {
  case depart
  /// At a stopover or the destination.
  case arrive
  /// Follow the road where it could be mistaken, or where it changes its name.
  case continueOn
  case turn(TurnGrade)
  case uTurn(Side)
  /// Take one of two or more equal roads: left, middle (`ahead`) or right.
  case fork(Side)
  /// Leave a motorway or a similar road.
  case exit(Side)
  /// Take a ramp onto a major road.
  case ramp(Side)
  /// Join the major road; the side on which its traffic drives.
  case merge(Side)
  /// Enter a roundabout and leave it at the given exit, as drivers count exits.
  case roundabout(exit: Int)
  case ferry
}

/// How sharp a turn is, in seven grades with the U-turn apart.
public enum TurnGrade: String, Codable, Hashable, Sendable, CaseIterable {
  case sharpLeft = "sharp_left"
  case left
  case slightLeft = "slight_left"
  case straight
  case slightRight = "slight_right"
  case right
  case sharpRight = "sharp_right"
}

/// One action at one place of the route.
public struct Maneuver: Codable, Hashable, Sendable {
  public var action: ManeuverAction
  public var place: Coordinate
  /// Metres from the route's start.
  public var offsetM: Double
  public var section: Int
  /// Index of the first segment after it; the last segment for an arrival.
  public var segment: Int
  public var shapeIndex: Int
  /// Right is positive, -180 to 180; nil for departure, arrival and roundabouts.
  public var turnAngleDeg: Double?
  /// From entry to exit of a roundabout, positive to the right if traffic drives on the right.
  public var roundaboutAngleDeg: Double?
  public var bearingBeforeDeg: Double
  public var bearingAfterDeg: Double
  public var from: RoadFacts
  public var onto: RoadFacts
  public var signpost: Signpost?
  /// Left to right; empty if none are known.
  public var lanes: [Lane]
  /// Metres and seconds to the next maneuver.
  public var lengthM: Double
  public var durationS: Double
  /// The same seconds, in three variants.
  public var durations: Durations
  /// Index of the first segment of the road that it leads onto.
  ///
  /// It is greater than `segment` if the maneuver spans a roundabout or a slip road.
  public var lastSegment: Int
  /// Segments at whose start an exit is passed before the one to take, one entry for each exit.
  ///
  /// Empty unless the route begins in the roundabout.
  public var passedExits: [Int]
  /// Whether a change of name needs no announcement, because no other road leads on nearly
  /// straight.
  public var isPlain: Bool
  /// Side of an arrival.
  public var side: Side?
  /// A sentence without a distance: `Turn left onto High Street`.
  public var text: String

  public init(
    action: ManeuverAction, place: Coordinate, offsetM: Double, section: Int, segment: Int,
    shapeIndex: Int, turnAngleDeg: Double?, roundaboutAngleDeg: Double?,
    bearingBeforeDeg: Double, bearingAfterDeg: Double, from: RoadFacts, onto: RoadFacts,
    signpost: Signpost?, lanes: [Lane], lengthM: Double, durationS: Double, side: Side?,
    text: String, durations: Durations? = nil, lastSegment: Int? = nil,
    passedExits: [Int] = [], isPlain: Bool = false
  ) {
    self.action = action
    self.place = place
    self.offsetM = offsetM
    self.section = section
    self.segment = segment
    self.shapeIndex = shapeIndex
    self.turnAngleDeg = turnAngleDeg
    self.roundaboutAngleDeg = roundaboutAngleDeg
    self.bearingBeforeDeg = bearingBeforeDeg
    self.bearingAfterDeg = bearingAfterDeg
    self.from = from
    self.onto = onto
    self.signpost = signpost
    self.lanes = lanes
    self.lengthM = lengthM
    self.durationS = durationS
    self.side = side
    self.text = text
    self.durations =
      durations ?? Durations(freeFlowS: durationS, trafficS: durationS, latestS: durationS)
    self.lastSegment = lastSegment ?? segment
    self.passedExits = passedExits
    self.isPlain = isPlain
  }
}

/// The content of the sign at a junction.
public struct Signpost: Codable, Hashable, Sendable {
  /// Empty if the exit has no number.
  public var exitNumber: String
  public var exitName: String
  /// Places and roads, the most important first.
  public var destinations: [String]
  public var roadNumbers: [String]

  public init(
    exitNumber: String = "", exitName: String = "", destinations: [String] = [],
    roadNumbers: [String] = []
  ) {
    self.exitNumber = exitNumber
    self.exitName = exitName
    self.destinations = destinations
    self.roadNumbers = roadNumbers
  }
}

/// One lane before a maneuver.
public struct Lane: Codable, Hashable, Sendable {
  public enum Recommendation: String, Codable, Hashable, Sendable, CaseIterable {
    case notRecommended = "not_recommended"
    case recommended
    /// Also right for the maneuver after the next one.
    case highlyRecommended = "highly_recommended"
  }

  /// Directions of its arrows: `left`, `through`, `slight_right`, ..., in the words of OSM's
  /// `turn:lanes`.
  public var directions: [String]
  public var recommendation: Recommendation
  /// The arrow to follow, one of `directions`; nil if the lane does not lead to the maneuver.
  public var active: String?
  /// Its exclusive users in OSM's words: `bus`, `taxi`, `hov`, `bicycle`; empty if it is open to
  /// all.
  public var access: [String]

  public init(
    directions: [String], recommendation: Recommendation, active: String? = nil,
    access: [String] = []
  ) {
    self.access = access
    self.directions = directions
    self.recommendation = recommendation
    self.active = active
  }
}
