public import Geodesy
public import Route

/// Tells which stops were reached and which were missed, each once.
///
/// The first waypoint never counts; pass-throughs only where asked for. Missed means that the way
/// went on past a stop, to a later section, without coming within 50 m of it.
public struct MilestoneWatch: Codable, Hashable, Sendable {
  public struct Milestone: Codable, Hashable, Sendable {
    public enum Outcome: String, Codable, Hashable, Sendable {
      case reached
      case missed
    }
    public var outcome: Outcome
    /// Index in the route's waypoints.
    public var waypoint: Int
    /// How near the vehicle came, in metres; nil where it started beyond.
    public var distanceM: Double?
  }

  public var includesPassThrough: Bool
  /// Metres within which a stop that was passed counts as reached.
  public var missRadiusM = 50.0
  /// Metres along the route before a stop at which it is reached.
  public var reachM = 20.0
  /// Index of the first waypoint not yet told of.
  public private(set) var next = 1
  private var nearestM: Double?

  public init(includesPassThrough: Bool = false) {
    self.includesPassThrough = includesPassThrough
  }

  /// A watch that goes on behind the first `next` waypoints, as after a restart.
  public init(includesPassThrough: Bool, next: Int) {
    self.init(includesPassThrough: includesPassThrough)
    self.next = max(1, next)
  }

  /// What a new location settles; the destination is left to the arrival.
  public mutating func moved(
    on track: RouteTrack, from before: Double?, place: Coordinate
  ) -> [Milestone] {
    guard let travelledM = track.travelledM else { return [] }
    let waypoints = track.route.waypoints
    var told: [Milestone] = []
    while next < waypoints.count - 1 {
      let waypoint = waypoints[next]
      let passed = travelledM >= waypoint.offsetM - reachM
      let distance = distanceM(to: waypoint, track: track, from: before, to: travelledM, place)
      nearestM = min(nearestM ?? .infinity, distance)
      guard passed else { break }
      if includesPassThrough || waypoint.original.kind == .stopover {
        let near = nearestM ?? .infinity
        // A route that is joined beyond the stop has not been driven past it.
        let reached = before != nil && near <= missRadiusM || near <= reachM
        told.append(
          Milestone(
            outcome: reached ? .reached : .missed, waypoint: next,
            distanceM: before == nil && !reached ? nil : near))
      }
      next += 1
      nearestM = nil
    }
    return told
  }

  // Between two fixes on the route the vehicle drove along it, unless it jumped far.
  private func distanceM(
    to waypoint: RouteWaypoint, track: RouteTrack, from before: Double?, to travelledM: Double,
    _ place: Coordinate
  ) -> Double {
    let now = place.distanceM(to: waypoint.matched)
    guard let before, travelledM > before else { return now }
    let driven = track.shape(fromM: before, toM: travelledM)
    return min(now, driven.projection(of: waypoint.matched)?.distanceM ?? now)
  }

  /// The way to a destination that was reached; what lay before it and was not told of is missed.
  public mutating func arrived(on route: Route) -> [Milestone] {
    var told: [Milestone] = []
    while next < route.waypoints.count - 1 {
      if includesPassThrough || route.waypoints[next].original.kind == .stopover {
        told.append(Milestone(outcome: .missed, waypoint: next, distanceM: nearestM))
      }
      next += 1
      nearestM = nil
    }
    if next == route.waypoints.count - 1 {
      told.append(Milestone(outcome: .reached, waypoint: next, distanceM: 0))
      next += 1
    }
    return told
  }
}
