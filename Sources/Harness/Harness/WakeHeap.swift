import EventTime

/// When which vehicle wants to be woken: one moment each, the earliest first.
///
/// All but `removeAll` cost the logarithm of the vehicles.
struct WakeHeap {
  private struct Entry {
    var at: Instant
    var vehicle: String

    static func < (a: Self, b: Self) -> Bool {
      a.at != b.at ? a.at < b.at : a.vehicle < b.vehicle
    }
  }

  /// What is wanted now; entries of the heap that say otherwise are void.
  private var wanted: [String: Instant] = [:]
  private var entries: [Entry] = []

  /// Moments that are asked for; void entries do not count.
  var count: Int { wanted.count }
  /// Entries of the heap, void ones included.
  var entryCount: Int { entries.count }

  /// Asks for a moment, in the place of an earlier wish; nil for none.
  subscript(vehicle: String) -> Instant? {
    get { wanted[vehicle] }
    set {
      guard let newValue else {
        wanted[vehicle] = nil
        return
      }
      guard wanted.updateValue(newValue, forKey: vehicle) != newValue else { return }
      push(Entry(at: newValue, vehicle: vehicle))
      // Wishes that are changed without coming due must not fill the memory.
      if entries.count > 2 * wanted.count + 64 { rebuild() }
    }
  }

  /// The earliest moment that is asked for.
  var first: Instant? {
    mutating get {
      dropVoid()
      return entries.first?.at
    }
  }

  /// Takes the vehicles whose moment has come, at most `limit`: by moment, then by name.
  mutating func takeDue(at now: Instant, limit: Int) -> [String] {
    var due: [String] = []
    while due.count < limit, let first, first <= now {
      let vehicle = pop().vehicle
      wanted[vehicle] = nil
      due.append(vehicle)
    }
    return due
  }

  private mutating func dropVoid() {
    while let top = entries.first, wanted[top.vehicle] != top.at { _ = pop() }
  }

  private mutating func rebuild() {
    entries = wanted.map { Entry(at: $0.value, vehicle: $0.key) }.sorted(by: <)
  }

  private mutating func push(_ entry: Entry) {
    entries.append(entry)
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child] < entries[parent] else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func pop() -> Entry {
    let top = entries[0]
    let last = entries.removeLast()
    guard !entries.isEmpty else { return top }
    entries[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in (2 * parent + 1)...(2 * parent + 2)
      where child < entries.count && entries[child] < entries[least] {
        least = child
      }
      if least == parent { return top }
      entries.swapAt(parent, least)
      parent = least
    }
  }
}
