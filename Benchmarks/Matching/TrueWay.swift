import Geodesy
import RoadGraph

/// Finds the pieces of road of a way whose every point is a point of the map.
struct TrueWay {
  private let graph: RoadGraph
  private var nodes: [SIMD2<Int32>: NodeID] = [:]

  init(_ graph: RoadGraph) {
    self.graph = graph
    for index in 0..<graph.nodeCount {
      let node = NodeID(index)
      nodes[Self.fixed(graph.coordinate(node))] = node
    }
  }

  private static func fixed(_ place: Coordinate) -> SIMD2<Int32> {
    SIMD2(
      Int32((place.latitudeDeg * 1e7).rounded()), Int32((place.longitudeDeg * 1e7).rounded()))
  }

  /// The pieces between the first and the last node of the map that `line` goes through, in order.
  ///
  /// Of several between the same nodes that of the line's length is taken.
  func segments(along line: [Coordinate]) -> [SegmentReference] {
    var found: [SegmentReference] = []
    var last: (node: NodeID, walkedM: Double)?
    var walkedM = 0.0
    for (index, place) in line.enumerated() {
      if index > 0 { walkedM += line[index - 1].distanceM(to: place) }
      guard let node = nodes[Self.fixed(place)] else { continue }
      defer { last = (node, walkedM) }
      guard let before = last, before.node != node else { continue }
      let lengthM = walkedM - before.walkedM
      let edge = graph.edges(leaving: before.node).filter { graph.head($0) == node }
        .min { abs(graph.lengthM($0) - lengthM) < abs(graph.lengthM($1) - lengthM) }
      if let edge { found.append(graph.reference(edge)) }
    }
    return found
  }
}
