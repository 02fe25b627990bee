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
    edges(ofWay: reference.way).first { graph.reference($0) == reference }
  }

  /// The edges of a way in both directions, by id; empty where the map has no such way.
  ///
  /// Logarithmic.
  public func edges(ofWay wanted: Int64) -> [EdgeID] {
    let way = graph.columns.way
    func first(from start: Int, where isBeyond: (Int64) -> Bool) -> Int {
      var low = start
      var high = sorted.count
      while low < high {
        let middle = (low + high) / 2
        if isBeyond(way[sorted[middle].index]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let lower = first(from: 0) { $0 >= wanted }
    return Array(sorted.records[lower..<first(from: lower) { $0 > wanted }])
  }
}
