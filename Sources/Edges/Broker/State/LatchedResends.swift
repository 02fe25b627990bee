import BusProtocol
import DequeModule
import ZMQ

/// Last values that must be published again because a reader has subscribed.
///
/// All readers of these values receive them again, so one reader that subscribes endlessly must not
/// flood the others. A pattern is answered at most five times per second, and all patterns together
/// with 10,000 values in that time. The rest waits for its turn; nothing is forgotten.
struct LatchedResends {
  private static let windowMS: Int64 = 200
  static let valuesInWindow = 10_000
  /// Maximum number of waiting patterns; no reader needs that many.
  private static let maximumWaiting = 200_000

  private var answered: Set<String> = []
  private var waiting: Set<String> = []
  private var topics = Deque<String>()
  private var queued: Set<String> = []
  private var left = valuesInWindow
  private var windowEnd = MonotonicTime(nanoseconds: 0)

  /// Whether a pattern may be answered immediately; otherwise it waits, unless too many do.
  mutating func admits(_ pattern: String) -> Bool {
    if answered.insert(pattern).inserted { return true }
    if waiting.count < Self.maximumWaiting { waiting.insert(pattern) }
    return false
  }

  /// Starts a new window if it is time, and returns the patterns that waited.
  mutating func turn(now: MonotonicTime) -> Set<String> {
    guard now >= windowEnd else { return [] }
    windowEnd = now.advanced(byMS: Self.windowMS)
    left = Self.valuesInWindow
    defer { waiting = [] }
    answered = waiting
    return waiting
  }

  mutating func queue(_ topic: String) {
    if queued.insert(topic).inserted { topics.append(topic) }
  }

  /// The next topic whose values may be published again.
  mutating func next() -> String? {
    guard left > 0, let topic = topics.popFirst() else { return nil }
    queued.remove(topic)
    return topic
  }

  mutating func spend(_ values: Int) { left -= max(1, values) }
}

extension BrokerCore {
  /// Repeats the last values for a plain socket that has subscribed; nodes request them instead.
  mutating func resend(_ pattern: String) {
    guard resends.admits(pattern) else { return }
    queueResends(pattern)
    publishResends()
  }

  /// Publishes the values that had to wait.
  mutating func resendWaiting(now: MonotonicTime) {
    for pattern in resends.turn(now: now) { queueResends(pattern) }
    publishResends()
  }

  private mutating func queueResends(_ pattern: String) {
    // A plain SUB may subscribe to any prefix; a whole name of the contract is not a prefix.
    let names =
      table.declared(pattern) == nil
      ? states.topics(withPrefix: pattern) : states.topics(matching: pattern)
    for name in names { resends.queue(name) }
  }

  private mutating func publishResends() {
    while let topic = resends.next() {
      let values = states.values(matching: topic)
      resends.spend(values.count)
      for frame in values {
        outgoing.append(.egress(Message(frame.parts), .plain))
      }
    }
  }
}
