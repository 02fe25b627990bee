import Geodesy
import RoadGraph

/// The whole circle of a roundabout.
struct RoundaboutRing {
  private(set) var points: [Coordinate] = []
  private(set) var lengthM = 0.0

  /// The ring followed from one of its edges.
  init(from start: EdgeID, _ graph: RoadGraph) {
    var edge: EdgeID? = start
    // Rings have few pieces.
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

  /// The angle driven between two places on it, as seen from the centre: positive where one drives on the right.
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
