public import EventTime

/// The logic of one stage: events in, outputs out; no sockets, no clock, no logger.
///
/// One value serves one vehicle. A harness (the bus, one process in memory, a fleet) loads the
/// shared part once, makes a value for each vehicle that it meets, delivers events one at a time
/// and performs the outputs in their order. The same events give the same outputs.
public protocol Stage: SendableMetatype {
  /// What all vehicles of a process share: the map, the parameters, the voices.
  associatedtype Shared: Sendable

  /// What the stage is, reads, writes, serves and can be told.
  static var manifest: Manifest { get }

  /// Loads what is shared; may read files and take seconds.
  ///
  /// - Throws: `StageFailure` in a sentence that names the place and what to do.
  static func load(_ parameters: Parameters) throws(StageFailure) -> Shared

  /// Files and folders of the map that the shared part is made of, and other files that it reads anew, which may be
  /// replaced while the stage runs; empty for stages without any, and for those that keep what they began with.
  static func maps(_ parameters: Parameters) -> [String]

  /// Loads what is shared anew after a map was replaced; called beside the loop.
  ///
  /// `old` gives what is not the map's: connections, counts.
  ///
  /// - Throws: `StageFailure` where the new map is of no use; the stage goes on with the old one.
  static func load(_ parameters: Parameters, replacing old: Shared) throws(StageFailure) -> Shared

  /// A stage at rest for `vehicle`.
  init(vehicle: String, shared: Shared)

  /// Answers one event.
  ///
  /// - Throws: `Refusal` for an event that does not decode or breaks the contract;
  ///   the harness counts it, logs it, and for a call replies with it. The state stays as it was.
  mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput]

  /// Goes on over the replaced map of `new`, between two events: none is lost, and nothing of the state
  /// that is not of the old map.
  mutating func changeMap(to new: Shared) -> [StageOutput]

  /// The whole state to take back after a restart, as a MessagePack payload; nil where there is none.
  var savedState: [UInt8]? { get }

  /// Takes back what `savedState` gave before a restart.
  mutating func restore(_ state: [UInt8]) throws(Refusal)

  /// All that a successor needs to answer the very next event as this value would; nil where that
  /// is `savedState` with the last values of the inputs, as after a restart.
  ///
  /// May be larger than `savedState`: it is asked for when the stage is handed over to another
  /// process, and not each time that the state changes.
  var handOverState: [UInt8]? { get }

  /// Goes on where `handOverState` was given; no last values of inputs come with it.
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

/// A message as a stage sees it: the topic without the vehicle, what the header says, the payload's bytes.
public struct Inbound: Hashable, Sendable {
  /// Topic without the vehicle: `location/raw`.
  public var topic: String
  /// Event time of the message.
  public var stamp: Instant
  public var source: String
  public var run: UInt64
  public var sequence: UInt64
  /// Key of a keyed state; nil where the topic has none.
  public var key: String?
  /// True for a state's last value given to a late joiner.
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

/// A call that a stage is asked to answer.
public struct CallRequest: Hashable, Sendable {
  /// Identity of the call, to be named in the reply.
  public var id: String
  /// Name in Protocols/: `route/calculate`.
  public var name: String
  /// Stack time when the call came in.
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

/// What happens to a stage.
public enum StageEvent: Hashable, Sendable {
  case message(Inbound)
  case call(CallRequest)
  /// The caller of a call that is under way has given up.
  case cancelled(callID: String)
  /// The terminal answer to a call that this stage made; `token` is what it gave with the call.
  case reply(token: UInt64, stamp: Instant, outcome: CallOutcome)
  /// A wake-up that the stage had asked for is due; `now` is stack time.
  case wake(now: Instant)
  /// The clock was set (loop, seek): what is older than `now` or not yet come is void.
  case clockReset(now: Instant)
}

/// How a call ended: with a payload, or with an error.
public enum CallOutcome: Hashable, Sendable {
  case ok(payload: [UInt8])
  case failed(CallError)
}

/// Why a call was not answered as asked.
public struct CallError: Error, Hashable, Sendable {
  /// A word for programs: `invalid`, `no_such_service`, `unavailable`, `busy`, `timeout`,
  /// `cancelled`, `server_restarted`, `internal`, or one that the call's page in Protocols/ lists.
  public var code: String
  /// A sentence for people.
  public var message: String
  /// Path of the offending field in the request; nil where none is to blame.
  public var field: String?

  public init(code: String, message: String, field: String? = nil) {
    self.code = code
    self.message = message
    self.field = field
  }
}

/// What a stage wants done.
public enum StageOutput: Sendable {
  /// Publishes a payload on a topic (without the vehicle) with the event time `stamp`.
  ///
  /// `key` for keyed states; an empty payload deletes the key. `ttlMS` ends the message's use.
  case publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String? = nil, ttlMS: UInt32? = nil,
    cause: Cause? = nil)
  /// Promises the readers of a topic that each message of it, from here on, is followed by another
  /// within so many seconds of event time; 0 for no promise, nil for what the topic's page says.
  case promise(topic: String, nextS: Double?)
  /// Makes a call; its end comes back as `reply` with the same token.
  case call(name: String, payload: [UInt8], timeoutMS: UInt32, token: UInt64)
  /// Gives up a call that is under way.
  case cancelCall(token: UInt64)
  /// Answers a call that was asked of this stage; exactly one for each.
  case reply(callID: String, outcome: CallOutcome)
  /// Asks for `wake` at a moment of stack time; a later request replaces an earlier one.
  case wake(at: Instant)
  /// Asks for `wake` every so many seconds of the machine's clock as long as work of this stage runs beside the
  /// loop, whether a stack time is known (else `now` is 0) or not.
  ///
  /// Comes before the work. Nothing follows from it where work is done at once, as in lock-step.
  case wakeDuringWork(everyS: Double)
  /// Long work that may run beside the loop; its outputs are performed when it ends.
  case work(callID: String?, @Sendable () -> [StageOutput])
  /// A line for the log.
  case log(LogLevel, String)
  /// Adds to a named counter of the node's status.
  case count(String, Int)
  /// The node works, but not as it should; nil takes it back.
  case degraded(String?)
  /// Makes the stage of another vehicle and wakes it, where it is not there yet.
  case admit(vehicle: String)
  /// This vehicle has gone: its stage is dropped when the other outputs are done.
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

/// Why an event was not taken.
public struct Refusal: Error, Hashable, Sendable {
  /// A word for counters: `does_not_decode`, `out_of_range`, `time_went_back`.
  public var reason: String
  /// A sentence that names the place: key, byte.
  ///
  /// The harness adds the topic or call, and the vehicle.
  public var message: String
  /// Path of the offending field; nil where none is to blame.
  public var field: String?

  public init(reason: String, message: String, field: String? = nil) {
    self.reason = reason
    self.message = message
    self.field = field
  }
}

/// Why a stage could not be set up: a configuration error that a restart cannot mend.
public struct StageFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public var message: String
  public init(_ message: String) { self.message = message }
  public var description: String { message }
}
