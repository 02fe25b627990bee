public import Geodesy

extension RoadGraph {
  /// Calls `visit` with the number of each piece whose box intersects `area`; logarithmic plus the
  /// number found.
  public func forEachPiece(in area: BoundingBox, _ visit: (Int) -> Void) {
    let query = Self.fixed(area)
    let beyond = query.beyondAntimeridian
    forEachPiece(around: query) { piece in
      let box = columns.box(ofPiece: piece)
      if box.meets(query) || beyond.map(box.meets) == true { visit(piece) }
    }
  }

  /// Calls `visit` with each piece whose box intersects `area`, and a box around it.
  ///
  /// It also visits some pieces whose box nearly intersects the area. This is cheaper, since no
  /// piece is decoded.
  public func forEachPiece(around area: BoundingBox, _ visit: (Int, IndexBox) -> Void) {
    forEachPiece(around: Self.fixed(area)) { piece, whole in
      visit(piece, columns.pieceBoxes[piece].box(within: whole))
    }
  }

  /// Calls `visit` with each piece whose box intersects an area, and some whose box nearly does.
  func forEachPiece(around query: IndexBox, _ visit: (Int) -> Void) {
    forEachPiece(around: query) { piece, _ in visit(piece) }
  }

  /// Calls `visit` with each piece around an area and the box of its group of sixteen pieces.
  ///
  /// The piece's own box is relative to that box. An area may reach across the antimeridian.
  private func forEachPiece(around query: IndexBox, _ visit: (Int, IndexBox) -> Void) {
    search(query, visit)
    guard let beyond = query.beyondAntimeridian else { return }
    search(beyond) { piece, box in
      // Pieces across the antimeridian intersect both parts.
      let isKnown =
        box.meets(query)
        && columns.pieceBoxes[piece].meets(PieceBox(query: query, within: box))
      if !isKnown { visit(piece, box) }
    }
  }

  private func search(_ query: IndexBox, _ visit: (Int, IndexBox) -> Void) {
    let levels = indexLevels
    guard levels.count > 1 else { return }
    let top = columns.boxes.count - 1
    guard columns.boxes[top].meets(query) else { return }
    var open: [(box: Int, level: Int)] = []
    open.reserveCapacity(4 * SpatialIndex.fanOut)
    open.append((top, levels.count - 2))
    while let (index, level) = open.popLast() {
      let box = columns.boxes[index]
      let first = (index - levels[level]) * SpatialIndex.fanOut
      if level == 0 {
        let part = PieceBox(query: query, within: box)
        for piece in first..<min(first + SpatialIndex.fanOut, pieceCount)
        where columns.pieceBoxes[piece].meets(part) { visit(piece, box) }
      } else {
        let below = levels[level - 1]
        let end = min(below + first + SpatialIndex.fanOut, levels[level])
        for child in ((below + first)..<end).reversed() where columns.boxes[child].meets(query) {
          open.append((child, level - 1))
        }
      }
    }
  }

  static func fixed(_ area: BoundingBox) -> IndexBox {
    func fixed(_ degrees: Double) -> Int32 {
      Int32(Double.maximum(-2e9, Double.minimum(2e9, (degrees * 1e7).rounded())))
    }
    return IndexBox(
      south: fixed(area.southDeg), west: fixed(area.westDeg), north: fixed(area.northDeg),
      east: fixed(area.eastDeg))
  }
}
