import RoadGraph

/// The part of a road network in which a mode of travel gets from everywhere to everywhere.
///
/// One strongly connected component: all that a node reaches and that reaches it. The node is one of a few spread over
/// the largest connected part, the one with the largest component. Restrictions of turns do not count.
struct MainNetwork: Sendable {
  /// Shape `[nodeCount]`.
  private let isMain: [Bool]

  /// Linear in the edges.
  init(graph: RoadGraph, traits: Column<EdgeTraits>, parts: NetworkParts) {
    var lengths: [UInt32: Double] = [:]
    for edge in 0..<graph.edgeCount where traits[edge].isUsable {
      let part = parts.number(of: graph.tail(EdgeID(edge)))
      lengths[part, default: 0] += graph.lengthM(EdgeID(edge))
    }
    guard let largest = lengths.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
      isMain = []
      return
    }
    let nodes = (0..<graph.nodeCount).filter { parts.number(of: NodeID($0)) == largest.key }
    var best: [Bool] = []
    var bestCount = 0
    for k in 0..<Self.roots {
      let root = nodes[(2 * k + 1) * nodes.count / (2 * Self.roots)]
      if !best.isEmpty, best[root] { continue }
      let ahead = Self.reached(from: root, graph, traits, isBackward: false)
      let behind = Self.reached(from: root, graph, traits, isBackward: true)
      let both = zip(ahead, behind).map { $0 && $1 }
      let count = both.reduce(0) { $0 + ($1 ? 1 : 0) }
      if count > bestCount { (best, bestCount) = (both, count) }
      if 2 * bestCount > nodes.count { break }
    }
    isMain = best
  }

  /// How many nodes are tried.
  private static let roots = 8

  private static func reached(
    from root: Int, _ graph: RoadGraph, _ traits: Column<EdgeTraits>, isBackward: Bool
  ) -> [Bool] {
    var isReached = [Bool](repeating: false, count: graph.nodeCount)
    isReached[root] = true
    var open = [root]
    func visit(_ node: NodeID) {
      guard !isReached[node.index] else { return }
      isReached[node.index] = true
      open.append(node.index)
    }
    while let node = open.popLast() {
      if isBackward {
        for edge in graph.edgesEntering(NodeID(node)) where traits[edge.index].isUsable {
          visit(graph.tail(edge))
        }
      } else {
        for edge in graph.edges(leaving: NodeID(node)) where traits[edge.index].isUsable {
          visit(graph.head(edge))
        }
      }
    }
    return isReached
  }

  /// Whether both ends of an edge belong to the part.
  func contains(_ edge: EdgeID, of graph: RoadGraph) -> Bool {
    isMain[graph.tail(edge).index] && isMain[graph.head(edge).index]
  }
}
