import Foundations
import HeapModule

/// The next wake-up of each vehicle, the earliest first.
///
/// All operations except `removeAll` cost the logarithm of the number of vehicles.
struct WakeHeap {
  private struct Entry: Comparable {
    var at: Instant
    var vehicle: String

    static func < (a: Self, b: Self) -> Bool {
      a.at != b.at ? a.at < b.at : a.vehicle < b.vehicle
    }
  }

  /// The current requests; differing entries of the heap are void.
  private var wanted: [String: Instant] = [:]
  private var entries = Heap<Entry>()

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
      entries.insert(Entry(at: newValue, vehicle: vehicle))
      // Requests that are changed before they are due must not fill the memory.
      if entries.count > 2 * wanted.count + 64 { rebuild() }
    }
  }

  /// The earliest requested wake-up.
  var first: Instant? {
    mutating get {
      dropObsolete()
      return entries.min?.at
    }
  }

  /// Removes and returns the vehicles whose wake-up is due, at most `limit`: by time, then by name.
  mutating func popDue(at now: Instant, limit: Int) -> [String] {
    var due: [String] = []
    while due.count < limit, let first, first <= now, let entry = entries.popMin() {
      wanted[entry.vehicle] = nil
      due.append(entry.vehicle)
    }
    return due
  }

  private mutating func dropObsolete() {
    while let top = entries.min, wanted[top.vehicle] != top.at { _ = entries.popMin() }
  }

  private mutating func rebuild() {
    entries = Heap(wanted.map { Entry(at: $0.value, vehicle: $0.key) })
  }
}
