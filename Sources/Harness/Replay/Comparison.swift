public import BusProtocol
import Digest
import MessagePack

/// Compares current messages with recorded ones, topic by topic.
///
/// Each message is compared with the one in the same position of its topic.
///
/// Two messages are equal if they have the same schema, key and payload. Both sides are passed in
/// as they arrive. Only messages without a counterpart are kept, so equal runs of any length need
/// little memory.
public final class Comparison {
  /// The comparison of the messages of one topic.
  public struct Count: Hashable, Sendable {
    public var equal = 0
    public var different = 0
    /// Number of messages that exist now, but not in the recording.
    public var added = 0
    /// Number of messages that exist in the recording, but not now.
    public var missing = 0

    public var isEqual: Bool { different + added + missing == 0 }
  }

  /// The first position in a topic at which the two differ; one of the messages may be missing.
  public struct Difference: Hashable, Sendable {
    public var topic: String
    /// Position in the topic, from 1.
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
  /// The first difference of each topic.
  public private(set) var differences: [Difference] = []
  private let isCompared: (Frame) -> Bool
  private var lines: [String: Line] = [:]

  /// - Parameter isCompared: selects the messages, recorded and current, that are compared.
  public init(where isCompared: @escaping (Frame) -> Bool = Comparison.isSpoken) {
    self.isCompared = isCompared
  }

  /// Whether a message is an original output of a stage, and not a repeated one.
  public static func isSpoken(_ frame: Frame) -> Bool {
    TopicDigests.covers(frame.topic) && !frame.header.isLatched
  }

  /// Adds the next recorded message.
  public func addRecorded(_ then: Frame) {
    guard isCompared(then) else { return }
    lines[then.topic, default: Line()].then.append(then)
    _ = pair(then.topic)
  }

  /// Adds the next current message; false while it waits for a recorded one.
  @discardableResult
  public func addCurrent(_ now: Frame) -> Bool {
    guard isCompared(now) else { return true }
    lines[now.topic, default: Line()].now.append(now)
    return pair(now.topic)
  }

  private func pair(_ topic: String) -> Bool {
    guard lines[topic]?.then.first != nil, lines[topic]?.now.first != nil,
      let then = lines[topic]?.then.popFirst(), let now = lines[topic]?.now.popFirst()
    else { return false }
    if Self.isEqual(then, now) {
      counts[topic, default: Count()].equal += 1
    } else {
      record(Difference(topic: topic, place: place(in: topic), then: then, now: now))
      counts[topic, default: Count()].different += 1
    }
    return true
  }

  /// Forgets current messages of `source` without recorded counterparts; returns their topics.
  func forgetUnmatched(by source: String) -> [String] {
    var topics: [String] = []
    for (topic, line) in lines where line.now.first?.header.source == source {
      lines[topic]?.now = FrameQueue()
      topics.append(topic)
    }
    return topics
  }

  /// Ends the comparison: neither side has more messages.
  public func finish() {
    for (topic, line) in lines.sorted(by: { $0.key < $1.key }) {
      if let first = line.then.first {
        record(Difference(topic: topic, place: place(in: topic), then: first))
        counts[topic, default: Count()].missing += line.then.count
      }
      if let first = line.now.first {
        record(Difference(topic: topic, place: place(in: topic), now: first))
        counts[topic, default: Count()].added += line.now.count
      }
    }
    lines = [:]
  }

  public var isEqual: Bool { counts.values.allSatisfy(\.isEqual) }

  /// The difference with the earliest event time; of several at one time, the one that was found
  /// first.
  public var first: Difference? { differences.min { $0.stampNS < $1.stampNS } }

  private static func isEqual(_ a: Frame, _ b: Frame) -> Bool {
    a.payload == b.payload && a.header.schema == b.header.schema && a.header.key == b.header.key
  }

  private func place(in topic: String) -> Int {
    let count = counts[topic, default: Count()]
    return count.equal + count.different + count.added + 1
  }

  private func record(_ difference: Difference) {
    guard counts[difference.topic, default: Count()].isEqual else { return }
    differences.append(difference)
  }
}

/// Messages of one side of a topic that the other side does not have yet.
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

  mutating func popFirst() -> Frame? {
    guard let first else { return nil }
    head += 1
    if head == frames.count || head > frames.count / 2 + 64 {
      frames.removeFirst(head)
      head = 0
    }
    return first
  }
}
