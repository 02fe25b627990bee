/// A message as a reader gets it.
public struct Delivery: Hashable, Sendable {
  public var frame: Frame
  /// nil for a topic of the system.
  public var vehicle: String?
  /// Topic without the vehicle.
  public var leaf: String
  public var traits: TopicTraits
  /// When it came in, on the machine's monotonic clock.
  public var arrival: MonotonicTime

  public var topic: String { frame.topic }
  public var header: Header { frame.header }
  public var payload: [UInt8] { frame.payload }
}

/// A call that this node is asked to answer.
public struct IncomingCall: Hashable, Sendable {
  public var id: String
  public var name: String
  /// The vehicle that it is about; nil where the caller names none.
  public var vehicle: String?
  /// Name of the calling node, where the broker knows it.
  public var source: String
  public var payload: [UInt8]
  /// When the caller will have its answer anyway.
  public var deadline: MonotonicTime
}

/// How a call ended.
public enum CallEnd: Hashable, Sendable {
  case ok(payload: [UInt8])
  case failed(code: String, message: String, field: String?)
}

/// What a node hears.
public enum BusEvent: Hashable, Sendable {
  case message(Delivery)
  case call(IncomingCall)
  /// The caller of a call has given up.
  case cancelled(callID: String)
  /// The broker refuses messages: a second writer of the topic, or an old run of this one.
  case refused(topic: String, writer: String, owner: String, code: String)
  /// The broker does not let this node in; it cannot go on.
  case rejected(code: String, message: String)
  /// Calls that another node answers already.
  case notServed(message: String)
  /// A handover asks something of this node.
  case handover(HandoverEvent)
}

/// What came of a publication.
public enum PublishResult: Hashable, Sendable {
  /// Handed to libzmq, no more.
  case sent
  case refused(Reason)

  public enum Reason: String, Hashable, Sendable {
    /// No broker is connected; a state's last value and recent events are sent when one is.
    case noBus = "no_bus"
    case full
    case tooLarge = "too_large"
    case badTopic = "bad_topic"
    case closed
  }
}

/// What a node has seen of one topic.
public struct ReceptionCounters: Hashable, Sendable {
  public var received: UInt64 = 0
  /// Times that numbers were missing.
  public var gaps: UInt64 = 0
  /// Messages missing for good.
  public var lost: UInt64 = 0
  public var duplicates: UInt64 = 0
  /// Messages of an earlier run or with a number that came too late.
  public var late: UInt64 = 0
  public var refilled: UInt64 = 0
  /// Messages dropped because the reader was too slow.
  public var queueDrops: UInt64 = 0
  /// Times that a source came back as a new run.
  public var restarts: UInt64 = 0

  public init() {}
}

/// What a node has published on one topic.
public struct PublicationCounters: Hashable, Sendable {
  public var sent: UInt64 = 0
  public var refused: UInt64 = 0
  public var lastSequence: UInt64 = 0

  public init() {}
}
