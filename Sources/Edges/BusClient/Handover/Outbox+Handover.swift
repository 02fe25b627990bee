import BusProtocol
import DequeModule

extension Outbox {
  /// The messages that a new broker needs: last values of states, and recent events in their order.
  ///
  /// States of topics that start with one of `excluded` are left out.
  func kept(
    of slots: SlotSet?, excluding excluded: [String] = []
  ) -> (states: [Frame], events: [Frame]) {
    let last = states.filter { topic, _ in
      Self.isIn(slots, topic) && !excluded.contains { topic.hasPrefix($0) }
    }.sorted { $0.key < $1.key }.flatMap { _, keys in
      keys.sorted { $0.key < $1.key }.map(\.value.frame)
    }
    let recent = events.map(\.frame).filter { Self.isIn(slots, $0.topic) }
    return (last, recent)
  }

  /// Keeps what a predecessor published and has already sent.
  mutating func adopt(states last: [Frame], events recent: [Frame], now: MonotonicTime) {
    for frame in last {
      states[frame.topic, default: [:]][frame.header.key ?? ""] = (frame, true)
    }
    for frame in recent {
      events.append(Event(frame: frame, at: now, isSent: true))
      eventBytes += frame.payload.count
    }
  }

  /// Keeps the last value of a state that a predecessor published and the broker has, unless there
  /// is a newer one.
  mutating func reclaim(_ frame: Frame, slots: SlotSet?) {
    let key = frame.header.key ?? ""
    // A topic without a vehicle has the vehicle as its key.
    let vehicle = TopicName.split(frame.topic).vehicle ?? key
    guard slots?.contains(vehicle: vehicle) ?? true, states[frame.topic]?[key] == nil else {
      return
    }
    states[frame.topic, default: [:]][key] = (frame, true)
  }

  /// Forgets slots that belong to another process; the numbers of topics continue if they come
  /// back.
  mutating func forget(_ slots: SlotSet) {
    states = states.filter { !Self.isIn(slots, $0.key) }
    var rest = Deque<Event>()
    for event in events where !Self.isIn(slots, event.frame.topic) { rest.append(event) }
    events = rest
    eventBytes = rest.reduce(0) { $0 + $1.frame.payload.count }
  }

  private static func isIn(_ slots: SlotSet?, _ topic: String) -> Bool {
    slots?.covers(topic: topic) ?? true
  }
}

extension Header {
  /// Orders a source's messages across its runs.
  var age: (UInt64, UInt64) { (run, sequence) }
}
