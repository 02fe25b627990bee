/// Two quantities that are summed along a path, such as its time and its length.
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

/// The cheapest paths from each of several places to each of several others, and the memory to find
/// them in.
///
/// After S. Knopp, P. Sanders, D. Schultes, F. Schulz, D. Wagner, "Computing many-to-many shortest
/// paths using highway hierarchies", ALENEX 2007: the search from each target leaves its distances
/// in buckets at the vertices above it, and the search from each source scans the buckets that it
/// meets. Costs a search for each place, a scan of the buckets for each source, and the unpacking
/// of the arcs on the cheapest paths where sums are wanted.
public struct HierarchyTable: ~Copyable {
  /// The cheapest path of one pair.
  public struct Cell: Hashable, Sendable {
    public var cost: Int64
    /// Indices of the seeds at the path's ends among those of its source and target.
    public var source: Int
    public var target: Int
    /// The requested sums, along the arcs from seed to seed.
    public var sums: HierarchySums
  }

  /// An entry that the search from a target stored at a vertex.
  private struct BucketEntry: BitwiseCopyable {
    var target: UInt32 = 0
    /// Its entry in the tree of the targets.
    var entry: UInt32 = 0
    var cost: Int32 = 0
  }

  /// The best meeting of one pair so far.
  private struct Meeting: BitwiseCopyable {
    var cost = HierarchyWeights.infinite
    /// Its entries in the trees of the source and of the targets.
    var up: UInt32 = 0
    var down: UInt32 = 0
  }

  private var half = HierarchySearch.UpwardSearch()
  private var sources = UpwardSearchTree()
  private var targets = UpwardSearchTree()
  private var arcs = ArcSums()
  /// By rank: the entry of the vertex in the tree that grows; written before it is read.
  private var entryOfRank: [UInt32] = []
  /// By rank: where its bucket begins and ends; both 0 between calls.
  private var bucketStart: [UInt32] = []
  private var bucketEnd: [UInt32] = []
  private var buckets: [BucketEntry] = []
  private var meetings: [Meeting] = []

  public init() {}

  /// Passes each pair's cheapest path to `body`, row by row; pairs without one are left out.
  ///
  /// `sums` returns the quantities of an arc of the graph, by its two vertices; nil for none. Only
  /// a larger hierarchy than before costs time linear in its vertices.
  public mutating func fill(
    _ weights: HierarchyWeights, from starts: [[HierarchySeed]], to ends: [[HierarchySeed]],
    sums: ((_ tail: Int, _ head: Int) -> HierarchySums)? = nil,
    _ body: (_ source: Int, _ target: Int, Cell) -> Void
  ) {
    let vertexCount = weights.hierarchy.vertexCount
    if entryOfRank.count < vertexCount {
      entryOfRank = [UInt32](repeating: 0, count: vertexCount)
      bucketStart = entryOfRank
      bucketEnd = entryOfRank
    }
    arcs.removeAll()
    targets.removeAll()
    var leastEnd = [Int64](repeating: 0, count: ends.count)
    for (index, seeds) in ends.enumerated() {
      leastEnd[index] = Self.climb(
        weights, seeds, index, isUp: false, &half, &entryOfRank, &targets)
    }
    let filled = fillBuckets()
    defer {
      for rank in filled {
        bucketStart[Int(rank)] = 0
        bucketEnd[Int(rank)] = 0
      }
    }
    for (index, seeds) in starts.enumerated() {
      sources.removeAll()
      let leastStart = Self.climb(
        weights, seeds, index, isUp: true, &half, &entryOfRank, &sources)
      meet(ends.count)
      for target in ends.indices {
        let meeting = meetings[target]
        guard meeting.cost < HierarchyWeights.infinite else { continue }
        let up = sources.path(to: meeting.up, weights, isUp: true, &arcs, sums)
        let down = targets.path(to: meeting.down, weights, isUp: false, &arcs, sums)
        body(
          index, target,
          Cell(
            cost: Int64(meeting.cost) + leastStart + leastEnd[target], source: Int(up.seed),
            target: Int(down.seed), sums: up.sums + down.sums))
      }
    }
  }

  /// Grows a tree by the search from the seeds of one place; returns the lowest of the seeds'
  /// costs.
  private static func climb(
    _ weights: HierarchyWeights, _ seeds: [HierarchySeed], _ owner: Int, isUp: Bool,
    _ half: inout HierarchySearch.UpwardSearch, _ entryOfRank: inout [UInt32],
    _ tree: inout UpwardSearchTree
  ) -> Int64 {
    guard let least = seeds.lazy.map(\.cost).min() else { return 0 }
    let graph = UpwardGraph(weights.hierarchy, weights)
    half.reset(weights.hierarchy, seeds, least: least)
    while half.next != .max {
      let rank = half.next
      let cost = half.distance[Int(rank)]
      if cost < HierarchyWeights.infinite {
        let parent = half.parent[Int(rank)]
        let isSeed = parent & HierarchySearch.isSeed != 0
        entryOfRank[Int(rank)] = UInt32(tree.entries.count)
        tree.append(
          UpwardSearchTree.Entry(
            rank: rank, parent: isSeed ? parent : entryOfRank[Int(parent)], cost: cost,
            owner: UInt32(owner)))
        graph.climb(&half, rank, isUp: isUp)
      }
      half.advance(graph)
    }
    half.clear()
    return least
  }

  /// Sorts the entries of the targets by rank; returns the ranks.
  private mutating func fillBuckets() -> [UInt32] {
    var ranks: [UInt32] = []
    for entry in targets.entries {
      if bucketEnd[Int(entry.rank)] == 0 { ranks.append(entry.rank) }
      bucketEnd[Int(entry.rank)] += 1
    }
    ranks.sort()
    var next: UInt32 = 0
    for rank in ranks {
      bucketStart[Int(rank)] = next
      next += bucketEnd[Int(rank)]
      bucketEnd[Int(rank)] = bucketStart[Int(rank)]
    }
    if buckets.count < targets.entries.count {
      buckets = [BucketEntry](repeating: BucketEntry(), count: targets.entries.count)
    }
    for (index, entry) in targets.entries.enumerated() {
      let place = Int(bucketEnd[Int(entry.rank)])
      bucketEnd[Int(entry.rank)] += 1
      buckets[place] = BucketEntry(target: entry.owner, entry: UInt32(index), cost: entry.cost)
    }
    return ranks
  }

  /// Finds the best meeting of the current source with each target; of equal ones the lowest.
  private mutating func meet(_ targetCount: Int) {
    meetings.removeAll(keepingCapacity: true)
    meetings.append(contentsOf: repeatElement(Meeting(), count: targetCount))
    let (entries, buckets) = (sources.entries, buckets)
    let (start, end) = (bucketStart, bucketEnd)
    meetings.withUnsafeMutableBufferPointer { meetings in
      buckets.withUnsafeBufferPointer { buckets in
        for (index, entry) in entries.enumerated() {
          let cost = entry.cost
          var place = Int(start[Int(entry.rank)])
          let last = Int(end[Int(entry.rank)])
          while place < last {
            let left = buckets[place]
            let total = cost &+ left.cost
            if total < meetings[Int(left.target)].cost {
              meetings[Int(left.target)] = Meeting(
                cost: total, up: UInt32(index), down: left.entry)
            }
            place &+= 1
          }
        }
      }
    }
  }
}

/// The vertices that searches from one or several places have reached, each with the previous one.
private struct UpwardSearchTree: ~Copyable {
  struct Entry: BitwiseCopyable {
    var rank: UInt32
    /// The entry before it, or its seed with the bit `HierarchySearch.isSeed`.
    var parent: UInt32
    var cost: Int32
    /// The place from which it was reached.
    var owner: UInt32
  }

  /// The path from a seed to an entry.
  struct Path: BitwiseCopyable {
    static let unknown = UInt32.max
    var seed = unknown
    var sums = HierarchySums()
  }

  private(set) var entries: [Entry] = []
  private var paths: [Path] = []
  private var open: [UInt32] = []

  init() {}

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    paths.removeAll(keepingCapacity: true)
  }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
    paths.append(Path())
  }

  /// The path to an entry; each part of it is summed once.
  mutating func path(
    to entry: UInt32, _ weights: HierarchyWeights, isUp: Bool, _ arcs: inout ArcSums,
    _ given: ArcSums.ArcQuantities?
  ) -> Path {
    open.removeAll(keepingCapacity: true)
    var at = Int(entry)
    while paths[at].seed == Path.unknown {
      let parent = entries[at].parent
      if parent & HierarchySearch.isSeed != 0 {
        paths[at].seed = parent & ~HierarchySearch.isSeed
        break
      }
      open.append(UInt32(at))
      at = Int(parent)
    }
    var path = paths[at]
    while let next = open.popLast() {
      if let given {
        let sum = arcs.sum(
          weights, from: entries[at].rank, to: entries[Int(next)].rank, isUp: isUp, given)
        path.sums = path.sums + sum
      }
      at = Int(next)
      paths[at] = path
    }
    return path
  }
}
