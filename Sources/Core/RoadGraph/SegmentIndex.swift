/// Finds the directed edge that a segment reference names.
///
/// A permutation of the edges sorted by way: 4 bytes an edge, n log n to make,
/// logarithmic plus the pieces of one way to ask.
public struct SegmentIndex: Sendable {
  private let graph: RoadGraph
  private let sorted: Column<EdgeID>

  public init(_ graph: RoadGraph) {
    self.graph = graph
    // Ways are numbered by their ids: counting sorts the edges by them, those of one way by their own ids.
    let columns = graph.columns
    func way(_ edge: Int) -> Int { Int(columns.pieceWay[Int(columns.piece[edge] >> 1)]) }
    var next = [Int](repeating: 0, count: columns.wayID.count + 1)
    for edge in 0..<graph.edgeCount { next[way(edge) + 1] += 1 }
    for k in 0..<columns.wayID.count { next[k + 1] += next[k] }
    var order = [EdgeID](repeating: EdgeID(rawValue: 0), count: graph.edgeCount)
    for edge in 0..<graph.edgeCount {
      order[next[way(edge)]] = EdgeID(edge)
      next[way(edge)] += 1
    }
    sorted = Column(order)
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
    let columns = graph.columns
    func first(from start: Int, where isBeyond: (Int64) -> Bool) -> Int {
      var low = start
      var high = sorted.count
      while low < high {
        let middle = (low + high) / 2
        if isBeyond(columns.way(sorted[middle])) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let lower = first(from: 0) { $0 >= wanted }
    return Array(sorted.records[lower..<first(from: lower) { $0 > wanted }])
  }
}
