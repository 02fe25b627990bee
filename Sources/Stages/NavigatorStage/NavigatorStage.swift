import Foundations
import Guidance
public import Messages
import RoadAhead
import RoadFile
import RoadGraph
import Route
public import Stage

/// The navigator of one vehicle: locations and commands in, guidance out.
///
/// The module Guidance makes the decisions; here messages become events, and outputs become
/// messages.
public struct NavigatorStage: Stage {
  public typealias Shared = NavigatorSettings

  private(set) var shared: NavigatorSettings
  let vehicle: String
  var navigator: Navigator
  /// The location on which the outputs of the current event are based, for the evidence of a
  /// deviation.
  var location: LocationMatched?
  var calls: [UInt64: CallKind] = [:]
  /// The road of the previous location: most locations lie on the same road.
  var known: CachedRoad?
  /// Watches the road ahead.
  var ahead = RoadAheadMonitor()
  var incidents = IncidentsAhead()
  var clock = EventClock()
  var sessions = 0
  var session: Session?
  /// Whether it was reported which custom places lie on no road.
  var hasReportedStray = false
  /// Time at which the map was replaced; nil if it was not.
  private var mapChanged: Instant?
  /// The active route in encoded form, kept so that saving the state does not encode it again.
  var routeBytes: [UInt8]?
  /// The proposals in encoded form, for the same reason.
  var proposals = EncodedProposalCache()

  /// The purpose of a call made by this stage.
  enum CallKind: Codable, Hashable, Sendable {
    case route
    /// A path back to a route; if the router no longer knows that route, a new one is requested.
    case back(otherwise: [UInt8])
    case traffic
    /// The remaining seconds on a route.
    case price
  }

  public static func load(_ parameters: Parameters) throws(StageFailure) -> NavigatorSettings {
    for word in parameters.strings("warnings") where WarningKind(rawValue: word) == nil {
      throw StageFailure("warnings: there is no kind \"\(word)\"")
    }
    for word in parameters.strings("silent_cameras")
    where word.count != 2 || !word.allSatisfy({ $0.isASCII && $0.isLetter }) {
      throw StageFailure("silent_cameras: a country has two letters, as in CH, not \"\(word)\"")
    }
    let custom = parameters.string("custom_warnings")
    guard let path = parameters.string("map") else {
      guard custom == nil else {
        throw StageFailure("custom_warnings: a map is required for the places, and there is none")
      }
      return NavigatorSettings(parameters, map: nil)
    }
    var map: RoadMap
    do {
      map = RoadMap(try RoadFile.open(path: path))
    } catch {
      throw StageFailure("\(error)")
    }
    if let custom {
      map.custom = CustomPlaces(try CustomPlaceFile.read(custom), on: map.graph)
    }
    return NavigatorSettings(parameters, map: map)
  }

  public static func maps(_ parameters: Parameters) -> [String] {
    parameters.string("map").map { [$0] } ?? []
  }

  public init(vehicle: String, shared: NavigatorSettings) {
    self.vehicle = vehicle
    self.shared = shared
    navigator = Navigator(settings: shared.navigator)
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    let outputs = try process(event)
    return reportStrayPlaces() + outputs
  }

  private mutating func process(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .message(let message):
      return try ingest(message)
    case .call(let call):
      if case .warningDistance(let request) = call.value { return [distance(request, call.id)] }
      let command = try Self.command(call, defaults: shared.requests)
      reach(call.stamp)
      return perform(navigator.handle(.command(command, call: call.id, at: now)))
    case .reply(let token, let stamp, let outcome):
      reach(stamp)
      if let again = retryAsNewRoute(token, outcome) { return [again] }
      return perform(navigator.handle(navigatorEvent(token, outcome)))
    case .wake(let moment):
      reach(moment)
      let outputs = perform(navigator.handle(.tick(at: now)))
      return outputs + (navigator.nextDeadline.map { [.wake(at: $0)] } ?? [])
    case .clockReset(let moment):
      let seconds = clock.set(to: moment)
      clockSet(bySeconds: seconds)
      return navigator.nextDeadline.map { [.wake(at: $0)] } ?? []
    case .cancelled:
      // The route still becomes active: a driver who asked twice wants guidance.
      return []
    }
  }

  public func interest(in topic: Topics.Name) -> TopicInterest {
    topic == .trafficIncidents ? .valueOrDeletion : .value
  }

  public func call(of token: UInt64) -> Calls.Name? {
    switch calls[token] {
    case .traffic, .price: .routeTraffic
    case .back: .routeReturn
    case .route, nil: .routeCalculate
    }
  }

  /// The travel mode: that of the route's request, otherwise that of the stack.
  var mode: TravelMode { navigator.route?.request.mode ?? shared.requests.mode }

  // MARK: Maps

  /// Seconds after a map was replaced during which the router may still use the old one.
  private static let changingS = 30.0

  public mutating func changeMap(to new: NavigatorSettings) -> [StageOutput] {
    shared = new
    known = nil
    mapChanged = now
    hasReportedStray = false
    return reportStrayPlaces() + checkRoute()
  }

  /// Checks whether the rest of the active route is on a map that was replaced a moment ago.
  ///
  /// Linear in the segments ahead; does nothing at other times.
  mutating func checkRoute() -> [StageOutput] {
    guard let mapChanged, now.seconds(since: mapChanged) <= Self.changingS, let map = shared.map,
      let route = navigator.route
    else { return [] }
    let travelledM = navigator.travelledM ?? 0
    let pieces = route.segments.filter { $0.startM + $0.lengthM >= travelledM }
    let missing = pieces.count { map.edge($0.reference) == nil }
    guard missing > 0 else {
      return [.log(.info, "route \(route.id): all \(pieces.count) pieces ahead are on the new map")]
    }
    return [
      .count("routes_outdated", 1),
      .log(
        .warning,
        "route \(route.id): \(missing) of \(pieces.count) pieces ahead are not on the new map; requesting another route"
      ),
    ] + perform(navigator.handle(.routeOutdated))
  }

  // MARK: Time

  var now: Instant { clock.now }

  private mutating func reach(_ moment: Instant) {
    clockSet(bySeconds: clock.reached(moment))
  }

  private mutating func clockSet(bySeconds seconds: Double?) {
    guard let seconds, seconds != 0 else { return }
    mapChanged = mapChanged?.advanced(bySeconds: seconds)
    _ = navigator.handle(.clockSet(bySeconds: seconds))
  }

  private mutating func ingest(_ message: Inbound) throws(Refusal) -> [StageOutput] {
    switch message.value {
    case .locationMatched(let matched):
      let sighting = try VehicleLocation(matched, at: message.stamp, in: &self)
      clockSet(bySeconds: clock.located(at: message.stamp))
      location = matched
      let said = navigator.handle(.located(sighting)).progressFirst
      return perform(said) + lookAhead(sighting) + publishIncidents()
    case .trafficIncidents(let list):
      let problems = ingest(list)
      clock.stamped(message.stamp)
      return problems + publishIncidents()
    case .deleted(.trafficIncidents):
      if let feed = message.key {
        ahead.replaceIncidents([], of: feed)
        incidents.changed()
      }
      clock.stamped(message.stamp)
      return publishIncidents()
    case .routeBetter(let found):
      guard found.state == .found else { return [] }
      let better = try BetterRoute(found)
      clock.stamped(message.stamp)
      return perform(navigator.handle(.betterFound(better, at: now)))
    case .routeClosures(let change):
      return perform(
        navigator.handle(.trafficChanged(ways: Set(change.changed.map(\.way)))))
    default:
      return []
    }
  }

  // MARK: State

  public var savedState: [UInt8]? {
    WireNavigatorState(self).encoded()
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    try WireNavigatorState(savedState: state).apply(to: &self)
  }
}
