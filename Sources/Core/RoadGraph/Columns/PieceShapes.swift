/// The points between the ends of pieces, in blocks of four pieces.
///
/// For each piece, a block contains the number of its points. The differences of each point's
/// latitude and longitude from the previous point follow, from the tail of the piece's edge on. All
/// numbers are varints, the differences zigzag; about four bytes per point. Reading a piece skips
/// at most three others.
public struct PieceShapes {
  static let piecesPerBlock = 4

  private var bytes: [UInt8] = []
  private var blocks: [UInt32] = []
  private var count = 0

  public init() {}

  /// Starts the next piece: the position of its edge's tail, and the number of points added by
  /// `append`.
  public mutating func startPiece(latitudeE7: Int32, longitudeE7: Int32, pointCount: Int) {
    if count % Self.piecesPerBlock == 0 { blocks.append(UInt32(bytes.count)) }
    count += 1
    Varint.append(UInt64(pointCount), to: &bytes)
    last = (latitudeE7, longitudeE7)
  }

  private var last: (lat: Int32, lon: Int32) = (0, 0)

  public mutating func append(latitudeE7: Int32, longitudeE7: Int32) {
    Varint.append(UInt64(Varint.zigzag(latitudeE7 &- last.lat)), to: &bytes)
    Varint.append(UInt64(Varint.zigzag(longitudeE7 &- last.lon)), to: &bytes)
    last = (latitudeE7, longitudeE7)
  }

  /// Ends the last piece and fills the columns.
  public consuming func finish(_ columns: inout RoadColumns) {
    columns.pointBlock = Column(blocks + [UInt32(bytes.count)])
    columns.pointByte = Column(bytes)
  }
}

extension RoadColumns {
  /// Where the points of a piece begin in `pointByte`, after their number, and how many there are.
  @inlinable @inline(__always) func points(ofPiece piece: Int) -> (offset: Int, count: Int) {
    var offset = Int(pointBlock[piece >> 2])
    var count = Int(Varint.next(pointByte.records, &offset))
    for _ in 0..<(piece & 3) {
      offset = Varint.skip(2 * count, in: pointByte.records, from: offset)
      count = Int(Varint.next(pointByte.records, &offset))
    }
    return (offset, count)
  }

  /// Number of points of a piece between its ends.
  public func pointCount(ofPiece piece: Int) -> Int { points(ofPiece: piece).count }

  /// Calls `body` with the points between the ends of a piece, in the direction of its edge.
  ///
  /// Degrees times 10^7.
  @inlinable @inline(__always) public func forEachPoint(
    ofPiece piece: Int, _ body: (_ latitudeE7: Int32, _ longitudeE7: Int32) -> Void
  ) {
    var (offset, count) = points(ofPiece: piece)
    guard count > 0 else { return }
    let start = tail[pieceEdge[piece].index].index
    var latitude = nodeLatitude[start]
    var longitude = nodeLongitude[start]
    while count > 0 {
      latitude &+= Varint.signed(Varint.next(pointByte.records, &offset))
      longitude &+= Varint.signed(Varint.next(pointByte.records, &offset))
      body(latitude, longitude)
      count -= 1
    }
  }

  /// The same, including the ends.
  @inlinable @inline(__always) public func forEachPointWithEnds(
    ofPiece piece: Int, _ body: (_ latitudeE7: Int32, _ longitudeE7: Int32) -> Void
  ) {
    let edge = pieceEdge[piece].index
    let (first, last) = (tail[edge].index, head[edge].index)
    body(nodeLatitude[first], nodeLongitude[first])
    forEachPoint(ofPiece: piece, body)
    body(nodeLatitude[last], nodeLongitude[last])
  }

  /// Checks that every piece's points exist, are complete and are valid coordinates.
  func validatePoints() throws(GraphFault) {
    let pieces = pieceEdge.count
    let blocks = (pieces + PieceShapes.piecesPerBlock - 1) / PieceShapes.piecesPerBlock
    guard pointBlock.count == blocks + 1 else {
      throw .wrongCount(column: "point.block", expected: blocks + 1, found: pointBlock.count)
    }
    let bytes = UnsafeRawBufferPointer(pointByte.records)
    var offset = 0
    for piece in 0..<pieces {
      if piece % PieceShapes.piecesPerBlock == 0,
        Int(pointBlock.records[piece / PieceShapes.piecesPerBlock]) != offset
      {
        throw .notAscending(column: "point.block", record: piece / PieceShapes.piecesPerBlock)
      }
      try validatePoints(ofPiece: piece, bytes, &offset)
    }
    guard offset == bytes.count, Int(pointBlock.records[blocks]) == offset else {
      throw .wrongCount(column: "point.byte", expected: offset, found: bytes.count)
    }
  }

  private func validatePoints(
    ofPiece piece: Int, _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
  ) throws(GraphFault) {
    let start = tail.records[pieceEdge.records[piece].index].index
    var latitude = nodeLatitude.records[start]
    var longitude = nodeLongitude.records[start]
    guard let count = Varint.read(bytes, &offset), count <= UInt64(bytes.count) else {
      throw .wrongCount(column: "point.byte", expected: offset + 1, found: bytes.count)
    }
    for _ in 0..<count {
      guard let north = Varint.read(bytes, &offset), let east = Varint.read(bytes, &offset),
        north <= UInt64(UInt32.max), east <= UInt64(UInt32.max)
      else { throw .wrongCount(column: "point.byte", expected: offset + 1, found: bytes.count) }
      // Differences wrap, since a piece may cross the antimeridian.
      latitude &+= Varint.signed(UInt32(truncatingIfNeeded: north))
      longitude &+= Varint.signed(UInt32(truncatingIfNeeded: east))
      guard Globe.holds(latitude, longitude) else {
        throw .outOfRange(
          column: "point.byte", record: piece, value: UInt64(offset), limit: UInt64(offset))
      }
    }
  }
}
