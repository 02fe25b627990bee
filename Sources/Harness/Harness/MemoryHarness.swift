public import EventTime
import NodeKit
public import Stage

/// Runs any set of stages in one process with drawn time: no sockets, no threads, no waiting.
///
/// Messages go round in waves: every node handles, in the order in which the nodes were added,
/// what the last wave sent it; what it publishes meanwhile forms the next wave. When a wave is
/// empty, time jumps to the next wake-up. So the same stages and inputs give the same messages in
/// the same order, however fast the machine is.
///
/// A stage's first event is `wake` as soon as stack time is known: at `start` for the source of
/// time (the node whose outputs name `_clock`), for the others when it has set the clock; where
/// there is no source of time, at `start` for all.
public final class MemoryHarness {
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

  /// Stack time.
  public internal(set) var now: Instant
  /// Named counters by node, as `StageOutput.count` adds to them.
  public internal(set) var counters: [String: [String: Int]] = [:]
  /// Events that a stage refused: by node, then by topic or call and reason.
  public internal(set) var refusals: [String: [String: Int]] = [:]
  /// Why a node is degraded; absent where it is not.
  public internal(set) var degraded: [String: String] = [:]

  let vehicles: [String]
  var nodes: [MemoryNode] = []
  var pending: [MemoryDelivery] = []
  var calls: [String: MemoryCall] = [:]
  var clock = MemoryClock()
  var lastValues: [String: PublishedMessage] = [:]
  var outsideSequences: [String: UInt64] = [:]
  var callCount = 0
  var wakeCount = 0
  var stopWhen: ((PublishedMessage) -> Bool)?
  var hasMetCondition = false
  private var hasStarted = false

  /// A harness whose stages serve `vehicles`; others come to be when a message names them.
  public init(start: Instant = Instant(nanoseconds: 0), vehicles: [String] = ["ego"]) {
    self.now = start
    self.vehicles = vehicles
  }

  /// Loads a stage and adds it as a node.
  ///
  /// - Throws: `StageFailure` for wrong parameters or what the stage cannot load.
  public func add<S: Stage>(
    _ stage: S.Type, name: String, parameters: [String: ParameterValue] = [:]
  ) throws(StageFailure) {
    add(
      stage, name: name,
      shared: try S.load(try Parameters(parameters, declared: S.manifest.parameters)))
  }

  /// Adds a stage whose shared part is loaded already, so that several harnesses can have it.
  public func add<S: Stage>(_ stage: S.Type, name: String, shared: S.Shared) {
    nodes.append(MemoryNode(name: name, makeHost: { StageHost<S>(shared) }))
  }

  /// Publishes from outside, as an injector on the bus does; handled by the next `run`.
  public func publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String? = nil, vehicle: String? = nil,
    source: String = "outside"
  ) {
    start()
    let owner = topic.hasPrefix("_") ? nil : vehicle ?? vehicles.first
    let name = owner.map { "\($0)/\(topic)" } ?? topic
    outsideSequences["\(source) \(name)", default: 0] += 1
    if !nodes.contains(where: \.setsClock) { now = max(now, stamp) }
    route(
      PublishedMessage(
        vehicle: owner, topic: topic, stamp: stamp, source: source, run: 1,
        sequence: outsideSequences["\(source) \(name)", default: 1],
        schema: Contract.schema(ofTopic: topic), key: key, ttlMS: nil, cause: nil, payload: payload)
    )
  }

  /// Makes a call from outside; `completion` gets its only end during a `run`.
  public func call(
    _ name: String, payload: [UInt8], vehicle: String? = nil,
    completion: @escaping (CallOutcome) -> Void
  ) {
    start()
    beginCall(
      name, payload: payload, vehicle: vehicle ?? vehicles.first ?? "ego",
      caller: .outside(completion))
  }

  /// Makes a call and lets everything that follows from it settle, without time going on.
  public func settle(call name: String, payload: [UInt8], vehicle: String? = nil) -> CallOutcome? {
    var outcome: CallOutcome?
    call(name, payload: payload, vehicle: vehicle) { outcome = $0 }
    _ = settle()
    return outcome
  }

  /// Stops a node as `kill -9` does and starts it again with the state that it had saved.
  public func restart(_ name: String) {
    guard let node = nodes.first(where: { $0.name == name }) else { return }
    let states = node.host.vehicles.map { ($0, node.host.savedState(of: $0)) }
    pending.removeAll { $0.node === node }
    node.restart()
    failCalls(servedBy: node)
    for (vehicle, state) in states {
      guard let state else {
        _ = node.host.admit(vehicle)
        continue
      }
      do {
        try node.host.restore(state, vehicle: vehicle)
      } catch {
        refuse(error, at: node, place: "_state")
      }
    }
    for value in lastValues.sorted(by: { $0.key < $1.key }) where node.reads(value.value.topic) {
      var latched = value.value.inbound
      latched.isLatched = true
      deliver(.message(latched), to: node, vehicle: value.value.vehicle, cause: latched.cause)
    }
    if clock.isKnown || node.setsClock { wakeFirst(node) }
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
    while true {
      guard settle() else { return .stuck }
      if hasMetCondition { return .condition }
      guard let next = nextWake() else {
        if failUnansweredCalls() { continue }
        return .idle
      }
      if let limit, next > limit {
        now = max(now, limit)
        return .timeLimit
      }
      now = max(now, next)
      deliverDueWakes()
    }
  }

  private func start() {
    guard !hasStarted else { return }
    hasStarted = true
    let hasClock = nodes.contains { $0.setsClock }
    for node in nodes {
      for vehicle in vehicles { _ = node.host.admit(vehicle) }
      if !hasClock || node.setsClock { wakeFirst(node) }
    }
    if !hasClock { clock.isKnown = true }
  }
}
