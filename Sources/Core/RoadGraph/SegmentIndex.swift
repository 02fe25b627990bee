/// Finds the directed edge that a segment reference names.
///
/// A permutation of the edges sorted by way: 4 bytes an edge, n log n to make,
/// logarithmic plus the pieces of one way to ask.
public struct SegmentIndex: Sendable {
  private let graph: RoadGraph
  private let sorted: Column<EdgeID>

  public init(_ graph: RoadGraph) {
    self.graph = graph
    let way = graph.columns.way
    // Edges of one way are neighbours already; ties by id keep the order the same everywhere.
    let order = (0..<graph.edgeCount).sorted { (way[$0], $0) < (way[$1], $1) }
    sorted = Column(order.map { EdgeID($0) })
  }

  /// The edge of `reference`; nil where this map has none.
  ///
  /// Of two pieces of one way between the same two nodes the one of the lower id is meant.
  public func edge(_ reference: SegmentReference) -> EdgeID? {
    let way = graph.columns.way
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if way[sorted[middle].index] < reference.way { low = middle + 1 } else { high = middle }
    }
    while low < sorted.count, way[sorted[low].index] == reference.way {
      if graph.reference(sorted[low]) == reference { return sorted[low] }
      low += 1
    }
    return nil
  }
}
