import Geodesy
import RoadGraph

/// Bends much tighter than the road's limit lets one expect; turns at junctions are none.
struct BendRule: ObjectRule {
  /// What passengers bear, m/s².
  private static let lateralMps2 = 3.0
  /// A bend is sharp where one must be this much slower than the limit: 20 km/h.
  private static let slowdownMps = 20 / 3.6
  private static let stepM = 10.0
  /// The bearing is measured over as much behind and before a place.
  private static let reachM = 15.0

  func objects(on way: WayView) -> [RoadObject] {
    var found: [RoadObject] = []
    for index in way.path.edges.indices {
      guard let limit = way.road(index).speedLimitMps, limit.isFinite, limit > Self.slowdownMps,
        !way.road(index).flags.contains(.roundabout)
      else { continue }
      let line = Polyline(shape(around: index, way))
      let beforeM = hasPlainWay(into: index, way) ? way.graph.lengthM(way.path.edges[index - 1]) : 0
      let lengthM = way.graph.lengthM(way.path.edges[index])
      var sharpest: (atM: Double, radiusM: Double)?
      var atM = 0.0
      while atM < lengthM {
        let radius = radiusM(line, at: beforeM + atM)
        if radius < sharpest?.radiusM ?? .infinity { sharpest = (atM, radius) }
        atM += Self.stepM
      }
      guard let sharpest,
        (Self.lateralMps2 * sharpest.radiusM).squareRoot() + Self.slowdownMps < limit
      else { continue }
      let edge = way.graph.reference(way.path.edges[index])
      let bend = way.point(
        .sharpBend, id: "sharp_bend/\(edge.way)-\(edge.from)-\(edge.to)", on: index,
        offsetM: sharpest.atM, text: nil)
      // A hairpin that the map has in two pieces is one bend.
      if let last = found.last, bend.startM - last.startM < 60 { continue }
      found.append(bend)
    }
    return found
  }

  private func radiusM(_ line: Polyline, at metres: Double) -> Double {
    let (fromM, toM) = (metres - Self.reachM, metres + Self.reachM)
    guard fromM >= 0, toM <= line.lengthM, let a = line.coordinate(atM: fromM),
      let b = line.coordinate(atM: metres), let c = line.coordinate(atM: toM)
    else { return .infinity }
    let turn = abs(Angle.turnDeg(from: a.bearingDeg(to: b), to: b.bearingDeg(to: c)))
    // Over chords of one length a bend of radius r turns by their length over r.
    return turn > 1 ? Self.reachM / (turn * .pi / 180) : .infinity
  }

  // The edge with its neighbours where the road only goes on.
  private func shape(around index: Int, _ way: WayView) -> [Coordinate] {
    var points = way.graph.shape(way.path.edges[index])
    if hasPlainWay(into: index, way) {
      points = way.graph.shape(way.path.edges[index - 1]).dropLast() + points
    }
    if index + 1 < way.path.edges.count, hasPlainWay(into: index + 1, way) {
      points += way.graph.shape(way.path.edges[index + 1]).dropFirst()
    }
    return points
  }

  private func hasPlainWay(into index: Int, _ way: WayView) -> Bool {
    guard index > 0 else { return false }
    let (before, after) = (way.path.edges[index - 1], way.path.edges[index])
    let back = way.graph.twin(before)
    return after != back && way.graph.head(before) == way.graph.tail(after)
      && way.graph.edges(leaving: way.graph.head(before)).allSatisfy { $0 == after || $0 == back }
  }
}
