import Geodesy
import RoadGraph
import Route

/// A path of our graph over given OSM nodes.
struct NodePath {
  var path: RoadPath
  /// For each edge, the index of the node at which it ends.
  var headAt: [Int]

  /// Finds paths by the nodes that they pass.
  struct Tracer {
    let graph: RoadGraph
    private let nodes: [Int64: [NodeID]]

    init(graph: RoadGraph) {
      self.graph = graph
      var nodes: [Int64: [NodeID]] = [:]
      nodes.reserveCapacity(graph.nodeCount)
      for index in 0..<graph.nodeCount {
        nodes[graph.columns.nodeOSM[index], default: []].append(NodeID(rawValue: UInt32(index)))
      }
      self.nodes = nodes
    }

    /// nil where our map has no such road; linear in the nodes.
    func path(_ given: GivenPath) -> NodePath? {
      let places = given.line.map {
        Coordinate(latitudeDeg: Double($0[0]) / 1e6, longitudeDeg: Double($0[1]) / 1e6)
      }
      let known = given.nodes.indices.filter { nodes[given.nodes[$0]] != nil }
      guard let first = known.first, let last = known.last, first < last else { return nil }
      var edges: [EdgeID] = []
      var headAt: [Int] = []
      if first > 0, let lead = half(into: given.nodes[first], from: places[first - 1]) {
        edges.append(lead)
        headAt.append(first)
      }
      for (from, to) in zip(known, known.dropFirst()) {
        guard let edge = edge(from, to, given.nodes, places) else { return nil }
        edges.append(edge)
        headAt.append(to)
      }
      if last < places.count - 1, let tail = half(outOf: given.nodes[last], to: places[last + 1]) {
        edges.append(tail)
        headAt.append(places.count - 1)
      }
      guard let end = edges.last else { return nil }
      return NodePath(
        path: RoadPath(edges: edges, startOffsetM: 0, endOffsetM: graph.lengthM(end)),
        headAt: headAt)
    }

    private func edge(_ from: Int, _ to: Int, _ ids: [Int64], _ places: [Coordinate]) -> EdgeID? {
      let middle = places[(from + to) / 2]
      var best: (edge: EdgeID, distanceM: Double)?
      for tail in nodes[ids[from]] ?? [] {
        for edge in graph.edges(leaving: tail)
        where (nodes[ids[to]] ?? []).contains(graph.head(edge)) {
          let shape = graph.shape(edge)
          guard shape.count == to - from + 1 else { continue }
          let distanceM = shape[(to - from) / 2].distanceM(to: middle)
          if distanceM < best?.distanceM ?? 2 { best = (edge, distanceM) }
        }
      }
      return best?.edge
    }

    private func half(into id: Int64, from place: Coordinate) -> EdgeID? {
      for node in nodes[id] ?? [] {
        for edge in graph.edges(entering: node) {
          let shape = graph.shape(edge)
          if near(shape[shape.count - 2], place, shape[shape.count - 1]) { return edge }
        }
      }
      return nil
    }

    private func half(outOf id: Int64, to place: Coordinate) -> EdgeID? {
      for node in nodes[id] ?? [] {
        for edge in graph.edges(leaving: node) {
          let shape = graph.shape(edge)
          if near(shape[1], place, shape[0]) { return edge }
        }
      }
      return nil
    }

    // A path may begin or end between two points of its road.
    private func near(_ point: Coordinate, _ place: Coordinate, _ node: Coordinate) -> Bool {
      let whole = node.distanceM(to: point)
      return abs(node.distanceM(to: place) + place.distanceM(to: point) - whole) < 0.5
    }
  }
}
