/// Numbers of keys, from 0 in the order in which the keys come.
///
/// Open addressing with half of the slots free: constant time a key, some 16 bytes each.
struct KeyNumbers: Sendable {
  private var keys: [UInt64] = []
  /// Number of a key plus one, 0 where empty; as many as a power of two.
  private var slots: [UInt32] = Array(repeating: 0, count: 1024)

  /// How many keys have a number.
  var count: Int { keys.count }

  /// The number of `key`, which has it from now on.
  mutating func number(of key: UInt64) -> (number: Int, isNew: Bool) {
    if 2 * (keys.count + 1) > slots.count { grow() }
    var at = Self.slot(of: key, among: slots.count)
    while slots[at] != 0 {
      let number = Int(slots[at]) - 1
      if keys[number] == key { return (number, false) }
      at = (at + 1) & (slots.count - 1)
    }
    keys.append(key)
    slots[at] = UInt32(keys.count)
    return (keys.count - 1, true)
  }

  /// Forgets all keys, and keeps the memory.
  mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    for slot in slots.indices { slots[slot] = 0 }
  }

  /// Where a key is looked for first: beside those that differ from it in the lowest bits, which are asked for with it.
  @inline(__always) private static func slot(of key: UInt64, among count: Int) -> Int {
    hashedSlot(of: key >> 4, among: count >> 4) << 4 | Int(key & 15)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (number, key) in keys.enumerated() {
      var at = Self.slot(of: key, among: slots.count)
      while slots[at] != 0 { at = (at + 1) & (slots.count - 1) }
      slots[at] = UInt32(number + 1)
    }
  }
}
