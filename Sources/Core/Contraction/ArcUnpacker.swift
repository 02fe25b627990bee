/// Unpacks arcs of a hierarchy, down to the graph's own arcs.
///
/// Middle vertices are not stored. The weight of an arc that is not given equals that of the two
/// arcs below it through some lower vertex, which is searched for. The most expensive results are
/// cached.
struct ArcUnpacker: ~Copyable {
  private struct Known: BitwiseCopyable {
    var arc = UInt32.max
    var through = UInt32.max
  }

  private struct Open {
    var arc: UInt32
    var low: UInt32
    var high: UInt32
    var isUp: Bool
  }

  private static let knownBits: UInt32 = 14
  /// Vertices with fewer arcs below them are searched without the cache.
  private static let manyBelow = 12

  private var stack: [Open] = []
  private var known: [Known] = []
  /// Weak, since scratch memory must not keep weights alive that are no longer used.
  private weak var weights: HierarchyWeights?

  init() {}

  /// Adds the vertices strictly between an arc's ends, in driving order.
  mutating func unpack(
    _ weights: HierarchyWeights, _ arc: UInt32, _ low: UInt32, _ high: UInt32, isUp: Bool,
    _ ranks: inout [UInt32]
  ) {
    use(weights)
    let hierarchy = weights.hierarchy
    let firstUp = hierarchy.firstUp.buffer
    let head = hierarchy.head.buffer
    stack.append(Open(arc: arc, low: low, high: high, isUp: isUp))
    while let next = stack.popLast() {
      if next.low == next.high {
        ranks.append(next.low)
        continue
      }
      guard let x = through(next, weights) else { continue }
      let toLow = Hierarchy.arc(firstUp, head, x, next.low)
      let toHigh = Hierarchy.arc(firstUp, head, x, next.high)
      // Upwards low - x - high, downwards high - x - low; the first part is pushed last.
      let below = Open(arc: toLow, low: x, high: next.low, isUp: !next.isUp)
      let above = Open(arc: toHigh, low: x, high: next.high, isUp: next.isUp)
      stack.append(next.isUp ? above : below)
      stack.append(Open(arc: 0, low: x, high: x, isUp: true))
      stack.append(next.isUp ? below : above)
    }
  }

  private mutating func use(_ weights: HierarchyWeights) {
    guard self.weights !== weights else { return }
    self.weights = weights
    known = [Known](repeating: Known(), count: 1 << Self.knownBits)
  }

  /// The rank below both ends that an arc leads through; nil for an arc of the graph itself.
  mutating func middle(
    _ weights: HierarchyWeights, _ arc: UInt32, _ low: UInt32, _ high: UInt32, isUp: Bool
  ) -> UInt32? {
    use(weights)
    return through(Open(arc: arc, low: low, high: high, isUp: isUp), weights)
  }

  /// The vertex below both ends that the arc leads through; nil for an arc of the graph itself.
  private mutating func through(_ open: Open, _ weights: HierarchyWeights) -> UInt32? {
    if weights.isGiven(open.arc, isUp: open.isUp) { return nil }
    let hierarchy = weights.hierarchy
    let low = Int(open.low)
    let below = Int(hierarchy.firstDown.buffer[low])..<Int(hierarchy.firstDown.buffer[low + 1])
    guard below.count > Self.manyBelow else { return search(open, below, weights) }
    let key = open.arc << 1 | (open.isUp ? 1 : 0)
    let place = Int((key &* 0x9e37_79b9) >> (32 - Self.knownBits))
    if known[place].arc == key {
      return known[place].through == .max ? nil : known[place].through
    }
    let found = search(open, below, weights)
    known[place] = Known(arc: key, through: found ?? .max)
    return found
  }

  private func search(_ open: Open, _ below: Range<Int>, _ weights: HierarchyWeights) -> UInt32? {
    let hierarchy = weights.hierarchy
    let weight = weights.weights.buffer
    let whole = open.isUp ? weight[Int(open.arc)].x : weight[Int(open.arc)].y
    let firstUp = hierarchy.firstUp.buffer
    let head = hierarchy.head.buffer
    let (tails, places) = (hierarchy.downTail.buffer, hierarchy.downPlace.buffer)
    let (first, second) = open.isUp ? (1, 0) : (0, 1)
    for k in below {
      let part = weight[Int(firstUp[Int(tails[k])]) + Int(places[k])][first]
      guard part < whole else { continue }
      let arc = Int(Hierarchy.arc(firstUp, head, tails[k], open.high))
      if head[arc] == open.high, part &+ weight[arc][second] == whole { return tails[k] }
    }
    return nil
  }
}
