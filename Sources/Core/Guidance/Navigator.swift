public import EventTime
import Geodesy
import RoadAhead
public import RoadGraph
public import Route

/// Follows a route, or the road where there is none: one location in, all that it means out.
///
/// A value without clock or chance: the same events give the same outputs. Work for one event is
/// logarithmic in the length of the route, and nothing of the route is copied.
public struct Navigator: Codable, Hashable, Sendable {
  public struct Settings: Codable, Hashable, Sendable {
    public var reroute = ReroutePolicy()
    public var better = BetterRoutePolicy()
    public var deviation = DeviationWatch.Tuning()
    public var speed = SpeedWatch.Tuning()
    public var reportsPassThrough = false
    /// Of stops at one place only the first is told of.
    public var skipsCoincidentStops = false
    /// What is done about a stop that was driven past.
    public var onMissed = OnMissed.ask
    /// Seconds between questions for the traffic on the route; 0 for none.
    public var trafficIntervalS = 600.0
    /// A reroute of one who has not been on the route yet leads to its start first.
    public var visitsFirstStopOnStart = false
    /// Where lanes are shown from.
    public var lanes = LaneTuning()
    /// Seconds of the speed at the start of a reroute within which no turn is wanted.
    public var clearanceS = 8.0
    public init() {}
  }

  /// What a missed stop leads to.
  public enum OnMissed: String, Codable, Hashable, Sendable, CaseIterable {
    case ignore
    /// A way back to it is proposed.
    case ask
    case reroute
  }

  /// A new way that waits for the driver's word.
  public struct Proposal: Codable, Hashable, Sendable {
    public var route: Route
    public var reason: RerouteReport.Reason
    /// nil for as long as its reason holds.
    public var expires: Instant?

    public init(route: Route, reason: RerouteReport.Reason, expires: Instant? = nil) {
      self.route = route
      self.reason = reason
      self.expires = expires
    }
  }

  /// All that belongs to the route being followed.
  struct Following: Codable, Hashable, Sendable {
    var track: RouteTrack
    var deviation: DeviationWatch
    var milestones: MilestoneWatch
    var arrival: ArrivalWatch
    var nextManeuver = 0
    /// Maneuvers told as done, each once, also where an estimate had gone past it too early.
    var doneManeuvers = 0
    /// Maneuvers of which nobody is told: at stops at the place of the stop before.
    var skipped: Set<Int> = []
    /// Time of the last location on the route.
    var lastOnRoute: Instant?
    var laneManeuver: Int?
    var lastPriced: Instant?
    /// Moment of the traffic that times count on.
    var trafficTime: Instant?
    var hasArrived = false
    /// Pieces of it are not on the map any more.
    var isOutdated: Bool?

    /// What leads on from its end; nil where the road ends at the destination.
    var offRoadGuide: OffRoadGuide? {
      track.route.offRoadDestination.map {
        OffRoadGuide(destination: $0, radiusM: arrival.radiusM)
      }
    }
  }

  /// What an answer of the router is for.
  enum Purpose: Codable, Hashable, Sendable {
    case start(call: String)
    case reroute(routeID: String, RerouteReport.Reason)
    case waypoints(call: String)
    case traffic(routeID: String)
  }

  struct WaitingStart: Codable, Hashable, Sendable {
    var call: String
    var request: RouteRequest
  }

  public var settings: Settings
  var following: Following?
  var offRoad: OffRoadGuide?
  var reroute: ReroutePolicy
  var better: BetterRoutePolicy
  var speed: SpeedWatch
  var lastSpeed: SpeedState?
  var lastRoad: RoadFacts?
  var lastSituation: RoadSituation?
  var last: Sighting?
  var isPaused = false
  var pending: [UInt64: Purpose] = [:]
  var nextToken: UInt64 = 1
  /// A start that waits for the first location.
  var waitingStart: WaitingStart?
  var proposed: Proposal?

  public init(settings: Settings = Settings()) {
    self.settings = settings
    reroute = settings.reroute
    better = settings.better
    speed = SpeedWatch(tuning: settings.speed)
  }

  /// The route being followed; nil for none, and after the arrival.
  public var route: Route? { following?.track.route }
  public var travelledM: Double? { following?.track.travelledM }
  /// Index of the route's segment at the last place on it; nil as long as there was none.
  public var segment: Int? {
    following.flatMap { $0.track.travelledM == nil ? nil : $0.track.segment }
  }

  /// What the route says of a piece of road that it uses.
  public func road(of reference: SegmentReference) -> RoadFacts? {
    following?.track.road(of: reference)
  }

  public mutating func handle(_ event: NavigatorEvent) -> [NavigatorOutput] {
    switch event {
    case .sighted(let sighting):
      return sighted(sighting)
    case .command(let command, let call, let now):
      return obey(command, call: call, at: now)
    case .routed(let token, let result, let now):
      return routed(token, result, at: now)
    case .priced(let token, let routeID, let prices, let trafficTime, let now):
      return priced(token, routeID, prices, trafficTime, at: now)
    case .notPriced(let token, let problem):
      guard case .traffic(let routeID)? = pending[token] else { return [] }
      pending[token] = nil
      return [.problem(problem, during: "traffic", routeID: routeID)]
    case .betterFound(let found, let now):
      return betterFound(found, at: now)
    case .tick(let now):
      return reviewBetter(at: now)
    case .routeOutdated:
      following?.isOutdated = true
      return []
    }
  }

  mutating func token(for purpose: Purpose) -> UInt64 {
    defer { nextToken += 1 }
    pending[nextToken] = purpose
    return nextToken
  }

  // MARK: Routes

  /// Follows a route; `report` is what it ends, told before anything that is said of it.
  mutating func activate(
    _ route: Route, _ reason: ActivationReason, at now: Instant, ending report: RerouteReport? = nil
  ) -> [NavigatorOutput] {
    var outputs: [NavigatorOutput] = []
    let replaced = following?.track.route.id
    var milestones = milestoneWatch()
    milestones.boarded = following.flatMap { $0.milestones.boarded(on: $0.track) }
    if let void = better.routeChanged() { outputs.append(.better(void, .withdrawn, expires: nil)) }
    outputs += cancelReroutes() + clearLanes()
    following = Following(
      track: RouteTrack(route), deviation: DeviationWatch(tuning: settings.deviation),
      milestones: milestones,
      arrival: ArrivalWatch(mode: route.request.mode), skipped: skippedManeuvers(of: route),
      lastPriced: now)
    offRoad = nil
    isPaused = false
    if reason != .reroute { reroute.settled() }
    outputs.append(.activate(route, reason, replaces: replaced, isPaused: false))
    if let report { outputs.append(.reroute(report)) }
    if let sighting = last, sighting.match != nil { outputs += follow(sighting) }
    return outputs
  }

  mutating func clear() -> [NavigatorOutput] {
    var outputs = cancelReroutes()
    outputs += pending.keys.sorted().map { NavigatorOutput.cancelRequest(token: $0) }
    outputs += pending.keys.sorted().compactMap { abandon($0) }
    pending = [:]
    if let waiting = waitingStart {
      outputs.append(.answer(call: waiting.call, .failure(.superseded)))
      waitingStart = nil
    }
    if let void = better.routeChanged() { outputs.append(.better(void, .withdrawn, expires: nil)) }
    outputs += clearLanes()
    let replaced = following?.track.route.id
    following = nil
    offRoad = nil
    isPaused = false
    reroute.settled()
    if let replaced {
      outputs.append(.activate(nil, .cleared, replaces: replaced, isPaused: false))
    }
    return outputs
  }

  func milestoneWatch(next: Int = 1, nextAdded: Int = 0) -> MilestoneWatch {
    var watch = MilestoneWatch(
      includesPassThrough: settings.reportsPassThrough, next: next, nextAdded: nextAdded)
    watch.skipsCoincident = settings.skipsCoincidentStops
    return watch
  }

  // Departing to a stop where one is, and arriving there; never at the destination.
  func skippedManeuvers(of route: Route) -> Set<Int> {
    guard settings.skipsCoincidentStops else { return [] }
    let watch = milestoneWatch()
    var skipped: Set<Int> = []
    for section in route.sections.dropLast() where section.firstWaypoint > 0 {
      let (from, to) = (
        route.waypoints[section.firstWaypoint], route.waypoints[section.lastWaypoint]
      )
      guard section.lengthM <= watch.coincidentM,
        from.matched.distanceM(to: to.matched) <= watch.coincidentM
      else { continue }
      skipped.formUnion(section.maneuvers)
    }
    return skipped
  }

  // The answer that a caller is owed when his request is given up.
  private func abandon(_ token: UInt64) -> NavigatorOutput? {
    switch pending[token] {
    case .start(let call), .waypoints(let call): .answer(call: call, .failure(.superseded))
    case .reroute, .traffic, nil: nil
    }
  }

  mutating func clearLanes() -> [NavigatorOutput] {
    guard let following, following.laneManeuver != nil else { return [] }
    self.following?.laneManeuver = nil
    return [.lanes(maneuver: nil, [], routeID: following.track.route.id)]
  }

  // MARK: Better routes

  mutating func betterFound(_ found: BetterRoute, at now: Instant) -> [NavigatorOutput] {
    guard let following, !following.hasArrived, found.routeID == following.track.route.id else {
      return []
    }
    better.found(found, at: now)
    return reviewBetter(at: now)
  }

  mutating func reviewBetter(at now: Instant) -> [NavigatorOutput] {
    guard let following, !isPaused else { return [] }
    let here = following.track.travelledM ?? 0
    let next = following.track.route.maneuvers.dropFirst(following.nextManeuver).first
    let toManeuver = next.map { following.track.latestS(fromM: here, toM: $0.offsetM) }
    switch better.review(
      at: now, toManeuverS: toManeuver ?? .infinity,
      toEndS: following.track.latestS(fromM: here, toM: following.track.route.lengthM))
    {
    case .none:
      return []
    case .expire(let old):
      return [.better(old, .expired, expires: nil)]
    case .propose(let found, let expires):
      return [.better(found, .proposed, expires: expires), .wake(at: expires)]
    case .adopt(let found):
      return [.better(found, .accepted, expires: nil)] + activate(found.route, .better, at: now)
    }
  }
}
