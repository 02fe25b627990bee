/// Finds the directed edge that a segment reference names.
///
/// A permutation of the edges sorted by way: 4 bytes an edge, n log n to make,
/// logarithmic plus the pieces of one way to ask.
public struct SegmentIndex: Sendable {
  private let graph: RoadGraph
  private let sorted: Column<EdgeID>
  /// Shape `[ways + 1]`: where the edges of each way begin in `sorted`.
  private let firstOfWay: Column<UInt32>

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
    // Each way's place has moved to its end by now: that is where the next one's edges begin.
    firstOfWay = Column([0] + next.dropLast().map { UInt32($0) })
  }

  /// The edge of `reference`; nil where this map has none.
  ///
  /// Of two pieces of one way between the same two nodes the one of the lower id is meant.
  public func edge(_ reference: SegmentReference) -> EdgeID? {
    let columns = graph.columns
    let (tail, head, node) = (columns.tail.records, columns.head.records, columns.nodeOSM.records)
    for place in places(ofWay: reference.way) {
      let edge = sorted.records[place]
      if node[tail[edge.index].index] == reference.from,
        node[head[edge.index].index] == reference.to
      {
        return edge
      }
    }
    return nil
  }

  /// The edges of a way in both directions, by id; empty where the map has no such way.
  ///
  /// Logarithmic.
  public func edges(ofWay wanted: Int64) -> [EdgeID] {
    Array(sorted.records[places(ofWay: wanted)])
  }

  private func places(ofWay wanted: Int64) -> Range<Int> {
    let ids = graph.columns.wayID.records
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] >= wanted { high = middle } else { low = middle + 1 }
    }
    guard low < ids.count, ids[low] == wanted else { return 0..<0 }
    return Int(firstOfWay[low])..<Int(firstOfWay[low + 1])
  }
}
