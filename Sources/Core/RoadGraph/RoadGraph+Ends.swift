public import Geodesy

extension RoadGraph {
  /// The point on an edge `reachM` metres from its tail, or from its head; the other end if the
  /// edge is shorter.
  ///
  /// Only that part of the edge is measured.
  public func coordinate(_ edge: EdgeID, reachM: Double, fromHead: Bool = false) -> Coordinate {
    let walk = walk(edge, reachM: reachM, fromHead: fromHead)
    return Coordinate(latitudeDeg: walk.latitudeE7 / 1e7, longitudeDeg: walk.longitudeE7 / 1e7)
  }

  /// The direction in which an edge leaves its tail, or reaches its head, measured over `reachM`
  /// metres.
  ///
  /// It is clockwise from north. Intended for some tens of metres, over which the earth is flat.
  public func bearingDeg(_ edge: EdgeID, reachM: Double, atHead: Bool = false) -> Double {
    let walk = walk(edge, reachM: reachM, fromHead: atHead)
    let near = (atHead ? head(edge) : tail(edge)).index
    let sign = atHead ? -1.0 : 1
    return LocalPlane.bearingDeg(
      eastM: sign * walk.eastM(from: columns.nodeLongitude[near]),
      northM: sign * walk.northM(from: columns.nodeLatitude[near]))
  }

  private func walk(_ edge: EdgeID, reachM: Double, fromHead: Bool) -> EndWalk {
    let (near, far) = fromHead ? (head(edge), tail(edge)) : (tail(edge), head(edge))
    var walk = EndWalk(
      columns.nodeLatitude[near.index], columns.nodeLongitude[near.index], metres: reachM)
    let (farLatitude, farLongitude) = (
      columns.nodeLatitude[far.index], columns.nodeLongitude[far.index]
    )
    guard reachM < lengthM(edge) else {
      walk.jump(farLatitude, farLongitude)
      return walk
    }
    let code = columns.piece[edge.index]
    var (offset, left) = columns.points(ofPiece: Int(code >> 1))
    let isStored = code & 1 == 0
    let bytes = columns.pointByte.records
    let first = isStored ? tail(edge) : head(edge)
    var latitude = columns.nodeLatitude[first.index]
    var longitude = columns.nodeLongitude[first.index]
    if isStored != fromHead {
      // In the direction in which the points are stored, only as many as needed are read.
      while left > 0 {
        latitude &+= Varint.signed(Varint.next(bytes, &offset))
        longitude &+= Varint.signed(Varint.next(bytes, &offset))
        guard walk.step(latitude, longitude) else { return walk }
        left -= 1
      }
      _ = walk.step(farLatitude, farLongitude)
      return walk
    }
    return withUnsafeTemporaryAllocation(of: (Int32, Int32).self, capacity: left) { points in
      while left > 0 {
        latitude &+= Varint.signed(Varint.next(bytes, &offset))
        longitude &+= Varint.signed(Varint.next(bytes, &offset))
        left -= 1
        points.initializeElement(at: left, to: (latitude, longitude))
      }
      for (latitude, longitude) in points {
        guard walk.step(latitude, longitude) else { return walk }
      }
      _ = walk.step(farLatitude, farLongitude)
      return walk
    }
  }
}

/// A walk of some metres along points, in ten-millionths of a degree; over such distances the earth
/// is flat.
private struct EndWalk {
  /// The point reached so far.
  private(set) var latitudeE7: Double
  private(set) var longitudeE7: Double
  private var leftM: Double
  /// At the start.
  private let plane: FixedPlane

  init(_ latitude: Int32, _ longitude: Int32, metres: Double) {
    let start = RoadGraph.coordinate(latitude, longitude)
    (latitudeE7, longitudeE7, leftM) = (Double(latitude), Double(longitude), metres)
    plane = FixedPlane(LocalPlane(origin: start))
  }

  /// Distance from a longitude to the point reached so far, in metres.
  func eastM(from longitude: Int32) -> Double {
    FixedPlane.shortWay(longitudeE7 - Double(longitude)) * plane.eastM
  }

  /// The same from a latitude.
  func northM(from latitude: Int32) -> Double { (latitudeE7 - Double(latitude)) * plane.northM }

  /// Ends at a point.
  mutating func jump(_ latitude: Int32, _ longitude: Int32) {
    (latitudeE7, longitudeE7) = (Double(latitude), Double(longitude))
  }

  /// Continues towards the next point; returns whether it may continue from there.
  mutating func step(_ latitude: Int32, _ longitude: Int32) -> Bool {
    let north = Double(latitude) - latitudeE7
    let east = FixedPlane.shortWay(Double(longitude) - longitudeE7)
    let (toNorthM, toEastM) = (north * plane.northM, east * plane.eastM)
    let stepM = (toNorthM * toNorthM + toEastM * toEastM).squareRoot()
    guard stepM >= leftM else {
      leftM -= stepM
      jump(latitude, longitude)
      return true
    }
    let part = stepM > 0 ? leftM / stepM : 0
    latitudeE7 += part * north
    longitudeE7 = FixedPlane.shortWay(longitudeE7 + part * east)
    return false
  }
}
