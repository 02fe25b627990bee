public import Bus
import Digest
import MessagePack

/// Compares what is said now with what was said then, topic by topic, each message with the one of
/// the same place in its topic.
///
/// Equal is what has the same schema, key and payload. Each side is told as it comes; only what the
/// other side has not said yet is kept, so equal runs of any length take little memory.
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
  private let isCompared: (Frame) -> Bool
  private var lines: [String: Line] = [:]

  /// - Parameter isCompared: which messages, of then and of now, take part.
  public init(where isCompared: @escaping (Frame) -> Bool = Comparison.isSpoken) {
    self.isCompared = isCompared
  }

  /// Whether a message is one that a stage has said, and not one that was given again.
  public static func isSpoken(_ frame: Frame) -> Bool {
    TopicDigests.covers(frame.topic) && !frame.header.isLatched
  }

  /// Takes the next message of then.
  public func takeThen(_ then: Frame) {
    guard isCompared(then) else { return }
    lines[then.topic, default: Line()].then.append(then)
    _ = pair(then.topic)
  }

  /// Takes the next message of now; false while it waits for one of then.
  @discardableResult
  public func takeNow(_ now: Frame) -> Bool {
    guard isCompared(now) else { return true }
    lines[now.topic, default: Line()].now.append(now)
    return pair(now.topic)
  }

  private func pair(_ topic: String) -> Bool {
    guard lines[topic]?.then.first != nil, lines[topic]?.now.first != nil,
      let then = lines[topic]?.then.takeFirst(), let now = lines[topic]?.now.takeFirst()
    else { return false }
    if Self.isEqual(then, now) {
      counts[topic, default: Count()].equal += 1
    } else {
      note(Difference(topic: topic, place: place(in: topic), then: then, now: now))
      counts[topic, default: Count()].different += 1
    }
    return true
  }

  /// Forgets what `source` has said now and has not said then; gives the topics of it.
  func forgetUnmatched(by source: String) -> [String] {
    var topics: [String] = []
    for (topic, line) in lines where line.now.first?.header.source == source {
      lines[topic]?.now = FrameQueue()
      topics.append(topic)
    }
    return topics
  }

  /// Ends the comparison: neither side says more.
  public func finish() {
    for (topic, line) in lines.sorted(by: { $0.key < $1.key }) {
      if let first = line.then.first {
        note(Difference(topic: topic, place: place(in: topic), then: first))
        counts[topic, default: Count()].missing += line.then.count
      }
      if let first = line.now.first {
        note(Difference(topic: topic, place: place(in: topic), now: first))
        counts[topic, default: Count()].added += line.now.count
      }
    }
    lines = [:]
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
}

/// What one side has said on a topic before the other.
private struct Line {
  var then = FrameQueue()
  var now = FrameQueue()
}

private struct FrameQueue {
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
