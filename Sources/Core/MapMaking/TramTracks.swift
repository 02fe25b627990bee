import RoadGraph

/// The tracks of trams and light rail: where such a track crosses a road there is no railway crossing.
struct TramTracks {
  private var nodes: Set<Int64> = []

  /// Takes a way of nothing but such a track; false for others.
  mutating func add(_ way: OSMWay) -> Bool {
    guard let rail = way.tags["railway"], rail == "tram" || rail == "light_rail",
      way.tags["highway"] == nil, way.tags["route"] == nil
    else { return false }
    nodes.formUnion(way.nodes)
    return true
  }

  /// The tags of a node without a railway crossing that is one of a tram alone; barriers make it a railway crossing.
  func adjusted(_ tags: NodeTags, of node: OSMNode) -> NodeTags {
    guard tags.flags.contains(.levelCrossing), nodes.contains(node.id),
      (node.tags["crossing:barrier"] ?? "no") == "no"
    else { return tags }
    var tags = tags
    tags.flags.remove(.levelCrossing)
    return tags
  }
}
