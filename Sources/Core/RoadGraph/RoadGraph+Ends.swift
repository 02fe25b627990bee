public import Geodesy

extension RoadGraph {
  /// The place on an edge `reachM` metres from its tail, or from its head; the other end where it is shorter.
  ///
  /// Measures only that part of the edge.
  public func coordinate(_ edge: EdgeID, reachM: Double, fromHead: Bool = false) -> Coordinate {
    let (near, far) = fromHead ? (head(edge), tail(edge)) : (tail(edge), head(edge))
    guard reachM < lengthM(edge) else { return coordinate(far) }
    let code = columns.piece[edge.index]
    let piece = Int(code >> 1)
    let count = columns.pointCount(ofPiece: piece)
    let isForward = (code & 1 == 0) != fromHead
    return withUnsafeTemporaryAllocation(of: (Int32, Int32).self, capacity: count) { points in
      var next = isForward ? 0 : count - 1
      columns.forEachPoint(ofPiece: piece) { latitude, longitude in
        points.initializeElement(at: next, to: (latitude, longitude))
        next += isForward ? 1 : -1
      }
      var last = coordinate(near)
      var leftM = reachM
      // Over a few metres the earth is flat.
      let eastM = LocalPlane(origin: last).metersPerDegreeEast
      for index in 0...count {
        let point =
          index == count
          ? coordinate(far)
          : Coordinate(
            latitudeDeg: Double(points[index].0) / 1e7,
            longitudeDeg: Double(points[index].1) / 1e7)
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
      }
      return last
    }
  }
}
