import Geodesy
import RoadGraph

/// One square of the map, with the pieces of road around it.
struct RoadCell: Sendable, BitwiseCopyable {
  /// The pieces that may be near to squares, of all squares together: what is looked at for each place lies together.
  struct Nearby: ~Copyable {
    /// As `RoadPieces.Piece.box`, or larger while it is not decoded; infinite where nobody may be on it.
    var boxes = Arena<SIMD4<Float>>()
    /// Its number in `RoadPieces`; while it is not decoded that of the map, with all bits turned.
    var pieces = Arena<Int32>()

    var count: Int { pieces.count }

    mutating func append(_ box: SIMD4<Float>, number: Int) {
      boxes.append(box)
      pieces.append(~Int32(truncatingIfNeeded: number))
    }

    mutating func removeAll() {
      boxes.removeAll()
      pieces.removeAll()
    }

    /// Keeps address space for so many.
    mutating func reserve(_ count: Int) {
      boxes.reserve(count)
      pieces.reserve(count)
    }
  }

  private(set) var marginM = 0.0
  /// Of its region, and the number of that.
  private(set) var plane = LocalPlane(origin: Coordinate(latitudeDeg: 0, longitudeDeg: 0))
  private(set) var region: UInt32 = 0
  /// Its pieces among those of all squares.
  private var first: Int32 = 0
  private var end: Int32 = 0

  var nearby: Range<Int> { Int(first)..<Int(end) }

  /// Bits of a ten millionth of a degree that a square's side has: 182 m of latitude.
  private static let sideBits = 14
  /// The same for the regions in which roads are decoded: 1.5 km, in which a plane bends 50 m by less than a centimetre.
  private static let regionBits = 17

  /// The number of the square that `place` lies in, below 2 to the power of 36.
  static func key(_ place: Coordinate) -> UInt64 {
    UInt64(bitPattern: row(place.latitudeDeg) << columnBits | row(place.longitudeDeg))
  }

  /// The number of the square among those that follow on each other to the north, or to the east, from 0.
  @inline(__always) private static func row(_ degrees: Double) -> Int64 {
    // Adding and taking away 1.5 x 2^52 rounds to the nearest whole number.
    let fixed = (degrees * 1e7 + 6_755_399_441_055_744) - 6_755_399_441_055_744
    return Int64(fixed) >> Int64(sideBits) + rowCount
  }

  private static let columnBits = Int64(18)
  /// Of them, in half of the globe.
  private static let rowCount = Int64(1) << (columnBits - 1)

  private static func box(latitude: Int64, longitude: Int64, bits: Int) -> BoundingBox {
    func degrees(_ number: Int64) -> Double { Double(number << Int64(bits)) / 1e7 }
    return BoundingBox(
      southDeg: degrees(latitude), westDeg: degrees(longitude), northDeg: degrees(latitude + 1),
      eastDeg: degrees(longitude + 1))
  }

  /// Becomes the square numbered `key`, and adds what may be within `marginM` of it to `nearby`.
  mutating func fill(
    _ key: UInt64, marginM: Double, _ nearby: inout Nearby, network: MatchingNetwork
  ) {
    self.marginM = marginM
    let latitude = Int64(key >> UInt64(Self.columnBits)) - Self.rowCount
    let longitude = Int64(key & UInt64(2 * Self.rowCount - 1)) - Self.rowCount
    let shift = Int64(Self.regionBits - Self.sideBits)
    let whole = Self.box(
      latitude: latitude >> shift, longitude: longitude >> shift, bits: Self.regionBits)
    plane = LocalPlane(
      origin: Coordinate(
        latitudeDeg: (whole.southDeg + whole.northDeg) / 2,
        longitudeDeg: (whole.westDeg + whole.eastDeg) / 2))
    region = UInt32(
      truncatingIfNeeded: (latitude >> shift) << 16 | ((longitude >> shift) & 0xffff))
    let box = Self.box(latitude: latitude, longitude: longitude, bits: Self.sideBits)
      .expanded(byM: marginM * 1.001 + 0.1)
    first = Int32(nearby.count)
    network.graph.forEachPiece(around: box) { piece, box in
      nearby.append(corners(of: box), number: piece)
    }
    end = Int32(nearby.count)
  }

  private func corners(of box: IndexBox) -> SIMD4<Float> {
    // One that crosses the antimeridian is told to go round the globe.
    guard Int64(box.east) - Int64(box.west) < 1_800_000_000 else {
      return SIMD4(repeating: -.infinity)
    }
    func point(_ latitude: Int32, _ longitude: Int32) -> PlanePoint {
      plane.point(
        Coordinate(latitudeDeg: Double(latitude) / 1e7, longitudeDeg: Double(longitude) / 1e7))
    }
    let (low, high) = (point(box.south, box.west), point(box.north, box.east))
    // A centimetre for what the plane's numbers are rounded by.
    return SIMD4(Float(low.eastM), Float(low.northM), Float(-high.eastM), Float(-high.northM))
      - 0.01
  }

  /// A point of a piece, the nearest to some place.
  struct Foot {
    /// Of `RoadPieces`.
    var piece: Int32
    /// The block of its segment, times four, plus the segment's place in it.
    var segment: Int32
    var squareM2: Float
    /// How far along the segment it is, 0 to 1.
    var share: Float

    var distanceM: Double { Double(squareM2.squareRoot()) }
  }

  /// A place, and what is near to it.
  struct Circle: BitwiseCopyable {
    let eastM: Float
    let northM: Float
    let radiusM: Float
    /// What the boxes lie below that meet it.
    let limit: SIMD4<Float>

    init(_ middle: PlanePoint, radiusM radius: Double) {
      (eastM, northM, radiusM) = (Float(middle.eastM), Float(middle.northM), Float(radius))
      limit = SIMD4(eastM + radiusM, northM + radiusM, radiusM - eastM, radiusM - northM)
    }
  }

  /// Adds the nearest point of each of `passing`, pieces of `book`, within a circle to `feet`, the nearest first.
  func feet(
    _ passing: borrowing Arena<Int32>, within circle: Circle, in book: borrowing RoadPieces,
    into feet: inout Arena<Foot>
  ) {
    feet.removeAll()
    // Feet at the radius itself are within it.
    let beyondM2 = (circle.radiusM * circle.radiusM).nextUp
    for index in 0..<passing.count {
      let number = passing[index]
      let piece = book.pieces[Int(number)]
      var best = Foot(piece: number, segment: -1, squareM2: beyondM2, share: 0)
      for block in Int(piece.firstBlock)..<Int(piece.endBlock)
      where all(book.blocks[block].box .<= circle.limit) {
        best.take(book.blocks[block], block, circle)
      }
      guard best.segment >= 0 else { continue }
      var at = feet.count
      feet.append(best)
      while at > 0, isNearer(best, feet[at - 1], book) {
        feet[at] = feet[at - 1]
        at -= 1
      }
      feet[at] = best
    }
  }

  private func isNearer(_ a: Foot, _ b: Foot, _ book: borrowing RoadPieces) -> Bool {
    if a.squareM2 != b.squareM2 { return a.squareM2 < b.squareM2 }
    let (lane, other) = (book.pieces[Int(a.piece)].firstLane, book.pieces[Int(b.piece)].firstLane)
    return book.lanes[Int(lane)].lane.state < book.lanes[Int(other)].lane.state
  }

  /// Adds the candidates at `feet`, each direction of travel, to `found`.
  func add(
    _ feet: borrowing Arena<Foot>, of book: borrowing RoadPieces, to found: inout Arena<Candidate>
  ) {
    // Divided once for all feet.
    let northDeg = 1 / Earth.metersPerDegree
    let eastDeg = plane.metersPerDegreeEast > 0 ? 1 / plane.metersPerDegreeEast : 0
    for index in 0..<feet.count {
      let foot = feet[index]
      let piece = book.pieces[Int(foot.piece)]
      let block = book.blocks[Int(foot.segment >> 2)]
      let segment = Int(foot.segment & 3)
      let course = PlaneCourse(toEast: block.toEast[segment], toNorth: block.toNorth[segment])
      let eastM = Double(block.east[segment] + foot.share * course.toEast)
      let northM = Double(block.north[segment] + foot.share * course.toNorth)
      let coordinate = Coordinate(
        latitudeDeg: plane.origin.latitudeDeg + northM * northDeg,
        longitudeDeg: Angle.signedDeg(plane.origin.longitudeDeg + eastM * eastDeg))
      let lengthM = (course.toEast * course.toEast + course.toNorth * course.toNorth).squareRoot()
      let alongM = block.startM[segment] + foot.share * lengthM
      let measured = Double(alongM) * piece.scale
      let offset = measured < piece.lengthM ? measured : piece.lengthM
      let distanceM = foot.distanceM
      for number in Int(piece.firstLane)..<Int(piece.endLane) {
        let direction = book.lanes[number]
        found.append(
          Candidate(
            lane: direction.lane,
            offsetM: direction.isReversed ? piece.lengthM - offset : offset,
            coordinate: coordinate, distanceM: distanceM,
            course: direction.isReversed ? course.reversed : course))
      }
    }
  }
}

extension RoadCell.Foot {
  /// Becomes the point of a block that is nearest to the middle of a circle, where that is nearer.
  @inline(__always) fileprivate mutating func take(
    _ block: RoadPieces.Block, _ number: Int, _ circle: RoadCell.Circle
  ) {
    let (east, north) = (circle.eastM, circle.northM)
    let along =
      ((east - block.east) * block.toEast + (north - block.north) * block.toNorth) * block.inverse
    var share = along.replacing(with: SIMD4(), where: along .< SIMD4())
    share.replace(with: SIMD4(repeating: 1), where: share .> SIMD4(repeating: 1))
    let eastM = east - (block.east + share * block.toEast)
    let northM = north - (block.north + share * block.toNorth)
    let squaresM2 = eastM * eastM + northM * northM
    guard any(squaresM2 .< SIMD4(repeating: squareM2)) else { return }
    for place in 0..<4 where squaresM2[place] < squareM2 {
      squareM2 = squaresM2[place]
      segment = Int32(4 * number + place)
      self.share = share[place]
    }
  }
}
