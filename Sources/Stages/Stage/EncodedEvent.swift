public import Foundations

/// A message as a harness receives it: the topic without the vehicle, the fields of the header, the
/// payload's bytes.
public struct EncodedMessage: Hashable, Sendable {
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

/// A call to be served by a stage, with the bytes of its request.
public struct EncodedCall: Hashable, Sendable {
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

/// An event for a stage as a harness receives it: with bytes.
public enum EncodedEvent: Hashable, Sendable {
  case message(EncodedMessage)
  case call(EncodedCall)
  /// The caller has cancelled a pending call.
  case cancelled(callID: String)
  /// The final reply to a call of this stage; `token` is the one given with the call.
  case reply(token: UInt64, stamp: Instant, outcome: EncodedOutcome)
  /// A requested wake-up is due; `now` is stack time.
  case wake(now: Instant)
  /// The clock was set (loop, jump): data older than `now` or of the future is void.
  case clockReset(now: Instant)
}

/// The result of a call: the bytes of its reply, or an error.
public enum EncodedOutcome: Hashable, Sendable {
  case ok(payload: [UInt8])
  case failed(CallError)
}
