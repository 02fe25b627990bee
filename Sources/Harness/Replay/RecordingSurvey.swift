public import BusProtocol
public import Foundations
import Messages
import NodeKit

/// A recorded topic that is not in the contract.
public struct ForeignTopic: Hashable, Sendable {
  public var schema: String
  public var encoding: String
  /// Whether a bus accepts its messages: its name is a valid topic name, and they are MessagePack.
  public var isPlayable: Bool
  public var count = 0
}

/// The contents of recordings, from a first pass through them.
public struct RecordingSurvey: Sendable {
  /// In order of first occurrence.
  public private(set) var vehicles: [String] = []
  /// Topics without the vehicle, by their writer.
  public private(set) var topics: [String: Set<String>] = [:]
  public private(set) var messageCount = 0
  /// Whether it records a run in lock-step, whose time is the stack's.
  public private(set) var isConducted = false
  /// Nodes with journals of their stages' input.
  public private(set) var journals: Set<String> = []
  /// Nodes that answered calls.
  public private(set) var servers: Set<String> = []
  /// Topics that are not in the contract, with their vehicle.
  public private(set) var foreign: [String: ForeignTopic] = [:]
  /// Number of messages of topics of the contract, without those of the system.
  public private(set) var understoodCount = 0
  private var recorded: ClosedRange<Int64>?
  private var conducted: ClosedRange<Int64>?

  /// Reads whole recordings; linear in their length.
  public init(paths: [String]) throws(ReplayProblem) {
    var known: Set<String> = []
    for path in paths {
      let run = try RecordedRun(path: path)
      while let frame = try run.next() {
        messageCount += 1
        let (vehicle, leaf) = TopicName.split(frame.topic)
        if leaf.hasPrefix("_svc/"), let mirror = try? CallMirror(decoding: frame.payload) {
          if let server = mirror.server { servers.insert(server) }
        }
        if leaf.hasPrefix(JournalReplay.prefix) {
          journals.insert(String(leaf.dropFirst(JournalReplay.prefix.count)))
        }
        guard leaf == Contract.clockTopic || !leaf.hasPrefix("_") else { continue }
        guard isPlayable(frame, leaf, run.messageEncoding) else { continue }
        if let vehicle, known.insert(vehicle).inserted { vehicles.append(vehicle) }
        topics[frame.header.source, default: []].insert(leaf)
        // A time that no clock can report is not the end of the recording.
        if run.logTimeNS < .max { recorded = Self.range(recorded, run.logTimeNS) }
        guard Self.isConducted(frame) else { continue }
        isConducted = true
        conducted = Self.range(conducted, Self.moment(of: frame).nanoseconds)
      }
    }
  }

  /// Whether a bus accepts the message; records it if its topic is not in the contract.
  private mutating func isPlayable(_ frame: Frame, _ leaf: String, _ encoding: String) -> Bool {
    let isTaken = TopicName.isValid(frame.topic) && ["msgpack", ""].contains(encoding)
    if isTaken, Topics.declaration(of: leaf) != nil {
      understoodCount += 1
    } else {
      foreign[
        frame.topic,
        default: ForeignTopic(
          schema: frame.header.schema, encoding: encoding, isPlayable: isTaken)
      ].count += 1
    }
    return isTaken
  }

  /// Whether a bus accepts the messages of a topic of the recording.
  public func isPlayable(_ topic: String) -> Bool { foreign[topic]?.isPlayable ?? true }

  private static func range(_ range: ClosedRange<Int64>?, _ value: Int64) -> ClosedRange<Int64> {
    min(value, range?.lowerBound ?? value)...max(value, range?.upperBound ?? value)
  }

  /// The sources of stage outputs, published or as replies to calls.
  public var sources: Set<String> { servers.union(topics.keys) }
  /// Whether a source of time was recorded.
  public var hasClock: Bool { topics.values.contains { $0.contains(Contract.clockTopic) } }
  /// Whether a node was the source of time.
  public func setsClock(_ source: String) -> Bool {
    topics[source]?.contains(Contract.clockTopic) ?? false
  }

  /// Time of the first message; `lastNS` is that of the last.
  ///
  /// It is stack time for a run in lock-step, otherwise the time of recording by the machine's
  /// clock.
  public var firstNS: Int64 { (conducted ?? recorded)?.lowerBound ?? 0 }
  public var lastNS: Int64 { (conducted ?? recorded)?.upperBound ?? 0 }

  /// The run of a conductor is 1; nodes derive theirs from the machine's clock.
  static func isConducted(_ frame: Frame) -> Bool {
    frame.header.run == 1 && frame.header.wallNS != nil
  }

  /// Stack time at which a message was published.
  ///
  /// A conductor's messages contain it in `wall`; for others, the event time is the best
  /// approximation.
  public static func moment(of frame: Frame) -> Instant {
    if isConducted(frame), let said = frame.header.wallNS { return Instant(nanoseconds: said) }
    return Instant(nanoseconds: frame.header.stampNS)
  }
}
