public import RoadGraph

/// A graph made chordal in an elimination order; shared by all metrics of one map.
///
/// J. Dibbelt, B. Strasser, D. Wagner, "Customizable contraction hierarchies", JEA 21 (2016).
/// Vertices are identified by their rank here. Every arc leads up; a metric has a weight for each
/// of its two directions. Each cheapest path then has an equal one that first climbs and then
/// descends.
public final class Hierarchy: Sendable {
  public let vertexCount: Int
  /// The rank of each vertex; ranks are equivalent to the order, with each subtree contiguous.
  let rank: FlatArray<UInt32>
  let vertex: FlatArray<UInt32>
  /// Shape `[vertexCount + 1]`: arcs up from rank `r` are `firstUp[r] ..< firstUp[r + 1]`, their heads ascending.
  let firstUp: FlatArray<UInt32>
  let head: FlatArray<UInt32>
  /// Shape `[vertexCount + 1]`: arcs into rank `r` from below, as their tails, in addition to their
  /// places among the tails' arcs.
  ///
  /// A place fits: with a vertex of more arcs, those above it would have more in total than a
  /// hierarchy may have.
  let firstDown: FlatArray<UInt32>
  let downTail: FlatArray<UInt32>
  let downPlace: FlatArray<UInt16>
  /// For each arc of the original graph, its arc here times two, plus one if it leads down;
  /// `UInt32.max` for loops.
  let slot: FlatArray<UInt32>
  /// The original graph: arcs out of vertex `v` are `firstArc[v] ..< firstArc[v + 1]`.
  let firstArc: Column<UInt32>
  let arcHead: Column<UInt32>
  /// The subtrees that workers process whole, followed by the vertices above them in rounds.
  let plan: CustomizationPlan

  public var arcCount: Int { head.count }

  /// With more arcs than this per vertex, it is not a road network, or not a suitable order.
  static let mostArcsPerVertex = 200

  /// The hierarchy over a graph: the arcs out of vertex `v` are `firstArc[v] ..< firstArc[v + 1]`.
  ///
  /// Nearly linear in the arcs that it makes.
  ///
  /// - Throws: `HierarchyFault` if `order` is not a permutation of the vertices, or makes far too
  ///   many arcs.
  public init(
    order: [UInt32], firstArc: Column<UInt32>, arcHead: Column<UInt32>
  ) throws(HierarchyFault) {
    let n = firstArc.count - 1
    vertexCount = n
    self.firstArc = firstArc
    self.arcHead = arcHead
    let input = RankedArcs(
      rank: try EliminationTree.postorder(order, firstArc: firstArc, arcHead: arcHead),
      firstArc: firstArc, arcHead: arcHead)
    rank = input.rank
    vertex = FlatArray(repeating: 0, count: n)
    for v in 0..<n { vertex[Int(rank[v])] = UInt32(v) }
    (firstUp, head) = try input.completed()
    let arcs = head.count
    firstDown = FlatArray(repeating: 0, count: n + 1)
    downTail = FlatArray(repeating: 0, count: arcs)
    downPlace = FlatArray(repeating: 0, count: arcs)
    for a in 0..<arcs { firstDown[Int(head[a]) + 1] += 1 }
    for r in 0..<n { firstDown[r + 1] += firstDown[r] }
    let next = FlatArray(Array(firstDown.buffer))
    for r in 0..<n {
      for a in firstUp[r]..<firstUp[r + 1] {
        let place = Int(next[Int(head[Int(a)])])
        next[Int(head[Int(a)])] += 1
        downTail[place] = UInt32(r)
        downPlace[place] = UInt16(a - firstUp[r])
      }
    }
    slot = FlatArray(repeating: .max, count: arcHead.count)
    for v in 0..<n {
      let r = rank[v]
      for k in Int(firstArc[v])..<Int(firstArc[v + 1]) {
        let h = rank[Int(arcHead[k])]
        guard r != h else { continue }
        let arc = Self.arc(firstUp.buffer, head.buffer, min(r, h), max(r, h))
        slot[k] = arc * 2 + (r < h ? 0 : 1)
      }
    }
    plan = CustomizationPlan(firstUp: firstUp, head: head)
  }

  /// The arc from rank `low` up to rank `high`, which must exist.
  @inline(__always) func arc(_ low: UInt32, _ high: UInt32) -> UInt32 {
    Self.arc(firstUp.buffer, head.buffer, low, high)
  }

  /// The last arc up from rank `low` whose head is no higher than `high`.
  @inline(__always) static func arc(
    _ firstUp: UnsafeMutableBufferPointer<UInt32>, _ head: UnsafeMutableBufferPointer<UInt32>,
    _ low: UInt32, _ high: UInt32
  ) -> UInt32 {
    var first = firstUp[Int(low)]
    var end = firstUp[Int(low) + 1]
    while end &- first > 1 {
      let middle = (first &+ end) >> 1
      if head[Int(middle)] <= high { first = middle } else { end = middle }
    }
    return first
  }
}

/// Why an order does not make a hierarchy.
public enum HierarchyFault: Error, Hashable, Sendable, CustomStringConvertible {
  case notAPermutation(place: Int)
  case tooManyArcs(limit: Int)
  case truncated(byte: Int)

  public var description: String {
    switch self {
    case .notAPermutation(let place):
      "the hierarchy's order contains a duplicate or unknown edge at position \(place)"
    case .tooManyArcs(let limit): "the hierarchy's order creates more than \(limit) arcs"
    case .truncated(let byte): "the hierarchy's order ends or overflows at byte \(byte)"
    }
  }
}

/// The elimination tree: each vertex's parent is the lowest of its neighbours above it.
enum EliminationTree {
  static let none = UInt32.max

  /// Ranks that preserve the tree of `order` and make each subtree contiguous.
  ///
  /// J. W. H. Liu, "The role of elimination trees in sparse factorization", SIAM J. Matrix Anal.
  /// Appl. 11 (1990).
  static func postorder(
    _ order: [UInt32], firstArc: Column<UInt32>, arcHead: Column<UInt32>
  ) throws(HierarchyFault) -> FlatArray<UInt32> {
    let n = firstArc.count - 1
    let rank = FlatArray<UInt32>(repeating: none, count: n)
    guard order.count == n else { throw .notAPermutation(place: min(order.count, n)) }
    for (place, v) in order.enumerated() {
      guard Int(v) < n, rank[Int(v)] == none else { throw .notAPermutation(place: place) }
      rank[Int(v)] = UInt32(place)
    }
    let lower = RankedArcs(rank: rank, firstArc: firstArc, arcHead: arcHead).lower()
    let parent = FlatArray<UInt32>(repeating: none, count: n)
    let ancestor = FlatArray<UInt32>(repeating: none, count: n)
    for h in 0..<n {
      for k in Int(lower.first[h])..<Int(lower.first[h + 1]) {
        var r = Int(lower.tail[k])
        while ancestor[r] != none, Int(ancestor[r]) != h {
          let next = Int(ancestor[r])
          ancestor[r] = UInt32(h)
          r = next
        }
        if ancestor[r] == none {
          ancestor[r] = UInt32(h)
          parent[r] = UInt32(h)
        }
      }
    }
    return numbered(rank, parent)
  }

  private static func numbered(
    _ rank: FlatArray<UInt32>, _ parent: FlatArray<UInt32>
  ) -> FlatArray<UInt32> {
    let n = rank.count
    // The sizes of subtrees determine each position without a stack.
    let size = FlatArray<UInt32>(repeating: 1, count: n)
    for r in 0..<n where parent[r] != none { size[Int(parent[r])] += size[r] }
    let end = FlatArray<UInt32>(repeating: 0, count: n)
    let taken = FlatArray<UInt32>(repeating: 0, count: n)
    var roots = UInt32(n)
    for r in (0..<n).reversed() {
      if parent[r] == none {
        end[r] = roots
        roots -= size[r]
      } else {
        let p = Int(parent[r])
        end[r] = end[p] - 1 - taken[p]
        taken[p] += size[r]
      }
    }
    let new = FlatArray<UInt32>(repeating: 0, count: n)
    for v in 0..<n { new[v] = end[Int(rank[v])] - 1 }
    return new
  }
}

/// The arcs of a graph by the ranks of their ends.
struct RankedArcs {
  let rank: FlatArray<UInt32>
  let firstArc: Column<UInt32>
  let arcHead: Column<UInt32>

  /// For each rank, the lower ranks with an arc to or from it.
  func lower() -> (first: FlatArray<UInt32>, tail: FlatArray<UInt32>) { grouped(byLower: false) }

  private func grouped(byLower: Bool) -> (first: FlatArray<UInt32>, tail: FlatArray<UInt32>) {
    let n = firstArc.count - 1
    let first = FlatArray<UInt32>(repeating: 0, count: n + 2)
    let other = FlatArray<UInt32>(repeating: 0, count: arcHead.count)
    let firstArc = firstArc.records
    let arcHead = arcHead.records
    for round in 0..<2 {
      for v in 0..<n {
        let r = rank[v]
        for k in Int(firstArc[v])..<Int(firstArc[v + 1]) {
          let h = rank[Int(arcHead[k])]
          guard r != h else { continue }
          let key = Int(byLower ? min(r, h) : max(r, h))
          if round == 0 {
            first[key + 2] += 1
          } else {
            other[Int(first[key + 1])] = byLower ? max(r, h) : min(r, h)
            first[key + 1] += 1
          }
        }
      }
      if round == 0 { for r in 0..<n { first[r + 2] += first[r + 1] } }
    }
    return (first, other)
  }

  /// The upward arcs of the chordal graph: the neighbours above a vertex are joined with those of
  /// its children.
  func completed() throws(HierarchyFault) -> (FlatArray<UInt32>, FlatArray<UInt32>) {
    let n = firstArc.count - 1
    let own = grouped(byLower: true)
    let firstUp = FlatArray<UInt32>(repeating: 0, count: n + 1)
    let child = FlatArray<UInt32>(repeating: EliminationTree.none, count: n)
    let sibling = FlatArray<UInt32>(repeating: EliminationTree.none, count: n)
    var arcs: [UInt32] = []
    arcs.reserveCapacity(16 * n)
    var list: [UInt32] = []
    var merged: [UInt32] = []
    // Arc numbers are doubled in 32 bits.
    let limit = min(max(1 << 16, n * Hierarchy.mostArcsPerVertex), Int(Int32.max) / 2)
    for r in 0..<n {
      list.removeAll(keepingCapacity: true)
      for k in Int(own.first[r])..<Int(own.first[r + 1]) { list.append(own.tail[k]) }
      list.sort()
      var at = child[r]
      while at != EliminationTree.none {
        let c = Int(at)
        Self.merge(list, arcs, Int(firstUp[c]) + 1..<Int(firstUp[c + 1]), into: &merged)
        swap(&list, &merged)
        at = sibling[c]
      }
      var last = EliminationTree.none
      for h in list where h != last {
        arcs.append(h)
        last = h
      }
      guard arcs.count <= limit else { throw .tooManyArcs(limit: limit) }
      firstUp[r + 1] = UInt32(arcs.count)
      if Int(firstUp[r]) < arcs.count {
        let parent = Int(arcs[Int(firstUp[r])])
        sibling[r] = child[parent]
        child[parent] = UInt32(r)
      }
    }
    return (firstUp, FlatArray(arcs))
  }

  private static func merge(
    _ a: [UInt32], _ all: [UInt32], _ range: Range<Int>, into merged: inout [UInt32]
  ) {
    merged.removeAll(keepingCapacity: true)
    a.withUnsafeBufferPointer { a in
      all.withUnsafeBufferPointer { all in
        var i = 0
        var j = range.lowerBound
        while i < a.count, j < range.upperBound {
          let (x, y) = (a[i], all[j])
          merged.append(min(x, y))
          if x <= y { i += 1 }
          if y <= x { j += 1 }
        }
        while i < a.count {
          merged.append(a[i])
          i += 1
        }
        while j < range.upperBound {
          merged.append(all[j])
          j += 1
        }
      }
    }
  }
}
