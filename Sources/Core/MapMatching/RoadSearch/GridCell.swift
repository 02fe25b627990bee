import Geodesy
import RoadGraph

/// A grid cell of the map with the road segments around it.
struct GridCell: Sendable, BitwiseCopyable {
  /// The pieces that may be near the cells, for all cells together: data needed for one place is
  /// contiguous.
  struct Nearby: ~Copyable {
    /// The same as `EdgeGeometryCache.Piece.box`, or larger until the piece is decoded; infinite
    /// where the mode may not drive.
    var boxes = Arena<SIMD4<Float>>()
    /// Index of the piece in `EdgeGeometryCache`; until it is decoded, its index in the map with
    /// all bits inverted.
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

    /// Reserves address space for this many pieces.
    mutating func reserve(_ count: Int) {
      boxes.reserve(count)
      pieces.reserve(count)
    }
  }

  private(set) var marginM = 0.0
  /// The plane of its region, and the number of the region.
  private(set) var plane = LocalPlane(origin: Coordinate(latitudeDeg: 0, longitudeDeg: 0))
  private(set) var region: UInt32 = 0
  /// The range of its pieces in the list of all cells.
  private var first: Int32 = 0
  private var end: Int32 = 0

  var nearby: Range<Int> { Int(first)..<Int(end) }

  /// Side length of a cell in bits of 1e-7 degrees: 182 m of latitude.
  private static let sideBits = 14
  /// The same for the regions in which roads are decoded: over 1.5 km the plane bends 50 m by less
  /// than a centimetre.
  private static let regionBits = 17

  /// Returns the number of the cell that contains `place`, below 2 to the power of 36.
  static func key(_ place: Coordinate) -> UInt64 {
    UInt64(bitPattern: row(place.latitudeDeg) << columnBits | row(place.longitudeDeg))
  }

  /// Returns the row of the cell from south to north, or its column from west to east, from 0.
  @inline(__always) private static func row(_ degrees: Double) -> Int64 {
    // Adding and subtracting 1.5 x 2^52 rounds to the nearest integer.
    let fixed = (degrees * 1e7 + 6_755_399_441_055_744) - 6_755_399_441_055_744
    return Int64(fixed) >> Int64(sideBits) + rowCount
  }

  private static let columnBits = Int64(18)
  /// Number of rows in half of the globe.
  private static let rowCount = Int64(1) << (columnBits - 1)

  private static func box(latitude: Int64, longitude: Int64, bits: Int) -> BoundingBox {
    func degrees(_ number: Int64) -> Double { Double(number << Int64(bits)) / 1e7 }
    return BoundingBox(
      southDeg: degrees(latitude), westDeg: degrees(longitude), northDeg: degrees(latitude + 1),
      eastDeg: degrees(longitude + 1))
  }

  /// Initializes the cell with number `key` and adds the pieces that may be within `marginM` of it
  /// to `nearby`.
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
    // A box that crosses the antimeridian is stored as one that spans the globe.
    guard Int64(box.east) - Int64(box.west) < 1_800_000_000 else {
      return SIMD4(repeating: -.infinity)
    }
    func point(_ latitude: Int32, _ longitude: Int32) -> PlanePoint {
      plane.point(
        Coordinate(latitudeDeg: Double(latitude) / 1e7, longitudeDeg: Double(longitude) / 1e7))
    }
    let (low, high) = (point(box.south, box.west), point(box.north, box.east))
    // A centimetre of margin for the rounding of plane coordinates.
    return SIMD4(Float(low.eastM), Float(low.northM), Float(-high.eastM), Float(-high.northM))
      - 0.01
  }

  /// The projection of a place onto a piece: its nearest point.
  struct Projection {
    /// Index in `EdgeGeometryCache`.
    var piece: Int32
    /// The block of its segment times four, plus the index of the segment in the block.
    var segment: Int32
    var squareM2: Float
    /// Position along the segment, 0 to 1.
    var share: Float

    var distanceM: Double { Double(squareM2.squareRoot()) }
  }

  /// A place with a search radius.
  struct Circle: BitwiseCopyable {
    let eastM: Float
    let northM: Float
    let radiusM: Float
    /// Upper bound of the boxes that intersect the circle.
    let limit: SIMD4<Float>

    init(_ middle: PlanePoint, radiusM radius: Double) {
      (eastM, northM, radiusM) = (Float(middle.eastM), Float(middle.northM), Float(radius))
      limit = SIMD4(eastM + radiusM, northM + radiusM, radiusM - eastM, radiusM - northM)
    }
  }

  /// Adds the nearest point of each piece of `passing` within a circle to `projections`, the
  /// nearest first; `geometry` contains the pieces.
  func projections(
    _ passing: borrowing Arena<Int32>, within circle: Circle,
    in geometry: borrowing EdgeGeometryCache,
    into projections: inout Arena<Projection>
  ) {
    projections.removeAll()
    // Projections exactly at the radius are included.
    let beyondM2 = (circle.radiusM * circle.radiusM).nextUp
    for index in 0..<passing.count {
      let number = passing[index]
      let piece = geometry.pieces[Int(number)]
      var best = Projection(piece: number, segment: -1, squareM2: beyondM2, share: 0)
      for block in Int(piece.firstBlock)..<Int(piece.endBlock)
      where all(geometry.blocks[block].box .<= circle.limit) {
        best.improve(geometry.blocks[block], block, circle)
      }
      guard best.segment >= 0 else { continue }
      var at = projections.count
      projections.append(best)
      while at > 0, isNearer(best, projections[at - 1], geometry) {
        projections[at] = projections[at - 1]
        at -= 1
      }
      projections[at] = best
    }
  }

  private func isNearer(_ a: Projection, _ b: Projection, _ geometry: borrowing EdgeGeometryCache)
    -> Bool
  {
    if a.squareM2 != b.squareM2 { return a.squareM2 < b.squareM2 }
    let (directed, other) = (
      geometry.pieces[Int(a.piece)].firstDirection, geometry.pieces[Int(b.piece)].firstDirection
    )
    return geometry.directions[Int(directed)].directed.state
      < geometry.directions[Int(other)].directed.state
  }

  /// Adds the candidates at `projections` to `found`, one for each direction of travel.
  func add(
    _ projections: borrowing Arena<Projection>, of geometry: borrowing EdgeGeometryCache,
    to found: inout Arena<Candidate>
  ) {
    // Computed once for all projections.
    let northDeg = 1 / Earth.metersPerDegree
    let eastDeg = plane.metersPerDegreeEast > 0 ? 1 / plane.metersPerDegreeEast : 0
    for index in 0..<projections.count {
      let projection = projections[index]
      let piece = geometry.pieces[Int(projection.piece)]
      let block = geometry.blocks[Int(projection.segment >> 2)]
      let segment = Int(projection.segment & 3)
      let course = DirectionVector(toEast: block.toEast[segment], toNorth: block.toNorth[segment])
      let eastM = Double(block.east[segment] + projection.share * course.toEast)
      let northM = Double(block.north[segment] + projection.share * course.toNorth)
      let coordinate = Coordinate(
        latitudeDeg: plane.origin.latitudeDeg + northM * northDeg,
        longitudeDeg: Angle.signedDeg(plane.origin.longitudeDeg + eastM * eastDeg))
      let lengthM = (course.toEast * course.toEast + course.toNorth * course.toNorth).squareRoot()
      let alongM = block.startM[segment] + projection.share * lengthM
      let measured = Double(alongM) * piece.scale
      let offset = measured < piece.lengthM ? measured : piece.lengthM
      let distanceM = projection.distanceM
      for number in Int(piece.firstDirection)..<Int(piece.endDirection) {
        let direction = geometry.directions[number]
        found.append(
          Candidate(
            directed: direction.directed,
            offsetM: direction.isReversed ? piece.lengthM - offset : offset,
            coordinate: coordinate, distanceM: distanceM,
            course: direction.isReversed ? course.reversed : course))
      }
    }
  }
}

extension GridCell.Projection {
  /// Becomes the point of a block nearest to the centre of a circle, if that is nearer than the
  /// current point.
  @inline(__always) fileprivate mutating func improve(
    _ block: EdgeGeometryCache.Block, _ number: Int, _ circle: GridCell.Circle
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
