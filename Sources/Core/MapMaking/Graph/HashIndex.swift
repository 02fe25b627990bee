/// The ids of values that are stored elsewhere, found by the hashes of the values.
///
/// Linear probing in a table that is at most two thirds full, four bytes a slot. A dictionary would
/// store each value a second time. Finding and adding take constant time on average.
struct HashIndex {
  /// `UInt32.max` for a free slot; the count of slots is a power of two.
  private var slots = [UInt32](repeating: .max, count: 64)
  private var count = 0

  /// The id of a value with this hash for which `isEqual` is true; nil if there is none.
  func id(hash: Int, where isEqual: (UInt32) -> Bool) -> UInt32? {
    var slot = hash & (slots.count - 1)
    while slots[slot] != .max {
      if isEqual(slots[slot]) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds an id that is not there yet; `hash` returns the hash of the value of an id.
  mutating func add(_ id: UInt32, hash: (UInt32) -> Int) {
    count += 1
    if count * 3 > slots.count * 2 {
      let old = slots
      slots = Array(repeating: .max, count: old.count * 2)
      for id in old where id != .max { place(id, hash(id)) }
    }
    place(id, hash(id))
  }

  private mutating func place(_ id: UInt32, _ hash: Int) {
    var slot = hash & (slots.count - 1)
    while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = id
  }
}
