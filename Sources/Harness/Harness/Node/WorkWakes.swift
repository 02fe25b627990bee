import BusProtocol

/// Wake-ups by the machine's clock, by vehicle, of stages whose work runs outside the loop.
struct WorkWakes {
  private struct Entry {
    var everyMS: Int64
    var next: MonotonicTime
  }

  private var entries: [String: Entry] = [:]

  /// The next one that is due; nil for none.
  var next: MonotonicTime? { entries.values.map(\.next).min() }

  /// Starts them; for a vehicle that already has them, the rhythm stays the same.
  mutating func ask(_ vehicle: String, everyS: Double, at now: MonotonicTime) {
    guard entries[vehicle] == nil else { return }
    let everyMS = Int64(max(1, everyS * 1_000))
    entries[vehicle] = Entry(everyMS: everyMS, next: now.advanced(byMS: everyMS))
  }

  mutating func end(_ vehicle: String) { entries[vehicle] = nil }

  /// The vehicles whose wake-ups are due; their next ones are set.
  mutating func popDue(at now: MonotonicTime) -> [String] {
    guard let next, next <= now else { return [] }
    let due = entries.filter { $0.value.next <= now }.keys.sorted()
    for vehicle in due {
      guard var entry = entries[vehicle] else { continue }
      entry.next = now.advanced(byMS: entry.everyMS)
      entries[vehicle] = entry
    }
    return due
  }
}
