import Foundations
import Geodesy
public import Guidance
public import Messages
import Route
import RouteWire
public import Stage

/// Watches the route of one vehicle and reports a faster one if there is any.
///
/// `RoutePoller` decides when to check and what counts as faster. Here a check becomes two calls,
/// for the fresh route and for the price of the old one at the same moment. If the poller adds
/// options of its own for the fresh route, an earlier call asks which of them the engine supports.
public struct DynamicRoutingStage: Stage {
  public typealias Shared = RoutePoller.Settings

  /// A check whose replies are pending.
  struct Check: Codable, Hashable, Sendable {
    var id: UInt64
    var request: RouteRequest
    var handle: String
    var place: RoutePoller.Place
    /// The call that asks for the engines' options; nil if it was not needed or has ended.
    var enginesToken: UInt64?
    /// nil until the two calls are made.
    var routeToken: UInt64?
    var priceToken: UInt64?
    var route: Route?
    var oldRemainingS: Double?
  }

  var poller: RoutePoller
  var underWay: Check?
  var clock = EventClock()
  var nextToken: UInt64 = 1
  /// The planned route in encoded form, kept so that saving the state does not encode it again.
  var plannedBytes: [UInt8]?

  public static let manifest = Manifest(
    name: "nav-dynamic-routing",
    about: "Searches for faster routes during navigation, and proposes them.",
    parameters: [
      .init(
        "poll_interval_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
        "Seconds between checks; 0 checks at every location."),
      .init(
        "min_time_difference_s", .double, default: 120, unit: "s", min: 0, max: 86_400,
        "Minimum gain in seconds; 0 disables this threshold."),
      .init(
        "min_time_difference_percentage", .double, default: 0.1, min: 0, max: 1,
        "Minimum gain as a share of the remaining time; 0 disables this threshold. The smaller of the two thresholds applies."
      ),
      .init(
        "budget", .int, default: 0, min: 0, max: 1_000_000,
        "Maximum number of checks per route; 0 means no limit."),
    ],
    inputs: [
      "route/active", "guidance/progress", "guidance/deviation", "guidance/arrival",
      "location/matched", "route/better",
    ],
    outputs: ["route/better", "route/error"], serves: ["route/watch"],
    calls: ["route/calculate", "route/engines", "route/traffic"])

  public static func load(_ parameters: Parameters) throws(StageFailure) -> RoutePoller.Settings {
    var settings = RoutePoller.Settings()
    settings.intervalS = parameters.double("poll_interval_s")
    settings.minTimeDifferenceS = parameters.double("min_time_difference_s")
    settings.minTimeDifferenceShare = parameters.double("min_time_difference_percentage")
    let budget = parameters.int("budget")
    settings.budget = budget > 0 ? budget : nil
    return settings
  }

  public init(vehicle: String, shared: RoutePoller.Settings) {
    poller = RoutePoller(settings: shared)
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .message(let message):
      let event = try Self.event(message)
      if case .locationMatched = message.value {
        clockSet(bySeconds: clock.located(at: message.stamp))
      } else {
        clock.stamped(message.stamp)
      }
      let outputs = event.map { perform(poller.handle($0)) } ?? []
      if poller.planned == nil { plannedBytes = nil }
      return outputs
    case .reply(let token, let stamp, let outcome):
      clockSet(bySeconds: clock.reached(stamp))
      return receive(token, outcome)
    case .clockReset(let moment):
      clockSet(bySeconds: clock.set(to: moment))
      return []
    case .call(let call):
      guard case .routeWatch(let request) = call.value else {
        throw Refusal(
          reason: "no_such_service", message: "nav-dynamic-routing does not serve \(call.name)")
      }
      clockSet(bySeconds: clock.reached(call.stamp))
      return try watch(request, call.id)
    case .wake, .cancelled:
      return []
    }
  }

  public func call(of token: UInt64) -> Calls.Name? {
    guard let underWay else { return nil }
    switch token {
    case underWay.enginesToken: return .routeEngines
    case underWay.routeToken: return .routeCalculate
    case underWay.priceToken: return .routeTraffic
    default: return nil
    }
  }

  var now: Instant { clock.now }

  private mutating func clockSet(bySeconds seconds: Double?) {
    guard let seconds, seconds != 0 else { return }
    _ = poller.handle(.clockSet(bySeconds: seconds))
  }

  // A planned route is watched until a route is followed.
  private mutating func watch(
    _ request: RouteWatchRequest, _ callID: String
  ) throws(Refusal) -> [StageOutput] {
    let route = try Self.planned(request)
    guard !poller.isFollowing else {
      let error = CallError(code: "busy", message: "A route is already being followed and watched.")
      return [.reply(callID: callID, outcome: .failed(error))]
    }
    if let route, route.handle == nil {
      let error = CallError(
        code: "route_handle_missing",
        message: "Only a route with a handle can be watched; request the route again.",
        field: "route.handle")
      return [.reply(callID: callID, outcome: .failed(error))]
    }
    let outputs = perform(poller.handle(.planned(route)))
    plannedBytes = poller.planned?.wire.encoded()
    let reply = RouteWatchReply(routeId: poller.routeID)
    return outputs + [.reply(callID: callID, outcome: .ok(.routeWatch(reply)))]
  }

  private mutating func perform(_ outputs: [RoutePoller.Output]) -> [StageOutput] {
    outputs.flatMap { perform($0) }
  }

  private mutating func perform(_ output: RoutePoller.Output) -> [StageOutput] {
    switch output {
    case .check(let id, let request, let handle, let place):
      return start(id, request, handle: handle, from: place)
    case .cancel(let id):
      guard let check = underWay, check.id == id else { return [] }
      underWay = nil
      return check.tokens.map { .cancelCall(token: $0) }
    case .found(let better, let thresholdS, let checks):
      let message = RouteBetter(
        id: better.id, state: .found, routeId: better.routeID, route: better.route.wire,
        gainS: better.gainS, longerM: better.longerM, shapeChanged: better.shapeChanged,
        avoidsClosure: better.avoidsClosure,
        thresholdS: thresholdS, checks: UInt64(checks))
      return [.publish(.routeBetter(message), stamp: now)]
    case .problem(let problem, let routeID):
      let message = RouteError(
        code: problem.code, text: problem.sentence, during: .better, routeId: routeID)
      return [.publish(.routeError(message), stamp: now), .count("failed_checks", 1)]
    }
  }

  private mutating func start(
    _ id: UInt64, _ request: RouteRequest, handle: String, from place: RoutePoller.Place
  ) -> [StageOutput] {
    var check = Check(id: id, request: request, handle: handle, place: place)
    guard RoutePoller.hasPollerOptions(request) else {
      return ask(check) + [.count("checks", 1)]
    }
    // Engines may have changed since the last check.
    check.enginesToken = nextToken
    nextToken += 1
    underWay = check
    return [
      .call(.routeEngines(RouteEnginesRequest()), timeoutMS: 5_000, token: nextToken - 1),
      .count("checks", 1),
    ]
  }

  /// Makes the two calls of a check.
  private mutating func ask(_ check: Check) -> [StageOutput] {
    var check = check
    let tokens = (nextToken, nextToken + 1)
    nextToken += 2
    check.enginesToken = nil
    (check.routeToken, check.priceToken) = tokens
    underWay = check
    let price = RouteTrafficRequest(
      handle: check.handle, section: Int64(check.place.section),
      travelledOnSectionM: check.place.travelledOnSectionM)
    return [
      .call(
        .routeCalculate(RouteCalculateRequest(check.request.wire)), timeoutMS: 10_000,
        token: tokens.0),
      .call(.routeTraffic(price), timeoutMS: 10_000, token: tokens.1),
    ]
  }

  // MARK: Answers

  private mutating func receive(_ token: UInt64, _ outcome: CallOutcome) -> [StageOutput] {
    guard var check = underWay, check.tokens.contains(token) else { return [] }
    if token == check.enginesToken {
      check.readEngines(outcome)
      return ask(check)
    }
    do {
      try check.store(outcome)
    } catch {
      underWay = nil
      return check.tokens.filter { $0 != token }.map { .cancelCall(token: $0) }
        + perform(poller.handle(.failed(check: check.id, error)))
    }
    guard let route = check.route, let oldRemainingS = check.oldRemainingS else {
      underWay = check
      return []
    }
    underWay = nil
    return perform(
      poller.handle(.answered(check: check.id, route: route, oldRemainingS: oldRemainingS)))
  }
}

extension DynamicRoutingStage.Check {
  /// Tokens of the calls that were made and whose replies count.
  var tokens: [UInt64] { [enginesToken, routeToken, priceToken].compactMap { $0 } }

  /// Removes the poller's own options that the answering engine does not support.
  ///
  /// If there is no readable reply, nothing is removed: `route/calculate` reports the problem.
  mutating func readEngines(_ outcome: CallOutcome) {
    guard case .ok(.routeEngines(let reply)) = outcome else { return }
    let options = Self.options(of: reply, for: request.connectivity)
    request = RoutePoller.request(request, honouredBy: options)
  }

  /// Returns the options that all engines support which may answer a request.
  private static func options(
    of reply: RouteEnginesReply, for connectivity: Connectivity
  ) -> Set<String> {
    let isStandard = connectivity == .standard
    let chosen =
      isStandard ? Connectivity(rawValue: reply.connectivity.rawValue) : connectivity
    let lists = reply.engines.filter { engine in
      switch chosen {
      case .offline: engine.kind == .offline
      case .online: engine.kind != .offline
      // Either the server or the built-in engine.
      case .hybrid, .standard, nil: true
      }
    }.map { Set($0.options) }
    guard let first = lists.first else { return [] }
    return lists.dropFirst().reduce(first) { $0.intersection($1) }
  }

  /// Stores one of the two replies.
  mutating func store(_ outcome: CallOutcome) throws(NavigatorProblem) {
    switch outcome {
    case .failed(let error):
      throw NavigatorProblem(code: error.code, sentence: error.message)
    case .ok(.routeTraffic(let reply)):
      oldRemainingS = reply.body.durationLatestS
    case .ok(.routeCalculate(let reply)):
      guard let best = reply.routes.first else {
        throw NavigatorProblem(
          code: "no_route_found", sentence: "The router answered without a route.")
      }
      do throws(RouteWireFault) {
        route = try Route(wire: best)
      } catch {
        throw NavigatorProblem(code: "internal", sentence: "The router's answer: \(error)")
      }
    case .ok: break
    }
  }
}
