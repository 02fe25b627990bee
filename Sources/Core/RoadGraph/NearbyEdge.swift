public import Geodesy

/// A directed edge near some place, and its nearest point.
public struct NearbyEdge: Hashable, Sendable {
  public var position: RoadPosition
  public var coordinate: Coordinate
  /// Metres between the place and the edge.
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

extension RoadGraph {
  /// The directed edges with a point within `radiusM` of `place`, each with its nearest point, the nearest first.
  ///
  /// Both directions of a two-way road are listed. The order of equally near edges is that of their ids.
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
      guard let foot = nearestPoint(on: edge, plane: plane), foot.distanceM <= radiusM else {
        return
      }
      found.append(foot)
      if let twin = twin(edge) {
        found.append(
          NearbyEdge(
            position: RoadPosition(
              edge: twin, offsetM: Double.maximum(0, lengthM(edge) - foot.position.offsetM)),
            coordinate: foot.coordinate, distanceM: foot.distanceM,
            bearingDeg: Angle.normalizedDeg(foot.bearingDeg + 180)))
      }
    }
    found.sort { ($0.distanceM, $0.position.edge) < ($1.distanceM, $1.position.edge) }
    return found
  }

  /// The nearest point of one edge to the plane's origin; nil for an edge of no length.
  public func nearestPoint(on edge: EdgeID, plane: LocalPlane) -> NearbyEdge? {
    let here = PlanePoint(eastM: 0, northM: 0)
    var last: PlanePoint?
    var walkedM = 0.0
    var best = (distanceM: Double.infinity, offsetM: 0.0, foot: here, east: 0.0, north: 0.0)
    forEachPoint(edge) { coordinate in
      let point = plane.point(coordinate)
      if let from = last {
        let length = from.distanceM(to: point)
        let (fraction, distance) = here.projected(onto: from, point)
        if distance < best.distanceM, length > 0 {
          let east = point.eastM - from.eastM
          let north = point.northM - from.northM
          let foot = PlanePoint(
            eastM: from.eastM + fraction * east, northM: from.northM + fraction * north)
          best = (distance, walkedM + fraction * length, foot, east, north)
        }
        walkedM += length
      }
      last = point
    }
    guard best.distanceM < .infinity, walkedM > 0 else { return nil }
    let bearing = LocalPlane.bearingDeg(eastM: best.east, northM: best.north)
    return NearbyEdge(
      position: RoadPosition(edge: edge, offsetM: best.offsetM * lengthM(edge) / walkedM),
      coordinate: plane.coordinate(best.foot), distanceM: best.distanceM, bearingDeg: bearing)
  }
}
