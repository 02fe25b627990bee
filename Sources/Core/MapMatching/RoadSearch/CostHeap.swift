/// A priority queue of roads by cost; among equal costs the smaller number comes first.
///
/// A 4-ary heap with one machine word per entry: the cost in millionths in the upper bits, the
/// number in the lower bits. A search spends half its time here. Therefore finding the smallest of
/// four children needs no branch.
struct CostHeap: ~Copyable {
  private static let numberBits: UInt64 = 24
  /// Numbers from this one on are not stored.
  static let numberCount = 1 << Int(numberBits)
  private static let stepsPerUnit = Double(1 << 20)
  private static let greatestSteps = Double(1 << 40) - 2

  /// At least three sentinels, which compare greater than all entries, follow the last entry.
  private var entries = Arena<UInt64>(capacity: 64)
  private var count = 0

  init() { entries.fill(to: 3, with: .max) }

  mutating func clear() {
    for index in 0..<count { entries[index] = .max }
    count = 0
  }

  /// Adds the road `number`; costs above a million are not distinguished.
  @inline(__always) mutating func push(cost: Double, number: Int) {
    guard number < Self.numberCount else { return }
    let steps = UInt64(
      Double.minimum(Self.greatestSteps, Double.maximum(0, cost * Self.stepsPerUnit)))
    let entry = steps << Self.numberBits | UInt64(truncatingIfNeeded: number)
    count += 1
    entries.fill(to: count + 3, with: .max)
    var at = count - 1
    while at > 0 {
      let parent = (at - 1) / 4
      guard entry < entries[parent] else { break }
      entries[at] = entries[parent]
      at = parent
    }
    entries[at] = entry
  }

  /// Removes and returns the cheapest road.
  @inline(__always) mutating func pop() -> Int? {
    guard count > 0 else { return nil }
    count -= 1
    let top = entries[0]
    let last = entries[count]
    entries[count] = .max
    var at = 0
    var child = 1
    while child < count {
      let (a, b, c, d) = (
        entries[child], entries[child + 1], entries[child + 2], entries[child + 3]
      )
      let (ab, cd) = (min(a, b), min(c, d))
      let (inAB, inCD) = (child + (b < a ? 1 : 0), child + (d < c ? 3 : 2))
      let least = min(ab, cd)
      guard least < last else { break }
      entries[at] = least
      at = cd < ab ? inCD : inAB
      child = 4 * at + 1
    }
    if at < count { entries[at] = last }
    return Int(truncatingIfNeeded: top & (1 << Self.numberBits - 1))
  }
}
