import RoadGraph

/// The parts of a road network that are not connected by any usable road.
///
/// Directions, turns and restrictions do not count. Between places in different parts there is
/// certainly no path, whatever a search relaxes. Between places in the same part there may be none.
struct NetworkComponents: Sendable {
  /// Shape `[nodeCount]`: nodes of the same part have the same number.
  private let part: Column<UInt32>

  /// The parts of a graph with the edges that one mode may use.
  ///
  /// A disjoint-set forest with path halving (R. E. Tarjan, J. van Leeuwen, "Worst-case analysis of set union algorithms",
  /// J. ACM 31 (1984)): nearly linear in the edges.
  init(graph: RoadGraph, traits: [EdgeTraits]) {
    var parent = (0..<UInt32(graph.nodeCount)).map { $0 }
    parent.withUnsafeMutableBufferPointer { parent in
      func root(_ node: UInt32) -> UInt32 {
        var at = node
        while parent[Int(at)] != at {
          let above = parent[Int(at)]
          parent[Int(at)] = parent[Int(above)]
          at = above
        }
        return at
      }
      for edge in 0..<graph.edgeCount where traits[edge].isUsable {
        let tail = root(UInt32(graph.columns.tail[edge].index))
        let head = root(UInt32(graph.columns.head[edge].index))
        // The lower root is kept, because nearby nodes have similar numbers.
        if tail < head { parent[Int(head)] = tail } else { parent[Int(tail)] = head }
      }
      for node in parent.indices { parent[node] = root(UInt32(node)) }
    }
    part = Column(parent)
  }

  /// The part of a node.
  func number(of node: NodeID) -> UInt32 { part[node.index] }
}
