public import RoadGraph

/// Finds the edge that a segment reference names.
public struct SegmentIndex: Sendable {
  private let graph: RoadGraph
  /// All edges by way, then by id.
  private let byWay: [EdgeID]

  /// Sorts the edges by way: n log n in them.
  public init(_ graph: RoadGraph) {
    self.graph = graph
    let way = graph.columns.way
    byWay = (0..<graph.edgeCount).map { EdgeID($0) }.sorted {
      (way[$0.index], $0.rawValue) < (way[$1.index], $1.rawValue)
    }
  }

  /// The edges of a way in both directions; empty where the map has no such way.
  ///
  /// Logarithmic.
  public func edges(ofWay way: Int64) -> ArraySlice<EdgeID> {
    let lower = partition { graph.columns.way[$0.index] >= way }
    let upper = partition { graph.columns.way[$0.index] > way }
    return byWay[lower..<upper]
  }

  /// The edge that `reference` names; nil where this map does not have it.
  public func edge(_ reference: SegmentReference) -> EdgeID? {
    edges(ofWay: reference.way).first { graph.reference($0) == reference }
  }

  /// The edges of a way from one node to another, where the map has cut the piece finer.
  ///
  /// Empty where the nodes do not follow each other along the way.
  public func edges(along reference: SegmentReference) -> [EdgeID] {
    if let edge = edge(reference) { return [edge] }
    let onWay = edges(ofWay: reference.way)
    for start in onWay where graph.reference(start).from == reference.from {
      var chain = [start]
      while chain.count <= onWay.count, let last = chain.last {
        if graph.reference(last).to == reference.to { return chain }
        let next = onWay.first {
          graph.tail($0) == graph.head(last) && $0 != graph.twin(last)
        }
        guard let next else { break }
        chain.append(next)
      }
    }
    return []
  }

  private func partition(where isBeyond: (EdgeID) -> Bool) -> Int {
    var low = 0
    var high = byWay.count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(byWay[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
