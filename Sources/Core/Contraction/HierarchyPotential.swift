/// The cost of the path from a vertex to the targets, computed only for requested vertices.
///
/// B. Strasser and T. Zeitz, "A fast and tight heuristic for A* in road networks", SEA 2021: one
/// climb from the targets, and each vertex uses the values of those above it. It is exact for the
/// weights, so it is a lower bound for any costs that are nowhere below them.
public struct HierarchyPotential: ~Copyable {
  private static let unknown: Int32 = -1

  private var half = HierarchySearch.UpwardSearch()
  private var value = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 0)
  private var touched: [UInt32] = []
  private var least: Int64 = 0

  public init() {}

  deinit { value.deallocate() }

  /// Starts again with other targets or weights.
  public mutating func reset(_ weights: HierarchyWeights, to targets: [HierarchySeed]) {
    let hierarchy = weights.hierarchy
    if value.count < hierarchy.vertexCount {
      value.deallocate()
      value = .allocate(capacity: hierarchy.vertexCount)
      value.initialize(repeating: Self.unknown)
    }
    for rank in touched { value[Int(rank)] = Self.unknown }
    touched.removeAll(keepingCapacity: true)
    half.clear()
    least = targets.lazy.map(\.cost).min() ?? 0
    half.reset(hierarchy, targets, least: least)
    let graph = UpwardGraph(hierarchy, weights)
    while half.next != .max {
      graph.climb(&half, half.next, isUp: false)
      half.advance(graph)
    }
  }

  /// The cost from a vertex to the nearest target; nil if none can be reached.
  public mutating func cost(_ weights: HierarchyWeights, from vertex: Int) -> Int64? {
    let hierarchy = weights.hierarchy
    let firstUp = hierarchy.firstUp.buffer
    let head = hierarchy.head.buffer
    let weight = weights.weights.buffer
    let start = hierarchy.rank[vertex]
    // All neighbours above a vertex are its ancestors: the unknown ones are computed first, from
    // the highest down.
    let begun = touched.count
    var at = start
    while value[Int(at)] == Self.unknown {
      value[Int(at)] = 0
      touched.append(at)
      guard firstUp[Int(at)] < firstUp[Int(at) + 1] else { break }
      at = head[Int(firstUp[Int(at)])]
    }
    var index = touched.count
    while index > begun {
      index -= 1
      let rank = Int(touched[index])
      var cost = half.distance[rank]
      for arc in Int(firstUp[rank])..<Int(firstUp[rank + 1]) {
        cost = min(cost, weight[arc].x &+ value[Int(head[arc])])
      }
      value[rank] = cost
    }
    let cost = value[Int(start)]
    return cost < HierarchyWeights.infinite ? Int64(cost) + least : nil
  }
}
