import Geodesy
import RealModule
import RoadGraph
import Route

/// Bends that are much tighter than the road's speed limit suggests; turns at junctions do not
/// count.
struct BendRule: ObjectRule {
  /// Lateral acceleration that passengers tolerate, m/s².
  private static let lateralMps2 = 3.0
  /// A bend is sharp if it requires driving this much slower than the limit: 20 km/h.
  private static let slowdownMps = 20 / 3.6
  private static let stepM = 10.0
  /// Bends closer together than this count as one.
  private static let apartM = 60.0
  /// The direction of a bend of a fast road changes by at least this much: 13 degrees.
  ///
  /// A wide bend is drawn as straight pieces with corners of up to 12 degrees between them.
  private static let leastTurnRad = 0.23
  private static let leastReachM = 15.0
  /// Within this distance of its origin, a plane's directions match the globe's up to the error
  /// below.
  private static let planeM = 5_000.0
  private static let planeErrorRad = Double.pi / 180

  /// The bearing is measured over this distance in metres before a point and over the same distance
  /// after it, so that the sharpest permitted bend turns by `leastTurnRad`.
  private static func reachM(limitMps: Double) -> Double {
    let spareMps = limitMps - slowdownMps
    return Double.maximum(leastReachM, leastTurnRad * spareMps * spareMps / lateralMps2)
  }

  func objects(on way: PathView) -> [RoadObject] {
    var found: [RoadObject] = []
    for index in way.path.edges.indices {
      guard let limit = way.road(index).speedLimitMps, limit.isFinite, limit > Self.slowdownMps,
        !way.road(index).flags.contains(.roundabout)
      else { continue }
      let shape = shape(around: index, way)
      if isStraight(shape, limitMps: limit) { continue }
      let line = Polyline(shape)
      let beforeM = hasNoBranch(into: index, way) ? way.graph.lengthM(way.path.edges[index - 1]) : 0
      let lengthM = way.graph.lengthM(way.path.edges[index])
      let edge = way.graph.reference(way.path.edges[index])
      for atM in bends(line, fromM: beforeM, lengthM: lengthM, limit) {
        let first = "sharp_bend/\(edge.way)-\(edge.from)-\(edge.to)"
        let bend = way.point(
          .sharpBend, id: atM.isFirst ? first : "\(first)/\(Int(atM.metres))", on: index,
          offsetM: atM.metres, text: nil)
        // A hairpin that the map has in two pieces is one bend.
        if let last = found.last, bend.startM - last.startM < Self.apartM { continue }
        found.append(bend)
      }
    }
    return found
  }

  // True if no two chords of a line can differ in direction by as much as a bend would require. If
  // all pieces keep within half of that angle of the first one's direction, so do their chords.
  // This holds for most roads.
  func isStraight(_ shape: [Coordinate], limitMps: Double) -> Bool {
    guard let first = shape.first else { return true }
    let spareMps = limitMps - Self.slowdownMps
    let leastTurnRad =
      Self.reachM(limitMps: limitMps) * Self.lateralMps2 / (spareMps * spareMps)
    let turnRad = min(.pi / 2, leastTurnRad - Self.planeErrorRad)
    guard turnRad > 0 else { return false }
    let leastCosine = Double.cos(turnRad / 2)
    let plane = LocalPlane(origin: first)
    var (last, along) = (PlanePoint(eastM: 0, northM: 0), PlanePoint(eastM: 0, northM: 0))
    for coordinate in shape.dropFirst() {
      let point = plane.point(coordinate)
      let piece = PlanePoint(eastM: point.eastM - last.eastM, northM: point.northM - last.northM)
      let lengthM = (piece.eastM * piece.eastM + piece.northM * piece.northM).squareRoot()
      guard abs(point.eastM) + abs(point.northM) < Self.planeM else { return false }
      last = point
      guard lengthM > 0 else { continue }
      if along == PlanePoint(eastM: 0, northM: 0) {
        along = PlanePoint(eastM: piece.eastM / lengthM, northM: piece.northM / lengthM)
      }
      let aheadM = along.eastM * piece.eastM + along.northM * piece.northM
      guard aheadM >= leastCosine * lengthM else { return false }
    }
    return true
  }

  // The sharpest point of each stretch of an edge that bends too much for its limit.
  func bends(
    _ line: Polyline, fromM beforeM: Double, lengthM: Double, _ limitMps: Double
  ) -> [(metres: Double, isFirst: Bool)] {
    var sharpest: [(atM: Double, radiusM: Double)] = []
    var lastM = -Double.infinity
    let reachM = Self.reachM(limitMps: limitMps)
    var atM = 0.0
    while atM < lengthM {
      let radius = radiusM(line, at: beforeM + atM, reachM: reachM)
      if (Self.lateralMps2 * radius).squareRoot() + Self.slowdownMps < limitMps {
        if atM - lastM >= Self.apartM {
          sharpest.append((atM, radius))
        } else if let last = sharpest.last, radius < last.radiusM {
          sharpest[sharpest.count - 1] = (atM, radius)
        }
        lastM = atM
      }
      atM += Self.stepM
    }
    return sharpest.enumerated().map { ($0.element.atM, $0.offset == 0) }
  }

  private func radiusM(_ line: Polyline, at metres: Double, reachM fullM: Double) -> Double {
    // Near the ends of the line, such as a junction, the bearing is measured over less.
    let reachM = Double.maximum(
      Self.leastReachM, Double.minimum(fullM, Double.minimum(metres, line.lengthM - metres)))
    let (fromM, toM) = (metres - reachM, metres + reachM)
    guard fromM >= 0, toM <= line.lengthM, let a = line.coordinate(atM: fromM),
      let b = line.coordinate(atM: metres), let c = line.coordinate(atM: toM)
    else { return .infinity }
    let turn = abs(Angle.turnDeg(from: a.bearingDeg(to: b), to: b.bearingDeg(to: c)))
    guard reachM == fullM || turn * .pi / 180 >= Self.leastTurnRad else { return .infinity }
    // Over chords of equal length, a bend of radius r turns by that length divided by r.
    return turn > 1 ? reachM / (turn * .pi / 180) : .infinity
  }

  // The edge, joined with its neighbours where the road simply continues.
  private func shape(around index: Int, _ way: PathView) -> [Coordinate] {
    var points = way.graph.shape(way.path.edges[index])
    if hasNoBranch(into: index, way) {
      points = way.graph.shape(way.path.edges[index - 1]).dropLast() + points
    }
    if index + 1 < way.path.edges.count, hasNoBranch(into: index + 1, way) {
      points += way.graph.shape(way.path.edges[index + 1]).dropFirst()
    }
    return points
  }

  private func hasNoBranch(into index: Int, _ way: PathView) -> Bool {
    guard index > 0 else { return false }
    let (before, after) = (way.path.edges[index - 1], way.path.edges[index])
    let back = way.graph.twin(before)
    return after != back && way.graph.head(before) == way.graph.tail(after)
      && way.graph.edges(leaving: way.graph.head(before)).allSatisfy { $0 == after || $0 == back }
  }
}
