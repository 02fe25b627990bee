public import enum Route.WarningKind

/// Everything that can be spoken: a closed list, so that no language omits a case.
///
/// Distances are in metres, before rounding for speech.
public enum Phrase: Codable, Hashable, Sendable {
  /// The start of a route; `then` is the first maneuver if it is near.
  ///
  /// The distance `inM` is in metres, and nil if the maneuver follows at once.
  case depart(heading: Heading?, onto: RoadName, then: SpokenManeuver?, inM: Double?)
  /// One maneuver; a wording for near maneuvers leaves the distance out.
  case maneuver(SpokenManeuver, ManeuverDetail, inM: Double)
  /// Two maneuvers close together, as one sentence.
  case doubleManeuver(SpokenManeuver, then: SpokenManeuver, ManeuverDetail, inM: Double)
  /// The road to follow, and the maneuver at its end, with one close after that in the same sentence.
  case follow(on: RoadName, then: SpokenManeuver, second: SpokenManeuver?, inM: Double)
  /// A long distance without maneuvers, and the maneuver at its end.
  case continueFor(lengthM: Double, on: RoadName, then: SpokenManeuver?)
  case arrived(StopKind, Side?)
  case missedStop(StopKind)
  /// The road to a stop ends here; the stop itself is off-road, at this distance and direction.
  case offRoad(StopKind, distanceM: Double, Heading?)
  case offRoadReached
  case offRoute
  case rerouting
  case noNewRoute
  /// A better route; `isTaken` is true if it is already followed.
  case fasterRoute(gainS: Double, isTaken: Bool)
  /// A route around a closed road; `isTaken` is true if it is already followed.
  case wayAround(isTaken: Bool)
  /// A road ahead on the route is closed.
  case roadClosed
  /// The limit in m/s; nil if it is not known.
  case speedWarning(limitMps: Double?)
  /// Something to be aware of; nil distance: it is here.
  case warner(WarningKind, inM: Double?)
  case signalLost
  case signalFound
  case tunnel
}

extension Phrase {
  /// Whether it is valid only while the route that it is about is followed.
  public var isAboutRoute: Bool {
    switch self {
    case .depart, .maneuver, .doubleManeuver, .follow, .continueFor, .missedStop, .offRoad,
      .offRoute, .rerouting, .noNewRoute, .fasterRoute, .wayAround, .roadClosed:
      true
    case .arrived, .offRoadReached, .speedWarning, .warner, .signalLost, .signalFound, .tunnel:
      false
    }
  }
}

/// One of eight directions of the compass.
public enum Heading: Int, Codable, Hashable, Sendable, CaseIterable {
  case north
  case northEast
  case east
  case southEast
  case south
  case southWest
  case west
  case northWest

  /// The direction nearest to `bearingDeg`, clockwise from true north; nil if that is not finite.
  public init?(bearingDeg: Double) {
    guard bearingDeg.isFinite else { return nil }
    let turns = bearingDeg / 360
    let fraction = turns - turns.rounded(.down)
    self.init(rawValue: Int((fraction * 8).rounded()) % 8)
  }
}
