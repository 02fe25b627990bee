/// A binary heap of things that are due at a time, the earliest first.
///
/// An entry that is finished early stays in the heap and is skipped when its time comes.
package struct DeadlineHeap<Value> {
  @usableFromInline var heap: [(at: MonotonicTime, value: Value)] = []

  @inlinable package init() {}

  @inlinable package var next: MonotonicTime? { heap.first?.at }

  @inlinable package mutating func insert(_ value: Value, at: MonotonicTime) {
    heap.append((at, value))
    var child = heap.count - 1
    while child > 0, heap[child].at < heap[(child - 1) / 2].at {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes and returns the earliest entry that is due at `now`.
  @inlinable package mutating func popDue(_ now: MonotonicTime) -> Value? {
    guard let first = heap.first, first.at <= now else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first.value }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].at < heap[least].at {
        least = child
      }
      if least == parent { return first.value }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
