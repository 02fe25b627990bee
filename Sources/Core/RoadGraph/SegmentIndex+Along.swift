extension SegmentIndex {
  /// The edges of a way from one node to another, where `graph` has cut the piece finer.
  ///
  /// Empty where the nodes do not follow each other along the way. Linear in the way's edges, squared.
  public func edges(along reference: SegmentReference, in graph: RoadGraph) -> [EdgeID] {
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
}
