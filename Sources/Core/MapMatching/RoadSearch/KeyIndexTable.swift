/// Assigns numbers to keys, from 0 in order of insertion.
///
/// Open addressing with half of the slots free: constant time and 16 to 32 bytes per key. A slot
/// holds a key and its number, so that a lookup of a known street touches a single place in memory.
struct KeyIndexTable: ~Copyable {
  /// Number of bits of a key.
  static let keyBits = UInt64(36)
  private static let numberBits = 64 - keyBits
  private static let numberMask = UInt64(1) << numberBits - 1

  /// Each slot holds the key above its number plus one, or 0 if it is empty; the slot count is a
  /// power of two from 16 on.
  private var slots: Arena<UInt64>
  /// Number of keys that have a number.
  private(set) var count = 0

  init() {
    slots = Arena(capacity: 512)
    slots.fill(to: 512, with: 0)
  }

  /// Returns the number of `key` and assigns one to a new key.
  mutating func number(of key: UInt64) -> (number: Int, isNew: Bool) {
    if 2 * (count + 1) > slots.count { grow() }
    let at = place(of: key)
    let entry = slots[at]
    if entry != 0 { return (Int(entry & Self.numberMask) - 1, false) }
    count += 1
    slots[at] = key << Self.numberBits | UInt64(count)
    return (count - 1, true)
  }

  /// Removes all keys and keeps the memory.
  mutating func removeAll() {
    let size = slots.count
    slots.removeAll()
    slots.fill(to: size, with: 0)
    count = 0
  }

  /// Returns the slot of a key, or the slot where it would be inserted.
  ///
  /// Keys that differ only in the lowest bits are looked up together and therefore lie next to each
  /// other.
  @inline(__always) private func place(of key: UInt64) -> Int {
    slots.withElements { slots in
      let last = slots.count - 1
      var at = hashedSlot(of: key >> 3, among: slots.count >> 3) << 3 | Int(key & 7)
      while slots[at] != 0, slots[at] >> Self.numberBits != key { at = (at + 1) & last }
      return at
    }
  }

  private mutating func grow() {
    var narrow = Arena<UInt64>(capacity: 2 * slots.count)
    narrow.fill(to: 2 * slots.count, with: 0)
    swap(&slots, &narrow)
    for index in 0..<narrow.count where narrow[index] != 0 {
      slots[place(of: narrow[index] >> Self.numberBits)] = narrow[index]
    }
  }
}
