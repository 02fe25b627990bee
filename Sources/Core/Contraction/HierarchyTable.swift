/// Two quantities that add up along a way, such as its time and its length.
public struct HierarchySums: Hashable, Sendable, BitwiseCopyable {
  public var first: Int64
  public var second: Int64

  public init(first: Int64 = 0, second: Int64 = 0) {
    self.first = first
    self.second = second
  }

  static func + (a: Self, b: Self) -> Self {
    Self(first: a.first + b.first, second: a.second + b.second)
  }
}

/// The cheapest ways from each of several places to each of several others, and the memory to find them in.
///
/// After S. Knopp, P. Sanders, D. Schultes, F. Schulz, D. Wagner, "Computing many-to-many shortest paths using
/// highway hierarchies", ALENEX 2007: each target leaves its distances at the vertices above it, each source
/// climbs once and collects them. A climb for each place, and for each pair the vertices above both.
public struct HierarchyTable: ~Copyable {
  /// The cheapest way of one pair.
  public struct Cell: Hashable, Sendable {
    public var cost: Int64
    /// Indices of the seeds at the way's ends among those of its source and target.
    public var source: Int
    public var target: Int
    /// What was asked to be added up, along the arcs from seed to seed.
    public var sums: HierarchySums
  }

  /// What a target leaves at a vertex.
  private struct Left: BitwiseCopyable {
    var rank: UInt32
    var target: UInt32
    var seed: UInt32
    var cost: Int32
    var sums: HierarchySums
  }

  /// What is known of a vertex during one climb.
  private struct Reached: BitwiseCopyable {
    var seed: UInt32 = 0
    var sums = HierarchySums()
  }

  private var half = HierarchySearch.ClimbingHalf()
  private var unpacker = ArcUnpacker()
  /// By rank, kept from call to call: what a climb knows is written before it is read.
  private var reached: [Reached] = []
  /// By rank the place of its first entry among what targets left; `none` between calls.
  private var firstLeft: [UInt32] = []
  private static let none = UInt32.max
  private var summed: [UInt32: HierarchySums] = [:]

  public init() {}

  /// Gives each pair's cheapest way to `body`, row by row; pairs without one are left out.
  ///
  /// `sums` tells what to add up along an arc of the graph, by its two vertices; nil for nothing. Costs nothing for
  /// vertices that no climb reaches, but at the first call on a greater hierarchy.
  public mutating func fill(
    _ weights: HierarchyWeights, from sources: [[HierarchySeed]], to targets: [[HierarchySeed]],
    sums: ((_ tail: Int, _ head: Int) -> HierarchySums)? = nil,
    _ body: (_ source: Int, _ target: Int, Cell) -> Void
  ) {
    let vertexCount = weights.hierarchy.vertexCount
    if reached.count < vertexCount {
      reached = [Reached](repeating: Reached(), count: vertexCount)
      firstLeft = [UInt32](repeating: Self.none, count: vertexCount)
    }
    summed.removeAll(keepingCapacity: true)
    var left: [Left] = []
    var leastTarget = [Int64](repeating: 0, count: targets.count)
    for (index, seeds) in targets.enumerated() {
      leastTarget[index] = climb(weights, seeds, isUp: false, sums) { rank, cost, known in
        left.append(
          Left(
            rank: rank, target: UInt32(index), seed: known.seed, cost: cost, sums: known.sums))
      }
    }
    left.sort { ($0.rank, $0.target) < ($1.rank, $1.target) }
    for place in left.indices.reversed() { firstLeft[Int(left[place].rank)] = UInt32(place) }
    defer { for entry in left { firstLeft[Int(entry.rank)] = Self.none } }
    for (index, seeds) in sources.enumerated() {
      var row = [Cell?](repeating: nil, count: targets.count)
      let first = firstLeft
      let least = climb(weights, seeds, isUp: true, sums) { rank, cost, known in
        guard first[Int(rank)] != Self.none else { return }
        for entry in left[Int(first[Int(rank)])...] {
          if entry.rank != rank { break }
          let total = Int64(cost) + Int64(entry.cost)
          guard total < row[Int(entry.target)]?.cost ?? Int64(HierarchyWeights.infinite) else {
            continue
          }
          row[Int(entry.target)] = Cell(
            cost: total, source: Int(known.seed), target: Int(entry.seed),
            sums: known.sums + entry.sums)
        }
      }
      for (target, cell) in row.enumerated() {
        guard var cell else { continue }
        cell.cost += least + leastTarget[target]
        body(index, target, cell)
      }
    }
  }

  /// Climbs from seeds and tells of each vertex reached; gives the least of the seeds' costs.
  private mutating func climb(
    _ weights: HierarchyWeights, _ seeds: [HierarchySeed], isUp: Bool,
    _ sums: ((Int, Int) -> HierarchySums)?, _ tell: (UInt32, Int32, Reached) -> Void
  ) -> Int64 {
    guard let least = seeds.lazy.map(\.cost).min() else { return 0 }
    let graph = ClimbingGraph(weights.hierarchy, weights)
    half.begin(weights.hierarchy, seeds, least: least)
    while half.next != .max {
      let rank = half.next
      let cost = half.distance[Int(rank)]
      if cost < HierarchyWeights.infinite {
        let parent = half.parent[Int(rank)]
        if parent & HierarchySearch.isSeed != 0 {
          reached[Int(rank)] = Reached(seed: parent & ~HierarchySearch.isSeed)
        } else {
          var known = reached[Int(parent)]
          if let sums {
            let arc = weights.hierarchy.arc(parent, rank)
            known.sums = known.sums + sum(weights, arc, parent, rank, isUp: isUp, sums)
          }
          reached[Int(rank)] = known
        }
        tell(rank, cost, reached[Int(rank)])
        graph.climb(&half, rank, isUp: isUp)
      }
      half.advance(graph)
    }
    half.clear()
    return least
  }

  /// What adds up along an arc, remembered for all arcs on the way down to it.
  private mutating func sum(
    _ weights: HierarchyWeights, _ arc: UInt32, _ low: UInt32, _ high: UInt32, isUp: Bool,
    _ sums: (Int, Int) -> HierarchySums
  ) -> HierarchySums {
    let key = arc << 1 | (isUp ? 0 : 1)
    if let known = summed[key] { return known }
    let hierarchy = weights.hierarchy
    let total: HierarchySums
    if let x = unpacker.middle(weights, arc, low, high, isUp: isUp) {
      // Depth is bounded by the height of the elimination tree: each step goes below both ends.
      total =
        sum(weights, hierarchy.arc(x, low), x, low, isUp: !isUp, sums)
        + sum(weights, hierarchy.arc(x, high), x, high, isUp: isUp, sums)
    } else {
      let ends = (Int(hierarchy.vertex[Int(low)]), Int(hierarchy.vertex[Int(high)]))
      total = isUp ? sums(ends.0, ends.1) : sums(ends.1, ends.0)
    }
    summed[key] = total
    return total
  }
}
