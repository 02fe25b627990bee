import EventTime
import Geodesy
public import RoadGraph
import Route

/// Decides when the destination is reached.
///
/// The matched way comes within 20 m of it (15 m on foot or by bicycle), between two fixes too, or
/// ends within 50 m of it standing still for 10 s.
public struct ArrivalWatch: Codable, Hashable, Sendable {
  public enum Rule: String, Codable, Hashable, Sendable {
    case passedWithin = "passed_within"
    case standingNear = "standing_near"
  }

  public struct Arrival: Codable, Hashable, Sendable {
    public var rule: Rule
    public var distanceM: Double
  }

  public var radiusM: Double
  public var standingRadiusM = 50.0
  public var standingS = 10.0
  // Far from the end of the route the destination's neighbourhood is only driven past.
  private var lastStretchM: Double { 150 }
  private var lastPlace: Coordinate?
  private var standingSince: Instant?
  private var standingPlace: Coordinate?

  public init(mode: TravelMode) {
    radiusM = mode == .bicycle || mode == .pedestrian ? 15 : 20
  }

  /// The verdict for one more location; `isOnRoute` says whether the track's place is of now.
  public mutating func moved(_ sighting: Sighting, on track: RouteTrack, isOnRoute: Bool)
    -> Arrival?
  {
    guard let destination = track.route.waypoints.last?.matched else { return nil }
    let before = lastPlace
    lastPlace = sighting.match?.place
    guard let place = sighting.match?.place else { return nil }
    let remaining = track.route.lengthM - (track.travelledM ?? 0)
    if isOnRoute {
      guard remaining <= radiusM else { return standing(sighting, place, destination, remaining) }
      return Arrival(
        rule: .passedWithin, distanceM: min(remaining, place.distanceM(to: destination)))
    }
    guard track.travelledM != nil, passedEnd(sighting, track, remaining: remaining) else {
      return standing(sighting, place, destination, remaining)
    }
    let driven = Polyline([before ?? place, place])
    let near = driven.projection(of: destination)?.distanceM ?? .infinity
    guard near <= radiusM else { return standing(sighting, place, destination, remaining) }
    return Arrival(rule: .passedWithin, distanceM: near)
  }

  // Off the route, but by way of its last segment, or with little of it left.
  private func passedEnd(_ sighting: Sighting, _ track: RouteTrack, remaining: Double) -> Bool {
    if remaining <= lastStretchM { return true }
    guard let last = track.route.segments.last?.reference, let match = sighting.match else {
      return false
    }
    return ([match.segment] + match.path).contains { $0 == last || $0 == last.reversed }
  }

  private mutating func standing(
    _ sighting: Sighting, _ place: Coordinate, _ destination: Coordinate, _ remaining: Double
  ) -> Arrival? {
    let distance = place.distanceM(to: destination)
    guard distance <= standingRadiusM, remaining <= lastStretchM else {
      standingSince = nil
      return nil
    }
    let isStill =
      sighting.speedMps.map { $0 < 0.5 }
      ?? (standingPlace.map { $0.distanceM(to: place) < 5 } ?? false)
    standingPlace = place
    guard isStill else {
      standingSince = nil
      return nil
    }
    let since = standingSince ?? sighting.time
    standingSince = since
    guard sighting.time.seconds(since: since) >= standingS else { return nil }
    return Arrival(rule: .standingNear, distanceM: distance)
  }
}
