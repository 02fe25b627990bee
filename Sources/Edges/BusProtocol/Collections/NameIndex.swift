import Glibc

/// Numbers byte strings in order of insertion.
///
/// It is a hash table that is queried with borrowed bytes, at constant cost and without allocating.
///
/// The hash has a new key in each process, so no sender can choose names that collide.
package struct NameIndex {
  private struct Slot {
    /// Upper half of the hash, which avoids most comparisons of bytes.
    var mark: UInt32 = 0
    /// Number of the name plus one; 0 if the slot is free.
    var entry: UInt32 = 0
  }

  private var slots = [Slot](repeating: Slot(), count: 64)
  private var bytes: [UInt8] = []
  /// The start of each name in `bytes`, and the end of the last one.
  private var starts = [0]

  package init() {}

  package var count: Int { starts.count - 1 }

  /// The number of a name; nil if it was never added.
  package func number(of name: UnsafeRawBufferPointer) -> Int? {
    let entry = slots[place(of: name)].entry
    return entry == 0 ? nil : Int(entry) - 1
  }

  /// Adds a name that is not present yet and returns its number.
  package mutating func add(_ name: UnsafeRawBufferPointer) -> Int {
    if (count + 1) * 2 > slots.count { grow() }
    let number = count
    slots[place(of: name)] = Slot(mark: Self.mark(Self.hash(name)), entry: UInt32(number) + 1)
    bytes.append(contentsOf: name)
    starts.append(bytes.count)
    return number
  }

  /// The slot where a name is, or would be.
  private func place(of name: UnsafeRawBufferPointer) -> Int {
    let hash = Self.hash(name)
    let mark = Self.mark(hash)
    var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while true {
      let slot = slots[place]
      if slot.entry == 0 { return place }
      if slot.mark == mark, isName(Int(slot.entry) - 1, name) { return place }
      place = (place + 1) & (slots.count - 1)
    }
  }

  private func isName(_ number: Int, _ name: UnsafeRawBufferPointer) -> Bool {
    let start = starts[number]
    guard starts[number + 1] - start == name.count else { return false }
    guard let wanted = name.baseAddress else { return true }
    return bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress else { return true }
      return memcmp(base + start, wanted, name.count) == 0
    }
  }

  private mutating func grow() {
    slots = [Slot](repeating: Slot(), count: slots.count * 2)
    bytes.withUnsafeBytes { all in
      for number in 0..<count {
        let name = UnsafeRawBufferPointer(rebasing: all[starts[number]..<starts[number + 1]])
        let hash = Self.hash(name)
        var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[place].entry != 0 { place = (place + 1) & (slots.count - 1) }
        slots[place] = Slot(mark: Self.mark(hash), entry: UInt32(number) + 1)
      }
    }
  }

  private static func hash(_ name: UnsafeRawBufferPointer) -> UInt {
    var hasher = Hasher()
    hasher.combine(bytes: name)
    return UInt(bitPattern: hasher.finalize())
  }

  private static func mark(_ hash: UInt) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }
}
