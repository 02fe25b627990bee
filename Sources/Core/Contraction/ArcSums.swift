/// Sums two quantities along the graph arcs that an arc of a hierarchy represents.
///
/// Each sum is computed once for each arc and direction, and kept until `removeAll`; so are those
/// of the arcs below.
struct ArcSums: ~Copyable {
  /// The two quantities of an arc of the graph, by its two vertices.
  typealias ArcQuantities = (_ tail: Int, _ head: Int) -> HierarchySums

  private static let free = UInt32.max

  private var unpacker = ArcUnpacker()
  /// An open hash table: the key is the arc times two, plus one for downwards; its size is a power
  /// of two.
  private var keys = [UInt32](repeating: free, count: 1 << 10)
  private var values = [HierarchySums](repeating: HierarchySums(), count: 1 << 10)
  private var used: [UInt32] = []

  init() {}

  /// Removes all sums, in time linear in their number.
  mutating func removeAll() {
    for place in used { keys[Int(place)] = Self.free }
    used.removeAll(keepingCapacity: true)
  }

  /// The sum along an arc between two ranks, upwards or downwards.
  mutating func sum(
    _ weights: HierarchyWeights, from low: UInt32, to high: UInt32, isUp: Bool,
    _ given: ArcQuantities
  ) -> HierarchySums {
    let hierarchy = weights.hierarchy
    let arc = hierarchy.arc(low, high)
    let key = arc << 1 | (isUp ? 0 : 1)
    let place = place(of: key)
    if keys[place] == key { return values[place] }
    let total: HierarchySums
    if let x = unpacker.middle(weights, arc, low, high, isUp: isUp) {
      // Depth is bounded by the height of the elimination tree: each step goes below both ends.
      total =
        sum(weights, from: x, to: low, isUp: !isUp, given)
        + sum(weights, from: x, to: high, isUp: isUp, given)
    } else {
      let ends = (Int(hierarchy.vertex[Int(low)]), Int(hierarchy.vertex[Int(high)]))
      total = isUp ? given(ends.0, ends.1) : given(ends.1, ends.0)
    }
    insert(key, total)
    return total
  }

  private func place(of key: UInt32) -> Int {
    let mask = keys.count - 1
    var place = Int(truncatingIfNeeded: UInt64(key) &* 0x9e37_79b9_7f4a_7c15 >> 32) & mask
    while keys[place] != key, keys[place] != Self.free { place = (place + 1) & mask }
    return place
  }

  private mutating func insert(_ key: UInt32, _ value: HierarchySums) {
    if 2 * used.count >= keys.count { grow() }
    let place = place(of: key)
    keys[place] = key
    values[place] = value
    used.append(UInt32(place))
  }

  private mutating func grow() {
    let old = used.map { (key: keys[Int($0)], value: values[Int($0)]) }
    keys = [UInt32](repeating: Self.free, count: 2 * keys.count)
    values = [HierarchySums](repeating: HierarchySums(), count: keys.count)
    used.removeAll(keepingCapacity: true)
    for (key, value) in old {
      let place = place(of: key)
      keys[place] = key
      values[place] = value
      used.append(UInt32(place))
    }
  }
}
