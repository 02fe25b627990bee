/// A start or end of a search: a vertex, and the cost of being there.
public struct HierarchySeed: Hashable, Sendable {
  public var vertex: Int
  /// At a source it may be negative, by less than the cost of the path from there.
  public var cost: Int64

  public init(vertex: Int, cost: Int64) {
    self.vertex = vertex
    self.cost = cost
  }
}

/// The cheapest path between seeds.
public struct HierarchyPath: Hashable, Sendable {
  public var cost: Int64
  /// Indices of the seeds at its two ends.
  public var source: Int
  public var target: Int
}

/// Searches on a hierarchy with its scratch space; created once, owned by the caller.
///
/// Both ends climb the elimination tree, the lower one first, without a queue or remaining labels.
/// A search only examines the arcs above its ends, some thousands in a city. Which of several equal
/// paths is found depends on the weights alone.
public struct HierarchySearch: ~Copyable {
  static let isSeed: UInt32 = 1 << 31

  private var forward = UpwardSearch()
  private var backward = UpwardSearch()
  private var meeting = 0
  private var unpacker = ArcUnpacker()

  public init() {}

  /// Vertices that the last search examined, in both directions together.
  public var settled: Int { forward.climbed.count + backward.climbed.count }

  /// The cheapest path from a source to a target; nil if there is none.
  ///
  /// A vertex that is both counts as a path without arcs.
  public mutating func run(
    _ weights: HierarchyWeights, from sources: [HierarchySeed], to targets: [HierarchySeed]
  ) -> HierarchyPath? {
    let hierarchy = weights.hierarchy
    guard let leastSource = sources.lazy.map(\.cost).min(),
      let leastTarget = targets.lazy.map(\.cost).min()
    else { return nil }
    forward.reset(hierarchy, sources, least: leastSource)
    backward.reset(hierarchy, targets, least: leastTarget)
    let best = climb(weights)
    guard best < HierarchyWeights.infinite else { return nil }
    let chains = (forward.root(of: meeting), backward.root(of: meeting))
    return HierarchyPath(
      cost: Int64(best) + leastSource + leastTarget, source: chains.0, target: chains.1)
  }

  private mutating func climb(_ weights: HierarchyWeights) -> Int32 {
    let hierarchy = weights.hierarchy
    let graph = UpwardGraph(hierarchy, weights)
    var best = HierarchyWeights.infinite
    while true {
      let (f, b) = (forward.next, backward.next)
      if f == .max, b == .max { break }
      if f < b {
        if forward.distance[Int(f)] < best { graph.climb(&forward, f, isUp: true) }
        forward.advance(graph)
      } else if b < f {
        if backward.distance[Int(b)] < best { graph.climb(&backward, b, isUp: false) }
        backward.advance(graph)
      } else {
        let (out, back) = (forward.distance[Int(f)], backward.distance[Int(f)])
        if out &+ back < best {
          best = out &+ back
          meeting = Int(f)
        }
        if out < best { graph.climb(&forward, f, isUp: true) }
        if back < best { graph.climb(&backward, f, isUp: false) }
        forward.advance(graph)
        backward.advance(graph)
      }
    }
    forward.clear()
    backward.clear()
    return best
  }

  /// The vertices of the path found last, from its source to its target.
  public mutating func vertices(_ weights: HierarchyWeights) -> [Int] {
    let hierarchy = weights.hierarchy
    var ranks: [UInt32] = []
    ranks.reserveCapacity(512)
    let climbing = forward.chain(to: meeting)
    for index in climbing.indices.dropFirst() {
      ranks.append(climbing[index - 1])
      let arc = hierarchy.arc(climbing[index - 1], climbing[index])
      unpacker.unpack(weights, arc, climbing[index - 1], climbing[index], isUp: true, &ranks)
    }
    ranks.append(UInt32(meeting))
    let descending = backward.chain(to: meeting)
    for index in descending.indices.dropFirst().reversed() {
      let arc = hierarchy.arc(descending[index - 1], descending[index])
      unpacker.unpack(weights, arc, descending[index - 1], descending[index], isUp: false, &ranks)
      ranks.append(descending[index - 1])
    }
    let vertex = hierarchy.vertex.buffer
    return ranks.map { Int(vertex[Int($0)]) }
  }

  /// The state of one end of a search.
  struct UpwardSearch: ~Copyable {
    private(set) var distance = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 0)
    private(set) var parent = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 0)
    /// The positions of the climbs that have not met, the lowest first.
    private var cursors: [UInt32] = []
    private(set) var next = UInt32.max
    private(set) var climbed: [UInt32] = []

    init() {}

    deinit {
      distance.deallocate()
      parent.deallocate()
    }

    mutating func reset(_ hierarchy: Hierarchy, _ seeds: [HierarchySeed], least: Int64) {
      if distance.count < hierarchy.vertexCount {
        distance.deallocate()
        parent.deallocate()
        distance = .allocate(capacity: hierarchy.vertexCount)
        parent = .allocate(capacity: hierarchy.vertexCount)
        distance.initialize(repeating: HierarchyWeights.infinite)
        parent.initialize(repeating: 0)
      }
      climbed.removeAll(keepingCapacity: true)
      cursors.removeAll(keepingCapacity: true)
      for (index, seed) in seeds.enumerated() {
        let rank = hierarchy.rank[seed.vertex]
        let cost = Int32(clamping: min(seed.cost - least, Int64(HierarchyWeights.infinite)))
        if !cursors.contains(rank) { cursors.append(rank) }
        guard cost < distance[Int(rank)] else { continue }
        distance[Int(rank)] = cost
        parent[Int(rank)] = HierarchySearch.isSeed | UInt32(index)
      }
      cursors.sort(by: >)
      next = cursors.last ?? .max
    }

    /// Continues from the lowest cursor to its parent in the elimination tree.
    @inline(__always) mutating func advance(_ graph: borrowing UpwardGraph) {
      climbed.append(next)
      let arc = graph.firstUp[Int(next)]
      let isRoot = arc == graph.firstUp[Int(next) + 1]
      let up = isRoot ? .max : graph.head[Int(arc)]
      if cursors.count == 1 {
        cursors[0] = up
        next = up
        return
      }
      cursors.removeLast()
      if !isRoot {
        var place = cursors.count
        while place > 0, cursors[place - 1] < up { place -= 1 }
        if place == 0 || cursors[place - 1] != up { cursors.insert(up, at: place) }
      }
      next = cursors.last ?? .max
    }

    /// Resets the distances; parents stay until the next search.
    func clear() {
      for rank in climbed { distance[Int(rank)] = HierarchyWeights.infinite }
    }

    func root(of rank: Int) -> Int {
      var at = parent[rank]
      while at & HierarchySearch.isSeed == 0 { at = parent[Int(at)] }
      return Int(at & ~HierarchySearch.isSeed)
    }

    /// The vertices from a seed up to `rank`.
    func chain(to rank: Int) -> [UInt32] {
      var ranks = [UInt32(rank)]
      while parent[Int(ranks[ranks.count - 1])] & HierarchySearch.isSeed == 0 {
        ranks.append(parent[Int(ranks[ranks.count - 1])])
      }
      return ranks.reversed()
    }
  }
}

/// Flat views of the data that a climb reads.
struct UpwardGraph {
  let firstUp: UnsafeMutableBufferPointer<UInt32>
  let head: UnsafeMutableBufferPointer<UInt32>
  let weight: UnsafeMutableBufferPointer<SIMD2<Int32>>

  init(_ hierarchy: Hierarchy, _ weights: HierarchyWeights) {
    firstUp = hierarchy.firstUp.buffer
    head = hierarchy.head.buffer
    weight = weights.weights.buffer
  }

  /// Lowers the distances of the vertices above `rank`.
  @inline(__always) func climb(
    _ half: inout HierarchySearch.UpwardSearch, _ rank: UInt32, isUp: Bool
  ) {
    let (distance, parent) = (half.distance, half.parent)
    let here = distance[Int(rank)]
    var arc = Int(firstUp[Int(rank)])
    let end = Int(firstUp[Int(rank) + 1])
    while arc < end {
      let h = Int(head[arc])
      let there = here &+ (isUp ? weight[arc].x : weight[arc].y)
      if there < distance[h] {
        distance[h] = there
        parent[h] = rank
      }
      arc &+= 1
    }
  }
}
