public import Geodesy

/// What the driver does.
public enum ManeuverAction: Codable, Hashable, Sendable {
  case depart
  /// At a stopover or the destination.
  case arrive
  /// Follow the road where it could be mistaken, or it changes its name.
  case continueOn
  case turn(TurnGrade)
  case uTurn(Side)
  /// One of two or more equal ways: left, middle (`ahead`) or right.
  case fork(Side)
  /// Leave a motorway or a like road.
  case exit(Side)
  /// Take a ramp onto a greater road.
  case ramp(Side)
  /// Join the greater road; the side on which its traffic runs.
  case merge(Side)
  /// Enter a roundabout and leave it at the exit counted as drivers count.
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

/// One thing to do at one place of the route.
public struct Maneuver: Codable, Hashable, Sendable {
  public var action: ManeuverAction
  public var place: Coordinate
  /// Metres from the route's start.
  public var offsetM: Double
  public var section: Int
  /// Index of the first segment after it; the last segment for an arrival.
  public var segment: Int
  public var shapeIndex: Int
  /// Right positive, -180 to 180; nil for departure, arrival and roundabouts.
  public var turnAngleDeg: Double?
  /// From entry to exit of a roundabout, right positive where traffic drives on the right.
  public var roundaboutAngleDeg: Double?
  public var bearingBeforeDeg: Double
  public var bearingAfterDeg: Double
  public var from: RoadFacts
  public var onto: RoadFacts
  public var signpost: Signpost?
  /// Left to right; empty where none are known.
  public var lanes: [Lane]
  /// Metres and seconds to the next maneuver.
  public var lengthM: Double
  public var durationS: Double
  /// The same seconds, three ways.
  public var durations: Durations
  /// Index of the first segment of the road that it leads onto; greater than `segment` where it
  /// spans a roundabout or a slip road.
  public var lastSegment: Int
  /// Segments at whose start an exit is passed before the one to take, one entry for each exit.
  ///
  /// Empty unless the route begins in the roundabout.
  public var passedExits: [Int]
  /// Whether a change of name needs no word, because no other road leads on nearly straight.
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

/// What the sign at a junction says.
public struct Signpost: Codable, Hashable, Sendable {
  /// Empty where the exit has no number.
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
    /// Right for the maneuver after the next as well.
    case highlyRecommended = "highly_recommended"
  }

  /// Where its arrows point: `left`, `through`, `slight_right`, ..., as OSM's `turn:lanes` words them.
  public var directions: [String]
  public var recommendation: Recommendation
  /// The arrow to follow, one of `directions`; nil where the lane does not serve the maneuver.
  public var active: String?
  /// Who alone may use it, in OSM's words: `bus`, `taxi`, `hov`, `bicycle`; empty where all may.
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
