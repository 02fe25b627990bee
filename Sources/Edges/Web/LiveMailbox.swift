import HTTP

/// The queue of messages for one live client: bounded, however slow the client is.
///
/// Streams and states keep the newest message of each topic and key, in the position where it was
/// first queued. Events and replies are queued, and the oldest is dropped when the queue is full.
struct LiveMailbox: Hashable, Sendable {
  enum Slot: Hashable, Sendable {
    case latest(of: String)
    case inLine(UInt64)
  }

  private(set) var droppedCount = 0
  private let lineLimit: Int
  private var order: [Slot] = []
  private var head = 0
  private var messages: [Slot: LiveFrame] = [:]
  private var lineLength = 0
  private var nextNumber: UInt64 = 0

  init(lineLimit: Int) {
    self.lineLimit = max(1, lineLimit)
  }

  var isEmpty: Bool { messages.isEmpty }
  var count: Int { messages.count }

  /// Queues the newest message of `name`; an unsent one is replaced.
  mutating func putLatest(_ message: LiveFrame, of name: String) {
    let slot = Slot.latest(of: name)
    if messages.updateValue(message, forKey: slot) != nil {
      droppedCount += 1
    } else {
      order.append(slot)
    }
  }

  /// Queues a message that is dropped only when more than the limit wait.
  mutating func putInLine(_ message: LiveFrame) {
    if lineLength == lineLimit { dropOldestInLine() }
    let slot = Slot.inLine(nextNumber)
    nextNumber += 1
    messages[slot] = message
    order.append(slot)
    lineLength += 1
  }

  mutating func dequeue() -> LiveFrame? {
    while head < order.count {
      let slot = order[head]
      head += 1
      guard let message = messages.removeValue(forKey: slot) else { continue }
      if case .inLine = slot { lineLength -= 1 }
      compact()
      return message
    }
    compact()
    return nil
  }

  private mutating func dropOldestInLine() {
    for index in head..<order.count {
      guard case .inLine = order[index], messages.removeValue(forKey: order[index]) != nil else {
        continue
      }
      lineLength -= 1
      droppedCount += 1
      order.remove(at: index)
      return
    }
  }

  private mutating func compact() {
    if head == order.count {
      order.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64 && head * 2 >= order.count {
      order.removeFirst(head)
      head = 0
    }
  }
}
