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
      for index in 0...count {
        let point =
          index == count
          ? coordinate(far)
          : Coordinate(
            latitudeDeg: Double(points[index].0) / 1e7,
            longitudeDeg: Double(points[index].1) / 1e7)
        let stepM = last.distanceM(to: point)
        if stepM >= leftM {
          return stepM > 0 ? last.interpolated(to: point, fraction: leftM / stepM) : point
        }
        leftM -= stepM
        last = point
      }
      return last
    }
  }
}
