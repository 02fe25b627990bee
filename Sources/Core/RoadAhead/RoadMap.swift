public import RoadGraph

/// A road graph with what guidance needs: roads by reference, rules at times, custom places.
public struct RoadMap: Sendable {
  public let graph: RoadGraph
  public let segments: SegmentIndex
  public let rules: RuleBook
  public let dangerZones: DangerZones
  public var custom: CustomPlaces

  /// Linear in the edges.
  public init(_ graph: RoadGraph, custom: CustomPlaces = CustomPlaces()) {
    self.graph = graph
    self.custom = custom
    segments = SegmentIndex(graph)
    rules = RuleBook(graph)
    dangerZones = DangerZones(graph)
  }

  /// The edge of a reference; nil if this map has none.
  public func edge(_ segment: SegmentReference) -> EdgeID? { segments.edge(segment) }
}
