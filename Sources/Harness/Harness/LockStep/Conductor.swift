public import Foundations
import Messages
import NodeKit
public import Stage

/// Runs nodes in lock-step with simulated time, independent of threads, sockets and the machine.
///
/// Each wave delivers the messages published during the previous wave. Every node receives its part
/// as one batch, in the order of publication. The outputs of the nodes are published in the order
/// of the nodes, and form the next wave. When a wave is empty, time jumps to the next wake-up. So
/// the same nodes and inputs give the same messages in the same order. This holds whether a node is
/// a stage of this process or a separate process, and however fast the machine is.
///
/// A stage's first event is `wake`, as soon as stack time is known. For the source of time (the
/// node whose outputs name `_clock`) that is at the start, for the others after it has set the
/// clock. If there is no source of time, it is at the start for all.
public final class Conductor {
  /// The reason why `run` returned.
  public enum End: Hashable, Sendable {
    /// `stopWhen` accepted a message.
    case condition
    /// The next event lies beyond the limit.
    case timeLimit
    /// No events are left.
    case idle
    /// The stages trigger each other endlessly while time does not advance.
    case stuck
    /// A node has gone.
    case lost(NodeLost)
  }

  /// A line that a stage logged, or a refusal.
  public struct LogLine: Hashable, Sendable {
    public var level: LogLevel
    public var node: String
    public var text: String
  }

  /// Receives every message in the order of publication.
  public var tap: ((PublishedMessage) -> Void)? {
    get { router.tap }
    set { router.tap = newValue }
  }
  /// Receives every line that a stage logs.
  public var log: ((LogLine) -> Void)? {
    get { report.log }
    set { report.log = newValue }
  }
  /// Whether a node's message is withheld from its readers, which get it by `give`.
  public var holdsBack: ((PublishedMessage) -> Bool)? {
    get { router.holdsBack }
    set { router.holdsBack = newValue }
  }
  /// Handles a call that no node here serves, to be ended by `endCall`; false refuses it.
  public var answersOutside: ((_ id: String, _ call: CallRecord) -> Bool)? {
    get { calls.answersOutside }
    set { calls.answersOutside = newValue }
  }
  /// Whether the tap also receives each call and its end, as a message on `_svc/<call>`.
  public var mirrorsCalls: Bool {
    get { calls.areMirrored }
    set { calls.areMirrored = newValue }
  }
  /// Whether nodes' states are published as `_state/<node>` before outputs that others would
  /// notice.
  public var publishesStates = false
  /// Whether stack time is set from outside, by `setClock`; no stage is woken before that.
  public var hasOutsideClock = false

  /// Stack time.
  public var now: Instant { schedule.now }
  /// Whether stack time is known.
  public var isTimeKnown: Bool { schedule.clock.isKnown }
  /// Named counters by node, as `EncodedOutput.count` adds to them.
  public var counters: [String: [String: Int]] { report.counters }
  /// Events that a stage refused: by node, then by topic or call and reason.
  public var refusals: [String: [String: Int]] { report.refusals }
  /// The reason why a node is degraded; absent if it is not.
  public var degraded: [String: String] { report.degraded }
  /// Number of waves that were handled, and of the batches in them.
  public private(set) var waveCount = 0
  public private(set) var batchCount = 0

  private let vehicles: [String]
  private let schedule: EventSchedule
  private let router: MessageRouter
  private let calls: ConductedCalls
  private let report = ConductorReport()
  private var hasStarted = false

  /// Creates a conductor whose nodes serve `vehicles`; others are added when a message names them.
  public init(start: Instant = Instant(nanoseconds: 0), vehicles: [String] = ["ego"]) {
    self.vehicles = vehicles
    schedule = EventSchedule(start: start)
    router = MessageRouter(schedule: schedule)
    calls = ConductedCalls(schedule: schedule, router: router)
  }

  /// Name under which the conductor itself publishes.
  static let name = "conductor"

  /// Adds a node after the existing ones; their order affects the result.
  public func add(_ node: any ConductedNode) { schedule.add(node) }

  /// Publishes a message from outside, as an injector on the bus does; handled by the next `run`.
  public func publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String? = nil, vehicle: String? = nil,
    source: String = "outside"
  ) {
    start()
    if !schedule.hasClockSource { schedule.advance(to: stamp) }
    router.publish(
      topic: topic, stamp: stamp, payload: payload, key: key, vehicle: vehicle ?? vehicles.first,
      source: source)
  }

  /// Makes a call from outside; `completion` is called once with its end during a `run`.
  public func call(
    _ name: String, payload: [UInt8], vehicle: String? = nil, source: String = "outside",
    completion: @escaping (EncodedOutcome) -> Void
  ) {
    start()
    calls.open(
      name, payload: payload, vehicle: vehicle ?? vehicles.first ?? "ego",
      caller: .outside(source, completion))
  }

  /// Repeats a call that was made elsewhere; does nothing if no node here serves it.
  public func ask(
    _ name: String, payload: [UInt8], vehicle: String?,
    completion: @escaping (EncodedOutcome) -> Void
  ) {
    start()
    guard schedule.server(of: name) != nil else { return }
    call(name, payload: payload, vehicle: vehicle, completion: completion)
  }

  /// Sends the caller the end of a call; a second end is ignored.
  public func endCall(_ id: String, _ outcome: EncodedOutcome) { calls.end(id, outcome) }

  /// Passes a message that was published elsewhere unchanged to the nodes that read it.
  ///
  /// The tap does not receive it, and nothing is handled before `settled` or `run`.
  public func give(_ message: PublishedMessage, isLatched: Bool = false) {
    start()
    schedule.deliver(message, isLatched: isLatched)
  }

  /// Runs until `stopWhen` accepts a published message, `limit` is reached, or nothing is left.
  ///
  /// The consequences of the last message at the same moment are still performed.
  public func run(
    until limit: Instant? = nil, stopWhen: ((PublishedMessage) -> Bool)? = nil
  ) -> End {
    router.startCondition(stopWhen: stopWhen)
    defer { router.endCondition() }
    start()
    var turnsAtOnce = 0
    while true {
      if let end = settled() { return end }
      if router.hasMetCondition { return .condition }
      guard let next = schedule.nextWake else {
        if calls.failUnanswered() { continue }
        return .idle
      }
      if let limit, next > limit {
        schedule.advance(to: limit)
        return .timeLimit
      }
      turnsAtOnce = next > now ? 0 : turnsAtOnce + 1
      guard turnsAtOnce <= Self.mostTurnsAtOnce else { return .stuck }
      schedule.advance(to: next)
      schedule.deliverDueWakes()
    }
  }

  /// Lets the nodes that read no positions do all that is due when stack time becomes known,
  /// without advancing time; nil if that settles.
  ///
  /// Afterwards they have published what they know by themselves, such as the traffic of a feed.
  /// The other nodes are woken after the messages of that moment, as in a replay. `onMessage` gets
  /// each message.
  public func settleStart(onMessage: @escaping (PublishedMessage) -> Void) -> End? {
    router.startCondition { message in
      onMessage(message)
      return false
    }
    defer { router.endCondition() }
    start()
    for _ in 0..<Self.mostTurnsAtOnce {
      if let end = settled() { return end }
      let due = independentMembers.filter { $0.wakes.values.contains { $0.at <= now } }
      guard !due.isEmpty else { return nil }
      schedule.deliverDueWakes(of: due)
    }
    return .stuck
  }

  /// The nodes that set the clock, and those that read no positions, such as feeds.
  private var independentMembers: [ConductorMember] {
    schedule.members.filter {
      $0.facts.setsClock || !$0.facts.inputs.contains { $0.hasPrefix("location/") }
    }
  }

  /// Number of successive wake-ups at one time above which they count as an endless loop.
  private static let mostTurnsAtOnce = 100_000

  // MARK: Time

  /// Sets stack time from outside, from a source of time that is not a node here.
  public func setClock(now new: Instant, isPaused: Bool, run: UInt64) {
    start()
    let change = schedule.setClock(now: new, isPaused: isPaused, run: run)
    schedule.follow(change, now: new, besides: nil)
  }

  /// Advances to a moment from outside; does nothing if it has passed already.
  ///
  /// Earlier actions are performed at their own times, actions due at that moment are performed
  /// then.
  ///
  /// - Returns: the reason why it stopped earlier; nil if it arrived.
  public func advance(to moment: Instant) -> End? {
    start()
    guard moment > now, isTimeKnown || !hasOutsideClock else { return nil }
    while now < moment, let next = schedule.nextWake, next < moment {
      schedule.advance(to: next)
      schedule.deliverDueWakes()
      if let end = settled() { return end }
    }
    // A source of time here may have set the clock: actions at its new time come later.
    guard now < moment else { return nil }
    schedule.advance(to: moment)
    schedule.deliverDueWakes()
    return settled()
  }

  private func start() {
    guard !hasStarted else { return }
    hasStarted = true
    schedule.start(vehicles: vehicles, hasOutsideClock: hasOutsideClock)
  }

  // MARK: Waves

  /// Lets everything in progress settle, without advancing time; nil if it does.
  public func settled() -> End? {
    do throws(NodeLost) {
      return try settle() ? nil : .stuck
    } catch {
      return .lost(error)
    }
  }

  /// Number of waves without an advance of time above which they count as an endless loop.
  private static let maximumWaves = 10_000

  /// Handles waves until none is left; false if they do not end.
  private func settle() throws(NodeLost) -> Bool {
    for _ in 0..<Self.maximumWaves {
      if schedule.isSettled { return true }
      try handleWave()
    }
    return false
  }

  private func handleWave() throws(NodeLost) {
    let wave = schedule.popWave()
    waveCount += 1
    // All nodes get their batches before any answer is awaited, so processes work in parallel.
    for (member, events) in wave {
      member.node.start(
        EventBatch(
          now: isTimeKnown ? now : nil,
          items: events.map { EventBatch.Item(vehicle: $0.vehicle, event: $0.event) },
          wantsStates: publishesStates))
    }
    batchCount += wave.count
    var answers: [BatchAnswer] = []
    for (member, events) in wave {
      let answer = try member.node.finish()
      guard answer.results.count == events.count else {
        throw NodeLost(
          node: member.name,
          reason: "it answered \(answer.results.count) of \(events.count) events")
      }
      answers.append(answer)
    }
    for ((member, events), answer) in zip(wave, answers) { perform(answer, of: member, events) }
  }

  private func perform(_ answer: BatchAnswer, of member: ConductorMember, _ events: [PendingEvent])
  {
    // Published after the state is kept, as on the bus.
    for state in answer.states { publish(state, of: member) }
    for (pending, result) in zip(events, answer.results) {
      switch result {
      case .success(let outputs):
        perform(outputs, of: member, vehicle: pending.vehicle, cause: pending.cause)
      case .failure(let refusal):
        report.refuse(refusal, at: member.name, place: pending.event.place)
        if case .call(let request) = pending.event {
          calls.end(
            request.id,
            .failed(CallError(code: "invalid", message: refusal.message, field: refusal.field)))
        }
      }
    }
  }

  private func perform(
    _ outputs: [EncodedOutput], of member: ConductorMember, vehicle: String, cause: Cause?
  ) {
    for output in outputs {
      switch output {
      case .publish(let topic, let stamp, let payload, let key, let ttlMS, let given):
        router.publish(
          topic, stamp: stamp, payload: payload, key: key, ttlMS: ttlMS, cause: given ?? cause,
          of: member, vehicle: vehicle)
      case .call(let name, let payload, _, let token):
        calls.open(
          name, payload: payload, vehicle: vehicle,
          caller: .member(member, vehicle: vehicle, token: token))
      case .cancelCall(let token): calls.cancel(of: member, vehicle: vehicle, token: token)
      case .reply(let id, let outcome): calls.end(id, outcome)
      case .wake(let at): schedule.requestWake(of: vehicle, at: at, by: member)
      case .work(_, let body):
        perform(body(), of: member, vehicle: vehicle, cause: cause)
      case .log(let level, let text): report.write(level, text, of: member.name)
      case .count(let counter, let amount):
        report.count(counter, by: amount, at: member.name)
      case .degraded(let why): report.setDegraded(why, of: member.name)
      case .admit(let another): schedule.admit(another, to: member)
      case .leave: member.drop(vehicle)
      // In lock-step work takes no time, and inputs are not checked: nothing is lost or late.
      case .promise, .wakeDuringWork: break
      case .setClock(let now, let rate, let isPaused, let run):
        setClock(now: now, rate: rate, isPaused: isPaused, run: run, by: member)
      }
    }
  }

  private func publish(_ state: BatchAnswer.State, of member: ConductorMember) {
    let payload = state.payload.map {
      NodeState(
        vehicle: state.vehicle, program: member.facts.program, savedNs: now.nanoseconds, state: $0
      ).encoded()
    }
    router.publish(
      "_state/\(member.name)", stamp: now, payload: payload ?? [], key: state.vehicle, ttlMS: nil,
      cause: nil, of: member, vehicle: state.vehicle)
  }

  private func setClock(
    now new: Instant, rate: Double, isPaused: Bool, run: UInt64, by setter: ConductorMember
  ) {
    let payload = Contract.clockPayload(now: new, rate: rate, isPaused: isPaused, run: run)
    let change = schedule.setClock(now: new, isPaused: isPaused, run: run)
    router.publish(
      Contract.clockTopic, stamp: now, payload: payload, key: nil, ttlMS: nil, cause: nil,
      of: setter, vehicle: "")
    schedule.follow(change, now: new, besides: setter)
  }

  /// Stops a node of this process as `kill -9` does and restarts it with its saved state.
  func restart(_ node: LocalNode) {
    guard let member = schedule.members.first(where: { $0.node === node }) else { return }
    schedule.restart(member)
    calls.fail(servedBy: member)
    for refusal in node.restart() { report.refuse(refusal, at: member.name, place: "_state") }
    router.repeatLastValues(to: member)
    if isTimeKnown || member.setsClock { schedule.wakeFirst(member) }
  }
}

extension EncodedEvent {
  /// The key under which a refusal of the event is counted: the topic or the call.
  var place: String {
    switch self {
    case .message(let message): message.topic
    case .call(let request): request.name
    case .cancelled: "cancelled"
    case .reply: "reply"
    case .wake: "wake"
    case .clockReset: "clock_reset"
    }
  }
}
