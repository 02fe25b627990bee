import RoadGraph

/// The tracks of trams and light rail, which do not form railway crossings with roads.
struct TramTracks {
  private var nodes: Set<Int64> = []

  /// Adds a way that is only such a track; returns false for others.
  mutating func add(_ way: OSMWay) -> Bool {
    guard let rail = way.tags["railway"], rail == "tram" || rail == "light_rail",
      way.tags["highway"] == nil, way.tags["route"] == nil
    else { return false }
    nodes.formUnion(way.nodes)
    return true
  }

  /// The tags of a node without a railway crossing if only a tram crosses there; barriers make it a
  /// railway crossing.
  func adjusted(_ tags: NodeTags, of node: OSMNode) -> NodeTags {
    guard tags.flags.contains(.levelCrossing), nodes.contains(node.id),
      (node.tags["crossing:barrier"] ?? "no") == "no"
    else { return tags }
    var tags = tags
    tags.flags.remove(.levelCrossing)
    return tags
  }
}
