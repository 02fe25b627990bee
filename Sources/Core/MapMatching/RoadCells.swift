import Geodesy
import RoadGraph

/// The roads of a mode around one square of the map, decoded and flat.
///
/// Places are metres east and north of the square's middle.
struct RoadCell: Sendable {
  /// One direction of travel along a piece.
  struct Lane: BitwiseCopyable {
    var state: TravelState
    /// Runs against the order of the points.
    var isReversed: Bool
  }

  struct Piece: BitwiseCopyable {
    /// West, south, and east and north with their signs turned: all four lie below those of a box that it meets.
    var box: SIMD4<Float>
    var firstSegment: Int32
    var endSegment: Int32
    var firstLane: Int32
    var endLane: Int32
    var lengthM: Double
    /// Metres of the stored length for one measured.
    var scale: Double
  }

  struct Segment: BitwiseCopyable {
    var east: Float
    var north: Float
    var toEast: Float
    var toNorth: Float
    /// One over the square of the length.
    var inverse: Float
    /// Metres from the piece's first point.
    var startM: Float
    var lengthM: Float
    var bearingDeg: Float
  }

  private(set) var key = Int64.min
  private(set) var marginM = 0.0
  private(set) var plane = LocalPlane(origin: Coordinate(latitudeDeg: 0, longitudeDeg: 0))
  private(set) var pieces: [Piece] = []
  private(set) var segments: [Segment] = []
  private(set) var lanes: [Lane] = []

  /// Bits of a ten millionth of a degree that a square's side has: 91 m of latitude.
  private static let sideBits = 13

  /// The number of the square that `place` lies in.
  static func key(_ place: Coordinate) -> Int64 {
    let latitude = Int64((place.latitudeDeg * 1e7).rounded()) >> Int64(sideBits)
    let longitude = Int64((place.longitudeDeg * 1e7).rounded()) >> Int64(sideBits)
    return latitude << 32 | (longitude & 0xffff_ffff)
  }

  private static func box(_ key: Int64) -> BoundingBox {
    func degrees(_ number: Int64) -> Double { Double(number << Int64(sideBits)) / 1e7 }
    let latitude = key >> 32
    let longitude = Int64(Int32(truncatingIfNeeded: key))
    return BoundingBox(
      southDeg: degrees(latitude), westDeg: degrees(longitude), northDeg: degrees(latitude + 1),
      eastDeg: degrees(longitude + 1))
  }

  /// Becomes the square numbered `key` with all within `marginM` of it.
  mutating func fill(_ key: Int64, marginM: Double, network: MatchingNetwork) {
    let box = Self.box(key)
    self.key = key
    self.marginM = marginM
    plane = LocalPlane(
      origin: Coordinate(
        latitudeDeg: (box.southDeg + box.northDeg) / 2,
        longitudeDeg: (box.westDeg + box.eastDeg) / 2))
    pieces.removeAll(keepingCapacity: true)
    segments.removeAll(keepingCapacity: true)
    lanes.removeAll(keepingCapacity: true)
    network.graph.forEachPiece(in: box.expanded(byM: marginM * 1.001 + 0.1)) { piece in
      add(network.graph.columns.pieceEdge[piece], network)
    }
  }

  private mutating func add(_ edge: EdgeID, _ network: MatchingNetwork) {
    let firstLane = lanes.count
    addLanes(edge, isReversed: false, network)
    if let twin = network.graph.twin(edge) { addLanes(twin, isReversed: true, network) }
    guard lanes.count > firstLane else { return }
    lanes[firstLane...].sort { $0.state < $1.state }
    let firstSegment = segments.count
    var last: PlanePoint?
    var walkedM = 0.0
    var least = SIMD4<Float>(repeating: .infinity)
    network.graph.forEachPoint(edge) { coordinate in
      let point = plane.point(coordinate)
      let corner = SIMD4(
        Float(point.eastM), Float(point.northM), Float(-point.eastM), Float(-point.northM))
      least = pointwiseMin(least, corner)
      if let from = last {
        let east = point.eastM - from.eastM
        let north = point.northM - from.northM
        let square = east * east + north * north
        if square > 0 {
          segments.append(
            Segment(
              east: Float(from.eastM), north: Float(from.northM), toEast: Float(east),
              toNorth: Float(north), inverse: Float(1 / square), startM: Float(walkedM),
              lengthM: Float(square.squareRoot()),
              bearingDeg: Float(LocalPlane.bearingDeg(eastM: east, northM: north))))
          walkedM += square.squareRoot()
        }
      }
      last = point
    }
    guard walkedM > 0 else {
      lanes.removeLast(lanes.count - firstLane)
      return
    }
    let lengthM = network.graph.lengthM(edge)
    pieces.append(
      Piece(
        box: least, firstSegment: Int32(firstSegment), endSegment: Int32(segments.count),
        firstLane: Int32(firstLane), endLane: Int32(lanes.count), lengthM: lengthM,
        scale: lengthM / walkedM))
  }

  private mutating func addLanes(_ edge: EdgeID, isReversed: Bool, _ network: MatchingNetwork) {
    guard network.isUsable(edge) else { return }
    lanes.append(Lane(state: TravelState(edge, isAgainst: false), isReversed: isReversed))
    guard network.isOneWay(edge) else { return }
    lanes.append(Lane(state: TravelState(edge, isAgainst: true), isReversed: !isReversed))
  }

  /// A point of a piece, the nearest to some place.
  struct Foot {
    var piece: Int32
    var segment: Int32
    var distanceM: Float
    var alongM: Float
    var east: Float
    var north: Float
  }

  /// Adds the nearest point of each piece within `radiusM` of `place` to `feet`, the nearest first.
  func feet(near place: Coordinate, radiusM: Double, into feet: inout [Foot]) {
    feet.removeAll(keepingCapacity: true)
    let here = plane.point(place)
    let (east, north, radius) = (Float(here.eastM), Float(here.northM), Float(radiusM))
    let limit = SIMD4(east + radius, north + radius, radius - east, radius - north)
    segments.withUnsafeBufferPointer { segments in
      for (index, piece) in pieces.enumerated() where all(piece.box .<= limit) {
        var best = Foot(
          piece: Int32(index), segment: 0, distanceM: radius * radius, alongM: -1, east: 0,
          north: 0)
        for number in Int(piece.firstSegment)..<Int(piece.endSegment) {
          let s = segments[number]
          let along = ((east - s.east) * s.toEast + (north - s.north) * s.toNorth) * s.inverse
          let part = Float.minimum(1, Float.maximum(0, along))
          let footEast = s.east + part * s.toEast
          let footNorth = s.north + part * s.toNorth
          let (dx, dy) = (east - footEast, north - footNorth)
          let square = dx * dx + dy * dy
          guard square < best.distanceM || (square == best.distanceM && best.alongM < 0) else {
            continue
          }
          best = Foot(
            piece: Int32(index), segment: Int32(number), distanceM: square,
            alongM: s.startM + part * s.lengthM, east: footEast, north: footNorth)
        }
        guard best.alongM >= 0 else { continue }
        best.distanceM = best.distanceM.squareRoot()
        var at = feet.count
        feet.append(best)
        while at > 0, isNearer(best, feet[at - 1]) {
          feet.swapAt(at, at - 1)
          at -= 1
        }
      }
    }
  }

  private func isNearer(_ a: Foot, _ b: Foot) -> Bool {
    if a.distanceM != b.distanceM { return a.distanceM < b.distanceM }
    return lanes[Int(pieces[Int(a.piece)].firstLane)].state
      < lanes[Int(pieces[Int(b.piece)].firstLane)].state
  }

  /// Adds the candidates at `feet`, each direction of travel, to `found`.
  func add(_ feet: [Foot], to found: inout [Candidate]) {
    for foot in feet {
      let piece = pieces[Int(foot.piece)]
      let bearing = Double(segments[Int(foot.segment)].bearingDeg)
      let coordinate = plane.coordinate(
        PlanePoint(eastM: Double(foot.east), northM: Double(foot.north)))
      let offset = Double.minimum(piece.lengthM, Double(foot.alongM) * piece.scale)
      for number in Int(piece.firstLane)..<Int(piece.endLane) {
        let lane = lanes[number]
        found.append(
          Candidate(
            state: lane.state, offsetM: lane.isReversed ? piece.lengthM - offset : offset,
            coordinate: coordinate, distanceM: Double(foot.distanceM),
            bearingDeg: lane.isReversed ? Angle.normalizedDeg(bearing + 180) : bearing))
      }
    }
  }
}

/// The squares asked for last, found by their number: at most `count` of them, a few kilobytes each.
struct RoadCells: Sendable {
  private static let count = 1024

  private var cells: [RoadCell] = Array(repeating: RoadCell(), count: count)
  private var feet: [RoadCell.Foot] = []

  /// Puts the candidates near `place` into `found`, the nearest first, as `MatchingNetwork.candidates` tells.
  mutating func candidates(
    near place: Coordinate, previous: [Candidate], route: Set<EdgeID>, tuning: MatcherTuning,
    network: MatchingNetwork, into found: inout [Candidate]
  ) {
    found.removeAll(keepingCapacity: true)
    guard place.isValid, tuning.radiusM >= 0 else { return }
    let key = RoadCell.key(place)
    let slot =
      Int(
        truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9e37_79b9_7f4a_7c15) >> 40)
      & (Self.count - 1)
    if cells[slot].key != key || cells[slot].marginM < tuning.radiusM {
      cells[slot].fill(key, marginM: tuning.radiusM, network: network)
    }
    cells.withUnsafeBufferPointer { cells in
      cells[slot].feet(near: place, radiusM: tuning.radiusM, into: &feet)
      cells[slot].add(feet, to: &found)
    }
    network.thin(&found, previous: previous, route: route, tuning: tuning)
  }
}
