public import Bus
public import EventTime
import Messages
import NodeKit

/// A recorded topic that is not in the contract.
public struct ForeignTopic: Hashable, Sendable {
  public var schema: String
  public var encoding: String
  /// Whether a bus takes its messages: its name is one of a topic, and they are MessagePack.
  public var isPlayable: Bool
  public var count = 0
}

/// What recordings have, by a first look through them.
public struct RecordingSurvey: Sendable {
  /// In the order in which they are first spoken of.
  public private(set) var vehicles: [String] = []
  /// Topics without the vehicle, by who wrote them.
  public private(set) var topics: [String: Set<String>] = [:]
  public private(set) var messageCount = 0
  /// Whether it is of a run in lock-step, whose time is the stack's.
  public private(set) var isConducted = false
  /// Nodes that have told what their stages were given.
  public private(set) var journals: Set<String> = []
  /// Who answered calls.
  public private(set) var servers: Set<String> = []
  /// Topics that are not in the contract, with their vehicle.
  public private(set) var foreign: [String: ForeignTopic] = [:]
  /// Messages of topics of the contract, those of the system aside.
  public private(set) var understoodCount = 0
  private var recorded: ClosedRange<Int64>?
  private var conducted: ClosedRange<Int64>?

  /// Looks through whole recordings; linear in their length.
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

  /// Whether a bus takes the message; notes it where it is of no topic of the contract.
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

  /// Whether a bus takes the messages of a topic of the recording.
  public func isPlayable(_ topic: String) -> Bool { foreign[topic]?.isPlayable ?? true }

  private static func range(_ range: ClosedRange<Int64>?, _ value: Int64) -> ClosedRange<Int64> {
    min(value, range?.lowerBound ?? value)...max(value, range?.upperBound ?? value)
  }

  /// Who said something that stages say, to all or to a caller.
  public var sources: Set<String> { servers.union(topics.keys) }
  /// Whether a source of time was heard.
  public var hasClock: Bool { topics.values.contains { $0.contains(Contract.clockTopic) } }
  /// Whether a node was the source of time.
  public func setsClock(_ source: String) -> Bool {
    topics[source]?.contains(Contract.clockTopic) ?? false
  }

  /// When the first message was said, and the last: stack time of a run in lock-step, else when
  /// they were recorded, by the machine's clock.
  public var firstNS: Int64 { (conducted ?? recorded)?.lowerBound ?? 0 }
  public var lastNS: Int64 { (conducted ?? recorded)?.upperBound ?? 0 }

  /// A conductor's run is 1; nodes count theirs from the machine's clock.
  static func isConducted(_ frame: Frame) -> Bool {
    frame.header.run == 1 && frame.header.wallNS != nil
  }

  /// Stack time at which a message was said: a conductor's messages tell it in `wall`; of others
  /// the event time is the nearest that is known.
  public static func moment(of frame: Frame) -> Instant {
    if isConducted(frame), let said = frame.header.wallNS { return Instant(nanoseconds: said) }
    return Instant(nanoseconds: frame.header.stampNS)
  }
}
