public import Foundations
import NodeKit
public import Stage

/// A node of a `Conductor`: its properties, and an object that answers batches of events.
///
/// In this process it is a stage (`LocalNode`), otherwise a process in lock-step mode.
public protocol ConductedNode: AnyObject {
  /// The node's name in the stack, under which its messages are published.
  var name: String { get }
  var facts: NodeFacts { get }

  /// Starts a batch; `finish` returns its result. A node has at most one batch at a time.
  func start(_ batch: EventBatch)

  /// Waits for the end of the started batch.
  ///
  /// - Throws: `NodeLost` if the node has gone or gives an invalid answer.
  func finish() throws(NodeLost) -> BatchAnswer
}

/// The properties of a node that a conductor needs.
public struct NodeFacts: Hashable, Sendable {
  /// The program's name: `nav-map-matcher`.
  public var program: String
  /// Topics without the vehicle that it reads.
  public var inputs: Set<String>
  /// Calls that it serves.
  public var serves: Set<String>
  /// Whether it is the source of stack time.
  public var setsClock: Bool
  /// Vehicles that it adds itself.
  public var ownVehicles: [String]

  public init(_ manifest: Manifest) {
    program = manifest.name
    inputs = Set(manifest.inputs)
    serves = Set(manifest.serves)
    setsClock = manifest.outputs.contains(Contract.clockTopic)
    ownVehicles = manifest.ownVehicles ?? []
  }
}

/// A batch of events for a node: its part of one wave, in order.
public struct EventBatch: Sendable {
  public struct Item: Sendable {
    public var vehicle: String
    public var event: EncodedEvent

    public init(vehicle: String, event: EncodedEvent) {
      self.vehicle = vehicle
      self.event = event
    }
  }

  /// Stack time; nil while none is known.
  public var now: Instant?
  public var items: [Item]
  /// Whether the answer must contain the states that have changed.
  public var wantsStates: Bool

  public init(now: Instant?, items: [Item], wantsStates: Bool = false) {
    self.now = now
    self.items = items
    self.wantsStates = wantsStates
  }
}

/// The result of a batch.
public struct BatchAnswer: Sendable {
  /// The result of one event: outputs (without `work`, which is already done), or a refusal.
  public typealias Result = Swift.Result<[EncodedOutput], Refusal>

  public struct State: Hashable, Sendable {
    public var vehicle: String
    /// nil if the stage no longer has a state.
    public var payload: [UInt8]?

    public init(vehicle: String, payload: [UInt8]?) {
      self.vehicle = vehicle
      self.payload = payload
    }
  }

  /// One for each event of the batch, in its order.
  public var results: [Result]
  /// The states that a successor would have to restore, if the batch requested them.
  public var states: [State]

  public init(results: [Result] = [], states: [State] = []) {
    self.results = results
    self.states = states
  }
}

/// A node of a conductor has gone; the run cannot continue.
public struct NodeLost: Error, Hashable, Sendable {
  public var node: String
  /// The reason as a sentence.
  public var reason: String

  public init(node: String, reason: String) {
    self.node = node
    self.reason = reason
  }
}

/// Answers batches with a stage: one event after the other, with long work done synchronously.
struct BatchProcessor {
  private var saved: [String: [UInt8]] = [:]

  mutating func process(_ batch: EventBatch, _ host: any StageHosting) -> BatchAnswer {
    var answer = BatchAnswer()
    var heard: [String] = []
    var known: Set<String> = []
    for item in batch.items {
      _ = host.admit(item.vehicle)
      do {
        let outputs = Self.worked(try host.handle(item.event, vehicle: item.vehicle))
        if outputs.contains(where: { $0.isHeard(Wiring()) }), known.insert(item.vehicle).inserted {
          heard.append(item.vehicle)
        }
        if outputs.contains(where: \.isLeaving) { _ = host.drop(item.vehicle) }
        answer.results.append(.success(outputs))
      } catch {
        answer.results.append(.failure(error))
      }
    }
    guard batch.wantsStates else { return answer }
    for vehicle in heard {
      let state = host.savedState(of: vehicle)
      guard state != saved[vehicle] else { continue }
      saved[vehicle] = state
      answer.states.append(BatchAnswer.State(vehicle: vehicle, payload: state))
    }
    return answer
  }

  private static func worked(_ outputs: [EncodedOutput]) -> [EncodedOutput] {
    outputs.flatMap { output -> [EncodedOutput] in
      if case .work(_, let body) = output { return worked(body()) }
      return [output]
    }
  }
}

/// A stage of this process as a node of a `Conductor`.
public final class LocalNode: ConductedNode {
  public let name: String
  public let facts: NodeFacts
  private let makeHost: () -> any StageHosting
  private var host: any StageHosting
  private var processor = BatchProcessor()
  private var batch: EventBatch?

  init(name: String, makeHost: @escaping () -> any StageHosting) {
    self.name = name
    self.makeHost = makeHost
    host = makeHost()
    facts = NodeFacts(host.manifest)
  }

  /// Creates a node of a stage whose shared part is loaded.
  ///
  /// After every `handsOverEvery` events of a vehicle, its stage is handed over to a fresh one, as
  /// in a swap. This is a test, since nothing may change by it.
  public convenience init<S: Stage>(
    _ stage: S.Type, name: String, shared: S.Shared, handsOverEvery: Int? = nil
  ) {
    self.init(name: name) { StageHost<S>(shared, handsOverEvery: handsOverEvery) }
  }

  public func start(_ batch: EventBatch) { self.batch = batch }

  public func finish() throws(NodeLost) -> BatchAnswer {
    guard let batch else { return BatchAnswer() }
    self.batch = nil
    return processor.process(batch, host)
  }

  /// Stops as `kill -9` does and restarts with the saved states; returns the refusals of states.
  func restart() -> [Refusal] {
    let states = host.vehicles.map { ($0, host.savedState(of: $0)) }
    host = makeHost()
    processor = BatchProcessor()
    var refusals: [Refusal] = []
    for (vehicle, state) in states {
      _ = host.admit(vehicle)
      guard let state else { continue }
      do {
        try host.restore(state, vehicle: vehicle)
      } catch {
        refusals.append(error)
      }
    }
    return refusals
  }

  /// Restarts without any state.
  public func reset() {
    host = makeHost()
    processor = BatchProcessor()
  }

  /// Forgets a vehicle.
  public func drop(_ vehicle: String) { _ = host.drop(vehicle) }

  /// Gives a stage a state that it had saved at another time.
  public func restore(_ state: [UInt8], vehicle: String) throws(Refusal) {
    try host.restore(state, vehicle: vehicle)
  }
}

extension EncodedOutput {
  fileprivate var isLeaving: Bool {
    if case .leave = self { true } else { false }
  }
}
