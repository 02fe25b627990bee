/// Which topics have fallen silent: a reader that missed the last message of one hears nothing more
/// that would show it, so the broker tells of it.
///
/// Costs a look at each topic that is written, less than three times a second.
struct QuietTopics {
  /// Silent for so long; a topic with a message each second is not.
  static let silenceMS: Int64 = 1_200
  private static let lookMS: Int64 = 400
  private static let maximumKept = 65_536
  /// Most that one answer tells.
  private static let batch = 500

  private var watched = RingQueue<(topic: Int, at: MonotonicTime)>()
  /// Topics in the order in which they fell silent.
  private var silent: [Int] = []
  /// Number of the first one in `silent`.
  private var first: UInt64 = 0

  var end: UInt64 { first + UInt64(silent.count) }

  /// Looks after a topic that is not looked after yet.
  mutating func watch(_ topic: Int, now: MonotonicTime) { watched.append((topic, now)) }

  /// The next topic that has to be looked at.
  mutating func next(now: MonotonicTime) -> Int? {
    guard let oldest = watched.first, now.milliseconds(since: oldest.at) >= Self.lookMS else {
      return nil
    }
    watched.removeFirst()
    return oldest.topic
  }

  mutating func note(_ topic: Int) {
    silent.append(topic)
    guard silent.count > 2 * Self.maximumKept else { return }
    silent.removeFirst(Self.maximumKept)
    first += UInt64(Self.maximumKept)
  }

  /// What fell silent from number `start` on, and the number from which to ask the next time.
  func topics(from start: UInt64) -> (topics: ArraySlice<Int>, next: UInt64) {
    let from = min(max(start, first), end)
    let begin = Int(from - first)
    let stop = min(silent.count, begin + Self.batch)
    return (silent[begin..<stop], first + UInt64(stop))
  }
}

extension Switchboard {
  mutating func noteQuietTopics(now: MonotonicTime) {
    while let topic = quiet.next(now: now) {
      if now.milliseconds(since: topics[topic].lastSeen) < QuietTopics.silenceMS {
        quiet.watch(topic, now: now)
      } else {
        topics[topic].isWatched = false
        quiet.note(topic)
      }
    }
  }

  /// Tells a node which numbers the topics have reached that fell silent since it asked.
  mutating func answerPing(_ head: Control, from identity: Identity) {
    var answer = Control(.pong, token: head.token)
    answer.run = run
    answer.isKnown = registry.node(at: identity) != nil
    let (silent, next) = quiet.topics(from: head.from ?? quiet.end)
    answer.count = next
    answer.tails = silent.compactMap { topics[$0].tail }
    send(answer, to: identity)
  }
}
