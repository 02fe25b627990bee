import Geodesy
import RoadGraph
import Route

/// The shape of a route as it grows: points to six decimals, so that a message carries exactly these.
struct RouteGeometry {
  private(set) var points: [Coordinate] = []

  /// Adds one piece of road; gives the index of the point at which it begins.
  mutating func add(_ graph: RoadGraph, _ edge: EdgeID, fromM: Double, toM: Double) -> Int {
    let whole = graph.shape(edge)
    let lengthM = graph.lengthM(edge)
    let isWhole = fromM <= 0 && toM >= lengthM
    let part: [Coordinate]
    if isWhole {
      part = whole
    } else {
      let line = Polyline(whole)
      let scale = lengthM > 0 ? line.lengthM / lengthM : 1
      part = line.slice(fromM: fromM * scale, toM: toM * scale)
    }
    if points.isEmpty, let first = part.first { points.append(Self.rounded(first)) }
    let start = points.count - 1
    for point in part.dropFirst() {
      let next = Self.rounded(point)
      if next != points.last { points.append(next) }
    }
    return start
  }

  /// Repeats the last point, so that a section that goes nowhere has two as well.
  mutating func stand() {
    if let last = points.last { points.append(last) }
  }

  private static func rounded(_ place: Coordinate) -> Coordinate {
    Coordinate(
      latitudeDeg: (place.latitudeDeg * 1e6).rounded() / 1e6,
      longitudeDeg: (place.longitudeDeg * 1e6).rounded() / 1e6)
  }
}
