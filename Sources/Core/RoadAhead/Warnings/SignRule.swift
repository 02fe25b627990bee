import RoadGraph
import Route

/// Traffic signals, stop and give-way signs, and warning signs.
struct SignRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    way.points(.trafficSignals) { index, flags in
      flags.contains(.trafficSignals) && way.speaks(index)
    }
      + way.points(.stopSign) { index, flags in
        flags.contains(.stopSign) && Self.isMeant(index, flags, way)
      }
      + way.points(.giveWay) { index, flags in
        flags.contains(.giveWay) && Self.isMeant(index, flags, way)
      }
      + way.points(.roadSign) { _, flags in flags.contains(.hazard) }
  }

  /// Whether a sign applies to this direction; without a direction in the map, it applies towards
  /// the nearer junction.
  private static func isMeant(_ index: Int, _ flags: NodeFlags, _ way: PathView) -> Bool {
    guard way.speaks(index) else { return false }
    guard flags.isDisjoint(with: [.forwardOnly, .backwardOnly]) else { return true }
    let edge = way.path.edges[index]
    guard !isJunction(way.graph.head(edge), way.graph) else { return true }
    let aheadM = junctionM(from: edge, way.graph)
    let behindM = way.graph.twin(edge).map {
      way.graph.lengthM($0) + junctionM(from: $0, way.graph)
    }
    return aheadM <= behindM ?? .infinity
  }

  private static func isJunction(_ node: NodeID, _ graph: RoadGraph) -> Bool {
    let leaving = graph.edges(leaving: node).map { graph.head($0) }
    let entering = graph.edges(entering: node).map { graph.tail($0) }
    return Set(leaving + entering).count > 2
  }

  // Distance from the end of an edge to the next junction, searched over a few edges only.
  private static func junctionM(from edge: EdgeID, _ graph: RoadGraph) -> Double {
    var (here, metres) = (edge, 0.0)
    for _ in 0..<8 {
      if isJunction(graph.head(here), graph) { return metres }
      guard
        let next = graph.edges(leaving: graph.head(here)).first(where: { $0 != graph.twin(here) })
      else { return metres }
      metres += graph.lengthM(next)
      here = next
    }
    return metres
  }
}
