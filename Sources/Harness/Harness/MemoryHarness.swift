public import Foundations
import NodeKit
public import Stage

/// Runs any set of stages in one process with simulated time: no sockets, no threads, no waiting.
///
/// It uses a `Conductor` whose nodes are all stages of this process. So the same stages and inputs
/// give the same messages in the same order, however fast the machine is.
public final class MemoryHarness {
  public typealias End = Conductor.End
  public typealias LogLine = Conductor.LogLine

  public let conductor: Conductor
  private var nodes: [LocalNode] = []
  /// For tests: hands each stage over to a new instance after this many events of a vehicle.
  ///
  /// It applies to stages that are added after it is set. The outputs must not change.
  public var handsOverEvery: Int?

  /// Creates a harness whose stages serve `vehicles`; others are added when a message names them.
  public init(start: Instant = Instant(nanoseconds: 0), vehicles: [String] = ["ego"]) {
    conductor = Conductor(start: start, vehicles: vehicles)
  }

  /// Receives every message in the order of publication.
  public var tap: ((PublishedMessage) -> Void)? {
    get { conductor.tap }
    set { conductor.tap = newValue }
  }
  /// Receives every line that a stage logs.
  public var log: ((LogLine) -> Void)? {
    get { conductor.log }
    set { conductor.log = newValue }
  }

  /// Stack time.
  public var now: Instant { conductor.now }
  /// Named counters by node, as `EncodedOutput.count` adds to them.
  public var counters: [String: [String: Int]] { conductor.counters }
  /// Events that a stage refused: by node, then by topic or call and reason.
  public var refusals: [String: [String: Int]] { conductor.refusals }
  /// The reason why a node is degraded; absent if it is not.
  public var degraded: [String: String] { conductor.degraded }

  /// Loads a stage and adds it as a node.
  ///
  /// - Throws: `StageFailure` for invalid parameters or data that the stage cannot load.
  public func add<S: Stage>(
    _ stage: S.Type, name: String, parameters: [String: ParameterValue] = [:]
  ) throws(StageFailure) {
    add(
      stage, name: name,
      shared: try S.load(try Parameters(parameters, declared: S.manifest.parameters)))
  }

  /// Adds a stage whose shared part is already loaded, so that several harnesses can use it.
  public func add<S: Stage>(_ stage: S.Type, name: String, shared: S.Shared) {
    let node = LocalNode(stage, name: name, shared: shared, handsOverEvery: handsOverEvery)
    nodes.append(node)
    conductor.add(node)
  }

  /// Publishes a message from outside, as an injector on the bus does; handled by the next `run`.
  public func publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String? = nil, vehicle: String? = nil,
    source: String = "outside"
  ) {
    conductor.publish(
      topic: topic, stamp: stamp, payload: payload, key: key, vehicle: vehicle, source: source)
  }

  /// Makes a call from outside; `completion` is called once with its end during a `run`.
  public func call(
    _ name: String, payload: [UInt8], vehicle: String? = nil,
    completion: @escaping (EncodedOutcome) -> Void
  ) {
    conductor.call(name, payload: payload, vehicle: vehicle, completion: completion)
  }

  /// Makes a call and lets all its consequences settle, without advancing time.
  public func settle(call name: String, payload: [UInt8], vehicle: String? = nil) -> EncodedOutcome?
  {
    var outcome: EncodedOutcome?
    call(name, payload: payload, vehicle: vehicle) { outcome = $0 }
    _ = conductor.settled()
    return outcome
  }

  /// Stops a node as `kill -9` does and restarts it with its saved state; `name` must exist.
  public func restart(_ name: String) {
    guard let node = nodes.first(where: { $0.name == name }) else {
      preconditionFailure("no node has the name \(name)")
    }
    conductor.restart(node)
  }

  /// Runs until `stopWhen` accepts a published message, `limit` is reached, or nothing is left.
  ///
  /// The consequences of the last message at the same moment are still performed.
  public func run(
    until limit: Instant? = nil, stopWhen: ((PublishedMessage) -> Bool)? = nil
  ) -> End {
    conductor.run(until: limit, stopWhen: stopWhen)
  }
}
