import Geodesy
import RoadGraph
import Route

/// The growing shape of a route: points with six decimals, so that a message contains exactly
/// these.
struct RouteGeometry {
  private(set) var points: [Coordinate] = []

  /// Adds one piece of road and returns the index of the point at which it begins.
  mutating func add(_ graph: RoadGraph, _ edge: EdgeID, fromM: Double, toM: Double) -> Int {
    let lengthM = graph.lengthM(edge)
    let start = points.count - 1
    // A piece begins where the previous one ended.
    var isJoint = start >= 0
    if fromM <= 0, toM >= lengthM {
      graph.forEachPoint(edge) { append($0, &isJoint) }
    } else {
      let line = Polyline(graph.shape(edge))
      let scale = lengthM > 0 ? line.lengthM / lengthM : 1
      for point in line.slice(fromM: fromM * scale, toM: toM * scale) {
        append(point, &isJoint)
      }
    }
    return max(0, start)
  }

  private mutating func append(_ place: Coordinate, _ isJoint: inout Bool) {
    let next = Self.rounded(place)
    if !isJoint, next != points.last { points.append(next) }
    isJoint = false
  }

  /// Repeats the last point, so that a section of zero length has two points as well.
  mutating func stand() {
    if let last = points.last { points.append(last) }
  }

  private static func rounded(_ place: Coordinate) -> Coordinate {
    Coordinate(
      latitudeDeg: (place.latitudeDeg * 1e6).rounded() / 1e6,
      longitudeDeg: (place.longitudeDeg * 1e6).rounded() / 1e6)
  }
}
