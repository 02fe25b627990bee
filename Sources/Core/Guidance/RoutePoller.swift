public import Foundations
public import Geodesy
import RoadGraph
public import Route

/// Searches for a faster route while one is followed: when to check, and what counts as faster.
///
/// Driven by locations only; without them it does not poll, however long it waits.
public struct RoutePoller: Codable, Hashable, Sendable {
  public struct Settings: Codable, Hashable, Sendable {
    /// Seconds between checks; 0 checks at every location.
    public var intervalS = 600.0
    /// Longest interval between checks while a road ahead is closed, in seconds.
    public var closedIntervalS = 60.0
    /// The same while a better route is proposed to the driver.
    public var openIntervalS = 30.0
    /// Increase of the travel time in one update that triggers an early check, in seconds.
    public var suddenS = 300.0
    /// Required gain in seconds; nil or 0 switches this threshold off.
    public var minTimeDifferenceS: Double?
    /// Required gain as a share of the remaining seconds; nil or 0 switches it off.
    public var minTimeDifferenceShare: Double?
    /// Checks allowed on one route; nil for any number.
    public var budget: Int?
    public init() {}

    /// Whether a check can find anything; with both thresholds off, no check is made.
    public var findsAny: Bool { (minTimeDifferenceS ?? 0) > 0 || (minTimeDifferenceShare ?? 0) > 0 }
  }

  /// The latest position on the route, from the navigator's progress.
  public struct Place: Codable, Hashable, Sendable {
    public var routeID: String
    public var section: Int
    public var travelledOnSectionM: Double
    public var travelledM: Double
    public var coordinate: Coordinate
    public var bearingDeg: Double?
    public var speedMps: Double?
    /// Index of the first waypoint that was neither reached nor missed; nil if it is not known.
    public var nextWaypoint: Int?

    public init(
      routeID: String, section: Int, travelledOnSectionM: Double, travelledM: Double,
      coordinate: Coordinate, bearingDeg: Double?, speedMps: Double?, nextWaypoint: Int? = nil
    ) {
      self.routeID = routeID
      self.section = section
      self.travelledOnSectionM = travelledOnSectionM
      self.travelledM = travelledM
      self.coordinate = coordinate
      self.bearingDeg = bearingDeg
      self.speedMps = speedMps
      self.nextWaypoint = nextWaypoint
    }
  }

  public enum Event: Hashable, Sendable {
    /// Another route, the same one again, or none.
    case routeChanged(Route?)
    /// A planned route is watched before the start; nil ends that.
    case planned(Route?)
    /// A location anywhere was received; a planned route is watched from its own start.
    case located(at: Instant)
    /// A location on the route.
    case moved(Place, at: Instant)
    /// A location off the route.
    case offRoute(at: Instant)
    /// Both answers to a check: the new route, and the seconds left on the old one at the same
    /// moment.
    case answered(check: UInt64, route: Route, oldRemainingS: Double)
    case failed(check: UInt64, NavigatorProblem)
    case arrived
    /// A better route is proposed to the driver under this identity, or that proposal has ended.
    case proposed(id: String, isOpen: Bool)
    /// The clock was set by this many seconds, negative for back.
    case clockSet(bySeconds: Double)
  }

  public enum Output: Hashable, Sendable {
    /// Request a new route from the place, and the price of the old one from there.
    case check(UInt64, RouteRequest, handle: String, Place)
    case cancel(UInt64)
    case found(BetterRoute, thresholdS: Double, checks: Int)
    case problem(NavigatorProblem, routeID: String?)
  }

  /// Whether a route is being followed rather than only planned.
  public var isFollowing: Bool { route != nil && !isPlanned }
  public var routeID: String? { route?.id }
  /// The planned route that is watched; nil if there is none.
  public var planned: Route? { isPlanned ? route : nil }
  public var settings: Settings
  /// Checks made on the route being followed.
  public private(set) var checks = 0
  /// Identity of the last route that was refused because it has no handle; each route is refused
  /// once.
  public var refusedRouteID: String?
  private var route: Route?
  /// Whether the route is only planned and not yet followed.
  private var isPlanned = false
  private var lastCheck: Instant?
  /// Whether a new closure or a long jam requires a check before the interval ends.
  private var isUrgent: Bool?
  private var underWay: UInt64?
  /// Whether the current check allows turning back at once, because nothing else avoids a closed
  /// road.
  private var allowsTurningBack: Bool?
  private var nextCheck: UInt64 = 1
  private var place: Place?
  /// Identity of the better route that is proposed to the driver; nil for none.
  private var proposal: String?

  public init(settings: Settings) { self.settings = settings }

  public mutating func handle(_ event: Event) -> [Output] {
    switch event {
    case .routeChanged(let new):
      // The absence of a followed route does not matter while a route is planned.
      if isPlanned, new == nil { return [] }
      if let new, new.id == route?.id { learnTraffic(of: new) }
      isPlanned = false
      return follow(new)
    case .planned(let new):
      guard isPlanned || route == nil else { return [] }
      isPlanned = new != nil
      return follow(new)
    case .located(let now):
      guard isPlanned, let route, let start = route.shape.first else { return [] }
      let place = Place(
        routeID: route.id, section: 0, travelledOnSectionM: 0, travelledM: 0, coordinate: start,
        bearingDeg: nil, speedMps: nil)
      return moved(place, at: now)
    case .moved(let place, let now): return moved(place, at: now)
    case .offRoute(let now): return offRoute(at: now)
    case .answered(let check, let new, let oldS): return judge(check, new, oldRemainingS: oldS)
    case .failed(let check, let problem):
      guard check == underWay else { return [] }
      underWay = nil
      return [.problem(problem, routeID: route?.id)]
    case .arrived: return follow(nil)
    case .proposed(let id, let isOpen):
      if isOpen { proposal = id } else if id == proposal { proposal = nil }
      return []
    case .clockSet(let seconds):
      lastCheck = lastCheck?.advanced(bySeconds: seconds)
      return []
    }
  }

  // Starting again with the same route has no effect.
  private mutating func follow(_ new: Route?) -> [Output] {
    guard new?.id != route?.id else { return [] }
    defer {
      route = new
      lastCheck = nil
      isUrgent = nil
      underWay = nil
      place = nil
      proposal = nil
      checks = 0
    }
    return (underWay.map { [.cancel($0)] } ?? []) + refusal(of: new)
  }

  // Stores the same route with newer traffic. A new closure or a long jam triggers a check at once.
  private mutating func learnTraffic(of new: Route) {
    let travelledM = place?.travelledM ?? 0
    let wasClosed = route?.hasClosure(beyondM: travelledM) ?? false
    let addedS = new.durations.latestS - (route?.durations.latestS ?? 0)
    route = new
    let isClosed = new.hasClosure(beyondM: travelledM)
    if isClosed && !wasClosed || addedS >= settings.suddenS { isUrgent = true }
  }

  // A route without a handle is refused at once, and not again at each check.
  private mutating func refusal(of new: Route?) -> [Output] {
    guard let new, new.handle == nil, settings.findsAny, new.id != refusedRouteID else {
      return []
    }
    refusedRouteID = new.id
    return [.problem(.handleMissing, routeID: new.id)]
  }

  private mutating func isDue(at now: Instant) -> Bool {
    guard settings.findsAny, route?.handle != nil, underWay == nil else { return false }
    guard settings.intervalS > 0, isUrgent != true else { return true }
    guard let last = lastCheck else {
      lastCheck = now
      return false
    }
    let isClosed = route?.hasClosure(beyondM: place?.travelledM ?? 0) ?? false
    let intervalS = [
      settings.intervalS, isClosed ? settings.closedIntervalS : .infinity,
      proposal == nil ? .infinity : settings.openIntervalS,
    ].reduce(.infinity, min)
    return now.seconds(since: last) >= intervalS
  }

  private mutating func moved(_ place: Place, at now: Instant) -> [Output] {
    guard let route, place.routeID == route.id else { return [] }
    self.place = place
    guard isDue(at: now) else { return [] }
    lastCheck = now
    isUrgent = nil
    guard let handle = route.handle else { return [] }
    guard settings.budget.map({ checks < $0 }) ?? true else { return [] }
    allowsTurningBack = nil
    return [.check(startCheck(), request(route, from: place), handle: handle, place)]
  }

  private mutating func startCheck() -> UInt64 {
    defer { nextCheck += 1 }
    checks += 1
    underWay = nextCheck
    return nextCheck
  }

  /// Checks again for a route that turns back at once, if every route ahead leads over a closed
  /// road.
  private mutating func checkTurningBack(_ route: Route, from place: Place) -> [Output] {
    let usual = request(route, from: place)
    guard allowsTurningBack != true, Self.hasPollerOptions(usual), let handle = route.handle,
      settings.budget.map({ checks < $0 }) ?? true
    else { return [] }
    allowsTurningBack = true
    return [
      .check(startCheck(), Self.request(usual, honouredBy: []), handle: handle, place)
    ]
  }

  private mutating func offRoute(at now: Instant) -> [Output] {
    guard let route, isDue(at: now) else { return [] }
    lastCheck = now
    return [.problem(.offRoute, routeID: route.id)]
  }

  private func request(_ route: Route, from place: Place) -> RouteRequest {
    var request = route.request
    // A stop counts as reached some metres before it, and is not visited again.
    let left =
      place.nextWaypoint.map { Array(route.waypoints.dropFirst(max(1, $0))) }
      ?? route.waypoints.dropFirst().filter { $0.offsetM > place.travelledM + 1 }
    let rest = left.isEmpty ? route.waypoints.suffix(1) : left[...]
    request.waypoints =
      [Waypoint(place: place.coordinate, bearingDeg: place.bearingDeg)] + rest.map(\.original)
    request.departure = nil
    request.alternatives = 0
    let speedMps = place.speedMps ?? 0
    request.firstManeuverClearanceM =
      speedMps > 0 ? max(8 * speedMps, InstructionLead.m(speedMps: speedMps)) : 0
    return request
  }

  // The seconds that a new route must gain: the smaller of the two thresholds decides.
  private func thresholdS(remainingS: Double) -> Double? {
    let absolute = settings.minTimeDifferenceS.flatMap { $0 > 0 ? $0 : nil }
    let relative = settings.minTimeDifferenceShare.flatMap { $0 > 0 ? $0 * remainingS : nil }
    guard let absolute else { return relative }
    return relative.map { min(absolute, $0) } ?? absolute
  }

  private mutating func judge(
    _ check: UInt64, _ new: Route, oldRemainingS: Double
  ) -> [Output] {
    guard check == underWay, let route, let place else { return [] }
    underWay = nil
    let isClosed = route.hasClosure(beyondM: place.travelledM)
    let leadsThrough = isClosed && new.hasClosure(beyondM: 0)
    if leadsThrough {
      let again = checkTurningBack(route, from: place)
      if !again.isEmpty { return again }
    }
    let gain = oldRemainingS - new.durations.latestS
    guard let threshold = thresholdS(remainingS: oldRemainingS), gain >= threshold else {
      return []
    }
    let better = BetterRoute(
      id: "\(route.id)/better-\(check)", routeID: route.id, route: new, gainS: gain,
      longerM: new.lengthM - (route.lengthM - place.travelledM),
      shapeChanged: Self.differs(new, from: route, atM: place.travelledM),
      avoidsClosure: isClosed && !leadsThrough,
      thresholdS: threshold)
    return [.found(better, thresholdS: threshold, checks: checks)]
  }

  // Whether the new route leaves the rest of the old one; lengths alone do not prove it.
  private static func differs(_ new: Route, from old: Route, atM travelledM: Double) -> Bool {
    let rest = old.segments.drop { $0.startM + $0.lengthM <= travelledM }.map(\.reference)
    let fresh = new.segments.map(\.reference)
    guard let first = fresh.first, let start = rest.firstIndex(of: first) else { return true }
    return !rest[start...].elementsEqual(fresh)
  }
}

extension RoutePoller {
  /// Whether the request of a check has options added by the poller, which some engines cannot
  /// honour.
  public static func hasPollerOptions(_ request: RouteRequest) -> Bool {
    request.firstManeuverClearanceM > 0 || request.waypoints.first?.bearingDeg != nil
  }

  /// The request of a check without the poller's own options that an engine cannot honour.
  ///
  /// These are the clearance before the first maneuver and the bearing of the start. `options` are
  /// the engine's, by their names in `route_engine`. Options requested by the driver remain, and an
  /// engine refuses them by name.
  public static func request(
    _ request: RouteRequest, honouredBy options: Set<String>
  ) -> RouteRequest {
    var request = request
    if !options.contains("first_maneuver_clearance_m") { request.firstManeuverClearanceM = 0 }
    if !options.contains("waypoints.bearing_deg"), !request.waypoints.isEmpty {
      request.waypoints[0].bearingDeg = nil
    }
    return request
  }
}

extension NavigatorProblem {
  static let handleMissing = NavigatorProblem(
    code: "route_handle_missing", sentence: "The route has no handle; request it again.")
  static let offRoute = NavigatorProblem(
    code: "could_not_match_origin", sentence: "The vehicle is not on its route.")
}
