public import BusProtocol

/// A message as it is delivered to a reader; cheap to copy.
public struct Delivery: Sendable {
  /// The properties that all messages of a topic share.
  final class Place: Sendable {
    let vehicle: String?
    let leaf: String
    let traits: TopicTraits
    /// The reader's number of the topic.
    let number: Int

    init(_ topic: String, _ traits: TopicTraits, number: Int) {
      (vehicle, leaf) = TopicName.split(topic)
      self.traits = traits
      self.number = number
    }
  }

  private final class Content: Sendable {
    let frame: Frame
    let place: Place
    let arrival: MonotonicTime

    init(_ frame: consuming Frame, _ place: Place, _ arrival: MonotonicTime) {
      self.frame = frame
      self.place = place
      self.arrival = arrival
    }
  }

  private let content: Content

  init(_ frame: consuming Frame, _ place: Place, arrival: MonotonicTime) {
    content = Content(frame, place, arrival)
  }

  var place: Place { content.place }
  public var frame: Frame { content.frame }
  public var topic: String { content.frame.topic }
  public var header: Header { content.frame.header }
  public var payload: [UInt8] { content.frame.payload }
  /// nil for a topic of the system.
  public var vehicle: String? { content.place.vehicle }
  /// Topic without the vehicle.
  public var leaf: String { content.place.leaf }
  public var traits: TopicTraits { content.place.traits }
  /// Time of arrival on the machine's monotonic clock.
  public var arrival: MonotonicTime { content.arrival }
}

extension Delivery: Hashable {
  public static func == (a: Delivery, b: Delivery) -> Bool {
    a.frame == b.frame && a.traits == b.traits && a.arrival == b.arrival
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(frame)
    hasher.combine(arrival)
  }
}

/// A call that this node is asked to answer.
public struct IncomingCall: Hashable, Sendable {
  public var id: String
  public var name: String
  /// The vehicle that the call is about; nil if the caller names none.
  public var vehicle: String?
  /// Name of the calling node, if the broker knows it.
  public var source: String
  public var payload: [UInt8]
  /// Time of arrival at this node.
  public var arrival: MonotonicTime
  /// The time at which the call ends for the caller, answered or not.
  public var deadline: MonotonicTime
}

/// How a call ended.
public enum CallEnd: Hashable, Sendable {
  case ok(payload: [UInt8])
  case failed(code: String, message: String, field: String?)
}

/// An event that a node receives.
public enum BusEvent: Hashable, Sendable {
  case message(Delivery)
  case call(IncomingCall)
  /// The caller has cancelled a call.
  case cancelled(callID: String)
  /// The broker refuses messages: a second writer of the topic, or an old run of this one.
  case refused(topic: String, writer: String, owner: String, code: String)
  /// The broker does not register this node, which cannot continue.
  case rejected(code: String, message: String)
  /// Calls that another node answers already.
  case notServed(message: String)
  /// A handover requests something of this node.
  case handover(HandoverEvent)
}

/// The result of a publication.
public enum PublishResult: Hashable, Sendable {
  /// Handed to libzmq; delivery is not confirmed.
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

/// Counts of the messages that a node received on one topic.
public struct ReceptionCounters: Hashable, Sendable {
  public var received: UInt64 = 0
  /// Number of times that sequence numbers were missing.
  public var gaps: UInt64 = 0
  /// Number of messages that are lost for good.
  public var lost: UInt64 = 0
  public var duplicates: UInt64 = 0
  /// Messages of an earlier run or with a number that arrived too late.
  public var late: UInt64 = 0
  public var refilled: UInt64 = 0
  /// Messages of a stream or events dropped because the reader was too slow.
  public var queueDrops: UInt64 = 0
  /// Values of a state that a newer one replaced before the reader took them; nothing is lost.
  public var replaced: UInt64 = 0
  /// Messages over their topic's maximum size, which were rejected.
  public var oversize: UInt64 = 0
  /// Number of times that a source came back as a new run.
  public var restarts: UInt64 = 0

  public init() {}

  mutating func add(_ other: ReceptionCounters) {
    received += other.received
    gaps += other.gaps
    lost += other.lost
    duplicates += other.duplicates
    late += other.late
    refilled += other.refilled
    queueDrops += other.queueDrops
    replaced += other.replaced
    oversize += other.oversize
    restarts += other.restarts
  }
}

/// Counts of the messages that a node published on one topic.
public struct PublicationCounters: Hashable, Sendable {
  public var sent: UInt64 = 0
  public var refused: UInt64 = 0
  /// Messages rejected because they exceed the topic's maximum size; included in `refused`, without
  /// a number.
  public var oversize: UInt64 = 0
  public var lastSequence: UInt64 = 0

  public init() {}

  /// Adds another topic's counts; the greater last number is kept.
  mutating func add(_ other: PublicationCounters) {
    sent += other.sent
    refused += other.refused
    oversize += other.oversize
    lastSequence = max(lastSequence, other.lastSequence)
  }
}
