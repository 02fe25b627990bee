public import Foundations
import Geodesy
import RoadAhead
public import RoadGraph
public import Route

/// Guides one vehicle along a route, and reports the road and its speed limit without a route.
///
/// Each event returns all outputs that it causes.
///
/// It is a value type without clock or randomness: the same events give the same outputs. The work
/// for one event is logarithmic in the length of the route, and no part of the route is copied.
public struct Navigator: Codable, Hashable, Sendable {
  public struct Settings: Codable, Hashable, Sendable {
    public var reroute = ReroutePolicy()
    public var better = BetterRoutePolicy()
    public var deviation = DeviationDetector.Tuning()
    public var speed = SpeedLimitMonitor.Tuning()
    public var reportsPassThrough = false
    /// Whether only the first of several stops at the same place is reported.
    public var skipsCoincidentStops = false
    /// How a missed stop is handled.
    public var onMissed = MissedStopPolicy.ask
    /// Seconds between traffic requests for the route; 0 for none.
    public var trafficIntervalS = 600.0
    /// Minimum seconds between two publications of the active route because of its traffic.
    public var trafficPublishPauseS = 30.0
    /// Seconds for which a start waits for the first location.
    public var locationPatienceS = 30.0
    /// Whether a reroute leads to the first waypoint if the vehicle has not reached the route yet.
    public var visitsFirstStopOnStart = false
    /// The distance from which lanes are shown.
    public var lanes = LaneTuning()
    /// Driving time after the start of a reroute in which turns are avoided, in seconds.
    public var clearanceS = 8.0
    public init() {}
  }

  /// The reaction to a missed stop.
  public enum MissedStopPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    case ignore
    /// Propose a route back to it.
    case ask
    case reroute
  }

  /// A new route that is waiting for the driver's decision.
  public struct Proposal: Codable, Hashable, Sendable {
    public var route: Route
    public var reason: RerouteReport.Reason
    /// nil if it stays valid as long as its reason.
    public var expires: Instant?

    public init(route: Route, reason: RerouteReport.Reason, expires: Instant? = nil) {
      self.route = route
      self.reason = reason
      self.expires = expires
    }
  }

  /// All state that belongs to the route being followed.
  struct Following: Codable, Hashable, Sendable {
    var track: RouteTrack
    var deviation: DeviationDetector
    var milestones: MilestoneTracker
    var arrival: ArrivalDetector
    var nextManeuver = 0
    /// Number of maneuvers reported as done.
    ///
    /// It can exceed `nextManeuver`: an estimated location passed a maneuver, and the next fix shows
    /// that the vehicle has not. The maneuver is not reported a second time.
    var doneManeuvers = 0
    /// Maneuvers that are not reported, because they belong to a stop at the place of the previous
    /// stop.
    var skipped: Set<Int> = []
    /// Time of the last location on the route.
    var lastOnRoute: Instant?
    /// Time of the last estimate on the route since then; nil for none.
    var lastEstimate: Instant?
    var laneManeuver: Int?
    var pricing = TrafficRequestTimes()
    var rest = RestTracker()
    /// Number of consecutive locations on a road of a later section.
    ///
    /// It counts only while the vehicle has stayed on roads of the route. It is nil after the vehicle
    /// took another road, until it is on the route again.
    var laterRun: Int? = 0
    /// The highest index in the user's list of waypoints that this trip has used.
    var lastUserIndex = 0
    var hasArrived = false
    /// Closest approach to the next stop; nil if no stop lies ahead.
    var passed: PassedStop?
    /// Whether this is a reroute to the remaining stops, after the vehicle left the previous route.
    ///
    /// Optional, like `isOutdated` and `isStale`, so that a handover can decode the state of an older
    /// program, which does not contain it; nil means false.
    var isReroute: Bool?
    /// Roads avoided because the driver turned round in front of them.
    var avoided: AvoidedRoads?
    /// Whether the map no longer contains a road of the route; nil means false.
    var isOutdated: Bool?
    /// The roads on which the vehicle may still drive until it turns back to the start of this route; nil for none.
    var turning: TurningBack?

    /// Returns the relation of a location to the route and its destination.
    func situation(_ location: VehicleLocation, isOnRoute: Bool) -> ArrivalDetector.Situation {
      let mode = track.route.request.mode
      let isDriving = mode != .pedestrian && mode != .bicycle
      return ArrivalDetector.Situation(
        isOnRoute: isOnRoute, isLastLeg: milestones.next >= track.route.waypoints.count - 1,
        isOnGrounds: location.match == nil
          || isDriving && (location.road?.roadClass ?? .motorway) >= .service)
    }

    /// Whether an offset (metres) is on the last 150 m of the route, with stops still left before
    /// it.
    func skipsToEnd(at metres: Double) -> Bool {
      track.route.lengthM - metres <= ArrivalDetector.lastStretchM
        && milestones.hasStop(beforeM: metres, on: track.route)
    }

    /// Guidance from the end of the route; nil if the road ends at the destination.
    var offRoadGuide: OffRoadGuide? {
      track.route.offRoadDestination.map {
        OffRoadGuide(destination: $0, radiusM: arrival.radiusM)
      }
    }
  }

  /// When the traffic on the route was requested, computed and published.
  struct TrafficRequestTimes: Codable, Hashable, Sendable {
    /// When traffic was last requested.
    var asked: Instant?
    /// Whether closures or speeds have changed since the last request, so that traffic is requested before the
    /// interval ends; nil means false.
    var isStale: Bool?
    /// Time of the traffic that travel times are based on; nil for that of the route's computation.
    var traffic: Instant?
    /// When the route was published with new traffic; nil if it never was.
    var published: Instant?
    /// Whether traffic has changed visibly since then; nil means false.
    var isUnpublished: Bool?
  }

  /// The last published information about the road that the vehicle is on.
  struct PublishedRoad: Codable, Hashable, Sendable {
    var facts: RoadFacts?
    var situation: RoadSituation?
    var speed: SpeedState?
    /// Time of the last location on a road; nil if there was none.
    var matched: Instant?

    /// Seconds without a match after which the last road is no longer valid.
    static let holdsS = 3.0
  }

  /// What an answer of the router is for.
  enum Purpose: Codable, Hashable, Sendable {
    case start(call: String)
    case reroute(routeID: String, RerouteReport.Reason)
    /// `index` is the position of an added stop in the user's list; nil for a skipped one.
    case waypoints(call: String, index: Int?)
    case traffic(routeID: String)
  }

  struct PendingStart: Codable, Hashable, Sendable {
    var call: String
    var request: RouteRequest
    var requestID: String?
    /// When the start fails because no location was received; nil as long as the stack has no time.
    var until: Instant?
  }

  public var settings: Settings
  var following: Following?
  var offRoad: OffRoadGuide?
  var reroute: ReroutePolicy
  var better: BetterRoutePolicy
  var speed: SpeedLimitMonitor
  var published = PublishedRoad()
  var last: VehicleLocation?
  /// The driver's pace on this trip; nil before the first location on a route.
  var pace: DrivingPace?
  var isPaused = false
  var pending: [UInt64: Purpose] = [:]
  var nextToken: UInt64 = 1
  /// A start that is waiting for the first location.
  var waitingStart: PendingStart?
  var proposed: Proposal?
  /// Requested new prices of a better route.
  var betterPricing: BetterRoutePricing?
  /// Whether alternative routes are published.
  var hasAlternatives = false

  public init(settings: Settings = Settings()) {
    self.settings = settings
    reroute = settings.reroute
    better = settings.better
    speed = SpeedLimitMonitor(tuning: settings.speed)
  }

  /// The next moment at which something expires; nil if nothing is pending.
  public var nextDeadline: Instant? {
    [better.nextDeadline, waitingStart.flatMap(\.until), following?.arrival.silentUntil]
      .compactMap { $0 }.min()
  }

  /// The route being followed; nil for none, and after the arrival.
  public var route: Route? { following?.track.route }
  public var travelledM: Double? { following?.track.travelledM }
  /// Index of the route's segment at the last position on it; nil as long as there was none.
  public var segment: Int? {
    following.flatMap { $0.track.travelledM == nil ? nil : $0.track.segment }
  }

  /// The attributes that the route contains for a piece of road that it uses.
  public func road(of reference: SegmentReference) -> RoadFacts? {
    following?.track.road(of: reference)
  }

  public mutating func handle(_ event: NavigatorEvent) -> [NavigatorOutput] {
    switch event {
    case .located(let location):
      return located(location)
    case .command(let command, let call, let now):
      return execute(command, call: call, at: now)
    case .routed(let token, let result, let alternatives, let now):
      return routed(token, result, alternatives, at: now)
    case .priced(let token, let routeID, let prices, let trafficTime, let now):
      return priced(token, routeID, prices, trafficTime, at: now)
    case .notPriced(let token, let problem):
      guard case .traffic(let routeID)? = pending[token] else { return [] }
      pending[token] = nil
      return [.problem(problem, during: "traffic", routeID: routeID)]
    case .betterFound(let found, let now):
      return betterFound(found, at: now)
    case .betterPriced(let token, let result, let now):
      return betterPriced(token, result, at: now)
    case .clockSet(let seconds):
      moveMoments(bySeconds: seconds)
      return []
    case .tick(let now):
      return endPendingStart(at: now) + reviewBetter(at: now) + arriveWithoutLocation(at: now)
    case .routeOutdated:
      following?.isOutdated = true
      return []
    case .trafficChanged(let ways):
      if following?.track.usesAhead(ways) == true { following?.pricing.isStale = true }
      return []
    }
  }

  mutating func token(for purpose: Purpose) -> UInt64 {
    defer { nextToken += 1 }
    pending[nextToken] = purpose
    return nextToken
  }

  // MARK: Routes

  /// Starts to follow a route; `report` describes the reroute that this ends, and is published before
  /// any output about the route.
  mutating func activate(
    _ route: Route, _ reason: ActivationReason, at now: Instant, ending report: RerouteReport? = nil
  ) -> [NavigatorOutput] {
    var outputs = endAlternatives()
    let replaced = following?.track.route.id
    var milestones = newMilestoneTracker()
    milestones.boarded = following.flatMap { $0.milestones.boarded(on: $0.track) }
    outputs += withdrawBetter()
    outputs += cancelReroutes() + clearLanes()
    following = Following(
      track: RouteTrack(route), deviation: DeviationDetector(tuning: settings.deviation),
      milestones: milestones,
      arrival: reason.isOfSameTrip
        ? following?.arrival.continued(mode: route.request.mode)
          ?? ArrivalDetector(mode: route.request.mode)
        : ArrivalDetector(mode: route.request.mode), skipped: skippedManeuvers(of: route),
      pricing: TrafficRequestTimes(asked: now),
      rest: reason.isOfSameTrip ? following?.rest.continued() ?? RestTracker() : RestTracker(),
      lastUserIndex: route.greatestUserIndex(atLeast: reason.isOfSameTrip ? following : nil),
      passed: reason.isOfSameTrip ? following?.passed : nil,
      isReroute: reason == .reroute,
      avoided: reason.isOfSameTrip ? following?.avoided : nil,
      turning: turningBack(onto: route, reason, at: now))
    offRoad = nil
    isPaused = false
    if !reason.isOfSameTrip { pace = nil }
    if reason != .reroute { reroute.settled() }
    outputs.append(.activate(route, reason, replaces: replaced, isPaused: false))
    if let report { outputs.append(.reroute(report)) }
    if let location = last, location.match != nil { outputs += follow(location) }
    return outputs
  }

  mutating func clear() -> [NavigatorOutput] {
    var outputs = cancelReroutes() + endAlternatives()
    outputs += pending.keys.sorted().map { NavigatorOutput.cancelRequest(token: $0) }
    outputs += pending.keys.sorted().compactMap { abandon($0) }
    pending = [:]
    if let waiting = waitingStart {
      outputs.append(.answer(call: waiting.call, .failure(.superseded)))
      waitingStart = nil
    }
    outputs += withdrawBetter()
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

  func newMilestoneTracker(next: Int = 1, nextAdded: Int = 0) -> MilestoneTracker {
    var tracker = MilestoneTracker(
      includesPassThrough: settings.reportsPassThrough, next: next, nextAdded: nextAdded)
    tracker.skipsCoincident = settings.skipsCoincidentStops
    return tracker
  }

  // Maneuvers for departing to a stop at the same place, and for arriving there; never at the
  // destination.
  func skippedManeuvers(of route: Route) -> Set<Int> {
    guard settings.skipsCoincidentStops else { return [] }
    let tracker = newMilestoneTracker()
    var skipped: Set<Int> = []
    for section in route.sections.dropLast() where section.firstWaypoint > 0 {
      let (from, to) = (
        route.waypoints[section.firstWaypoint], route.waypoints[section.lastWaypoint]
      )
      guard section.lengthM <= tracker.coincidentM,
        from.matched.distanceM(to: to.matched) <= tracker.coincidentM
      else { continue }
      skipped.formUnion(section.maneuvers)
    }
    return skipped
  }

  // The answer for the caller of a cancelled request.
  private func abandon(_ token: UInt64) -> NavigatorOutput? {
    switch pending[token] {
    case .start(let call), .waypoints(let call, _): .answer(call: call, .failure(.superseded))
    case .reroute, .traffic, nil: nil
    }
  }

  mutating func clearLanes() -> [NavigatorOutput] {
    guard let following, following.laneManeuver != nil else { return [] }
    self.following?.laneManeuver = nil
    return [.lanes(maneuver: nil, [], routeID: following.track.route.id)]
  }
}

extension ActivationReason {
  /// Whether the stops of the user's list are those of the previous route.
  var isOfSameTrip: Bool {
    switch self {
    case .reroute, .better, .waypoints, .traffic, .refresh: true
    case .new, .import, .cleared: false
    }
  }
}

extension Route {
  /// The highest index in the user's list among its waypoints, and those before it on the same
  /// trip.
  func greatestUserIndex(atLeast before: Navigator.Following?) -> Int {
    max(before?.lastUserIndex ?? 0, waypoints.compactMap(\.userIndex).max() ?? 0)
  }
}
