import BusProtocol
import DequeModule

/// The topics that have fallen silent.
///
/// A reader that missed the last message of a silent topic receives nothing more that would reveal
/// the loss, so the broker reports the topic.
///
/// Costs one check of each written topic, less than three times per second.
struct QuietTopics {
  /// Duration after which a topic is silent; a topic with one message per second is not.
  static let silenceMS: Int64 = 1_200
  private static let lookMS: Int64 = 400
  private static let maximumKept = 65_536
  /// Maximum number of topics in one answer.
  private static let batch = 500

  private var watched = Deque<(topic: Int, at: MonotonicTime)>()
  /// Topics in the order in which they fell silent.
  private var silent: [Int] = []
  /// Number of the first one in `silent`.
  private var first: UInt64 = 0

  var end: UInt64 { first + UInt64(silent.count) }

  /// Watches a topic that is not watched yet.
  mutating func watch(_ topic: Int, now: MonotonicTime) { watched.append((topic, now)) }

  /// The next topic that must be checked.
  mutating func next(now: MonotonicTime) -> Int? {
    guard let oldest = watched.first, now.milliseconds(since: oldest.at) >= Self.lookMS else {
      return nil
    }
    _ = watched.popFirst()
    return oldest.topic
  }

  mutating func watch(_ topic: Int) {
    silent.append(topic)
    guard silent.count > 2 * Self.maximumKept else { return }
    silent.removeFirst(Self.maximumKept)
    first += UInt64(Self.maximumKept)
  }

  /// The topics that fell silent from number `start` on, and the number for the next request.
  func topics(from start: UInt64) -> (topics: ArraySlice<Int>, next: UInt64) {
    let from = min(max(start, first), end)
    let begin = Int(from - first)
    let stop = min(silent.count, begin + Self.batch)
    return (silent[begin..<stop], first + UInt64(stop))
  }
}

extension BrokerCore {
  mutating func recordQuietTopics(now: MonotonicTime) {
    while let topic = quiet.next(now: now) {
      if now.milliseconds(since: topics[topic].lastSeen) < QuietTopics.silenceMS {
        quiet.watch(topic, now: now)
      } else {
        topics[topic].isWatched = false
        quiet.watch(topic)
      }
    }
  }

  /// Sends a node the numbers of the topics that fell silent since it last asked.
  mutating func replyPing(_ ping: ControlMessage.Ping, from identity: Identity) {
    let (silent, next) = quiet.topics(from: ping.from ?? quiet.end)
    let answer = ControlMessage.Pong(
      token: ping.token, run: run, known: registry.node(at: identity) != nil, count: next,
      tails: silent.compactMap { topics[$0].tail })
    send(answer, to: identity)
  }
}
