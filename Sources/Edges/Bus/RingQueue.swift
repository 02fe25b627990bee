/// First in, first out, at constant cost for each step.
struct RingQueue<Element> {
  private var storage: [Element?] = []
  private var head = 0

  var count: Int { storage.count - head }
  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : storage[head] }
  var last: Element? { isEmpty ? nil : storage[storage.count - 1] }
  /// From the oldest to the newest.
  var elements: some Sequence<Element> { storage[head...].lazy.compactMap { $0 } }

  mutating func append(_ element: Element) { storage.append(element) }

  /// Puts another element into the place of the newest.
  mutating func replaceLast(_ element: Element) {
    if !isEmpty { storage[storage.count - 1] = element }
  }

  @discardableResult
  mutating func removeFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = storage[head]
    storage[head] = nil
    head += 1
    // Half of it is behind us: what is moved now was moved by at most one append each.
    if head > 64, head * 2 > storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }
}
