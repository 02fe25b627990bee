import HeapModule

/// Things that are due at a time, the earliest first.
///
/// An entry that is finished early stays in the heap and is skipped when its time comes. Each
/// operation costs the logarithm of the number of entries.
package struct DeadlineHeap<Value> {
  private struct Entry: Comparable {
    var at: MonotonicTime
    var value: Value

    static func < (a: Self, b: Self) -> Bool { a.at < b.at }
    static func == (a: Self, b: Self) -> Bool { a.at == b.at }
  }

  private var heap = Heap<Entry>()

  package init() {}

  package var next: MonotonicTime? { heap.min?.at }

  package mutating func insert(_ value: Value, at: MonotonicTime) {
    heap.insert(Entry(at: at, value: value))
  }

  /// Removes and returns the earliest entry that is due at `now`.
  package mutating func popDue(_ now: MonotonicTime) -> Value? {
    guard let next, next <= now else { return nil }
    return heap.popMin()?.value
  }
}
