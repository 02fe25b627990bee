/// OSM ids of the points between the ends of pieces: four pieces to a block, like their positions
/// in `PieceShapes`.
///
/// Each id is stored as the zigzag varint of its wrapping difference from the previous id, the
/// first one from the tail of the piece's edge. It is 0 if the id is unknown. The number of points
/// is that of the shape. Editors number the nodes of a way consecutively, so most ids take one or
/// two bytes. Maps made before generation 7 of map making have none.
public struct PieceNodes {
  private var bytes: [UInt8] = []
  private var blocks: [UInt32] = []
  private var count = 0
  private var last: Int64 = 0

  public init() {}

  /// Starts the next piece, whose edge begins at the node `tail`.
  public mutating func startPiece(tail: Int64) {
    if count % PieceShapes.piecesPerBlock == 0 { blocks.append(UInt32(bytes.count)) }
    count += 1
    last = tail
  }

  public mutating func append(_ id: Int64) {
    Varint.append(Varint.zigzag(id &- last), to: &bytes)
    last = id
  }

  /// Ends the last piece and fills the columns.
  public consuming func finish(_ columns: inout RoadColumns) {
    columns.pointIDBlock = Column(blocks + [UInt32(bytes.count)])
    columns.pointIDByte = Column(bytes)
  }
}

extension RoadColumns {
  /// Whether the map contains the OSM ids of the points between the ends of pieces.
  public var hasPointIDs: Bool { pointIDBlock.count > 0 }

  /// OSM ids of the points between the ends of a piece, in the direction of its edge; empty if the
  /// map has none.
  ///
  /// Linear in the points of four pieces.
  public func pointIDs(ofPiece piece: Int) -> [Int64] {
    guard hasPointIDs else { return [] }
    let bytes = UnsafeRawBufferPointer(pointIDByte.records)
    let block = piece / PieceShapes.piecesPerBlock
    var offset = Int(pointIDBlock[block])
    for other in block * PieceShapes.piecesPerBlock..<piece {
      offset = Varint.skip(pointCount(ofPiece: other), in: pointIDByte.records, from: offset)
    }
    var id = nodeOSM[tail[pieceEdge[piece].index].index]
    var ids: [Int64] = []
    for _ in 0..<pointCount(ofPiece: piece) {
      guard let step = Varint.read(bytes, &offset) else { break }
      id &+= Varint.signed(step)
      ids.append(id)
    }
    return ids
  }

  /// Checks that either every point has an id, or none has.
  func validatePointIDs() throws(GraphFault) {
    guard hasPointIDs || pointIDByte.count > 0 else { return }
    let pieces = pieceEdge.count
    let blocks = (pieces + PieceShapes.piecesPerBlock - 1) / PieceShapes.piecesPerBlock
    guard pointIDBlock.count == blocks + 1 else {
      throw .wrongCount(column: "point.id_block", expected: blocks + 1, found: pointIDBlock.count)
    }
    let bytes = UnsafeRawBufferPointer(pointIDByte.records)
    var offset = 0
    for piece in 0..<pieces {
      let block = piece / PieceShapes.piecesPerBlock
      if piece % PieceShapes.piecesPerBlock == 0, Int(pointIDBlock.records[block]) != offset {
        throw .notAscending(column: "point.id_block", record: block)
      }
      for _ in 0..<pointCount(ofPiece: piece) {
        guard Varint.read(bytes, &offset) != nil else {
          throw .wrongCount(column: "point.id_byte", expected: offset + 1, found: bytes.count)
        }
      }
    }
    guard offset == bytes.count, Int(pointIDBlock.records[blocks]) == offset else {
      throw .wrongCount(column: "point.id_byte", expected: offset, found: bytes.count)
    }
  }
}
