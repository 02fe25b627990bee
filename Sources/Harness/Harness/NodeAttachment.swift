public import EventTime
public import Stage

/// Something that runs beside a stage in its process: a web server, a loudspeaker.
///
/// It sees what the stage publishes, may publish and call by itself, and may hand the stage events.
public protocol NodeAttachment: AnyObject, Sendable {
  /// Called once on the work loop when the node is on the bus and its state restored, before it
  /// says that it is ready.
  ///
  /// - Throws: `StageFailure`, which ends the node with a sentence (a port that is taken).
  func start(_ node: any NodeHandle) throws(StageFailure)

  /// Called on the work loop after each message that the stage published; must return soon.
  func didPublish(_ message: PublishedMessage)

  /// Called on the work loop when the map was replaced, with the stage's shared part over the new
  /// one; the stages follow at once.
  func mapChanged(_ shared: any Sendable)

  /// Called on the work loop when another process goes on as the node, or the node was told to stop: finishes what
  /// was begun, and leaves the rest to its successor.
  ///
  /// `stop` follows when `hasRetired` is true, at the latest after a minute; if there is no successor, after 0.7 s.
  func retire()

  /// Whether nothing is under way any more after `retire`; asked on the work loop.
  var hasRetired: Bool { get }

  /// Called on the work loop when the node ends; has half a second.
  func stop()
}

extension NodeAttachment {
  public func didPublish(_ message: PublishedMessage) {}
  public func mapChanged(_ shared: any Sendable) {}
  public func retire() {}
  public var hasRetired: Bool { true }
  public func stop() {}
}

/// What an attachment can do with its node; may be used from any thread.
public protocol NodeHandle: AnyObject, Sendable {
  /// The node's name in the stack.
  var name: String { get }
  /// The vehicles that the node was started for; empty where it serves any.
  var vehicles: [String] { get }
  var parameters: Parameters { get }
  /// Stack time; nil while no source of time has been heard.
  var now: Instant? { get }

  /// Hands the stage an event as if it had come over the bus; its outputs are performed.
  func inject(_ event: StageEvent, vehicle: String)

  /// Publishes under the node's name; `topic` is without the vehicle.
  func publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String?, ttlMS: UInt32?, cause: Cause?,
    vehicle: String)

  /// Reads topics that the stage does not (without the vehicle, or a subtree `guidance/`); each
  /// message is handed to `receive` on the work loop, a state's last value first.
  func subscribe(
    _ topics: [String], receive: @escaping @Sendable (_ vehicle: String, _ message: Inbound) -> Void
  )

  /// Begins to watch a vehicle: what `subscribe` asked for is received from now on, states' last values first.
  ///
  /// Vehicles that the node was started for are received without it. Each `watch` needs an `unwatch`.
  func watch(_ vehicle: String)
  func unwatch(_ vehicle: String)

  /// Finds the vehicles that the node may serve: those that it was started for, else those with a message in the
  /// last 15 minutes.
  ///
  /// `completion` gets their names, on any thread; it is never called if no broker answers.
  func findVehicles(completion: @escaping @Sendable ([String]) -> Void)

  /// Makes a call; `completion` gets its only end, on the work loop.
  func call(
    _ name: String, payload: [UInt8], timeoutMS: UInt32, vehicle: String,
    completion: @escaping @Sendable (CallOutcome) -> Void)

  func log(_ level: LogLevel, _ text: String)
  func count(_ counter: String, by amount: Int)
  /// The attachment works, but not as it should; nil takes it back.
  func setDegraded(_ why: String?)
}

extension NodeHandle {
  /// The vehicle that the node was started for, the first of several; `ego` where it serves any.
  public var vehicle: String { vehicles.first ?? "ego" }

  /// Makes a call and waits, without blocking a thread, for its end.
  public func call(
    _ name: String, payload: [UInt8], timeoutMS: UInt32 = 2_000, vehicle: String
  ) async -> CallOutcome {
    await withCheckedContinuation { continuation in
      call(name, payload: payload, timeoutMS: timeoutMS, vehicle: vehicle) { outcome in
        continuation.resume(returning: outcome)
      }
    }
  }
}
