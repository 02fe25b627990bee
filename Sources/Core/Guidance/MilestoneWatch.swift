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
  /// Of stops at one place only the first is told of.
  public var skipsCoincident = false
  /// Metres within which two stops are at one place.
  public var coincidentM = 10.0
  /// Metres within which a stop that was passed counts as reached.
  public var missRadiusM = 50.0
  /// Metres along the route before a stop at which it is reached.
  public var reachM = 20.0
  /// Index of the first waypoint not yet told of.
  public private(set) var next = 1
  // How near the vehicle came to each waypoint still to come.
  private var nearestM: [Int: Double] = [:]
  // It was off the route since its last place on it: the route between was not driven.
  private var wasElsewhere = false

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
    defer { wasElsewhere = false }
    let driven = wasElsewhere ? nil : before
    while next < waypoints.count - 1 {
      let waypoint = waypoints[next]
      let passed = travelledM >= waypoint.offsetM - reachM
      let distance = distanceM(to: waypoint, track: track, from: driven, to: travelledM, place)
      nearestM[next] = min(nearestM[next] ?? .infinity, distance)
      guard passed else { break }
      if isTold(next, of: track.route) {
        let near = nearestM[next] ?? .infinity
        // A route that is joined beyond the stop has not been driven past it.
        let reached = before != nil && near <= missRadiusM || near <= reachM
        told.append(
          Milestone(
            outcome: reached ? .reached : .missed, waypoint: next,
            distanceM: before == nil && !reached ? nil : near))
      }
      nearestM[next] = nil
      next += 1
    }
    return told
  }

  /// Notes a place off the route: one may come near a stop by another road.
  mutating func sawElsewhere(_ place: Coordinate, on route: Route) {
    wasElsewhere = true
    for index in next..<max(next, route.waypoints.count - 1) {
      let distance = place.distanceM(to: route.waypoints[index].matched)
      nearestM[index] = min(nearestM[index] ?? .infinity, distance)
    }
  }

  // Pass-throughs only where asked for; of stops at one place the first, where it is wanted so.
  private func isTold(_ index: Int, of route: Route) -> Bool {
    let waypoint = route.waypoints[index]
    guard waypoint.original.kind == .stopover else { return includesPassThrough }
    guard skipsCoincident else { return true }
    let earlier = route.waypoints[1..<index].last { $0.original.kind == .stopover }
    return earlier.map { $0.matched.distanceM(to: waypoint.matched) > coincidentM } ?? true
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
      if isTold(next, of: route) {
        told.append(Milestone(outcome: .missed, waypoint: next, distanceM: nearestM[next]))
      }
      next += 1
    }
    if next == route.waypoints.count - 1 {
      told.append(Milestone(outcome: .reached, waypoint: next, distanceM: 0))
      next += 1
    }
    return told
  }
}
