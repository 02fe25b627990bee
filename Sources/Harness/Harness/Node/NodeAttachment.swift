public import Foundations
public import Stage

/// A component that runs next to a stage in its process: a web server, a loudspeaker.
///
/// It receives what the stage publishes, may publish and call by itself, and may pass events to the
/// stage.
public protocol NodeAttachment: AnyObject, Sendable {
  /// Called once on the work loop when the node is on the bus and its state restored.
  ///
  /// The node then reports that it is ready.
  ///
  /// - Throws: `StageFailure`, which ends the node with a sentence (for example that a port is in
  ///   use).
  func start(_ node: any NodeHandle) throws(StageFailure)

  /// Called on the work loop after each message that the stage published; must return quickly.
  func didPublish(_ message: PublishedMessage)

  /// Called on the work loop when the map was replaced, with the stage's shared part for the new
  /// map.
  ///
  /// The stages switch immediately afterwards.
  func mapChanged(_ shared: any Sendable)

  /// Called on the work loop when another process takes over the node, or the node must stop.
  ///
  /// It finishes its current work, and leaves the rest to its successor.
  ///
  /// `stop` follows when `hasRetired` is true, after a minute at most; if there is no successor,
  /// after 0.7 s.
  func retire()

  /// Whether all work is finished after `retire`; called on the work loop.
  var hasRetired: Bool { get }

  /// Called on the work loop when the node ends; may take half a second.
  func stop()
}

extension NodeAttachment {
  public func didPublish(_ message: PublishedMessage) {}
  public func mapChanged(_ shared: any Sendable) {}
  public func retire() {}
  public var hasRetired: Bool { true }
  public func stop() {}
}

/// The operations on its node for an attachment; may be used from any thread.
public protocol NodeHandle: AnyObject, Sendable {
  /// The node's name in the stack.
  var name: String { get }
  /// The vehicles that the node was started for; empty if it serves any.
  var vehicles: [String] { get }
  var parameters: Parameters { get }
  /// Stack time; nil until a source of time has been received.
  var now: Instant? { get }
  /// Whether a broker answers.
  var isConnected: Bool { get }

  /// Passes the stage an event as if it had arrived over the bus; its outputs are performed.
  func inject(_ event: EncodedEvent, vehicle: String)

  /// Publishes under the node's name; `topic` is without the vehicle.
  func publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String?, ttlMS: UInt32?, cause: Cause?,
    vehicle: String)

  /// Reads topics that the stage does not read (without the vehicle, or a subtree `guidance/`).
  ///
  /// Each message is passed to `receive` on the work loop, a state's last value first.
  func subscribe(
    _ topics: [String],
    receive: @escaping @Sendable (_ vehicle: String, _ message: EncodedMessage) -> Void
  )

  /// Ends the subscription that was made with these topics; topics that nothing else in the process
  /// reads are not received any more.
  func unsubscribe(_ topics: [String])

  /// Starts to watch a vehicle: the topics of `subscribe` are received from now on, states' last
  /// values first.
  ///
  /// Vehicles that the node was started for are received without this. Each `watch` needs an
  /// `unwatch`.
  func watch(_ vehicle: String)
  func unwatch(_ vehicle: String)

  /// Finds the vehicles that the node may serve.
  ///
  /// These are the vehicles that it was started for, or else those with a message in the last 15
  /// minutes.
  ///
  /// `completion` gets their names, on any thread; it is never called if no broker answers.
  func findVehicles(completion: @escaping @Sendable ([String]) -> Void)

  /// Makes a call; `completion` is called once with its end, on the work loop.
  func call(
    _ name: String, payload: [UInt8], timeoutMS: UInt32, vehicle: String,
    completion: @escaping @Sendable (EncodedOutcome) -> Void)

  func log(_ level: LogLevel, _ text: String)
  func count(_ counter: String, by amount: Int)
  /// Reports why the attachment is degraded; nil revokes it.
  func setDegraded(_ why: String?)
}

extension NodeHandle {
  /// The vehicle that the node was started for, the first of several; `ego` if it serves any.
  public var vehicle: String { vehicles.first ?? "ego" }

  /// Makes a call and waits, without blocking a thread, for its end.
  public func call(
    _ name: String, payload: [UInt8], timeoutMS: UInt32 = 2_000, vehicle: String
  ) async -> EncodedOutcome {
    await withCheckedContinuation { continuation in
      call(name, payload: payload, timeoutMS: timeoutMS, vehicle: vehicle) { outcome in
        continuation.resume(returning: outcome)
      }
    }
  }
}
