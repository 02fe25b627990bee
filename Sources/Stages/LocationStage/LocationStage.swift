import Foundations
public import Messages
import Positioning
import Route
public import Stage

/// The location provider: recorded or simulated fixes at their times, and the stack's clock.
///
/// It is the source of event time: the clock starts at the first fix and advances at `rate`. It is
/// published with each stack second and each change. Fixes carry the times at which they are due,
/// so that the output does not depend on when the machine wakes.
public struct LocationStage: Stage {
  enum Source: Sendable {
    case simulator(RouteSimulator, NoisyReceiver)
    case replay(TraceReplay)
    case external
  }

  private(set) var settings: LocationSettings
  var source: Source
  /// Stack time as known to this stage.
  var now = Instant(nanoseconds: 0)
  var run: UInt64 = 1
  var rate: Double
  var isPaused = false
  var hasStarted = false
  var wasRestored = false
  /// Whether a recording waits at its first fix for a route.
  var isHeld = false
  var isHeard = false
  /// Time of the simulator's next fix.
  var nextSimulated = Instant(nanoseconds: 0)
  var nextTick = Instant(nanoseconds: 0)
  /// The time reported by the fixes of outside sources.
  var line = FixTimeline()
  /// The delay of outside fixes against the clock; nil while they are on time.
  var lag: FixLagDetector?
  /// The traffic for a simulated driver; nil until some is reported.
  var traffic: SimulatedTraffic?
  /// The next time at which a traffic value begins or ends.
  var trafficEnd: Instant?
  /// Whether traffic was reported that the driver does not follow yet.
  var isTrafficNew = false

  /// Clock rate while a recording is held: the clock almost stands still, at a thousandth of a
  /// second per second.
  static let heldRate = 0.001
  /// Maximum number of fixes after a late wake-up.
  private static let burst = 256

  public static func load(_ parameters: Parameters) throws(StageFailure) -> LocationSettings {
    try LocationSettings(parameters)
  }

  /// Returns the map of the simulator; a recording or a receiver needs none.
  public static func maps(_ parameters: Parameters) -> [String] {
    guard parameters.string("source") == "simulator", let map = parameters.string("map") else {
      return []
    }
    return [map]
  }

  public init(vehicle: String, shared: LocationSettings) {
    settings = shared
    rate = shared.rate
    if let simulator = shared.simulator {
      // Vehicles of one process have different errors, each reproducible in every run.
      let own = vehicle.utf8.reduce(shared.seed) { ($0 &* 31) &+ UInt64($1) }
      source = .simulator(simulator, NoisyReceiver(shared.noise, seed: own))
    } else if let replay = shared.replay {
      source = .replay(replay)
    } else {
      source = .external
    }
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .wake(let now):
      return hasStarted ? wake(at: now) : start(at: now)
    case .message(let message):
      return try receive(message)
    case .call(let request):
      return try control(request)
    case .cancelled, .reply, .clockReset:
      return []
    }
  }

  public mutating func changeMap(to new: LocationSettings) -> [StageOutput] {
    settings = new
    if case .simulator(var simulator, let receiver) = source, let other = new.simulator {
      simulator.adoptStreets(of: other)
      source = .simulator(simulator, receiver)
    }
    return []
  }

  // MARK: Time

  /// Handles the first wake-up: sets the clock and publishes the first fix.
  private mutating func start(at woken: Instant) -> [StageOutput] {
    hasStarted = true
    // Other clocks continued while this stage was down; the reported time must not be earlier than
    // theirs.
    if wasRestored, woken > now, woken.seconds(since: now) < 600 { now = woken }
    switch source {
    case .simulator:
      now = max(now, settings.startTime)
      nextSimulated = max(nextSimulated, now)
    case .replay(let replay):
      now = max(now, replay.nextDue ?? replay.dues.last ?? settings.startTime)
      isHeld = settings.waitsForRoute && replay.next == 0
    case .external:
      now = max(now, woken > FixGate.earliest ? woken : settings.startTime)
    }
    return settings.remarks.map { .log(.warning, $0) } + clock() + advance()
  }

  private mutating func wake(at woken: Instant) -> [StageOutput] {
    guard !isPaused else { return [] }
    now = max(now, woken)
    return advance()
  }

  /// Publishes all fixes that are due, reports the clock after each second, and requests a wake-up.
  mutating func advance() -> [StageOutput] {
    var outputs: [StageOutput] = []
    if isHeld {
      outputs += heldFix()
    } else {
      for _ in 0..<Self.burst {
        guard let due = nextDue, due <= now else { break }
        outputs += fix(dueAt: due)
      }
    }
    if now >= nextTick { outputs += clock() }
    if let wake = nextWake() { outputs.append(wake) }
    return outputs
  }

  func nextWake() -> StageOutput? {
    guard !isPaused else { return nil }
    if isHeld { return .wake(at: now.advanced(bySeconds: Self.heldRate)) }
    return .wake(at: min(nextTick, nextDue ?? nextTick))
  }

  /// Publishes the clock.
  mutating func clock() -> [StageOutput] {
    nextTick = now.advanced(bySeconds: 1)
    return [
      .setClock(
        now: now, rate: isHeld ? Self.heldRate : rate, isPaused: isPaused, run: run)
    ]
  }

  // MARK: Fixes

  var nextDue: Instant? {
    switch source {
    case .simulator: nextSimulated
    case .replay(let replay): replay.nextDue
    case .external: nil
    }
  }

  /// Returns the fix that is due at `due`.
  mutating func fix(dueAt due: Instant) -> [StageOutput] {
    switch source {
    case .simulator(var simulator, var receiver):
      var outputs: [StageOutput] = []
      while let end = trafficEnd, end <= due { outputs += follow(&simulator, at: end) }
      if isTrafficNew { outputs += follow(&simulator, at: due) }
      let fix = receiver.fix(of: simulator.truth(at: due), at: due)
      source = .simulator(simulator, receiver)
      nextSimulated = due.advanced(bySeconds: settings.intervalS)
      guard let fix else { return outputs + [.count("silent", 1)] }
      return outputs + [
        .promise(.locationRaw, nextS: settings.intervalS), publish(fix, at: due),
      ]
    case .replay(var replay):
      guard let fix = replay.nextFix() else { return [] }
      let isEnd = replay.isAtEnd
      if isEnd, settings.loops { replay.seek(to: replay.start ?? due) }
      source = .replay(replay)
      // The pauses of a recording are known; after its end no further fix is promised.
      let next = replay.nextDue.map { max(0.001, $0.seconds(since: due)) }
      var outputs = [
        .promise(.locationRaw, nextS: next ?? 0), publish(fix, at: due),
      ]
      if isEnd, settings.loops, let start = replay.start {
        now = start
        run += 1
        outputs += clock()
      } else if isEnd {
        outputs.append(.log(.info, "the recording has ended"))
      } else if let next, next > settings.longestPauseS, let due = replay.nextDue {
        outputs += skip(to: due, pauseS: next)
      }
      return outputs
    case .external:
      return []
    }
  }

  /// Advances the clock to shortly before the fix that ends a long pause of the recording.
  private mutating func skip(to due: Instant, pauseS: Double) -> [StageOutput] {
    now = max(now, due.advanced(bySeconds: -min(settings.intervalS, pauseS)))
    return [
      .log(
        .info, "the recording pauses for \(Int(pauseS)) s; the clock jumps to \(TimeText.utc(due))")
    ] + clock()
  }

  /// Publishes the first fix repeatedly until a matcher has processed it; streams keep nothing for
  /// late joiners.
  private func heldFix() -> [StageOutput] {
    guard case .replay(let replay) = source, !isHeard, let first = replay.fixes.first,
      let due = replay.start
    else { return [] }
    return [publish(first, at: due)]
  }

  private func publish(_ fix: Fix, at due: Instant) -> StageOutput {
    .publish(
      .locationRaw(
        Wire.raw(
          fix, provider: fix.source ?? settings.kind.rawValue, priority: settings.priority)),
      stamp: due)
  }

  // MARK: Messages

  /// Matched locations only show that there is a matcher, and of traffic reports that arrive faster
  /// than fixes only the newest is decoded.
  public func interest(in topic: Topics.Name) -> TopicInterest {
    switch (topic, source) {
    case (.routeActive, _): .value
    case (.locationMatched, _): isHeard ? .nothing : .bytes
    case (.locationRaw, .external): hasStarted ? .value : .nothing
    case (.trafficFlow, .simulator), (.trafficIncidents, .simulator): .bytes
    default: .nothing
    }
  }

  private mutating func receive(_ message: Inbound) throws(Refusal) -> [StageOutput] {
    switch message.value {
    case .routeActive(let active):
      return adopt(try Wire.route(active), at: max(now, message.stamp))
    case .locationRaw(let raw):
      return try follow(raw, from: message.source)
    case .bytes(LocationMatched.topic, _):
      isHeard = true
    case .bytes(let topic, let payload):
      report(topic, key: message.key ?? "", payload)
    default: break
    }
    return []
  }

  private mutating func adopt(_ route: Route?, at time: Instant) -> [StageOutput] {
    var outputs: [StageOutput] = []
    if case .simulator(var simulator, let receiver) = source {
      // A restarted driver receives the route before the clock runs.
      let time = hasStarted ? time : max(now, settings.startTime)
      let before = simulator.drive
      simulator.adopt(route, at: time)
      // A route that arrives again, as after a handover, changes nothing: its traffic counts from
      // the next fix on.
      if simulator.drive != before { outputs += follow(&simulator, at: time) }
      source = .simulator(simulator, receiver)
    }
    guard isHeld, route != nil else { return outputs }
    isHeld = false
    if isHeard, case .replay(var replay) = source {
      // The first fix was processed while waiting; its time would occur twice.
      _ = replay.nextFix()
      source = .replay(replay)
    }
    return outputs + clock() + advance()
  }
}
