public import EventTime

/// The logic of one stage: events in, outputs out; without sockets, clock or logger.
///
/// One value serves one vehicle. A harness (the bus, one process in memory, a fleet) loads the
/// shared part once and creates a value for each vehicle. It delivers events one at a time and
/// performs the outputs in order. The same events give the same outputs.
public protocol Stage: SendableMetatype {
  /// The data shared by all vehicles of a process: the map, the parameters, the voices.
  associatedtype Shared: Sendable

  /// Name, inputs, outputs, calls and parameters of the stage.
  static var manifest: Manifest { get }

  /// Loads the shared part; may read files and take seconds.
  ///
  /// - Throws: `StageFailure` with a sentence that names the place and the remedy.
  static func load(_ parameters: Parameters) throws(StageFailure) -> Shared

  /// Returns the files and folders of the shared part that may be replaced while the stage runs.
  ///
  /// They contain the map and other files that are read again. The result is empty for stages that
  /// use none or keep the initial ones.
  static func maps(_ parameters: Parameters) -> [String]

  /// Loads the shared part again after a map was replaced; called outside the event loop.
  ///
  /// `old` provides the parts that do not depend on the map: connections, counters.
  ///
  /// - Throws: `StageFailure` if the new map is unusable; the stage continues with the old one.
  static func load(_ parameters: Parameters, replacing old: Shared) throws(StageFailure) -> Shared

  /// Creates an idle stage for `vehicle`.
  init(vehicle: String, shared: Shared)

  /// Handles one event.
  ///
  /// - Throws: `Refusal` for an event that does not decode or breaks the contract; the harness
  ///   counts it, logs it, and for a call replies with it. The state is unchanged.
  mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput]

  /// Switches to the replaced map of `new` between two events.
  ///
  /// No event is lost, and the state that does not belong to the old map is kept.
  mutating func changeMap(to new: Shared) -> [StageOutput]

  /// The state to restore after a restart, as a MessagePack payload; nil if there is none.
  var savedState: [UInt8]? { get }

  /// Restores the value of `savedState` after a restart.
  mutating func restore(_ state: [UInt8]) throws(Refusal)

  /// The state with which a successor handles the very next event exactly as this value would.
  ///
  /// It is nil if `savedState` with the last values of the inputs suffices, as after a restart. It
  /// may be larger than `savedState`: it is used when the stage is handed over to another process,
  /// not at each change of the state.
  var handOverState: [UInt8]? { get }

  /// Continues from `handOverState`; the last values of the inputs are not delivered again.
  mutating func takeOver(_ state: [UInt8]) throws(Refusal)
}

extension Stage {
  public static func maps(_ parameters: Parameters) -> [String] { [] }
  public static func load(
    _ parameters: Parameters, replacing old: Shared
  ) throws(StageFailure) -> Shared {
    try load(parameters)
  }
  public mutating func changeMap(to new: Shared) -> [StageOutput] { [] }
  public var savedState: [UInt8]? { nil }
  public mutating func restore(_ state: [UInt8]) throws(Refusal) {}
  public var handOverState: [UInt8]? { nil }
  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) { try restore(state) }
}

/// A message as a stage receives it: the topic without the vehicle, the fields of the header, the
/// payload's bytes.
public struct Inbound: Hashable, Sendable {
  /// Topic without the vehicle: `location/raw`.
  public var topic: String
  /// Event time of the message.
  public var stamp: Instant
  public var source: String
  public var run: UInt64
  public var sequence: UInt64
  /// Key of a keyed state; nil if the topic has none.
  public var key: String?
  /// True for the last value of a state that is delivered to a late joiner.
  public var isLatched: Bool
  /// MessagePack map, as in Protocols/.
  ///
  /// Empty for a deleted key of a state.
  public var payload: [UInt8]

  public init(
    topic: String, stamp: Instant, source: String, run: UInt64, sequence: UInt64,
    key: String? = nil, isLatched: Bool = false, payload: [UInt8]
  ) {
    self.topic = topic
    self.stamp = stamp
    self.source = source
    self.run = run
    self.sequence = sequence
    self.key = key
    self.isLatched = isLatched
    self.payload = payload
  }

  public var cause: Cause {
    Cause(topic: topic, source: source, run: run, sequence: sequence)
  }
}

/// A call to be served by a stage.
public struct CallRequest: Hashable, Sendable {
  /// Identity of the call, used in the reply.
  public var id: String
  /// Name in Protocols/: `route/calculate`.
  public var name: String
  /// Stack time when the call arrived.
  public var stamp: Instant
  /// MessagePack map, as in Protocols/.
  public var payload: [UInt8]

  public init(id: String, name: String, stamp: Instant, payload: [UInt8]) {
    self.id = id
    self.name = name
    self.stamp = stamp
    self.payload = payload
  }
}

/// An event for a stage.
public enum StageEvent: Hashable, Sendable {
  case message(Inbound)
  case call(CallRequest)
  /// The caller has cancelled a pending call.
  case cancelled(callID: String)
  /// The final reply to a call of this stage; `token` is the one given with the call.
  case reply(token: UInt64, stamp: Instant, outcome: CallOutcome)
  /// A requested wake-up is due; `now` is stack time.
  case wake(now: Instant)
  /// The clock was set (loop, jump): data older than `now` or of the future is void.
  case clockReset(now: Instant)
}

/// The result of a call: a payload or an error.
public enum CallOutcome: Hashable, Sendable {
  case ok(payload: [UInt8])
  case failed(CallError)
}

/// The reason why a call failed.
public struct CallError: Error, Hashable, Sendable {
  /// An identifier for programs.
  ///
  /// It is `invalid`, `no_such_service`, `unavailable`, `busy`, `timeout`, `cancelled`,
  /// `server_restarted`, `internal`, or one listed on the call's page in Protocols/.
  public var code: String
  /// A sentence for users.
  public var message: String
  /// Path of the invalid field in the request; nil if there is none.
  public var field: String?

  public init(code: String, message: String, field: String? = nil) {
    self.code = code
    self.message = message
    self.field = field
  }
}

/// An action that a stage requests.
public enum StageOutput: Sendable {
  /// Publishes a payload on a topic (without the vehicle) with the event time `stamp`.
  ///
  /// `key` for keyed states; an empty payload deletes the key. `ttlMS` ends the message's use.
  case publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String? = nil, ttlMS: UInt32? = nil,
    cause: Cause? = nil)
  /// Promises the readers of a topic that each later message is followed by another within `nextS`
  /// seconds of event time.
  ///
  /// 0 means no promise, nil the value on the topic's page.
  case promise(topic: String, nextS: Double?)
  /// Makes a call; its result arrives as `reply` with the same token.
  case call(name: String, payload: [UInt8], timeoutMS: UInt32, token: UInt64)
  /// Cancels a pending call.
  case cancelCall(token: UInt64)
  /// Replies to a call of this stage; exactly one reply for each call.
  case reply(callID: String, outcome: CallOutcome)
  /// Requests `wake` at a moment of stack time; a later request replaces an earlier one.
  case wake(at: Instant)
  /// Requests `wake` at intervals of the machine's clock while work of this stage runs outside the
  /// event loop.
  ///
  /// `now` is 0 if no stack time is known. This output precedes the work. It has no effect where
  /// work is done at once, as in lock-step.
  case wakeDuringWork(everyS: Double)
  /// Long work that may run outside the event loop; its outputs are performed when it ends.
  case work(callID: String?, @Sendable () -> [StageOutput])
  /// A line for the log.
  case log(LogLevel, String)
  /// Adds to a named counter of the node's status.
  case count(String, Int)
  /// The node works, but is impaired; nil ends this state.
  case degraded(String?)
  /// Creates the stage of another vehicle and wakes it, unless it exists.
  case admit(vehicle: String)
  /// This vehicle has left: its stage is removed after the other outputs.
  case leave
  /// Sets the stack clock; only the source of time does so.
  case setClock(now: Instant, rate: Double, isPaused: Bool, run: UInt64)
}

public enum LogLevel: String, Hashable, Sendable, Codable {
  case debug
  case info
  case warning
  case error
}

/// The reason why an event was rejected.
public struct Refusal: Error, Hashable, Sendable {
  /// An identifier for counters: `does_not_decode`, `out_of_range`, `time_went_back`.
  public var reason: String
  /// A sentence that names the place: key, byte.
  ///
  /// The harness adds the topic or call, and the vehicle.
  public var message: String
  /// Path of the invalid field; nil if there is none.
  public var field: String?

  public init(reason: String, message: String, field: String? = nil) {
    self.reason = reason
    self.message = message
    self.field = field
  }
}

/// The reason why a stage could not be set up: a configuration error that a restart cannot fix.
public struct StageFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public var message: String
  public init(_ message: String) { self.message = message }
  public var description: String { message }
}
