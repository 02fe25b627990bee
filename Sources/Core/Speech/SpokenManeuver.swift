/// The side of the road, or of the vehicle.
public enum Side: String, Codable, Hashable, Sendable, CaseIterable {
  case left
  case right
}

/// The direction and sharpness of a turn in common terms.
public enum SpokenTurn: String, Codable, Hashable, Sendable, CaseIterable {
  case sharpLeft
  case left
  case slightLeft
  case straight
  case slightRight
  case right
  case sharpRight

  /// The side that the turn goes to; nil for straight on.
  public var side: Side? {
    switch self {
    case .sharpLeft, .left, .slightLeft: .left
    case .straight: nil
    case .slightRight, .right, .sharpRight: .right
    }
  }
}

/// The action of the driver at one place, in the distinctions that languages make.
public enum SpokenAction: Codable, Hashable, Sendable {
  case turn(SpokenTurn)
  /// A turn where the road ends, so that it is not possible to stay on it.
  case endOfRoad(SpokenTurn)
  case uTurn
  /// The same road under another name.
  case follow
  /// Straight on where another road looks like the continuation.
  case goStraight
  /// nil for the middle of three.
  case keep(Side?)
  /// Leaving a motorway.
  case takeExit(Side?)
  /// A slip road onto something bigger.
  case takeRamp(Side?)
  case merge(Side?)
  /// `exit` counts from 1; nil if it is not known.
  case roundabout(exit: Int?)
  case leaveRoundabout
  /// An exit of the roundabout that the vehicle is in, counted from the vehicle's position.
  case roundaboutExit(Int)
  case boardFerry
  case leaveFerry
  case arrive(StopKind, Side?)
  /// The end of the road towards an off-road stop: metres and direction from there to the stop.
  case arriveOffRoad(StopKind, distanceM: Double, Heading?)
}

/// The kind of place at an arrival.
public enum StopKind: Codable, Hashable, Sendable {
  case destination
  /// A stopover, with its name if it has one.
  case stop(name: String?)
}

/// The term for an unnamed road used by walkers or cyclists.
public enum SpokenPathKind: String, Codable, Hashable, Sendable, CaseIterable {
  case crossing
  case steps
  case corridor
  case cyclePath
  case path
  case track
}

/// A road as signs name it.
public struct RoadName: Codable, Hashable, Sendable {
  /// `High Street`.
  public var name: String?
  /// `A 28`, or several separated by semicolons.
  public var number: String?
  /// ISO 3166-1 code of the country that named the road; nil if unknown.
  public var country: String?
  /// The kind of road if it has neither name nor number; nil for streets.
  public var path: SpokenPathKind?

  public init(
    name: String? = nil, number: String? = nil, country: String? = nil, path: SpokenPathKind? = nil
  ) {
    self.name = name
    self.number = number
    self.country = country
    self.path = path
  }

  /// Whether the road has neither a name nor a number.
  public var isUnknown: Bool { name == nil && number == nil }

  public static let unknown = RoadName()
}

/// One maneuver, prepared for conversion to text.
public struct SpokenManeuver: Codable, Hashable, Sendable {
  public var action: SpokenAction
  /// The road that it leads to.
  public var onto: RoadName
  /// Destinations on the signpost, the nearest first.
  public var toward: [String]
  /// The motorway exit's number: `12 B`.
  public var exitNumber: String?
  /// Whether the maneuver leads onto the road that the vehicle is already on.
  public var staysOnRoad: Bool
  /// True if a cyclist dismounts there; nil otherwise.
  public var pushes: Bool?

  public init(
    _ action: SpokenAction, onto: RoadName = .unknown, toward: [String] = [],
    exitNumber: String? = nil, staysOnRoad: Bool = false, pushes: Bool? = nil
  ) {
    self.pushes = pushes
    self.action = action
    self.onto = onto
    self.toward = toward
    self.exitNumber = exitNumber
    self.staysOnRoad = staysOnRoad
  }

  /// The same maneuver without the parts that the listener has switched off.
  public func keeping(streetNames: Bool, roadNumbers: Bool, signposts: Bool) -> SpokenManeuver {
    var kept = self
    if !streetNames { kept.onto.name = nil }
    if !roadNumbers { kept.onto.number = nil }
    if !signposts {
      kept.toward = []
      kept.exitNumber = nil
    }
    return kept
  }
}

/// The amount of detail about a maneuver.
public enum ManeuverDetail: String, Codable, Hashable, Sendable, CaseIterable {
  /// Distance, action, road name and number, signpost.
  case full
  /// Distance, action, one name.
  case shortened
  /// The action and one name, without a distance.
  case named
  /// The action alone.
  case terse

  /// Whether it is spoken so near the maneuver that the distance is left out.
  public var isNear: Bool { self == .named || self == .terse }
}
