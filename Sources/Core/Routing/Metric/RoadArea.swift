import Geodesy
import RoadGraph
import Route

/// The area of a preference on its own plane, for testing which roads lie in it.
struct RoadArea {
  let bounds: BoundingBox
  private let plane: LocalPlane
  private let corners: [PlanePoint]
  /// Distance to both sides of the corners' line in metres; nil if the corners form a polygon.
  private let reachM: Double?

  /// nil for a place that is not an area.
  init?(_ place: RoutePreference.Place) {
    let line: [Coordinate]
    switch place {
    case .box(let box):
      line = [
        Coordinate(latitudeDeg: box.southDeg, longitudeDeg: box.westDeg),
        Coordinate(latitudeDeg: box.southDeg, longitudeDeg: box.eastDeg),
        Coordinate(latitudeDeg: box.northDeg, longitudeDeg: box.eastDeg),
        Coordinate(latitudeDeg: box.northDeg, longitudeDeg: box.westDeg),
      ]
      reachM = nil
    case .polygon(let corners):
      line = corners
      reachM = nil
    case .corridor(let places, let widthM):
      line = places
      reachM = widthM / 2
    case .segment:
      return nil
    }
    guard let box = BoundingBox(around: line) else { return nil }
    bounds = box.expanded(byM: reachM ?? 0)
    let plane = LocalPlane(
      origin: Coordinate(
        latitudeDeg: (box.southDeg + box.northDeg) / 2,
        longitudeDeg: (box.westDeg + box.eastDeg) / 2))
    self.plane = plane
    corners = line.map { plane.point($0) }
  }

  /// Whether any part of an edge lies in the area; linear in its points times the area's corners.
  func meets(_ edge: EdgeID, of graph: RoadGraph) -> Bool {
    var last: PlanePoint?
    var isMet = false
    graph.forEachPoint(edge) { coordinate in
      guard !isMet else { return }
      let point = plane.point(coordinate)
      isMet = meets(from: last ?? point, to: point)
      last = point
    }
    return isMet
  }

  private func meets(from a: PlanePoint, to b: PlanePoint) -> Bool {
    guard let reachM else {
      return contains(b) || sides.contains { Self.cross(a, b, $0.0, $0.1) }
    }
    return zip(corners, corners.dropFirst()).contains { c, d in
      Self.cross(a, b, c, d) || a.projected(onto: c, d).distanceM <= reachM
        || b.projected(onto: c, d).distanceM <= reachM
        || c.projected(onto: a, b).distanceM <= reachM
        || d.projected(onto: a, b).distanceM <= reachM
    }
  }

  private var sides: [(PlanePoint, PlanePoint)] {
    corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
  }

  // A ray to the east crosses the border an odd number of times if the point lies inside.
  private func contains(_ point: PlanePoint) -> Bool {
    sides.count { a, b in
      (a.northM > point.northM) != (b.northM > point.northM)
        && point.eastM < a.eastM + (point.northM - a.northM) * (b.eastM - a.eastM)
          / (b.northM - a.northM)
    } % 2 == 1
  }

  private static func cross(
    _ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint
  ) -> Bool {
    func side(_ p: PlanePoint, _ q: PlanePoint, _ r: PlanePoint) -> Double {
      (q.eastM - p.eastM) * (r.northM - p.northM) - (q.northM - p.northM) * (r.eastM - p.eastM)
    }
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
  }
}
