import Geodesy
import RoadGraph

/// The complete ring of a roundabout.
struct RoundaboutRing {
  private(set) var points: [Coordinate] = []
  private(set) var lengthM = 0.0

  /// Follows the ring from one of its edges.
  init(from start: EdgeID, _ graph: RoadGraph) {
    var edge: EdgeID? = start
    // A linear search is fast enough, because rings have few edges.
    var seen: [EdgeID] = []
    while let here = edge, !seen.contains(here) {
      seen.append(here)
      graph.forEachPoint(here) { points.append($0) }
      points.removeLast()
      lengthM += graph.lengthM(here)
      edge = graph.edges(leaving: graph.head(here)).first {
        graph.attributes($0).isRoundabout && $0 != graph.twin(here)
      }
    }
  }

  /// Angle driven around the centre between two places of the ring, in degrees.
  ///
  /// The angle is positive in right-hand traffic.
  func angleDeg(from entry: Coordinate, to leave: Coordinate, isLeftHand: Bool) -> Double? {
    guard let box = BoundingBox(around: points) else { return nil }
    let centre = Coordinate(
      latitudeDeg: (box.southDeg + box.northDeg) / 2, longitudeDeg: (box.westDeg + box.eastDeg) / 2)
    let a = centre.bearingDeg(to: entry)
    let b = centre.bearingDeg(to: leave)
    let driven = Angle.normalizedDeg(isLeftHand ? b - a : a - b)
    let whole = entry == leave ? 360 : driven
    return isLeftHand ? -whole : whole
  }
}
