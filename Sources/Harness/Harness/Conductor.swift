public import EventTime
import NodeKit
public import Stage

/// Runs nodes in lock-step with drawn time: no luck of threads, sockets or machine has a say.
///
/// Messages go round in waves. A wave is all that the last one sent: every node gets its part of
/// it as one batch, in the order in which it was published; what the nodes answer is performed in
/// the order of the nodes, and forms the next wave. When a wave is empty, time jumps to the next
/// wake-up. So the same nodes and inputs give the same messages in the same order, whether a node
/// is a stage of this process or a process of its own, and however fast the machine is.
///
/// A stage's first event is `wake` as soon as stack time is known: at the start for the source of
/// time (the node whose outputs name `_clock`), for the others when it has set the clock; where
/// there is no source of time, at the start for all.
public final class Conductor {
  /// Why `run` came back.
  public enum End: Hashable, Sendable {
    /// `stopWhen` took a message.
    case condition
    /// The next thing to happen lies beyond the limit.
    case timeLimit
    /// Nothing is left to do.
    case idle
    /// The stages keep each other busy without time going on.
    case stuck
    /// A node went away.
    case lost(NodeLost)
  }

  /// A line that a stage logged, or a refusal.
  public struct LogLine: Hashable, Sendable {
    public var level: LogLevel
    public var node: String
    public var text: String
  }

  /// Sees every message in the order in which it is published.
  public var tap: ((PublishedMessage) -> Void)?
  /// Sees every line that a stage logs.
  public var log: ((LogLine) -> Void)?
  /// Whether a message that a node publishes is kept from its readers: they get it by `give`.
  public var holdsBack: ((PublishedMessage) -> Bool)?
  /// Takes a call that no node here answers, to be ended by `endCall`; false refuses it.
  public var answersOutside: ((_ id: String, _ call: CallRecord) -> Bool)?
  /// Whether the nodes' states are published as `_state/<node>` when something was heard of them.
  public var publishesStates = false
  /// Whether the tap also sees each call and its end, as a message on `_svc/<call>`.
  public var mirrorsCalls = false
  /// Whether stack time is told from outside, by `tell`: nobody is woken before it is.
  public var hasOutsideClock = false

  /// Stack time.
  public internal(set) var now: Instant
  /// Named counters by node, as `StageOutput.count` adds to them.
  public internal(set) var counters: [String: [String: Int]] = [:]
  /// Events that a stage refused: by node, then by topic or call and reason.
  public internal(set) var refusals: [String: [String: Int]] = [:]
  /// Why a node is degraded; absent where it is not.
  public internal(set) var degraded: [String: String] = [:]
  /// Waves that were handled, and the batches in them.
  public internal(set) var waveCount = 0
  public internal(set) var batchCount = 0

  let vehicles: [String]
  var members: [Member] = []
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

  /// A conductor whose nodes serve `vehicles`; others come to be when a message names them.
  public init(start: Instant = Instant(nanoseconds: 0), vehicles: [String] = ["ego"]) {
    self.now = start
    self.vehicles = vehicles
  }

  /// Name under which the conductor itself publishes.
  static let name = "conductor"

  /// Adds a node behind those that are there: their order is part of what is conducted.
  public func add(_ node: any ConductedNode) { members.append(Member(node)) }

  /// Publishes from outside, as an injector on the bus does; handled by the next `run`.
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

  /// Makes a call from outside; `completion` gets its only end during a `run`.
  public func call(
    _ name: String, payload: [UInt8], vehicle: String? = nil, source: String = "outside",
    completion: @escaping (CallOutcome) -> Void
  ) {
    start()
    beginCall(
      name, payload: payload, vehicle: vehicle ?? vehicles.first ?? "ego",
      caller: .outside(source, completion))
  }

  /// Asks a node here what it was asked elsewhere; does nothing where none answers such calls.
  public func ask(
    _ name: String, payload: [UInt8], vehicle: String?,
    completion: @escaping (CallOutcome) -> Void
  ) {
    start()
    guard members.contains(where: { $0.facts.serves.contains(name) }) else { return }
    call(name, payload: payload, vehicle: vehicle, completion: completion)
  }

  /// Gives the nodes that read it a message that was published elsewhere, as it is.
  ///
  /// The tap does not see it, and nothing is handled before `settled` or `run`.
  public func give(_ message: PublishedMessage, isLatched: Bool = false) {
    start()
    hand(message, isLatched: isLatched)
  }

  /// Goes on until `stopWhen` takes a published message, `limit` is reached, or nothing is left.
  ///
  /// What the message that ended the run leads to at the same moment is still done.
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

  /// Lets the nodes do all that is due when stack time becomes known, without time going on; nil where that settles.
  ///
  /// Afterwards they have published what they know by themselves, such as the traffic of a feed. `onMessage` gets each
  /// message.
  public func settleStart(onMessage: @escaping (PublishedMessage) -> Void) -> End? {
    stopWhen = { message in
      onMessage(message)
      return false
    }
    defer { stopWhen = nil }
    start()
    for _ in 0..<Self.mostTurnsAtOnce {
      if let end = settled() { return end }
      guard let next = nextWake(), next <= now else { return nil }
      deliverDueWakes()
    }
    return .stuck
  }

  /// Number of successive wake-ups at one time above which they count as an endless loop.
  private static let mostTurnsAtOnce = 100_000

  /// Lets everything that is under way settle, without time going on; nil where it does.
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
