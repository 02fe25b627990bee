import Foundations
import Geodesy
import RoadGraph
import Route

extension Route {
  /// A route over whole edges, at each road's usual speed.
  static func along(
    _ edges: [EdgeID], of graph: RoadGraph, id: String = "r-1", stopAfter: [Int: Double] = [:],
    jam: [Int: Double] = [:]
  ) -> Route {
    var shape: [Coordinate] = []
    var segments: [RouteSegment] = []
    var spans: [RouteSpan] = []
    var startM = 0.0
    var waypoints: [RouteWaypoint] = []
    func waypoint(_ place: Coordinate, _ offsetM: Double, restS: Double? = nil) -> RouteWaypoint {
      RouteWaypoint(
        original: Waypoint(place: place, restS: restS), matched: place, offsetM: offsetM,
        section: 0, roadName: "", side: .ahead, userIndex: waypoints.count)
    }
    waypoints.append(waypoint(graph.coordinate(graph.tail(edges[0])), 0))
    for (index, edge) in edges.enumerated() {
      let length = Polyline(graph.shape(edge)).lengthM
      let first = shape.count
      for point in graph.shape(edge) where shape.last != point { shape.append(point) }
      segments.append(
        RouteSegment(
          reference: graph.reference(edge), startM: startM, lengthM: length, entryOffsetM: 0))
      let speed = graph.attributes(edge).freeFlowMps(.car)
      spans.append(
        RouteSpan(
          startM: startM, lengthM: length, firstShapeIndex: max(0, first - 1),
          segments: index..<(index + 1), durations: .zero,
          road: RoadFacts(isTunnel: graph.attributes(edge).flags.contains(.tunnel)),
          baseSpeedMps: speed, trafficSpeedMps: jam[index] ?? speed, trafficKind: .live,
          jamFactor: jam[index] == nil ? 0 : 7))
      startM += length
      if let rest = stopAfter[index] {
        waypoints.append(waypoint(graph.coordinate(graph.head(edge)), startM, restS: rest))
      }
    }
    waypoints.append(waypoint(shape[shape.count - 1], startM))
    return Route(
      id: id, handle: nil, request: RouteRequest(waypoints: waypoints.map(\.original)),
      waypoints: waypoints, shape: shape, shapeOffsetsM: Polyline(shape).offsetsM,
      segments: segments,
      sections: [], spans: spans, maneuvers: [], durations: .zero,
      boundingBox: BoundingBox(southDeg: 0, westDeg: 0, northDeg: 0, eastDeg: 0),
      computedAt: Instant(nanoseconds: 0), violations: [], trafficAgeS: nil,
      offRoadDestination: nil)
  }
}
