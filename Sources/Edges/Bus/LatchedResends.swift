/// Last values that are to be published again because somebody has subscribed.
///
/// Everybody who reads them hears them again, so one reader that subscribes without end must not
/// flood the others: a pattern is answered five times a second at most, and all of them together with
/// 10,000 values in that time. The rest waits for its turn; nothing is forgotten.
struct LatchedResends {
  private static let windowMS: Int64 = 200
  static let valuesInWindow = 10_000
  /// Patterns that wait; nobody has so many who reads.
  private static let maximumWaiting = 200_000

  private var answered: Set<String> = []
  private var waiting: Set<String> = []
  private var topics = RingQueue<String>()
  private var queued: Set<String> = []
  private var left = valuesInWindow
  private var windowEnd = MonotonicTime(nanoseconds: 0)

  /// Whether a pattern may be answered at once; it waits where not, unless too many do.
  mutating func admits(_ pattern: String) -> Bool {
    if answered.insert(pattern).inserted { return true }
    if waiting.count < Self.maximumWaiting { waiting.insert(pattern) }
    return false
  }

  /// Gives the patterns that waited, where a new window begins.
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
    guard left > 0, let topic = topics.removeFirst() else { return nil }
    queued.remove(topic)
    return topic
  }

  mutating func spend(_ values: Int) { left -= max(1, values) }
}

extension Switchboard {
  /// Somebody subscribed with a plain socket, and gets the last values; a node asks for them.
  mutating func resend(_ pattern: String) {
    guard resends.admits(pattern) else { return }
    queueResends(pattern)
    publishResends()
  }

  /// Does what had to wait.
  mutating func resendWaiting(now: MonotonicTime) {
    for pattern in resends.turn(now: now) { queueResends(pattern) }
    publishResends()
  }

  private mutating func queueResends(_ pattern: String) {
    // A plain SUB may ask for any prefix; what the contract knows as a whole name is none.
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
