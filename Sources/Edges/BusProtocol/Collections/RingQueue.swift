/// A first-in-first-out queue with constant cost per operation.
package struct RingQueue<Element> {
  @usableFromInline var storage: [Element?] = []
  @usableFromInline var head = 0

  @inlinable package init() {}

  @inlinable package var count: Int { storage.count - head }
  @inlinable package var isEmpty: Bool { count == 0 }
  @inlinable package var first: Element? { isEmpty ? nil : storage[head] }
  @inlinable package var last: Element? { isEmpty ? nil : storage[storage.count - 1] }
  /// From the oldest to the newest.
  @inlinable package var elements: some Sequence<Element> {
    storage[head...].lazy.compactMap { $0 }
  }

  @inlinable package mutating func append(_ element: Element) { storage.append(element) }

  /// Replaces the newest element.
  @inlinable package mutating func replaceLast(_ element: Element) {
    if !isEmpty { storage[storage.count - 1] = element }
  }

  @discardableResult
  @inlinable package mutating func removeFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = storage[head]
    storage[head] = nil
    head += 1
    // Half of the storage is unused: each moved element is paid for by at most one earlier append.
    if head > 64, head * 2 > storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }
}
