/// Last values that are to be published again because somebody has subscribed.
///
/// Everybody who reads them hears them again, so one reader that subscribes without end must not
/// flood the others: a pattern is answered five times a second at most, and all of them together with
/// 10,000 values in that time. The rest waits for its turn; nothing is forgotten.
struct LatchedResends {
  struct Request: Hashable {
    /// What was subscribed to, or the name of a topic.
    var name: String
    var lane: Int
  }

  private static let windowMS: Int64 = 200
  static let valuesInWindow = 10_000
  /// Patterns that wait; nobody has so many who reads.
  private static let maximumWaiting = 200_000

  private var answered: Set<Request> = []
  private var waiting: Set<Request> = []
  private var topics = RingQueue<Request>()
  private var queued: Set<Request> = []
  private var left = valuesInWindow
  private var windowEnd = MonotonicTime(nanoseconds: 0)

  /// Whether a pattern may be answered at once; it waits where not, unless too many do.
  mutating func admits(_ request: Request) -> Bool {
    if answered.insert(request).inserted { return true }
    if waiting.count < Self.maximumWaiting { waiting.insert(request) }
    return false
  }

  /// Gives the patterns that waited, where a new window begins.
  mutating func turn(now: MonotonicTime) -> Set<Request> {
    guard now >= windowEnd else { return [] }
    windowEnd = now.advanced(byMS: Self.windowMS)
    left = Self.valuesInWindow
    defer { waiting = [] }
    answered = waiting
    return waiting
  }

  mutating func queue(_ topic: Request) {
    if queued.insert(topic).inserted { topics.append(topic) }
  }

  /// The next topic whose values may be published again.
  mutating func next() -> Request? {
    guard left > 0, let topic = topics.removeFirst() else { return nil }
    queued.remove(topic)
    return topic
  }

  mutating func spend(_ values: Int) { left -= max(1, values) }
}

extension Switchboard {
  /// Somebody subscribed at a lane; he gets the last values there.
  mutating func resend(_ pattern: String, lane: Int) {
    let request = LatchedResends.Request(name: pattern, lane: lane)
    guard resends.admits(request) else { return }
    queueResends(request)
    publishResends()
  }

  /// Does what had to wait.
  mutating func resendWaiting(now: MonotonicTime) {
    for request in resends.turn(now: now) { queueResends(request) }
    publishResends()
  }

  private mutating func queueResends(_ request: LatchedResends.Request) {
    // A plain SUB may ask for any prefix; what the contract knows as a whole name is none.
    let names =
      table.declared(request.name) == nil
      ? states.topics(withPrefix: request.name) : states.topics(matching: request.name)
    for name in names where request.lane == 0 || isOn(request.lane, name) {
      resends.queue(LatchedResends.Request(name: name, lane: request.lane))
    }
  }

  private mutating func publishResends() {
    while let topic = resends.next() {
      let values = states.values(matching: topic.name)
      resends.spend(values.count)
      for frame in values {
        outgoing.append(.egress(Message(frame.parts), .lane(topic.lane)))
      }
    }
  }
}
