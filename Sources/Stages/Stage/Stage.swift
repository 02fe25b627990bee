public import Messages

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

  /// The form in which the stage reads the messages of a topic in its current state.
  ///
  /// It is asked before each message, so that nothing is decoded that the stage would not use.
  func interest(in topic: Topics.Name) -> TopicInterest

  /// The call that was made with `token`; nil for one whose reply the stage does not read.
  func call(of token: UInt64) -> Calls.Name?

  /// Handles one event, whose values are those of the contract.
  ///
  /// A message or request that does not decode never gets here: the harness refuses it.
  ///
  /// - Throws: `Refusal` for an event with values that cannot be used; the harness counts it, logs
  ///   it, and for a call replies with it. The state is unchanged.
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
  public func interest(in topic: Topics.Name) -> TopicInterest { .value }
  public func call(of token: UInt64) -> Calls.Name? { nil }
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
