import Geodesy
import RoadGraph

/// The roads of a mode around one square of the map.
struct RoadCell: Sendable {
  private(set) var key = Int64.min
  private(set) var marginM = 0.0
  private(set) var plane = LocalPlane(origin: Coordinate(latitudeDeg: 0, longitudeDeg: 0))
  private(set) var pieces: [RoadPieces.Piece] = []

  /// Bits of a ten millionth of a degree that a square's side has: 182 m of latitude.
  private static let sideBits = 14
  /// The same for the regions in which roads are decoded: 1.5 km, in which a plane bends 50 m by less than a centimetre.
  private static let regionBits = 17

  /// The number of the square that `place` lies in.
  static func key(_ place: Coordinate) -> Int64 {
    let latitude = Int64((place.latitudeDeg * 1e7).rounded()) >> Int64(sideBits)
    let longitude = Int64((place.longitudeDeg * 1e7).rounded()) >> Int64(sideBits)
    return latitude << 32 | (longitude & 0xffff_ffff)
  }

  private static func box(latitude: Int64, longitude: Int64, bits: Int) -> BoundingBox {
    func degrees(_ number: Int64) -> Double { Double(number << Int64(bits)) / 1e7 }
    return BoundingBox(
      southDeg: degrees(latitude), westDeg: degrees(longitude), northDeg: degrees(latitude + 1),
      eastDeg: degrees(longitude + 1))
  }

  /// Becomes the square numbered `key` with all within `marginM` of it.
  mutating func fill(
    _ key: Int64, marginM: Double, from book: inout RoadPieces, network: MatchingNetwork
  ) {
    self.key = key
    self.marginM = marginM
    let (latitude, longitude) = (key >> 32, Int64(Int32(truncatingIfNeeded: key)))
    let shift = Int64(Self.regionBits - Self.sideBits)
    let region = Self.box(
      latitude: latitude >> shift, longitude: longitude >> shift, bits: Self.regionBits)
    plane = LocalPlane(
      origin: Coordinate(
        latitudeDeg: (region.southDeg + region.northDeg) / 2,
        longitudeDeg: (region.westDeg + region.eastDeg) / 2))
    let number = UInt32(
      truncatingIfNeeded: (latitude >> shift) << 16 | ((longitude >> shift) & 0xffff))
    let box = Self.box(latitude: latitude, longitude: longitude, bits: Self.sideBits)
      .expanded(byM: marginM * 1.001 + 0.1)
    let limit = limit(of: box)
    let plane = plane
    pieces.removeAll(keepingCapacity: true)
    pieces.reserveCapacity(64)
    network.graph.forEachPiece(around: box) { piece in
      let piece = book.piece(piece, region: number, plane, network)
      if piece.endLane > piece.firstLane, all(piece.box .<= limit) { pieces.append(piece) }
    }
  }

  /// What the boxes of the pieces that meet `box` lie below.
  private func limit(of box: BoundingBox) -> SIMD4<Float> {
    let low = plane.point(Coordinate(latitudeDeg: box.southDeg, longitudeDeg: box.westDeg))
    let high = plane.point(Coordinate(latitudeDeg: box.northDeg, longitudeDeg: box.eastDeg))
    return SIMD4(
      Float(high.eastM), Float(high.northM), Float(-low.eastM), Float(-low.northM))
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
  func feet(
    near place: Coordinate, radiusM: Double, in book: RoadPieces, into feet: inout [Foot]
  ) {
    feet.removeAll(keepingCapacity: true)
    let here = plane.point(place)
    let (east, north, radius) = (Float(here.eastM), Float(here.northM), Float(radiusM))
    let limit = SIMD4(east + radius, north + radius, radius - east, radius - north)
    book.segments.withUnsafeBufferPointer { segments in
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
        while at > 0, isNearer(best, feet[at - 1], book) {
          feet.swapAt(at, at - 1)
          at -= 1
        }
      }
    }
  }

  private func isNearer(_ a: Foot, _ b: Foot, _ book: RoadPieces) -> Bool {
    if a.distanceM != b.distanceM { return a.distanceM < b.distanceM }
    return book.lanes[Int(pieces[Int(a.piece)].firstLane)].state
      < book.lanes[Int(pieces[Int(b.piece)].firstLane)].state
  }

  /// Adds the candidates at `feet`, each direction of travel, to `found`.
  func add(_ feet: [Foot], of book: RoadPieces, to found: inout [Candidate]) {
    found.reserveCapacity(max(Workbench.usualCount, 2 * feet.count))
    for foot in feet {
      let piece = pieces[Int(foot.piece)]
      let segment = book.segments[Int(foot.segment)]
      let course = PlaneCourse(toEast: segment.toEast, toNorth: segment.toNorth)
      let coordinate = plane.coordinate(
        PlanePoint(eastM: Double(foot.east), northM: Double(foot.north)))
      let offset = Double.minimum(piece.lengthM, Double(foot.alongM) * piece.scale)
      for number in Int(piece.firstLane)..<Int(piece.endLane) {
        let lane = book.lanes[number]
        found.append(
          Candidate(
            state: lane.state, offsetM: lane.isReversed ? piece.lengthM - offset : offset,
            coordinate: coordinate, distanceM: Double(foot.distanceM),
            course: lane.isReversed ? course.reversed : course))
      }
    }
  }
}

/// The squares asked for last, found by their number: at most `count` of them, some kilobytes each, and the pieces that they hold.
struct RoadCells: Sendable {
  private static let count = 4096

  private var cells: [RoadCell] = Array(repeating: RoadCell(), count: count)
  private var book: RoadPieces
  private var feet: [RoadCell.Foot] = []

  init(book: RoadPieces = RoadPieces()) { self.book = book }

  /// Puts the candidates near `place` into `found`, the nearest first, as `MatchingNetwork.candidates` tells.
  mutating func candidates(
    near place: Coordinate, previous: [Candidate], route: Set<EdgeID>, tuning: MatcherTuning,
    network: MatchingNetwork, into found: inout [Candidate]
  ) {
    found.removeAll(keepingCapacity: true)
    guard place.isValid, tuning.radiusM >= 0 else { return }
    let key = RoadCell.key(place)
    let slot = hashedSlot(of: UInt64(bitPattern: key), among: Self.count)
    if cells[slot].key != key || cells[slot].marginM < tuning.radiusM {
      if book.forgetExcess() { cells = Array(repeating: RoadCell(), count: Self.count) }
      cells[slot].fill(key, marginM: tuning.radiusM, from: &book, network: network)
    }
    // Where they lie: a square that is copied counts its references.
    cells.withUnsafeBufferPointer { cells in
      cells[slot].feet(near: place, radiusM: tuning.radiusM, in: book, into: &feet)
      cells[slot].add(feet, of: book, to: &found)
    }
    network.thin(&found, previous: previous, route: route, tuning: tuning)
  }
}
