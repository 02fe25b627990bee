public import Foundations
public import Geodesy
public import RoadAhead
public import RoadGraph
public import Route

/// The inputs of the navigator.
public enum NavigatorEvent: Hashable, Sendable {
  /// A location of the vehicle, matched or not.
  case located(VehicleLocation)
  /// A request of a person or program; `call` identifies it in the answer.
  case command(NavigatorCommand, call: String, at: Instant)
  /// The answer to `requestRoute`.
  case routed(
    token: UInt64, Result<Route, NavigatorProblem>, alternatives: [Route] = [], at: Instant)
  /// The answer to `requestTraffic`.
  case priced(
    token: UInt64, routeID: String, SpanTraffic, trafficTime: Instant, at: Instant)
  case notPriced(token: UInt64, NavigatorProblem)
  case betterFound(BetterRoute, at: Instant)
  /// The answer to `requestPrice`: remaining seconds on the route.
  case betterPriced(token: UInt64, Result<Double, NavigatorProblem>, at: Instant)
  case tick(at: Instant)
  /// The map was replaced, and some pieces of the route are no longer on it.
  ///
  /// A route to the remaining stops of the trip is requested at the next location, on the route or
  /// not.
  case routeOutdated
  /// Closures or speeds have changed on these ways; empty if any may be concerned.
  ///
  /// If the rest of the route uses one, its traffic is requested at the next location.
  case trafficChanged(ways: Set<Int64> = [])
  /// The clock was set by this many seconds, negative for back; timers keep the seconds that they
  /// had left.
  case clockSet(bySeconds: Double)
}

public enum NavigatorCommand: Hashable, Sendable {
  /// Compute a route and follow it; with `fromHere` the vehicle's position is put before the
  /// waypoints.
  ///
  /// `requestID` is the name under which the calculation can be cancelled and reports its progress.
  case start(RouteRequest, fromHere: Bool, requestID: String? = nil)
  case stop
  case setRoute(Route)
  /// Leave out a stop: an index in the route's waypoints or in the user's list, nil for the next
  /// one.
  case skipWaypoint(StopChoice)
  /// Add a stop at a position among the remaining stops, 0 for the next.
  case addWaypoint(Waypoint, at: Int)
  /// Reorder the remaining stops: indices in the user's list, the next stop first; unlisted stops
  /// follow.
  case orderWaypoints([Int])
  case acceptBetter(id: String?)
  case rejectBetter(id: String?)
  case acceptReroute
  case rejectReroute
  case cancelReroute
  case setRerouting(ReroutePolicy.Mode, ReroutePolicy.Strategy?)
  case keepRoute
  /// Traffic on the route that is supplied by an application.
  case setTraffic(routeID: String, SpanTraffic, trafficTime: Instant)
  /// Avoid this length of the route ahead, in metres; nil: up to the next maneuver.
  case avoidAhead(metres: Double?)
  case pause
  case resume
}

/// The stop that a command refers to.
public enum StopChoice: Hashable, Sendable {
  case next
  /// Index in the waypoints of the route.
  case waypoint(Int)
  /// Index in the user's list.
  case userIndex(Int)
}

/// Why a request by or to the navigator failed.
public struct NavigatorProblem: Error, Hashable, Sendable {
  public var code: String
  public var sentence: String
  /// Path of the request field that caused the problem; nil if there is none.
  public var field: String?

  public init(code: String, sentence: String, field: String? = nil) {
    self.code = code
    self.sentence = sentence
    self.field = field
  }

  static let noRoute = NavigatorProblem(
    code: "no_route", sentence: "No route is being followed.")
  static let noLocation = NavigatorProblem(
    code: "no_location", sentence: "The vehicle has no location from which a route can start.")
  static let superseded = NavigatorProblem(
    code: "cancelled", sentence: "A later request replaced it.")
}

/// Why a route became the active one.
public enum ActivationReason: String, Hashable, Sendable {
  case new
  case reroute
  case better
  case `import`
  case waypoints
  case traffic
  /// The same route with updated content, such as guidance being paused.
  case refresh
  case cleared
}

/// The outputs of the navigator.
public enum NavigatorOutput: Hashable, Sendable {
  case requestRoute(
    token: UInt64, RouteRequest, origin: VehicleLocation.Match?, speedMps: Double?,
    requestID: String? = nil)
  case requestTraffic(
    token: UInt64, handle: String, section: Int, travelledOnSectionM: Double)
  /// Requests the remaining seconds on a route, to compare two routes at the same moment.
  case requestPrice(
    token: UInt64, handle: String, section: Int, travelledOnSectionM: Double)
  case cancelRequest(token: UInt64)
  /// The route that is followed from now on; nil for none.
  case activate(Route?, ActivationReason, replaces: String?, isPaused: Bool)
  /// Alternative routes to the same destination; empty if there are none left.
  case alternatives([Route])
  case progress(Progress)
  case deviation(Deviation)
  case reroute(RerouteReport)
  case milestone(MilestoneTracker.Milestone, Route)
  case arrived(ArrivalDetector.Arrival, Route)
  case offRoad(OffRoadGuide.Progress, routeID: String)
  case arrivedOffRoad(OffRoadGuide.Progress, Route)
  case nextManeuver(index: Int, remainingM: Double, Route)
  case maneuverDone(index: Int, Route)
  case better(BetterRoute, BetterRouteState, expires: Instant?)
  case lanes(maneuver: Int?, [Lane], routeID: String)
  case speed(SpeedState)
  case road(RoadFacts?, RoadSituation?, SegmentReference?)
  case problem(NavigatorProblem, during: String, routeID: String?)
  case answer(call: String, Result<CommandAnswer, NavigatorProblem>)
  case wake(at: Instant)
}

public enum BetterRouteState: String, Hashable, Sendable {
  case proposed
  case accepted
  case rejected
  case expired
  case withdrawn
}

/// The result of a command.
public enum CommandAnswer: Hashable, Sendable {
  case done
  /// The route that is active now.
  case route(id: String)
  /// The better route that is active now, and the seconds that it gains.
  case better(routeID: String, gainS: Double)
  /// The route of a start, and the number of alternative routes.
  case started(Route, alternatives: Int)
  /// The route with an added stop, and the stop's position in the user's list.
  case added(routeID: String, userIndex: Int)
}

/// The vehicle is off its route.
public struct Deviation: Hashable, Sendable {
  public var routeID: String
  public var isFirst: Bool
  /// The last position on the route; nil if the vehicle was never on it.
  public var lastPlace: Coordinate?
  public var section: Int?
  public var travelledOnSectionM: Double?
  public var location: VehicleLocation
  public var distanceM: Double
  public var evidence: DeviationDetector.Evidence
}

/// The outcome of a reroute.
public struct RerouteReport: Hashable, Sendable {
  public enum State: String, Hashable, Sendable {
    case proposed
    case started
    case completed
    case failed
    case cancelled
    /// The vehicle was back on the route before the answer.
    case dropped
    case rejected
  }
  /// Why a new route is requested.
  public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
    case deviation
    /// A stop was driven past.
    case missedStop = "missed_stop"
    /// A stop was passed on another road, and a route without it is proposed.
    case passedStop = "passed_stop"
    /// The map was replaced, and parts of the route are missing from it.
    case routeOutdated = "route_outdated"
  }
  public var state: State
  public var reason: Reason
  public var strategy: ReroutePolicy.Strategy
  public var routeID: String
  public var newRoute: Route?
  public var problem: NavigatorProblem?
  public var attempt: Int
  public var nextTryS: Double?
  /// The evidence for a deviation, with the request that was started because of it.
  public var evidence: DeviationDetector.Evidence?
  /// Whether the new route will only be proposed; set when the request starts.
  public var proposes = false
  /// When the evidence was complete.
  public var sure: Instant?
}

/// Speed and limit at the vehicle's position, in metres per second.
public struct SpeedState: Codable, Hashable, Sendable {
  public var speedMps: Double?
  public var limits: SpeedLimits
  public var isExceeded: Bool
  public var warning: SpeedLimitMonitor.Warning?
}

extension RerouteReport.Reason {
  /// Whether the reroute concerns a stop that was passed, and not a route that was left.
  var isAboutStop: Bool { self == .missedStop || self == .passedStop }
}
