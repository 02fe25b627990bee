public import Geodesy
public import Route

/// Reports which stops were reached and which were missed, each once.
///
/// The first waypoint never counts, and pass-through points count only if requested. A stop is
/// missed if the vehicle continues past it to a later section without coming within 50 m of it.
/// Stops added by the router count in addition to the waypoints, in the order of their places.
public struct MilestoneTracker: Codable, Hashable, Sendable {
  public struct Milestone: Codable, Hashable, Sendable {
    public enum Outcome: String, Codable, Hashable, Sendable {
      case reached
      case missed
    }
    public enum Stop: Hashable, Sendable, Codable {
      /// Index in the route's waypoints.
      case waypoint(Int)
      /// Index in the route's added stops.
      case added(Int)
    }
    public var outcome: Outcome
    public var stop: Stop
    /// Closest approach of the vehicle in metres; nil if it started beyond the stop.
    public var distanceM: Double?

    /// Index in the route's waypoints; nil for a stop that the router added.
    public var waypoint: Int? {
      if case .waypoint(let index) = stop { index } else { nil }
    }
  }

  public var includesPassThrough: Bool
  /// Whether only the first of several stops at the same place is reported.
  public var skipsCoincident = false
  /// Stops within this distance in metres are at the same place.
  public var coincidentM = 10.0
  /// A passed stop counts as reached if the vehicle came within this distance in metres.
  public var missRadiusM = 50.0
  /// Distance before a stop, in metres along the route, at which it counts as reached.
  public var reachM = 20.0
  /// Index of the first waypoint that has not been reported.
  public private(set) var next = 1
  /// Index of the first added stop that has not been reported.
  public internal(set) var nextAdded = 0
  /// Where the vehicle boarded, as reported on the previous route; the same boarding is not
  /// reported again.
  var boarded: Coordinate?
  // Closest approach to each waypoint, and to each added stop, that is not yet settled.
  private var nearestM: [Int: Double] = [:]
  var nearestAddedM: [Int: Double] = [:]
  // The vehicle was off the route since its last position on it, so the route in between was not
  // driven.
  private var wasElsewhere = false

  public init(includesPassThrough: Bool = false) {
    self.includesPassThrough = includesPassThrough
  }

  /// A watch that continues after the first `next` waypoints and `nextAdded` added stops, as after
  /// a restart.
  public init(includesPassThrough: Bool, next: Int, nextAdded: Int = 0) {
    self.init(includesPassThrough: includesPassThrough)
    self.next = max(1, next)
    self.nextAdded = max(0, nextAdded)
  }

  /// Whether an unsettled stop lies before an offset on the route.
  func hasStop(beforeM metres: Double, on route: Route) -> Bool {
    (next..<max(next, route.waypoints.count - 1)).contains {
      route.waypoints[$0].original.kind == .stopover
        && route.waypoints[$0].offsetM < metres - reachM
    }
  }

  /// Returns the stops that a new location settles; the destination is left to the arrival.
  ///
  /// `isDriven` is true if the route since `before` was driven; otherwise only the location itself
  /// counts.
  public mutating func moved(
    on track: RouteTrack, from before: Double?, place: Coordinate, isDriven: Bool = true
  ) -> [Milestone] {
    guard let travelledM = track.travelledM else { return [] }
    defer { wasElsewhere = false }
    let approach = Approach(
      track: track, fromM: wasElsewhere || !isDriven ? nil : before, toM: travelledM, place: place,
      isJoining: before == nil)
    let reported = waypoints(approach) + addedStops(approach)
    return reported.sorted { track.route.offsetM(of: $0.stop) < track.route.offsetM(of: $1.stop) }
  }

  private mutating func waypoints(_ approach: Approach) -> [Milestone] {
    let route = approach.track.route
    let waypoints = route.waypoints
    var reported: [Milestone] = []
    while next < waypoints.count - 1 {
      let waypoint = waypoints[next]
      let near = Self.come(near: next, approach.distanceM(to: waypoint.matched), of: &nearestM)
      guard approach.toM >= waypoint.offsetM - reachM else { break }
      if isReported(next, of: route) {
        reported.append(milestone(.waypoint(next), near: near, approach))
      }
      nearestM[next] = nil
      next += 1
    }
    return reported
  }

  /// Settles the next stop, which was passed on another road, with the given outcome.
  mutating func settleNext(_ outcome: Milestone.Outcome, distanceM: Double) -> Milestone {
    defer { next += 1 }
    nearestM[next] = nil
    return Milestone(outcome: outcome, stop: .waypoint(next), distanceM: distanceM)
  }

  /// Records the distance to a stop, and returns the closest approach so far.
  @discardableResult static func come(
    near stop: Int, _ distanceM: Double, of nearestM: inout [Int: Double]
  ) -> Double {
    let near = min(nearestM[stop] ?? .infinity, distanceM)
    nearestM[stop] = near
    return near
  }

  /// The outcome for a stop that is passed.
  func milestone(_ stop: Milestone.Stop, near: Double, _ approach: Approach) -> Milestone {
    // A vehicle that joins the route beyond the stop has not driven past it.
    let reached = !approach.isJoining && near <= missRadiusM || near <= reachM
    return Milestone(
      outcome: reached ? .reached : .missed, stop: stop,
      distanceM: approach.isJoining && !reached ? nil : near)
  }

  /// Records a location off the route, since the vehicle may approach a stop on another road.
  mutating func sawElsewhere(_ place: Coordinate, on route: Route) {
    wasElsewhere = true
    for index in next..<max(next, route.waypoints.count - 1) {
      let distanceM = place.distanceM(to: route.waypoints[index].matched)
      Self.come(near: index, distanceM, of: &nearestM)
    }
    for index in nextAdded..<max(nextAdded, route.addedStops.count) {
      let distanceM = place.distanceM(to: route.addedStops[index].place)
      Self.come(near: index, distanceM, of: &nearestAddedM)
    }
  }

  // Pass-through points only if requested; of several stops at the same place only the first, if so
  // configured.
  private func isReported(_ index: Int, of route: Route) -> Bool {
    let waypoint = route.waypoints[index]
    guard waypoint.original.kind == .stopover else { return includesPassThrough }
    guard skipsCoincident else { return true }
    let earlier = route.waypoints[1..<index].last { $0.original.kind == .stopover }
    return earlier.map { $0.matched.distanceM(to: waypoint.matched) > coincidentM } ?? true
  }

  /// Settles the destination as reached; earlier stops that were not reported are missed.
  public mutating func arrived(on route: Route) -> [Milestone] {
    var reported: [Milestone] = []
    while next < route.waypoints.count - 1 {
      if isReported(next, of: route) {
        reported.append(
          Milestone(outcome: .missed, stop: .waypoint(next), distanceM: nearestM[next]))
      }
      next += 1
    }
    reported = (reported + addedStopsLeft(on: route)).sorted {
      route.offsetM(of: $0.stop) < route.offsetM(of: $1.stop)
    }
    if next == route.waypoints.count - 1 {
      reported.append(Milestone(outcome: .reached, stop: .waypoint(next), distanceM: 0))
      next += 1
    }
    return reported
  }
}
