public import Geodesy
public import Route

/// Tells which stops were reached and which were missed, each once.
///
/// The first waypoint never counts; pass-throughs only where asked for. Missed means that the way
/// went on past a stop, to a later section, without coming within 50 m of it. Stops that the router
/// added count beside the waypoints, in the order of their places.
public struct MilestoneWatch: Codable, Hashable, Sendable {
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
    /// How near the vehicle came, in metres; nil where it started beyond.
    public var distanceM: Double?

    /// Index in the route's waypoints; nil for a stop that the router added.
    public var waypoint: Int? {
      if case .waypoint(let index) = stop { index } else { nil }
    }
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
  /// Index of the first added stop not yet told of.
  public internal(set) var nextAdded = 0
  /// Where it boarded, as was told on the route before; the same boarding is not told again.
  var boarded: Coordinate?
  // How near the vehicle came to each waypoint, and each added stop, still to come.
  private var nearestM: [Int: Double] = [:]
  var nearestAddedM: [Int: Double] = [:]
  // It was off the route since its last place on it: the route between was not driven.
  private var wasElsewhere = false

  public init(includesPassThrough: Bool = false) {
    self.includesPassThrough = includesPassThrough
  }

  /// A watch that goes on behind the first `next` waypoints and `nextAdded` added stops, as after a
  /// restart.
  public init(includesPassThrough: Bool, next: Int, nextAdded: Int = 0) {
    self.init(includesPassThrough: includesPassThrough)
    self.next = max(1, next)
    self.nextAdded = max(0, nextAdded)
  }

  /// Whether a stop that is not settled lies before a place on the route.
  func hasStop(beforeM metres: Double, on route: Route) -> Bool {
    (next..<max(next, route.waypoints.count - 1)).contains {
      route.waypoints[$0].original.kind == .stopover
        && route.waypoints[$0].offsetM < metres - reachM
    }
  }

  /// What a new location settles; the destination is left to the arrival.
  ///
  /// `isDriven` says whether the route since `before` was driven; otherwise only the place itself counts.
  public mutating func moved(
    on track: RouteTrack, from before: Double?, place: Coordinate, isDriven: Bool = true
  ) -> [Milestone] {
    guard let travelledM = track.travelledM else { return [] }
    defer { wasElsewhere = false }
    let approach = Approach(
      track: track, fromM: wasElsewhere || !isDriven ? nil : before, toM: travelledM, place: place,
      isJoining: before == nil)
    let told = waypoints(approach) + addedStops(approach)
    return told.sorted { track.route.offsetM(of: $0.stop) < track.route.offsetM(of: $1.stop) }
  }

  private mutating func waypoints(_ approach: Approach) -> [Milestone] {
    let route = approach.track.route
    let waypoints = route.waypoints
    var told: [Milestone] = []
    while next < waypoints.count - 1 {
      let waypoint = waypoints[next]
      let near = Self.come(near: next, approach.distanceM(to: waypoint.matched), of: &nearestM)
      guard approach.toM >= waypoint.offsetM - reachM else { break }
      if isTold(next, of: route) {
        told.append(milestone(.waypoint(next), near: near, approach))
      }
      nearestM[next] = nil
      next += 1
    }
    return told
  }

  /// Settles the next stop, which was passed on another road, with the given outcome.
  mutating func settleNext(_ outcome: Milestone.Outcome, distanceM: Double) -> Milestone {
    defer { next += 1 }
    nearestM[next] = nil
    return Milestone(outcome: outcome, stop: .waypoint(next), distanceM: distanceM)
  }

  /// Notes that the vehicle came near a stop; says how near it came at all.
  @discardableResult static func come(
    near stop: Int, _ distanceM: Double, of nearestM: inout [Int: Double]
  ) -> Double {
    let near = min(nearestM[stop] ?? .infinity, distanceM)
    nearestM[stop] = near
    return near
  }

  /// The verdict on a stop that is passed.
  func milestone(_ stop: Milestone.Stop, near: Double, _ approach: Approach) -> Milestone {
    // A route that is joined beyond the stop has not been driven past it.
    let reached = !approach.isJoining && near <= missRadiusM || near <= reachM
    return Milestone(
      outcome: reached ? .reached : .missed, stop: stop,
      distanceM: approach.isJoining && !reached ? nil : near)
  }

  /// Notes a place off the route: one may come near a stop by another road.
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

  // Pass-throughs only where asked for; of stops at one place the first, where it is wanted so.
  private func isTold(_ index: Int, of route: Route) -> Bool {
    let waypoint = route.waypoints[index]
    guard waypoint.original.kind == .stopover else { return includesPassThrough }
    guard skipsCoincident else { return true }
    let earlier = route.waypoints[1..<index].last { $0.original.kind == .stopover }
    return earlier.map { $0.matched.distanceM(to: waypoint.matched) > coincidentM } ?? true
  }

  /// The way to a destination that was reached; what lay before it and was not told of is missed.
  public mutating func arrived(on route: Route) -> [Milestone] {
    var told: [Milestone] = []
    while next < route.waypoints.count - 1 {
      if isTold(next, of: route) {
        told.append(Milestone(outcome: .missed, stop: .waypoint(next), distanceM: nearestM[next]))
      }
      next += 1
    }
    told = (told + addedStopsLeft(on: route)).sorted {
      route.offsetM(of: $0.stop) < route.offsetM(of: $1.stop)
    }
    if next == route.waypoints.count - 1 {
      told.append(Milestone(outcome: .reached, stop: .waypoint(next), distanceM: 0))
      next += 1
    }
    return told
  }
}
