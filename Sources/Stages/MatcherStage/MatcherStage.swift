import Foundations
import Geodesy
import MapMatching
public import Messages
import Positioning
import RoadGraph
import RouteWire
public import Stage

/// The map matcher: raw fixes of any number of sources in, places on roads out.
///
/// It alone selects among sources (LOC-2), rejects implausible values (LOC-7) and estimates places
/// where fixes are missing (TU-1). Each accepted fix is answered at once on `location/matched`, and
/// after the lag on `location/smoothed`.
public struct MatcherStage: Stage {
  private(set) var shared: MatcherShared
  var matcher: OnlineMatcher
  /// Smooths separately if answers wait for path convergence: online answers cannot wait, and use
  /// other parameters.
  var smoother: OnlineMatcher?
  var line = FixTimeline()
  var gate = FixGate()
  var arbiter = SourceArbiter()
  /// The check that compares the values of the selected source with how its positions move.
  var receiver = CheckedReceiver()
  var lastFix: Fix?
  /// The newest fixes, which locate the vehicle in a matcher over a replaced map.
  private var recent: [Fix] = []
  var filteredRun = OutcomeRun()
  var smoothedRun = OutcomeRun()
  var reckoning: DeadReckoning
  var silence = FixGap()
  var frames = FrameStream()
  /// Frame rates of the renderer; nil if there are none.
  var rendererRates: FrameRates?

  /// More fixes than any answer of the online matcher waits for.
  private var recentCount: Int { max(12, shared.tuning.lagFixes + 2) }

  public static func maps(_ parameters: Parameters) -> [String] {
    parameters.string("map").map { [$0] } ?? []
  }

  public static func load(_ parameters: Parameters) throws(StageFailure) -> MatcherShared {
    try MatcherShared(parameters)
  }

  public init(vehicle: String, shared: MatcherShared) {
    self.shared = shared
    matcher = shared.newMatcher
    smoother = shared.newSmoother
    reckoning = DeadReckoning(
      graph: shared.graph, mode: shared.network.mode, settings: shared.estimation.reckoning)
    if shared.estimation.alwaysInterpolates { frames.until = FrameStream.always }
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .message(let message):
      switch message.value {
      case .locationRaw(let raw): return try process(raw, from: message.source, at: message.stamp)
      case .routeActive(let active):
        let course = try Wire.course(active, index: shared.index)
        let roads = course.map { Set($0.roads) } ?? []
        matcher.setRoute(roads)
        smoother?.setRoute(roads)
        reckoning.follow(course)
        silence.reportedEdges = 0
        return []
      case .sceneSettings(let settings): return applyRates(settings.body, at: message.stamp)
      case .deleted(.sceneSettings): return applyRates(nil, at: message.stamp)
      default: return []
      }
    case .call(let call):
      switch call.value {
      case .locationInterpolate(let request): return interpolate(request, call)
      case .matchTrace(let request): return TraceCall(request, id: call.id).outputs(shared)
      default:
        throw Refusal(
          reason: "no_such_service", message: "the matcher does not serve \(call.name)")
      }
    case .wake(let now):
      return carryOn(to: now)
    case .clockReset(let now):
      line = FixTimeline()
      forgetDrive(at: now)
      return []
    case .cancelled, .reply:
      return []
    }
  }

  public func interest(in topic: Topics.Name) -> TopicInterest {
    topic == .sceneSettings ? .valueOrDeletion : .value
  }

  /// Switches to another map.
  ///
  /// The newest fixes are matched on it without output, so that the next one is answered as if this
  /// map had always been in use. The route's roads are looked up by their references.
  public mutating func changeMap(to new: MatcherShared) -> [StageOutput] {
    let old = shared.graph
    var next = new.newMatcher
    next.setRoute(
      Set(
        matcher.route.flatMap { new.index.edges(along: old.reference($0), in: new.graph) }))
    for fix in recent { _ = next.match(fix) }
    matcher = next
    // Waiting fixes were driven on the old map; later ones are smoothed on the new one.
    let waiting = (smoother?.finish() ?? []).map {
      smoothed($0, stamp: gate.lastTime ?? Instant(nanoseconds: 0))
    }
    smoother = new.newSmoother
    smoother?.setRoute(next.route)
    // Edges of the old map are invalid on the new one: the next fix determines the place again.
    let course = reckoning.course.map { course in
      let roads = course.roads.map { new.index.edge(old.reference($0)) }
      return RouteCourse(edges: roads, trafficMps: roads.map { _ in nil })
    }
    reckoning = DeadReckoning(
      graph: new.graph, mode: new.network.mode, settings: new.estimation.reckoning)
    reckoning.follow(course)
    silence = FixGap()
    shared = new
    return waiting
  }

  /// Resets the state of all fixes, since the clock was set to another time.
  private mutating func forgetDrive(at now: Instant) {
    frames.clockWasSet(bySeconds: gate.lastTime.map { now.seconds(since: $0) } ?? 0)
    matcher.reset()
    smoother?.reset()
    gate.reset()
    arbiter.reset()
    receiver = CheckedReceiver()
    lastFix = nil
    recent = []
    reckoning.lose()
    silence = FixGap()
  }

  // MARK: Fixes

  private mutating func process(
    _ raw: LocationRaw, from writer: String, at stamp: Instant
  ) throws(Refusal) -> [StageOutput] {
    let readable = Fix(wire: raw).readable
    let fix = readable.fix
    let source = "\(writer) \(fix.source ?? "")"
    var outputs: [StageOutput] = []
    do throws(FixFault) {
      try FixGate.check(fix)
      switch fix.time.map({ line.judge($0, of: source) }) ?? .goesOn {
      case .goesOn: break
      case .refused(let fault): throw fault
      case .begins:
        forgetDrive(at: fix.time ?? stamp)
        outputs = [
          .count("location/raw time_began_anew", 1),
          .log(
            .warning,
            "location/raw: the fixes of \(source) agree on another time; the matcher switches to it"
          ),
        ]
      }
      guard
        arbiter.admit(
          source: source, priority: fix.priority, at: fix.time ?? stamp)
      else { return outputs + [.count("location/raw other_source", 1)] }
      try gate.admit(fix)
    } catch {
      throw Refusal(reason: error.reason, message: error.sentence)
    }
    guard let usable = receiver.check(readable, of: source, &outputs) else { return outputs }
    return outputs + match(usable, reported: fix, stamp: fix.time ?? stamp)
  }

  /// Matches a fix without its implausible values; the match is published with `reported`.
  private mutating func match(_ fix: Fix, reported: Fix, stamp: Instant) -> [StageOutput] {
    let speed = fix.speedMps ?? speedMps(to: fix)
    let bridgesGap = bridges(to: fix)
    let answer = matcher.match(fix, bridgesGap: bridgesGap)
    recent.append(fix)
    if recent.count > recentCount { recent.removeFirst() }
    // An outlier was not driven to.
    if fix.time != nil, answer.match.reason?.published != .outlier { lastFix = fix }
    var outputs: [StageOutput] = []
    if answer.match.reason == .noTime {
      outputs += [
        .count("location/raw no_time", 1),
        .log(
          .error,
          "location/raw: a fix without time_ns cannot be matched; set it to nanoseconds since 1970"),
      ]
    }
    // A late fix follows the estimates published in its place, and time does not go back.
    let told = silence.lastEstimate.map { max($0, stamp) } ?? stamp
    if isWeak(fix), let estimate = reckoning.estimate(at: told) {
      outputs += [
        publish(estimate, at: told), .count("location/raw answered_by_estimate", 1),
      ]
    } else {
      var matched = Wire.matched(
        answer.match, network: shared.network, speedMps: speed,
        consecutive: filteredRun.count(answer.match))
      matched.raw = Wire.raw(reported)
      outputs.append(.publish(.locationMatched(matched), stamp: told))
    }
    for match in smoother?.smooth(fix, bridgesGap: bridgesGap) ?? answer.smoothed {
      outputs.append(smoothed(match, stamp: stamp))
    }
    if let time = fix.time { record(answer.match, at: time, speedMps: speed) }
    if let wake = nextWake() { outputs.append(wake) }
    return outputs
  }

  private mutating func smoothed(_ match: Match, stamp: Instant) -> StageOutput {
    let body = Wire.matched(
      match, network: shared.network, speedMps: match.fix.speedMps,
      consecutive: smoothedRun.count(match))
    return .publish(.locationSmoothed(LocationSmoothed(body)), stamp: match.fix.time ?? stamp)
  }

  /// Returns the speed over ground since the previous fix, for a receiver that reports none.
  private func speedMps(to fix: Fix) -> Double? {
    guard let lastFix, let before = lastFix.time, let now = fix.time else { return nil }
    let elapsedS = now.seconds(since: before)
    guard elapsedS > 0, elapsedS <= 60 else { return nil }
    let speed = lastFix.place.distanceM(to: fix.place) / elapsedS
    return speed <= MatcherTuning.greatestSpeedMps(shared.network.mode) ? speed : nil
  }

  // MARK: State

  /// The time of the newest fix, so that a restart accepts no older ones.
  public var savedState: [UInt8]? {
    gate.lastTime.map { WireMatcherState(lastNs: $0.nanoseconds).encoded() }
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    let saved = try WireMatcherState(savedState: state)
    gate = FixGate(lastTime: saved.lastNs.map { Instant(nanoseconds: $0) })
    line = FixTimeline(newest: gate.lastTime)
  }
}

/// Counts successive answers with the same state and reason.
struct OutcomeRun: Codable, Hashable, Sendable {
  private var reason: NoMatchReason?
  private var length: UInt64 = 0

  mutating func count(_ match: Match) -> UInt64 { count(match.reason) }

  /// Counts an answer; `reason` is nil for a matched one.
  mutating func count(_ reason: NoMatchReason?) -> UInt64 {
    let reason = reason?.published
    length = length > 0 && reason == self.reason ? length + 1 : 1
    self.reason = reason
    return length
  }
}
