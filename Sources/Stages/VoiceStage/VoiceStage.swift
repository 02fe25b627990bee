import Foundations
public import Messages
import Speech
public import Stage

/// Voice guidance for one vehicle: messages of the other stages in, announcements out.
///
/// `AnnouncementTiming` determines what is due when, `Arbiter` which announcement is spoken, and a
/// `Language` the words. Here their inputs are provided and their outputs are published.
public struct VoiceStage: Stage {
  public typealias Shared = VoiceSettings

  let settings: VoiceSettings
  var timing: AnnouncementTiming
  var arbiter: Arbiter
  var estimate = DurationEstimate()
  var route: GuidedRoute?
  /// Identity of the route before a restart, or of the current one: its departure is not announced
  /// twice.
  var routeID: String?
  var departsNext = false
  var stopDeparture: StopDeparture?
  /// Whether the vehicle has been on the route, because it cannot leave the route before that.
  var hasBeenOnRoute = false
  /// The last direction of travel on the route; nil if it is unknown.
  var course: Course?
  var isPaused = false
  var isInTunnel: Bool?
  var occasions: [UInt64: AnnouncementContext] = [:]
  var nextID: UInt64 = 1
  var clock = EventClock()
  var episode = Deviation()
  var signal = LocationLossDetector()
  var awaitsOffRoad: String?
  var aheadWarnings: [String] = []
  var sentenceS: [SentenceKey: [AnnouncementKind: Double]] = [:]
  /// Texts sent to the sink, by key, to which measured durations belong.
  var sent: [Sent] = []
  var wakes: [WakeUpSource: Instant] = [:]
  /// The progress from which positions between messages are extrapolated.
  var reckonedFrom: Cause?
  /// The cause to report while a wake-up is handled; nil means the current message.
  var causeOfWake: Cause?
  var hasNoted = false
  /// Key of the announcement that was interrupted when an earlier process was killed, until it is
  /// counted.
  var cutOff: String?

  /// The component that requested a wake-up.
  enum WakeUpSource: Codable, Hashable, Sendable, CaseIterable {
    case timing
    case arbiter
    case deviation
    case signal
  }

  /// The state from leaving the route until being on one again.
  struct Deviation: Codable, Hashable, Sendable {
    var isOff = false
    var hasSaidReroute = false
    var hasSaidFailure = false
    /// Time at which to announce that the route was left, unless a reroute begins before.
    var saysOffRouteAt: Instant?
  }

  struct SentenceKey: Codable, Hashable, Sendable {
    var index: Int
    var isJoined: Bool
  }

  struct Sent: Codable, Hashable, Sendable {
    var key: String
    var characters: Int
  }

  public static func load(_ parameters: Parameters) throws(StageFailure) -> VoiceSettings {
    try VoiceSettings(parameters)
  }

  public init(vehicle: String, shared: VoiceSettings) {
    settings = shared
    timing = AnnouncementTiming(tuning: shared.timing)
    arbiter = Arbiter(tuning: shared.arbiter)
  }

  public func interest(in topic: Topics.Name) -> TopicInterest {
    switch topic {
    case .routeActive, .guidanceSpeed, .guidanceRoad: .valueOrDeletion
    default: .value
    }
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    var outputs: [StageOutput] = []
    switch event {
    case .message(let message):
      let input = VoiceInput(message)
      let stepS = heed(message, input)
      causeOfWake = nil
      outputs = (stepS == nil ? [] : resetClock()) + update(input)
    case .call(let request):
      let stepS = clock.reached(request.stamp)
      causeOfWake = nil
      outputs = (stepS == nil ? [] : resetClock()) + serve(request)
    case .wake(let moment):
      let stepS = clock.reached(moment)
      causeOfWake = reckonedFrom
      outputs = stepS == nil ? woke() : resetClock()
    case .clockReset(let moment):
      _ = clock.set(to: moment)
      outputs = resetClock()
    case .cancelled, .reply: break
    }
    if !hasNoted {
      hasNoted = true
      outputs = settings.notes.map { .log(.warning, $0) } + outputs
    }
    if let key = cutOff {
      cutOff = nil
      outputs =
        [.count("cut_off", 1), .log(.warning, "the announcement \(key) was cut off by a kill")]
        + outputs
    }
    if let next = wakes.values.min() { outputs.append(.wake(at: next)) }
    return outputs
  }

  var now: Instant { clock.now }

  /// Advances to the time of a message; returns the seconds by which the clock was set, or nil if
  /// it was not.
  ///
  /// A sink may be a foreign program with another clock: its stamp is ignored if it is far ahead of
  /// the current time.
  private mutating func heed(_ message: Inbound, _ input: VoiceInput) -> Double? {
    if case .spoken = input, message.stamp.seconds(since: now) > 60 { return nil }
    guard case .progress = input else {
      clock.stamped(message.stamp)
      return nil
    }
    reckonedFrom = message.cause
    return clock.located(at: message.stamp)
  }

  private mutating func update(_ input: VoiceInput) -> [StageOutput] {
    switch input {
    case .route(let route, let reason, let isPaused): follow(route, reason, isPaused)
    case .progress(let progress): advance(progress)
    case .maneuverDone(let routeID, let index): finish(routeID, index)
    case .deviated(let isEstimated): deviate(isEstimated: isEstimated)
    case .reroute(let reroute): ingest(reroute)
    case .milestone(let milestone): pass(milestone)
    case .arrival(let arrival): arrive(arrival)
    case .offRoad(let routeID, let remainingM, let heading): lead(routeID, remainingM, heading)
    case .warning(let warning): warn(warning)
    case .warningEnded(let id): endWarning(id)
    case .speed(let limitMps, let isExceeded): limit(limitMps, isExceeded)
    case .road(let isTunnel): enter(isTunnel)
    case .better(let id, let better, let gainS, let avoidsClosure):
      offer(id, better, gainS, avoidsClosure: avoidsClosure)
    case .spoken(let key, let outcome, let durationS, let sink):
      ingest(key, outcome, durationS, sink)
    case .nothing: []
    }
  }

  private mutating func woke() -> [StageOutput] {
    wakes = wakes.filter { $0.value > now }
    var outputs = perform(timing.handle(.woke(now)))
    outputs += sayOffRoute()
    outputs += watchSignal()
    return outputs + perform(arbiter.handle(.woke(now)))
  }

  /// Restarts all timers, since the clock was set.
  private mutating func resetClock() -> [StageOutput] {
    wakes = [:]
    stopDeparture?.standsSince = nil
    signal = LocationLossDetector()
    episode = Deviation()
    occasions = [:]
    _ = timing.handle(.leftRoute)
    return perform(arbiter.handle(.reset))
  }
}
