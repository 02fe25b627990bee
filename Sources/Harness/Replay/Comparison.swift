public import Bus
public import Digest
import MessagePack

/// Compares what is said now with what was said then, topic by topic, each message with the one of
/// the same place in its topic.
///
/// Equal is what has the same schema, key and payload. What was said then is read as it is needed,
/// so equal runs of any length take little memory.
public final class Comparison {
  /// How the messages of one topic compare.
  public struct Count: Hashable, Sendable {
    public var equal = 0
    public var different = 0
    /// Said now, and not then.
    public var added = 0
    /// Said then, and not now.
    public var missing = 0

    public var isEqual: Bool { different + added + missing == 0 }
  }

  /// The first place in a topic at which the two part; one of the messages may be missing.
  public struct Difference: Hashable, Sendable {
    public var topic: String
    /// Place in the topic, from 1.
    public var place: Int
    public var then: Frame?
    public var now: Frame?

    /// Event time of the earlier of the two.
    public var stampNS: Int64 {
      min(then?.header.stampNS ?? .max, now?.header.stampNS ?? .max)
    }
  }

  /// By topic, with its vehicle.
  public private(set) var counts: [String: Count] = [:]
  /// The first of each topic.
  public private(set) var differences: [Difference] = []
  private let readThen: () throws -> Frame?
  private let isCompared: (Frame) -> Bool
  private var waiting: [String: Waiting] = [:]
  private var isThenOver = false

  /// - Parameters:
  ///   - isCompared: which messages, of then and of now, take part.
  ///   - then: gives what was said then, message by message, nil at its end.
  public init(
    where isCompared: @escaping (Frame) -> Bool = { TopicDigests.covers($0.topic) },
    then: @escaping () throws -> Frame?
  ) {
    self.isCompared = isCompared
    readThen = then
  }

  /// Takes the next message of now.
  public func take(_ now: Frame) throws {
    guard isCompared(now) else { return }
    let topic = now.topic
    let then = try next(of: topic)
    if let then, Self.isEqual(then, now) {
      counts[topic, default: Count()].equal += 1
    } else if then != nil {
      note(Difference(topic: topic, place: place(in: topic), then: then, now: now))
      counts[topic, default: Count()].different += 1
    } else {
      note(Difference(topic: topic, place: place(in: topic), now: now))
      counts[topic, default: Count()].added += 1
    }
  }

  /// Ends the comparison: nothing more is said now.
  public func finish() throws {
    while try readOne() {}
    for (topic, rest) in waiting.sorted(by: { $0.key < $1.key }) {
      guard let first = rest.first else { continue }
      note(Difference(topic: topic, place: place(in: topic), then: first))
      counts[topic, default: Count()].missing += rest.count
    }
    waiting = [:]
  }

  public var isEqual: Bool { counts.values.allSatisfy(\.isEqual) }

  /// The difference with the earliest event time; of several at one time the one that came first.
  public var first: Difference? { differences.min { $0.stampNS < $1.stampNS } }

  private static func isEqual(_ a: Frame, _ b: Frame) -> Bool {
    a.payload == b.payload && a.header.schema == b.header.schema && a.header.key == b.header.key
  }

  private func place(in topic: String) -> Int {
    let count = counts[topic, default: Count()]
    return count.equal + count.different + count.added + 1
  }

  private func note(_ difference: Difference) {
    guard counts[difference.topic, default: Count()].isEqual else { return }
    differences.append(difference)
  }

  private func next(of topic: String) throws -> Frame? {
    while waiting[topic]?.first == nil {
      guard try readOne() else { return nil }
    }
    return waiting[topic]?.takeFirst()
  }

  private func readOne() throws -> Bool {
    guard !isThenOver, let frame = try readThen() else {
      isThenOver = true
      return false
    }
    if isCompared(frame) { waiting[frame.topic, default: Waiting()].append(frame) }
    return true
  }
}

/// What was said then on one topic, and not yet compared.
private struct Waiting {
  private var frames: [Frame] = []
  private var head = 0

  var first: Frame? { head < frames.count ? frames[head] : nil }
  var count: Int { frames.count - head }

  mutating func append(_ frame: Frame) { frames.append(frame) }

  mutating func takeFirst() -> Frame? {
    guard let first else { return nil }
    head += 1
    if head == frames.count || head > frames.count / 2 + 64 {
      frames.removeFirst(head)
      head = 0
    }
    return first
  }
}
