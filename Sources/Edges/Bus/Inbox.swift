import Synchronization

/// What waits for a node's work loop: a queue for each topic, taken in the order of arrival.
///
/// A stream keeps its newest messages, a state the newest of each key; what is dropped is counted.
final class Inbox: Sendable {
  static let callDepth = 1_000
  static let oneByOneDepth = 1_000

  private struct Queue {
    var entries = RingQueue<BusEvent>()
    /// Turns whose entry was dropped before they came.
    var skips = 0
  }

  /// Queues that are taken from before any that were begun later.
  private struct Segment {
    var queues: [String: Queue] = [:]
    var turns = RingQueue<String>()
    var count = 0

    /// Puts an event at the end of its queue; true where another had to go for it.
    mutating func put(_ event: BusEvent, _ name: String, depth: Int, isReplaced: Bool) -> Bool {
      // Taken out, so that it is not copied when it changes.
      var queue = queues.removeValue(forKey: name) ?? Queue()
      defer { queues[name] = queue }
      let isFull = queue.entries.count >= depth
      if isFull, isReplaced {
        // The newer value takes the older one's turn: a state is never later for being newer.
        queue.entries.replaceLast(event)
        return true
      }
      if isFull {
        queue.entries.removeFirst()
        queue.skips += 1
        count -= 1
      }
      queue.entries.append(event)
      turns.append(name)
      count += 1
      return isFull
    }

    mutating func take() -> BusEvent? {
      while let name = turns.removeFirst() {
        guard var queue = queues.removeValue(forKey: name) else { continue }
        if queue.skips > 0 {
          queue.skips -= 1
          queues[name] = queue
          continue
        }
        let event = queue.entries.removeFirst()
        if !queue.entries.isEmpty { queues[name] = queue }
        count -= 1
        return event
      }
      return nil
    }
  }

  private struct State {
    /// What came before a handover's marker.
    var sealed: [Segment] = []
    var current = Segment()
    var isSignalled = false

    var count: Int { sealed.reduce(current.count) { $0 + $1.count } }

    /// What comes from now on neither overtakes nor replaces what is there.
    mutating func seal() {
      sealed.append(current)
      current = Segment()
    }

    mutating func take() -> BusEvent? {
      while !sealed.isEmpty {
        if let event = sealed[0].take() { return event }
        sealed.removeFirst()
      }
      return current.take()
    }
  }

  let wakeUp: WakeUp
  private let streamDepth: Int
  private let state = Mutex(State())

  init(streamDepth: Int) throws(BusError) {
    self.streamDepth = max(1, streamDepth)
    wakeUp = try WakeUp()
  }

  var count: Int { state.withLock { $0.count } }

  /// Puts an event in; gives the topic whose oldest message had to go for it.
  func append(_ event: BusEvent) -> String? {
    let (name, depth, isReplaced) = place(of: event)
    let (isFirst, isDropped): (Bool, Bool) = state.withLock { state in
      let isDropped = state.current.put(event, name, depth: depth, isReplaced: isReplaced)
      if event.isCut { state.seal() }
      let isFirst = !state.isSignalled
      state.isSignalled = true
      return (isFirst, isDropped)
    }
    if isFirst { wakeUp.signal() }
    guard isDropped, case .message(let delivery) = event else { return nil }
    return delivery.topic
  }

  private func place(of event: BusEvent) -> (name: String, depth: Int, isReplaced: Bool) {
    guard case .message(let delivery) = event else { return (" ", .max, false) }
    switch delivery.traits.deliveryClass {
    case .event: return (delivery.topic, Self.oneByOneDepth, false)
    case .state: return ("\(delivery.topic) \(delivery.header.key ?? "")", 1, true)
    case .stream:
      let isOneByOne = delivery.traits.isSeenOneByOne
      return (delivery.topic, isOneByOne ? Self.oneByOneDepth : streamDepth, false)
    }
  }

  /// Takes the oldest event; nil where there is none.
  func take() -> BusEvent? {
    state.withLock { state in
      if let event = state.take() { return event }
      state.isSignalled = false
      wakeUp.drain()
      return nil
    }
  }

  /// Takes the oldest event, waiting for one up to `timeoutMS`.
  func take(waitingMS timeoutMS: Int) -> BusEvent? {
    let deadline = MonotonicTime.now.advanced(byMS: Int64(timeoutMS))
    while true {
      if let event = take() { return event }
      let left = deadline.millisecondsLeft()
      guard left > 0 else { return nil }
      var items = [wakeUp.pollItem]
      _ = try? poll(&items, timeoutMS: left)
    }
  }
}

extension BusEvent {
  /// Whether what follows must not be mixed with what came before.
  fileprivate var isCut: Bool {
    switch self {
    case .handover(.cut), .handover(.cutForSuccessor): true
    default: false
    }
  }
}
