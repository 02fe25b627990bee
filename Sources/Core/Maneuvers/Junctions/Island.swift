import RoadGraph

/// An island in the road that can be passed on either side.
enum Island {
  /// Maximum length of an arm past an island.
  private static let armM = 150.0
  /// Maximum difference in length between the two arms.
  private static let longerM = 30.0
  /// Maximum angle at which an arm leaves the road.
  static let spreadDeg = 60.0

  /// Whether `edge`, which leaves the path at the start of edge `index`, returns to the path and
  /// leads nowhere else.
  static func isArm(_ edge: EdgeID, of path: PathContext, at index: Int) -> Bool {
    let graph = path.graph
    let own = path.road(index)
    var last = edge
    var lengthM = 0.0
    while true {
      let road = graph.attributes(last)
      guard road.roadClass == own.roadClass, road.isLink == own.isLink, !road.isRoundabout else {
        return false
      }
      lengthM += graph.lengthM(last)
      guard lengthM <= armM else { return false }
      if let ownM = metres(to: graph.head(last), path, from: index) {
        return abs(ownM - lengthM) <= longerM
      }
      let on = graph.edges(leaving: graph.head(last)).filter {
        $0 != graph.twin(last) && path.isUsable($0)
      }
      guard on.count == 1 else { return false }
      last = on[0]
    }
  }

  /// Metres along the path from the start of edge `index` to a node, up to the maximum length of an
  /// arm.
  private static func metres(to node: NodeID, _ path: PathContext, from index: Int) -> Double? {
    var lengthM = 0.0
    for edge in path.edges[index...] {
      lengthM += path.graph.lengthM(edge)
      guard lengthM <= armM else { return nil }
      if path.graph.head(edge) == node { return lengthM }
    }
    return nil
  }
}
