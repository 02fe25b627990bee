import Geodesy
import RoadGraph

/// Finds the shortest path between two places, for feeds that contain only the ends of a line.
///
/// Dijkstra by length with buckets, bounded to three times the straight distance; linear in the
/// roads within that bound.
struct EndpointPathFinder {
  private static let nearM = FeedPlacer.nearM
  /// Cost of a metre off the road, in metres along it.
  private static let besideFactor = 4.0
  private static let bucketM = 10.0

  private let graph: RoadGraph
  private let isMeant: (EdgeID) -> Bool

  init(on graph: RoadGraph, where isMeant: @escaping (EdgeID) -> Bool) {
    self.graph = graph
    self.isMeant = isMeant
  }

  /// The edges from the road near `from` to the road near `to`; empty if no path is short enough.
  func edges(from: Coordinate, to: Coordinate) -> [EdgeID] {
    let starts = near(from)
    let ends = Dictionary(near(to).map { ($0.position.edge, $0) }, uniquingKeysWith: { a, _ in a })
    guard !starts.isEmpty, !ends.isEmpty else { return [] }
    let limitM = 3 * from.distanceM(to: to) + 10 * Self.nearM
    // Metres to the heads of edges, and the previous edge. Buckets suffice because costs are bounded.
    var best: [EdgeID: (costM: Double, before: EdgeID?)] = [:]
    var buckets = [[EdgeID]](repeating: [], count: Int(limitM / Self.bucketM) + 1)
    var found: (costM: Double, edges: [EdgeID])?
    func reach(_ edge: EdgeID, _ costM: Double, _ before: EdgeID?) {
      guard costM <= limitM, costM < best[edge]?.costM ?? .infinity else { return }
      best[edge] = (costM, before)
      buckets[Int(costM / Self.bucketM)].append(edge)
    }
    func finish(_ costM: Double, _ end: NearbyEdge, _ before: EdgeID?) {
      let costM = costM + end.position.offsetM + Self.besideFactor * end.distanceM
      guard costM < found?.costM ?? .infinity else { return }
      found = (costM, trace(before, best) + [end.position.edge])
    }
    for start in starts {
      let edge = start.position.edge
      let besideM = Self.besideFactor * start.distanceM
      if let end = ends[edge], end.position.offsetM >= start.position.offsetM {
        finish(besideM - start.position.offsetM, end, nil)
      }
      reach(edge, besideM + graph.lengthM(edge) - start.position.offsetM, nil)
    }
    for bucket in buckets.indices {
      if let found, found.costM < Double(bucket) * Self.bucketM { break }
      while let edge = buckets[bucket].popLast() {
        guard let (costM, _) = best[edge], Int(costM / Self.bucketM) == bucket else { continue }
        for next in graph.edges(leaving: graph.head(edge))
        where next != graph.twin(edge) && isMeant(next) {
          if let end = ends[next] { finish(costM, end, edge) }
          reach(next, costM + graph.lengthM(next), edge)
        }
      }
    }
    return found?.edges ?? []
  }

  private func near(_ place: Coordinate) -> [NearbyEdge] {
    graph.edges(near: place, withinM: Self.nearM).filter { isMeant($0.position.edge) }
  }

  private func trace(
    _ last: EdgeID?, _ best: [EdgeID: (costM: Double, before: EdgeID?)]
  ) -> [EdgeID] {
    var edges: [EdgeID] = []
    var at = last
    while let edge = at, edges.count <= best.count {
      edges.append(edge)
      at = best[edge]?.before
    }
    return edges.reversed()
  }
}
