/// Finds the directed edge of a segment reference.
///
/// A permutation of the edges sorted by way. It takes 4 bytes per edge and n log n to create; a
/// query is logarithmic plus linear in the pieces of one way.
public struct SegmentIndex: Sendable {
  private let graph: RoadGraph
  private let sorted: Column<EdgeID>
  /// Shape `[ways + 1]`: where the edges of each way begin in `sorted`.
  private let firstOfWay: Column<UInt32>
  /// Edges at the hash positions of their references, or the next free ones; nil if ways are
  /// searched.
  private let table: Column<UInt32>?

  private static let free = UInt32.max

  /// The index of a graph; use `isHashed` to look up many edges, such as those of a whole city.
  ///
  /// A hashed index takes 8 to 16 bytes more per edge. A query then takes one or two steps, however
  /// many pieces a way has.
  public init(_ graph: RoadGraph, isHashed: Bool = false) {
    self.graph = graph
    table = isHashed ? Self.table(graph) : nil
    // Ways are numbered by their ids: a counting sort orders the edges by them, those of one way by
    // their own ids.
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
    // By now, the place of each way has moved to its end, which is where the next one's edges
    // begin.
    firstOfWay = Column([0] + next.dropLast().map { UInt32($0) })
  }

  /// The edge of `reference`; nil if this map has none.
  ///
  /// If two pieces of one way join the same two nodes, the result is the one with the lower id.
  public func edge(_ reference: SegmentReference) -> EdgeID? {
    if let table { return edge(reference, table.records) }
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

  private func edge(
    _ reference: SegmentReference, _ table: UnsafeBufferPointer<UInt32>
  ) -> EdgeID? {
    let mask = table.count - 1
    var place = Self.hash(reference) & mask
    while table[place] != Self.free {
      let edge = EdgeID(rawValue: table[place])
      if graph.reference(edge) == reference { return edge }
      place = (place + 1) & mask
    }
    return nil
  }

  /// At most half full, so that a free place ends each search; lower ids come first.
  private static func table(_ graph: RoadGraph) -> Column<UInt32> {
    var size = 2
    while size < 2 * graph.edgeCount { size *= 2 }
    var table = [UInt32](repeating: free, count: size)
    for edge in 0..<graph.edgeCount {
      var place = hash(graph.reference(EdgeID(edge))) & (size - 1)
      while table[place] != free { place = (place + 1) & (size - 1) }
      table[place] = UInt32(edge)
    }
    return Column(table)
  }

  private static func hash(_ reference: SegmentReference) -> Int {
    var word = UInt64(bitPattern: reference.way) &* 0x9E37_79B9_7F4A_7C15
    word ^= UInt64(bitPattern: reference.from) &* 0xC2B2_AE3D_27D4_EB4F
    word ^= (UInt64(bitPattern: reference.to) &* 0x1656_67B1_9E37_79F9).byteSwapped
    word ^= word >> 29
    return Int(truncatingIfNeeded: (word &* 0xBF58_476D_1CE4_E5B9) >> 20)
  }

  /// The edges of a way in both directions, by id; empty if the map has no such way.
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
