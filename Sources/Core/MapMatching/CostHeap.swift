/// A binary heap of labels by cost; the smaller label first among equals.
struct CostHeap: Sendable {
  struct Entry: Sendable {
    var cost: Double
    var label: UInt32

    static func < (a: Self, b: Self) -> Bool {
      a.cost != b.cost ? a.cost < b.cost : a.label < b.label
    }
  }

  private var entries: [Entry] = []

  mutating func clear() { entries.removeAll(keepingCapacity: true) }

  mutating func push(cost: Double, label: UInt32) {
    entries.append(Entry(cost: cost, label: label))
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child] < entries[parent] else { break }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> Entry? {
    guard let top = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return top }
    entries[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in (2 * parent + 1)...(2 * parent + 2)
      where child < entries.count && entries[child] < entries[least] {
        least = child
      }
      if least == parent { break }
      entries.swapAt(parent, least)
      parent = least
    }
    return top
  }
}
