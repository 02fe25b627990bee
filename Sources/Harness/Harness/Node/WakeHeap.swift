import EventTime

/// The next wake-up of each vehicle, the earliest first.
///
/// All operations except `removeAll` cost the logarithm of the number of vehicles.
struct WakeHeap {
  private struct Entry {
    var at: Instant
    var vehicle: String

    static func < (a: Self, b: Self) -> Bool {
      a.at != b.at ? a.at < b.at : a.vehicle < b.vehicle
    }
  }

  /// The current requests; differing entries of the heap are void.
  private var wanted: [String: Instant] = [:]
  private var entries: [Entry] = []

  /// Number of requested wake-ups; void entries do not count.
  var count: Int { wanted.count }
  /// Number of entries of the heap, including void ones.
  var entryCount: Int { entries.count }

  /// Requests a wake-up, replacing an earlier request; nil for none.
  subscript(vehicle: String) -> Instant? {
    get { wanted[vehicle] }
    set {
      guard let newValue else {
        wanted[vehicle] = nil
        return
      }
      guard wanted.updateValue(newValue, forKey: vehicle) != newValue else { return }
      push(Entry(at: newValue, vehicle: vehicle))
      // Requests that are changed before they are due must not fill the memory.
      if entries.count > 2 * wanted.count + 64 { rebuild() }
    }
  }

  /// The earliest requested wake-up.
  var first: Instant? {
    mutating get {
      dropObsolete()
      return entries.first?.at
    }
  }

  /// Removes and returns the vehicles whose wake-up is due, at most `limit`: by time, then by name.
  mutating func takeDue(at now: Instant, limit: Int) -> [String] {
    var due: [String] = []
    while due.count < limit, let first, first <= now {
      let vehicle = pop().vehicle
      wanted[vehicle] = nil
      due.append(vehicle)
    }
    return due
  }

  private mutating func dropObsolete() {
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
