import Geodesy
import RoadGraph

/// The directions of an edge at its two ends, measured over some metres so that a kink does not
/// count.
struct EdgeEndBearings {
  var startBearingDeg = 0.0
  var endBearingDeg = 0.0

  private static let reachM = 12.0

  init(_ graph: RoadGraph, _ edge: EdgeID) {
    let plane = LocalPlane(origin: graph.coordinate(graph.tail(edge)))
    var points: [PlanePoint] = []
    graph.forEachPoint(edge) { points.append(plane.point($0)) }
    startBearingDeg = Self.bearing(points, from: 0, step: 1)
    endBearingDeg = Angle180.opposite(Self.bearing(points, from: points.count - 1, step: -1))
  }

  // From an end to the point some metres inwards along the line.
  private static func bearing(_ points: [PlanePoint], from start: Int, step: Int) -> Double {
    var walkedM = 0.0
    var at = start
    var target = points[start]
    while walkedM < reachM, points.indices.contains(at + step) {
      let lengthM = points[at].distanceM(to: points[at + step])
      let restM = reachM - walkedM
      if lengthM > restM {
        let part = restM / lengthM
        target = PlanePoint(
          eastM: points[at].eastM + part * (points[at + step].eastM - points[at].eastM),
          northM: points[at].northM + part * (points[at + step].northM - points[at].northM))
      } else {
        target = points[at + step]
      }
      walkedM += lengthM
      at += step
    }
    return LocalPlane.bearingDeg(
      eastM: target.eastM - points[start].eastM, northM: target.northM - points[start].northM)
  }
}

private enum Angle180 {
  static func opposite(_ degrees: Double) -> Double {
    degrees >= 180 ? degrees - 180 : degrees + 180
  }
}
