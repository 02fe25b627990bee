import RoadGraph

/// How much of the network of a mode a road leads to, and is reached from: whether the mode can leave it.
///
/// Looks no farther than some hundred nodes each way. Restrictions of turns do not count.
struct RoadReach {
  /// Metres of road, the lesser of both directions.
  var lengthM: Double
  /// The search ended at its bound: the road belongs to a large network.
  var isLarge: Bool

  private static let mostNodes = 500

  init(of edge: EdgeID, in network: RoadNetwork) {
    let ahead = Self.explored(network.graph.head(edge), network, isBackward: false)
    let behind = Self.explored(network.graph.tail(edge), network, isBackward: true)
    lengthM = Double.minimum(ahead.lengthM, behind.lengthM)
    isLarge = ahead.isLarge && behind.isLarge
  }

  private static func explored(
    _ start: NodeID, _ network: RoadNetwork, isBackward: Bool
  ) -> (lengthM: Double, isLarge: Bool) {
    let graph = network.graph
    var reached: Set<NodeID> = [start]
    var open = [start]
    var next = 0
    var lengthM = 0.0
    func visit(_ edge: EdgeID, _ node: NodeID) {
      guard network.isUsable(edge) else { return }
      lengthM += graph.lengthM(edge)
      if reached.insert(node).inserted { open.append(node) }
    }
    while next < open.count, reached.count < mostNodes {
      let node = open[next]
      next += 1
      if isBackward {
        for edge in graph.edgesEntering(node) { visit(edge, graph.tail(edge)) }
      } else {
        for edge in graph.edges(leaving: node) { visit(edge, graph.head(edge)) }
      }
    }
    return (lengthM, reached.count >= mostNodes)
  }
}
