public import Geodesy

/// A directed edge near a place, and its nearest point.
public struct NearbyEdge: Hashable, Sendable {
  public var position: RoadPosition
  public var coordinate: Coordinate
  /// Distance between the place and the edge in metres.
  public var distanceM: Double
  /// Direction of travel at the nearest point, clockwise from north.
  public var bearingDeg: Double

  public init(
    position: RoadPosition, coordinate: Coordinate, distanceM: Double, bearingDeg: Double
  ) {
    self.position = position
    self.coordinate = coordinate
    self.distanceM = distanceM
    self.bearingDeg = bearingDeg
  }
}

/// The point of a directed edge that is nearest to a place.
public struct EdgeProjection: Hashable, Sendable, BitwiseCopyable {
  public var position: RoadPosition
  public var coordinate: Coordinate
  /// Distance between the place and the edge in metres.
  public var distanceM: Double
  /// A vector in the direction of travel there, in metres.
  public var toEastM: Double
  public var toNorthM: Double
}

extension RoadGraph {
  /// The directed edges with a point within `radiusM` of `place`, each with its nearest point, the
  /// nearest first.
  ///
  /// Both directions of a two-way road are listed. Equally near edges are ordered by their ids.
  public func edges(near place: Coordinate, withinM radiusM: Double) -> [NearbyEdge] {
    guard place.isValid, radiusM >= 0 else { return [] }
    let area = BoundingBox(
      southDeg: place.latitudeDeg, westDeg: place.longitudeDeg, northDeg: place.latitudeDeg,
      eastDeg: place.longitudeDeg
    ).expanded(byM: radiusM * 1.001 + 0.01)
    let plane = LocalPlane(origin: place)
    var found: [NearbyEdge] = []
    forEachPiece(around: Self.fixed(area)) { piece in
      let edge = columns.pieceEdge[piece]
      guard let projection = nearestPoint(on: edge, plane: plane), projection.distanceM <= radiusM
      else {
        return
      }
      found.append(projection)
      if let twin = twin(edge) {
        found.append(
          NearbyEdge(
            position: RoadPosition(
              edge: twin, offsetM: Double.maximum(0, lengthM(edge) - projection.position.offsetM)),
            coordinate: projection.coordinate, distanceM: projection.distanceM,
            bearingDeg: Angle.normalizedDeg(projection.bearingDeg + 180)))
      }
    }
    found.sort { ($0.distanceM, $0.position.edge) < ($1.distanceM, $1.position.edge) }
    return found
  }

  /// The nearest point of one edge to the plane's origin; nil for an edge of zero length.
  public func nearestPoint(on edge: EdgeID, plane: LocalPlane) -> NearbyEdge? {
    projection(on: edge, plane: plane).map { projection in
      NearbyEdge(
        position: projection.position, coordinate: projection.coordinate,
        distanceM: projection.distanceM,
        bearingDeg: LocalPlane.bearingDeg(eastM: projection.toEastM, northM: projection.toNorthM))
    }
  }

  /// The same with the direction as a vector, since converting it to degrees is half of the cost.
  public func projection(on edge: EdgeID, plane: LocalPlane) -> EdgeProjection? {
    let code = columns.piece[edge.index]
    // The points of a piece have the direction of one of its edges.
    let isReversed = code & 1 == 1
    var nearest = NearestOnLine(plane, isReversed: isReversed)
    columns.forEachPointWithEnds(ofPiece: Int(code >> 1)) { nearest.step($0, $1) }
    guard nearest.distanceM2 < .infinity, nearest.walkedM > 0 else { return nil }
    let sign = isReversed ? -1.0 : 1
    let offsetM = isReversed ? nearest.walkedM - nearest.offsetM : nearest.offsetM
    return EdgeProjection(
      position: RoadPosition(edge: edge, offsetM: offsetM * lengthM(edge) / nearest.walkedM),
      coordinate: plane.coordinate(nearest.projection),
      distanceM: nearest.distanceM2.squareRoot(), toEastM: sign * nearest.toEastM,
      toNorthM: sign * nearest.toNorthM)
  }
}

/// The nearest point of a line to the origin of a plane, computed point by point.
private struct NearestOnLine {
  private let plane: FixedPlane
  /// Whether the points come in reverse order: of equally near points, the last one processed is
  /// then the first.
  private let isReversed: Bool
  private var last: PlanePoint?
  private(set) var walkedM = 0.0
  /// Square of the distance.
  private(set) var distanceM2 = Double.infinity
  /// Metres along the line.
  private(set) var offsetM = 0.0
  private(set) var projection = PlanePoint(eastM: 0, northM: 0)
  /// Along its segment.
  private(set) var toEastM = 0.0
  private(set) var toNorthM = 0.0

  init(_ plane: LocalPlane, isReversed: Bool) {
    self.plane = FixedPlane(plane)
    self.isReversed = isReversed
  }

  /// Continues to a point in ten-millionths of a degree.
  @inline(__always) mutating func step(_ latitude: Int32, _ longitude: Int32) {
    let point = plane.point(latitude, longitude)
    defer { last = point }
    guard let last else { return }
    let (eastM, northM) = (point.eastM - last.eastM, point.northM - last.northM)
    let square = eastM * eastM + northM * northM
    guard square > 0 else { return }
    let along = -(last.eastM * eastM + last.northM * northM) / square
    let share = Double.minimum(1, Double.maximum(0, along))
    let near = PlanePoint(eastM: last.eastM + share * eastM, northM: last.northM + share * northM)
    let lengthM = square.squareRoot()
    let away = near.eastM * near.eastM + near.northM * near.northM
    if away < distanceM2 || (isReversed && away == distanceM2) {
      (distanceM2, offsetM, projection) = (away, walkedM + share * lengthM, near)
      (toEastM, toNorthM) = (eastM, northM)
    }
    walkedM += lengthM
  }
}
