public import Geodesy

extension RoadGraph {
  /// The place on an edge `reachM` metres from its tail, or from its head; the other end where it is shorter.
  ///
  /// Measures only that part of the edge.
  public func coordinate(_ edge: EdgeID, reachM: Double, fromHead: Bool = false) -> Coordinate {
    let near = coordinate(fromHead ? head(edge) : tail(edge))
    let eastM = LocalPlane(origin: near).metersPerDegreeEast
    return coordinate(edge, reachM: reachM, fromHead: fromHead, from: near, eastM: eastM)
  }

  private func coordinate(
    _ edge: EdgeID, reachM: Double, fromHead: Bool, from start: Coordinate, eastM: Double
  ) -> Coordinate {
    let far = fromHead ? tail(edge) : head(edge)
    guard reachM < lengthM(edge) else { return coordinate(far) }
    var walk = EndWalk(from: start, metres: reachM, eastM: eastM)
    let code = columns.piece[edge.index]
    var (offset, left) = columns.points(ofPiece: Int(code >> 1))
    guard left > 0 else { return walk.step(to: coordinate(far)) ?? walk.last }
    let isStored = code & 1 == 0
    let bytes = columns.pointByte.records
    let first = isStored ? tail(edge) : head(edge)
    var latitude = columns.nodeLatitude[first.index]
    var longitude = columns.nodeLongitude[first.index]
    if isStored != fromHead {
      // In the direction in which the points are stored: no more of them than are needed.
      while left > 0 {
        latitude &+= Varint.signed(Varint.next(bytes, &offset))
        longitude &+= Varint.signed(Varint.next(bytes, &offset))
        if let end = walk.step(to: Self.coordinate(latitude, longitude)) { return end }
        left -= 1
      }
      return walk.step(to: coordinate(far)) ?? walk.last
    }
    return withUnsafeTemporaryAllocation(of: (Int32, Int32).self, capacity: left) { points in
      while left > 0 {
        latitude &+= Varint.signed(Varint.next(bytes, &offset))
        longitude &+= Varint.signed(Varint.next(bytes, &offset))
        left -= 1
        points.initializeElement(at: left, to: (latitude, longitude))
      }
      for (latitude, longitude) in points {
        if let end = walk.step(to: Self.coordinate(latitude, longitude)) { return end }
      }
      return walk.step(to: coordinate(far)) ?? walk.last
    }
  }

  /// The direction in which an edge leaves its tail, or reaches its head, seen over `reachM` metres; clockwise from north.
  ///
  /// For some tens of metres, over which the earth is flat.
  public func bearingDeg(_ edge: EdgeID, reachM: Double, atHead: Bool = false) -> Double {
    let near = coordinate(atHead ? head(edge) : tail(edge))
    let eastM = LocalPlane(origin: near).metersPerDegreeEast
    let far = coordinate(edge, reachM: reachM, fromHead: atHead, from: near, eastM: eastM)
    let (from, to) = atHead ? (far, near) : (near, far)
    return LocalPlane.bearingDeg(
      eastM: Angle.signedDeg(to.longitudeDeg - from.longitudeDeg) * eastM,
      northM: (to.latitudeDeg - from.latitudeDeg) * Earth.metersPerDegree)
  }
}

/// A walk of some metres along points; over so few of them the earth is flat.
private struct EndWalk {
  private(set) var last: Coordinate
  private var leftM: Double
  private let eastM: Double

  /// `eastM` is the length of a degree to the east there.
  init(from place: Coordinate, metres: Double, eastM: Double) {
    last = place
    leftM = metres
    self.eastM = eastM
  }

  /// Goes on to the next point; gives the place where the walk ends, once it does.
  mutating func step(to point: Coordinate) -> Coordinate? {
    let north = (point.latitudeDeg - last.latitudeDeg) * Earth.metersPerDegree
    let eastDeg = Angle.signedDeg(point.longitudeDeg - last.longitudeDeg)
    let east = eastDeg * eastM
    let stepM = (north * north + east * east).squareRoot()
    if stepM >= leftM {
      let part = stepM > 0 ? leftM / stepM : 0
      return Coordinate(
        latitudeDeg: last.latitudeDeg + part * (point.latitudeDeg - last.latitudeDeg),
        longitudeDeg: Angle.signedDeg(last.longitudeDeg + part * eastDeg))
    }
    leftM -= stepM
    last = point
    return nil
  }
}
