import BusProtocol
import DequeModule
import Synchronization
import ZMQ

/// Events that wait for a node's work loop: one queue per topic, taken in order of arrival.
///
/// A stream keeps its newest messages, a state the newest of each key; what is dropped is counted.
final class Inbox: Sendable {
  static let callDepth = 1_000
  static let oneByOneDepth = 1_000
  static let eventDepth = 10_000
  /// Number of waiting events above which the bus is not read until the work loop has taken some.
  ///
  /// Messages for which the broker has no room meanwhile are resent from its ring.
  static let crowdedEvents = 5_000

  /// The queue that an event waits in.
  private enum Name: Hashable {
    /// Calls, and messages of the broker.
    case calls
    /// A topic, by its number.
    case topic(Int)
    /// A key of a state.
    case key(Int, String)
  }

  private struct Queue<Entry> {
    var entries = Deque<Entry>()
    /// Number of turns whose entry was dropped before they came.
    var skips = 0

    /// Appends an entry; true if another was dropped for it.
    mutating func put(_ entry: Entry, depth: Int, isReplaced: Bool) -> Bool {
      guard entries.count >= depth else {
        entries.append(entry)
        return false
      }
      if isReplaced {
        // The newer value takes the older one's turn, so a state is never later because it is
        // newer.
        entries[entries.count - 1] = entry
      } else {
        _ = entries.popFirst()
        skips += 1
        entries.append(entry)
      }
      return true
    }
  }

  /// Queues that are taken from before any queues that started later.
  private struct Segment {
    var calls = Queue<BusEvent>()
    var topics: [Queue<Delivery>] = []
    var keys: [Name: Queue<Delivery>] = [:]
    var turns = Deque<Name>()
    var count = 0
    /// Number of messages of event topics among them.
    var events = 0

    /// Puts an event into its queue; true if another was dropped for it.
    mutating func put(_ event: BusEvent, streamDepth: Int) -> Bool {
      if case .message(let delivery) = event { return put(delivery, streamDepth: streamDepth) }
      _ = calls.put(event, depth: .max, isReplaced: false)
      return noted(.calls, isFull: false, isReplaced: false)
    }

    mutating func put(_ delivery: Delivery, streamDepth: Int) -> Bool {
      let place = delivery.place
      if place.traits.deliveryClass == .state {
        let name = Name.key(place.number, delivery.header.key ?? "")
        let isFull = keys[name, default: Queue()].put(delivery, depth: 1, isReplaced: true)
        return noted(name, isFull: isFull, isReplaced: true)
      }
      while topics.count <= place.number { topics.append(Queue()) }
      let isOneByOne = place.traits.deliveryClass == .event || place.traits.isSeenOneByOne
      let isFull = topics[place.number].put(
        delivery, depth: isOneByOne ? Inbox.depth(of: place.traits) : streamDepth, isReplaced: false
      )
      if !isFull, place.traits.deliveryClass == .event { events += 1 }
      return noted(.topic(place.number), isFull: isFull, isReplaced: false)
    }

    private mutating func noted(_ name: Name, isFull: Bool, isReplaced: Bool) -> Bool {
      if !isReplaced || !isFull { turns.append(name) }
      if !isFull { count += 1 }
      return isFull
    }

    mutating func dequeue() -> BusEvent? {
      while let name = turns.popFirst() {
        if name == .calls {
          count -= 1
          return calls.entries.popFirst()
        }
        guard let delivery = dequeue(name) else { continue }
        count -= 1
        if delivery.place.traits.deliveryClass == .event { events -= 1 }
        return .message(delivery)
      }
      return nil
    }

    /// Takes the next message of a queue; nil if the queue dropped it.
    private mutating func dequeue(_ name: Name) -> Delivery? {
      switch name {
      case .calls: return nil
      case .topic(let number):
        if topics[number].skips > 0 {
          topics[number].skips -= 1
          return nil
        }
        return topics[number].entries.popFirst()
      case .key: return keys.removeValue(forKey: name)?.entries.first
      }
    }
  }

  private struct State {
    /// Events that arrived before a handover's marker.
    var sealed: [Segment] = []
    var current = Segment()
    var isSignalled = false

    var count: Int { sealed.reduce(current.count) { $0 + $1.count } }

    var isCrowded: Bool {
      sealed.reduce(current.events) { $0 + $1.events } > Inbox.crowdedEvents
    }

    /// Ensures that later events neither overtake nor replace those present.
    mutating func seal() {
      sealed.append(current)
      current = Segment()
    }

    mutating func dequeue() -> BusEvent? {
      while !sealed.isEmpty {
        if let event = sealed[0].dequeue() { return event }
        sealed.removeFirst()
      }
      return current.dequeue()
    }

    /// Whether the waiting thread must be woken; once, until it has taken everything.
    mutating func signals() -> Bool {
      defer { isSignalled = true }
      return !isSignalled
    }
  }

  private static func depth(of traits: TopicTraits) -> Int {
    traits.deliveryClass == .event ? eventDepth : oneByOneDepth
  }

  let wakeUp: ThreadWaker
  private let streamDepth: Int
  private let state = Mutex(State())

  init(streamDepth: Int) throws(BusError) {
    self.streamDepth = max(1, streamDepth)
    wakeUp = try ThreadWaker()
  }

  var count: Int { state.withLock { $0.count } }
  /// Whether so many events wait that more would be lost.
  var isCrowded: Bool { state.withLock { $0.isCrowded } }

  /// Appends an event that is not a message.
  func append(_ event: BusEvent) {
    let isFirst = state.withLock { state in
      _ = state.current.put(event, streamDepth: streamDepth)
      if event.isCut { state.seal() }
      return state.signals()
    }
    if isFirst { wakeUp.signal() }
  }

  /// Appends the messages of a turn, and reports each for which an older one was dropped.
  ///
  /// Returns the number of messages.
  func append(_ outputs: [Reception.Output], dropping: (Delivery) -> Void) -> Int {
    var count = 0
    let isFirst = state.withLock { state in
      for case .deliver(let delivery) in outputs {
        count += 1
        if state.current.put(delivery, streamDepth: streamDepth) { dropping(delivery) }
      }
      return count > 0 && state.signals()
    }
    if isFirst { wakeUp.signal() }
    return count
  }

  /// Takes the oldest event; nil if there is none.
  func dequeue() -> BusEvent? {
    state.withLock { state in
      if let event = state.dequeue() { return event }
      state.isSignalled = false
      wakeUp.drain()
      return nil
    }
  }

  /// Takes the oldest event, waiting for one up to `timeoutMS`.
  func dequeue(waitingMS timeoutMS: Int) -> BusEvent? {
    // If something waits, the clock is not read.
    if let event = dequeue() { return event }
    let deadline = MonotonicTime.now.advanced(byMS: Int64(timeoutMS))
    while true {
      if let event = dequeue() { return event }
      let left = deadline.millisecondsLeft()
      guard left > 0 else { return nil }
      var items = [wakeUp.pollItem]
      pollOrPause(&items, timeoutMS: left)
    }
  }
}

extension BusEvent {
  /// Whether later events must not be mixed with earlier ones.
  fileprivate var isCut: Bool {
    switch self {
    case .handover(.cut), .handover(.cutForSuccessor), .handover(.takeBack): true
    default: false
    }
  }
}
