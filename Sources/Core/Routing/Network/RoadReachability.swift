import RoadGraph

/// How much of a mode's network can be reached from a road, and can reach it: whether the mode can
/// leave it.
///
/// The search is limited to some hundred nodes in each direction. Turn restrictions are ignored.
struct RoadReachability {
  /// Length of the roads in metres, the lower value of both directions.
  var lengthM: Double
  /// Whether the search ended at its limit, so that the road belongs to a large network.
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
        for edge in graph.edges(entering: node) { visit(edge, graph.tail(edge)) }
      } else {
        for edge in graph.edges(leaving: node) { visit(edge, graph.head(edge)) }
      }
    }
    return (lengthM, reached.count >= mostNodes)
  }
}
