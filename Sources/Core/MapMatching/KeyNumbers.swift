/// Numbers of keys, from 0 in the order in which the keys come.
///
/// Open addressing with half of the slots free: constant time a key, some 20 bytes each.
struct KeyNumbers: ~Copyable {
  private var keys = Arena<UInt64>()
  /// Number of a key plus one, 0 where empty; as many as a power of two, from 16 on.
  private var slots: Arena<UInt32>

  init() {
    slots = Arena(capacity: 1024)
    slots.fill(to: 1024, with: 0)
  }

  /// How many keys have a number.
  var count: Int { keys.count }

  /// The number of `key`, which has it from now on.
  mutating func number(of key: UInt64) -> (number: Int, isNew: Bool) {
    if 2 * (keys.count + 1) > slots.count { grow() }
    let last = slots.count - 1
    var at = Self.slot(of: key, among: slots.count)
    while slots[at] != 0 {
      let number = Int(slots[at]) - 1
      if keys[number] == key { return (number, false) }
      at = (at + 1) & last
    }
    keys.append(key)
    slots[at] = UInt32(keys.count)
    return (keys.count - 1, true)
  }

  /// Forgets all keys, and keeps the memory.
  mutating func removeAll() {
    keys.removeAll()
    for slot in 0..<slots.count { slots[slot] = 0 }
  }

  /// Where a key is looked for first: beside those that differ from it in the lowest bits, which are asked for with it.
  @inline(__always) private static func slot(of key: UInt64, among count: Int) -> Int {
    hashedSlot(of: key >> 4, among: count >> 4) << 4 | Int(key & 15)
  }

  private mutating func grow() {
    slots = Arena(capacity: 2 * slots.count)
    slots.fill(to: slots.capacity, with: 0)
    let last = slots.count - 1
    for number in 0..<keys.count {
      var at = Self.slot(of: keys[number], among: slots.count)
      while slots[at] != 0 { at = (at + 1) & last }
      slots[at] = UInt32(number + 1)
    }
  }
}
