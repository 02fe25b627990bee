public import EventTime
import NodeKit
public import Stage

/// Runs nodes in lock-step with simulated time, independent of threads, sockets and the machine.
///
/// Each wave delivers the messages published during the previous wave. Every node receives its part
/// as one batch, in the order of publication. The outputs of the nodes are published in the order of
/// the nodes, and form the next wave. When a wave is empty, time jumps to the next wake-up. So the same nodes and inputs give the same messages in the same order. This holds
/// whether a node is a stage of this process or a separate process, and however fast the machine
/// is.
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
  public var tap: ((PublishedMessage) -> Void)?
  /// Receives every line that a stage logs.
  public var log: ((LogLine) -> Void)?
  /// Whether a node's message is withheld from its readers, which get it by `give`.
  public var holdsBack: ((PublishedMessage) -> Bool)?
  /// Handles a call that no node here serves, to be ended by `endCall`; false refuses it.
  public var answersOutside: ((_ id: String, _ call: CallRecord) -> Bool)?
  /// Whether nodes' states are published as `_state/<node>` before outputs that others would
  /// notice.
  public var publishesStates = false
  /// Whether the tap also receives each call and its end, as a message on `_svc/<call>`.
  public var mirrorsCalls = false
  /// Whether stack time is set from outside, by `tell`; no stage is woken before that.
  public var hasOutsideClock = false

  /// Stack time.
  public internal(set) var now: Instant
  /// Named counters by node, as `EncodedOutput.count` adds to them.
  public internal(set) var counters: [String: [String: Int]] = [:]
  /// Events that a stage refused: by node, then by topic or call and reason.
  public internal(set) var refusals: [String: [String: Int]] = [:]
  /// The reason why a node is degraded; absent if it is not.
  public internal(set) var degraded: [String: String] = [:]
  /// Number of waves that were handled, and of the batches in them.
  public internal(set) var waveCount = 0
  public internal(set) var batchCount = 0

  let vehicles: [String]
  var members: [ConductorMember] = []
  var pending: [PendingEvent] = []
  var calls: [String: OpenCall] = [:]
  var clock = ConductedClock()
  var lastValues: [String: PublishedMessage] = [:]
  var outsideSequences: [String: UInt64] = [:]
  var callCount = 0
  var wakeCount = 0
  var stopWhen: ((PublishedMessage) -> Bool)?
  var hasMetCondition = false
  private var hasStarted = false

  /// Creates a conductor whose nodes serve `vehicles`; others are added when a message names them.
  public init(start: Instant = Instant(nanoseconds: 0), vehicles: [String] = ["ego"]) {
    self.now = start
    self.vehicles = vehicles
  }

  /// Name under which the conductor itself publishes.
  static let name = "conductor"

  /// Adds a node after the existing ones; their order affects the result.
  public func add(_ node: any ConductedNode) { members.append(ConductorMember(node)) }

  /// Publishes a message from outside, as an injector on the bus does; handled by the next `run`.
  public func publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String? = nil, vehicle: String? = nil,
    source: String = "outside"
  ) {
    start()
    let owner = topic.hasPrefix("_") ? nil : vehicle ?? vehicles.first
    let name = owner.map { "\($0)/\(topic)" } ?? topic
    outsideSequences["\(source) \(name)", default: 0] += 1
    if !members.contains(where: \.setsClock) { now = max(now, stamp) }
    route(
      PublishedMessage(
        vehicle: owner, topic: topic, stamp: stamp, source: source, run: 1,
        sequence: outsideSequences["\(source) \(name)", default: 1],
        schema: Contract.schema(ofTopic: topic), key: key, ttlMS: nil, cause: nil, payload: payload)
    )
  }

  /// Makes a call from outside; `completion` is called once with its end during a `run`.
  public func call(
    _ name: String, payload: [UInt8], vehicle: String? = nil, source: String = "outside",
    completion: @escaping (EncodedOutcome) -> Void
  ) {
    start()
    beginCall(
      name, payload: payload, vehicle: vehicle ?? vehicles.first ?? "ego",
      caller: .outside(source, completion))
  }

  /// Repeats a call that was made elsewhere; does nothing if no node here serves it.
  public func ask(
    _ name: String, payload: [UInt8], vehicle: String?,
    completion: @escaping (EncodedOutcome) -> Void
  ) {
    start()
    guard members.contains(where: { $0.facts.serves.contains(name) }) else { return }
    call(name, payload: payload, vehicle: vehicle, completion: completion)
  }

  /// Passes a message that was published elsewhere unchanged to the nodes that read it.
  ///
  /// The tap does not receive it, and nothing is handled before `settled` or `run`.
  public func give(_ message: PublishedMessage, isLatched: Bool = false) {
    start()
    hand(message, isLatched: isLatched)
  }

  /// Runs until `stopWhen` accepts a published message, `limit` is reached, or nothing is left.
  ///
  /// The consequences of the last message at the same moment are still performed.
  public func run(
    until limit: Instant? = nil, stopWhen: ((PublishedMessage) -> Bool)? = nil
  ) -> End {
    self.stopWhen = stopWhen
    hasMetCondition = false
    defer { self.stopWhen = nil }
    start()
    var turnsAtOnce = 0
    while true {
      if let end = settled() { return end }
      if hasMetCondition { return .condition }
      guard let next = nextWake() else {
        if failUnansweredCalls() { continue }
        return .idle
      }
      if let limit, next > limit {
        now = max(now, limit)
        return .timeLimit
      }
      turnsAtOnce = next > now ? 0 : turnsAtOnce + 1
      guard turnsAtOnce <= Self.mostTurnsAtOnce else { return .stuck }
      now = max(now, next)
      deliverDueWakes()
    }
  }

  /// Lets the nodes that read no positions do all that is due when stack time becomes known,
  /// without advancing time; nil if that settles.
  ///
  /// Afterwards they have published what they know by themselves, such as the traffic of a feed.
  /// The other nodes are woken after the messages of that moment, as in a replay. `onMessage` gets
  /// each message.
  public func settleStart(onMessage: @escaping (PublishedMessage) -> Void) -> End? {
    stopWhen = { message in
      onMessage(message)
      return false
    }
    defer { stopWhen = nil }
    start()
    for _ in 0..<Self.mostTurnsAtOnce {
      if let end = settled() { return end }
      let due = independentMembers.filter { $0.wakes.values.contains { $0.at <= now } }
      guard !due.isEmpty else { return nil }
      deliverDueWakes(of: due)
    }
    return .stuck
  }

  /// The nodes that set the clock, and those that read no positions, such as feeds.
  private var independentMembers: [ConductorMember] {
    members.filter {
      $0.facts.setsClock || !$0.facts.inputs.contains { $0.hasPrefix("location/") }
    }
  }

  /// Number of successive wake-ups at one time above which they count as an endless loop.
  private static let mostTurnsAtOnce = 100_000

  /// Lets everything in progress settle, without advancing time; nil if it does.
  public func settled() -> End? {
    do throws(NodeLost) {
      return try settle() ? nil : .stuck
    } catch {
      return .lost(error)
    }
  }

  func start() {
    guard !hasStarted else { return }
    hasStarted = true
    let hasClock = hasOutsideClock || members.contains { $0.setsClock }
    for member in members {
      for vehicle in vehicles + member.facts.ownVehicles { _ = member.admit(vehicle) }
      if !hasClock || member.setsClock { wakeFirst(member) }
    }
    if !hasClock { clock.isKnown = true }
  }
}
