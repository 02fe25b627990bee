public import Foundations
public import Geodesy
import Route

/// The position of the driver on the route, and what is left of the route.
public struct Progress: Hashable, Sendable {
  /// What is left up to the end of one section, from the location.
  public struct SectionLeft: Hashable, Sendable {
    public var section: Int
    public var remainingM: Double
    /// At the driver's pace, including rests at stops before the end of the section.
    public var remainingS: Double
    /// Part of these seconds that traffic adds; negative if traffic is faster than usual.
    public var delayS: Double
    /// Part of these seconds that are rests.
    public var restS: Double
  }

  public struct ManeuverLeft: Hashable, Sendable {
    public var index: Int
    public var remainingM: Double
    public var remainingS: Double
  }

  public var routeID: String
  /// False while the location is not matched; the last position is kept.
  public var isOnRoute: Bool
  public var time: Instant
  public var travelledM: Double
  public var section: Int
  public var travelledOnSectionM: Double
  public var sections: [SectionLeft]
  /// The next maneuver and the one after it.
  public var maneuvers: [ManeuverLeft]
  public var segment: Int
  public var shapeIndex: Int
  public var shapeFraction: Double
  public var place: Coordinate
  public var bearingDeg: Double?
  /// The measured speed; nil while the location is estimated.
  public var speedMps: Double?
  public var speedLimitMps: Double?
  public var isEstimated: Bool
  /// Index of the first waypoint that was neither reached nor missed; nil if it is not known.
  public var nextWaypoint: Int?
  /// Time of the traffic that the seconds are based on; nil for that of the route's computation.
  public var trafficTime: Instant?
  /// Where the route ends.
  public var destination: Coordinate?

  public var remainingM: Double { sections.last?.remainingM ?? 0 }
  public var remainingS: Double { sections.last?.remainingS ?? 0 }
  public var restS: Double { sections.last?.restS ?? 0 }
}

extension RouteTrack {
  /// The progress at the track's position; nil as long as the vehicle has not been on the route.
  public func progress(
    at time: Instant, isOnRoute: Bool, nextManeuver: Int, skipping skipped: Set<Int> = [],
    rests: Rests = Rests(), pace: DrivingPace = DrivingPace(), speedMps: Double?, isEstimated: Bool
  ) -> Progress? {
    guard let travelledM else { return nil }
    let section = sectionIndex(atM: travelledM)
    let sections = (section..<max(section, route.sections.count)).map { index in
      let end = route.sections[index].startM + route.sections[index].lengthM
      let latest = latestS(fromM: travelledM, toM: end)
      let paced = latestS(fromM: travelledM, toM: end, pace: pace)
      let restS = rests.s(before: route.sections[index].lastWaypoint, of: route)
      return Progress.SectionLeft(
        section: index, remainingM: max(0, end - travelledM), remainingS: paced + restS,
        delayS: latest - freeFlowS(fromM: travelledM, toM: end), restS: restS)
    }
    let left = (min(nextManeuver, route.maneuvers.count)..<route.maneuvers.count).lazy
      .filter { !skipped.contains($0) }
    let maneuvers = Array(left.prefix(2)).map { index in
      Progress.ManeuverLeft(
        index: index, remainingM: max(0, route.maneuvers[index].offsetM - travelledM),
        remainingS: latestS(fromM: travelledM, toM: route.maneuvers[index].offsetM))
    }
    let span = route.spans.isEmpty ? nil : route.spans[spanIndex(atM: travelledM)]
    return Progress(
      routeID: route.id, isOnRoute: isOnRoute, time: time, travelledM: travelledM,
      section: section,
      travelledOnSectionM: route.sections.isEmpty
        ? travelledM : travelledM - route.sections[section].startM,
      sections: sections, maneuvers: maneuvers, segment: segment,
      shapeIndex: shapeIndex(atM: travelledM), shapeFraction: shapeFraction(atM: travelledM),
      place: coordinate(atM: travelledM), bearingDeg: bearingDeg(atM: travelledM),
      speedMps: isEstimated ? nil : speedMps, speedLimitMps: span?.road.speedLimitMps,
      isEstimated: isEstimated, destination: route.shape.last)
  }
}

/// The rests that are still to come, and the current one.
public struct Rests: Hashable, Sendable {
  /// Index of the first waypoint that is not settled yet.
  public var nextWaypoint: Int
  /// Remaining seconds of the current rest.
  public var underWayS: Double

  public init(nextWaypoint: Int = 1, underWayS: Double = 0) {
    self.nextWaypoint = nextWaypoint
    self.underWayS = underWayS
  }

  func s(before waypoint: Int, of route: Route) -> Double {
    // The current rest is at the waypoint before the next one, and precedes everything after it.
    (waypoint >= nextWaypoint ? underWayS : 0) + route.restS(from: nextWaypoint, before: waypoint)
  }
}
