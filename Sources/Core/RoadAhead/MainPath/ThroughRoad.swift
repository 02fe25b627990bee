import Geodesy
import RoadGraph

/// The road that an edge belongs to, as most drivers follow it: ahead, and back to where they come
/// from.
///
/// Roundabouts are crossed from the road that leads in to the one that leads out.
enum ThroughRoad {
  /// The edges up to and including `edge`, the last one first, until they reach this length or the
  /// road begins.
  static func back(from edge: EdgeID, _ graph: RoadGraph, atLeastM: Double) -> [EdgeID] {
    walk(edge, graph, atLeastM) { arms(to: $0, graph) }
  }

  /// The edges after `edge`, in order, until they reach this length or the road ends.
  static func ahead(of edge: EdgeID, _ graph: RoadGraph, atLeastM: Double) -> [EdgeID] {
    Array(
      walk(edge, graph, atLeastM + graph.lengthM(edge)) {
        LikelyRoad.wayOn(after: $0, graph, mode: .car)
      }.dropFirst())
  }

  private static func walk(
    _ start: EdgeID, _ graph: RoadGraph, _ atLeastM: Double, next: (EdgeID) -> [EdgeID]
  ) -> [EdgeID] {
    var way = [start]
    var seen: Set = [start]
    var lengthM = graph.lengthM(start)
    while lengthM < atLeastM, let last = way.last {
      let more = next(last)
      guard !more.isEmpty, more.allSatisfy({ seen.insert($0).inserted }) else { break }
      way += more
      lengthM += more.reduce(0) { $0 + graph.lengthM($1) }
    }
    return way
  }

  // The likeliest edge before an edge, preceded by the roundabout edges in between, the last one
  // first.
  private static func arms(to edge: EdgeID, _ graph: RoadGraph) -> [EdgeID] {
    guard let best = likeliest(to: edge, graph) else { return [] }
    guard LikelyRoad.isRoundabout(best, graph), !LikelyRoad.isRoundabout(edge, graph) else {
      return [best]
    }
    // Searches the ring against its traffic. The arm that best matches the road after the
    // roundabout leads in.
    var ring: [EdgeID] = []
    var seen: Set<EdgeID> = []
    var found: (weight: Double, way: [EdgeID])?
    var here: EdgeID? = best
    while let part = here, seen.insert(part).inserted {
      ring.append(part)
      here = nil
      for entry in entries(to: part, graph) {
        if LikelyRoad.isRoundabout(entry, graph) {
          here = entry
        } else if entry != graph.twin(edge) {
          let weight = LikelyRoad.weight(from: entry, onto: edge, graph, mode: .car)
          if weight > found?.weight ?? 0 { found = (weight, ring + [entry]) }
        }
      }
    }
    return found?.way ?? ring
  }

  // Among equally likely entries the nearest road class comes first, and a ramp last.
  private static func likeliest(to edge: EdgeID, _ graph: RoadGraph) -> EdgeID? {
    let onto = graph.attributes(edge)
    func rank(_ entry: EdgeID) -> (Double, Int, Int64) {
      let road = graph.attributes(entry)
      let isRamp = road.flags.contains(.link) && !onto.flags.contains(.link)
      return (
        LikelyRoad.weight(from: entry, onto: edge, graph, mode: .car),
        -abs(Int(road.roadClassRaw) - Int(onto.roadClassRaw)) - (isRamp ? 1 : 0),
        graph.columns.nodeOSM[graph.tail(entry).index]
      )
    }
    return entries(to: edge, graph).max { rank($0) < rank($1) }
  }

  private static func entries(to edge: EdgeID, _ graph: RoadGraph) -> [EdgeID] {
    graph.edges(entering: graph.tail(edge)).filter {
      $0 != graph.twin(edge) && graph.attributes($0).freeFlowMps(.car) > 0
    }
  }
}
