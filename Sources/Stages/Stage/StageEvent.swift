public import Foundations
public import Messages

/// A message as a stage receives it: its value, and the fields of the header.
public struct Inbound: Hashable, Sendable {
  /// The value of the message; `bytes` if the stage reads the topic undecoded.
  public var value: TopicValue
  /// Event time of the message.
  public var stamp: Instant
  public var source: String
  public var run: UInt64
  public var sequence: UInt64
  /// Key of a keyed state; nil if the topic has none.
  public var key: String?
  /// True for the last value of a state that is delivered to a late joiner.
  public var isLatched: Bool

  public init(
    _ value: TopicValue, stamp: Instant, source: String, run: UInt64, sequence: UInt64,
    key: String? = nil, isLatched: Bool = false
  ) {
    self.value = value
    self.stamp = stamp
    self.source = source
    self.run = run
    self.sequence = sequence
    self.key = key
    self.isLatched = isLatched
  }

  /// Topic without the vehicle: `location/raw`.
  public var topic: String { value.topic }

  public var cause: Cause {
    Cause(topic: topic, source: source, run: run, sequence: sequence)
  }
}

/// A call to be served by a stage.
public struct CallRequest: Hashable, Sendable {
  /// Identity of the call, used in the reply.
  public var id: String
  /// The request; `bytes` if the contract does not contain the call.
  public var value: RequestValue
  /// Stack time when the call arrived.
  public var stamp: Instant

  public init(id: String, _ value: RequestValue, stamp: Instant) {
    self.id = id
    self.value = value
    self.stamp = stamp
  }

  /// Name in Protocols/: `route/calculate`.
  public var name: String { value.call }
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

/// The result of a call: a reply or an error.
public enum CallOutcome: Hashable, Sendable {
  /// The reply; `bytes` if the stage did not state the call of its token.
  case ok(ReplyValue)
  /// The error; its code is `internal` for a reply that does not decode.
  case failed(CallError)
}

/// The form in which a stage reads the messages of a topic at the moment.
public enum TopicInterest: Hashable, Sendable {
  /// As values; the deletion of a key does not decode.
  case value
  /// As values; the deletion of a key is delivered as `deleted`.
  case valueOrDeletion
  /// As bytes, for a stage that decodes a few of many messages later.
  case bytes
  /// Not at all: the message is neither decoded nor delivered.
  case nothing
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
