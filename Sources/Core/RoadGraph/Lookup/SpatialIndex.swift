import Geodesy

/// A box of the spatial index: degrees times 10^7, including both ends.
@frozen
public struct IndexBox: Hashable, Sendable, BitwiseCopyable {
  public var south: Int32
  public var west: Int32
  public var north: Int32
  public var east: Int32

  public init(south: Int32, west: Int32, north: Int32, east: Int32) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// An empty box to be extended.
  static let nothing = IndexBox(south: .max, west: .max, north: .min, east: .min)

  mutating func cover(_ other: IndexBox) {
    south = min(south, other.south)
    west = min(west, other.west)
    north = max(north, other.north)
    east = max(east, other.east)
  }

  mutating func cover(_ latitude: Int32, _ longitude: Int32) {
    south = min(south, latitude)
    west = min(west, longitude)
    north = max(north, latitude)
    east = max(east, longitude)
  }

  /// The part of an area beyond the antimeridian, in the longitudes there; nil for none.
  var beyondAntimeridian: IndexBox? {
    var part = self
    if east > Globe.eastE7 {
      part.west = -Globe.eastE7
      part.east = Int32(clamping: Int64(east) - 2 * Int64(Globe.eastE7))
    } else if west < -Globe.eastE7 {
      part.east = Globe.eastE7
      part.west = Int32(clamping: Int64(west) + 2 * Int64(Globe.eastE7))
    } else {
      return nil
    }
    return part
  }

  @inlinable func meets(_ other: IndexBox) -> Bool {
    south <= other.north && other.south <= north && west <= other.east && other.west <= east
  }
}

/// A piece's box in 255ths of the box of its group of sixteen, rounded outwards.
@frozen
public struct PieceBox: Hashable, Sendable, BitwiseCopyable {
  public var south: UInt8
  public var west: UInt8
  public var north: UInt8
  public var east: UInt8

  /// The smallest such box around `box`, which lies within `whole`.
  init(_ box: IndexBox, within whole: IndexBox) {
    let height = Self.span(whole.south, whole.north)
    let width = Self.span(whole.west, whole.east)
    south = Self.floor(Int64(box.south) - Int64(whole.south), height)
    north = Self.ceiling(Int64(box.north) - Int64(whole.south), height)
    west = Self.floor(Int64(box.west) - Int64(whole.west), width)
    east = Self.ceiling(Int64(box.east) - Int64(whole.west), width)
  }

  /// The part of `whole` that an area covers, rounded outwards: it intersects every box that the
  /// area intersects.
  init(query: IndexBox, within whole: IndexBox) {
    let clamped = IndexBox(
      south: max(query.south, whole.south), west: max(query.west, whole.west),
      north: min(query.north, whole.north), east: min(query.east, whole.east))
    self.init(clamped, within: whole)
  }

  /// The box that it describes within `whole`; never smaller than the one it was made from.
  func box(within whole: IndexBox) -> IndexBox {
    let height = Self.span(whole.south, whole.north)
    let width = Self.span(whole.west, whole.east)
    func place(_ start: Int32, _ share: UInt8, _ span: Int64, isEnd: Bool) -> Int32 {
      Int32(clamping: Int64(start) + (Int64(share) * span + (isEnd ? 254 : 0)) / 255)
    }
    return IndexBox(
      south: place(whole.south, south, height, isEnd: false),
      west: place(whole.west, west, width, isEnd: false),
      north: place(whole.south, north, height, isEnd: true),
      east: place(whole.west, east, width, isEnd: true))
  }

  func meets(_ other: PieceBox) -> Bool {
    south <= other.north && other.south <= north && west <= other.east && other.west <= east
  }

  private static func span(_ from: Int32, _ to: Int32) -> Int64 {
    max(1, Int64(to) - Int64(from))
  }

  private static func floor(_ offset: Int64, _ span: Int64) -> UInt8 {
    UInt8(clamping: offset * 255 / span)
  }

  private static func ceiling(_ offset: Int64, _ span: Int64) -> UInt8 {
    UInt8(clamping: (offset * 255 + span - 1) / span)
  }
}

/// A packed R-tree over the pieces of road in their order, which follows a Hilbert curve.
///
/// I. Kamel and C. Faloutsos, "Hilbert R-tree: An Improved R-tree Using Fractals", VLDB 1994.
/// Sixteen pieces form a box, and sixteen boxes the next one. The order determines which, so that
/// no index is stored.
public enum SpatialIndex {
  static let fanOut = 16

  /// Fills the index columns of the node, edge and piece columns.
  ///
  /// Linear.
  public static func build(for columns: inout RoadColumns) {
    let pieces = columns.pieceEdge.count
    var boxes: [IndexBox] = []
    var small: [PieceBox] = []
    small.reserveCapacity(pieces)
    for first in stride(from: 0, to: pieces, by: fanOut) {
      let leaves = (first..<min(first + fanOut, pieces)).map { columns.box(ofPiece: $0) }
      var whole = IndexBox.nothing
      for leaf in leaves { whole.cover(leaf) }
      boxes.append(whole)
      for leaf in leaves { small.append(PieceBox(leaf, within: whole)) }
    }
    var first = 0
    while boxes.count - first > 1 {
      let next = boxes.count
      for start in stride(from: first, to: next, by: fanOut) {
        var parent = boxes[start]
        for child in start..<min(start + fanOut, next) { parent.cover(boxes[child]) }
        boxes.append(parent)
      }
      first = next
    }
    columns.boxes = Column(boxes)
    columns.pieceBoxes = Column(small)
  }

  /// Where each level begins among the boxes, the one above the pieces first, and the end of the
  /// last.
  static func levels(pieces: Int) -> [Int] {
    var starts = [0]
    var count = (pieces + fanOut - 1) / fanOut
    while count > 0 {
      starts.append((starts.last ?? 0) + count)
      count = count == 1 ? 0 : (count + fanOut - 1) / fanOut
    }
    return starts
  }

  /// The position of a cell on the Hilbert curve of order 32.
  ///
  /// J. Skilling, "Programming the Hilbert curve", AIP Conf. Proc. 707 (2004), for two dimensions.
  public static func hilbert(x: UInt32, y: UInt32) -> UInt64 {
    var (x, y) = (x, y)
    var place: UInt64 = 0
    var side: UInt32 = 1 << 31
    while side > 0 {
      let right: UInt32 = x & side != 0 ? 1 : 0
      let upper: UInt32 = y & side != 0 ? 1 : 0
      place = place << 2 | UInt64((3 &* right) ^ upper)
      if upper == 0 {
        if right == 1 {
          x = ~x
          y = ~y
        }
        swap(&x, &y)
      }
      side >>= 1
    }
    return place
  }

  static func bounds(of columns: RoadColumns) -> BoundingBox? {
    guard let root = columns.boxes.records.last else { return nil }
    return BoundingBox(
      southDeg: Double(root.south) / 1e7, westDeg: Double(root.west) / 1e7,
      northDeg: Double(root.north) / 1e7, eastDeg: Double(root.east) / 1e7)
  }

  static func validate(_ columns: RoadColumns) throws(GraphFault) {
    let pieces = columns.pieceEdge.count
    let expected = levels(pieces: pieces).last ?? 0
    guard columns.boxes.count == expected else {
      throw .wrongCount(column: "index.box", expected: expected, found: columns.boxes.count)
    }
    guard columns.pieceBoxes.count == pieces else {
      throw .wrongCount(column: "index.piece", expected: pieces, found: columns.pieceBoxes.count)
    }
  }
}

extension RoadColumns {
  /// The exact box around a piece.
  func box(ofPiece piece: Int) -> IndexBox {
    let edge = pieceEdge[piece].index
    var box = IndexBox.nothing
    for node in [tail[edge].index, head[edge].index] {
      box.cover(nodeLatitude[node], nodeLongitude[node])
    }
    forEachPoint(ofPiece: piece) { box.cover($0, $1) }
    // A piece that crosses the antimeridian has parts at both ends of the longitude range.
    if Int64(box.east) - Int64(box.west) > Int64(Globe.eastE7) {
      (box.west, box.east) = (-Globe.eastE7, Globe.eastE7)
    }
    return box
  }
}

/// The range of valid coordinates.
enum Globe {
  /// Longitude of the antimeridian, in ten-millionths of a degree.
  static let eastE7: Int32 = 1_800_000_000

  /// Whether degrees times 10^7 are a valid coordinate.
  static func holds(_ latitudeE7: Int32, _ longitudeE7: Int32) -> Bool {
    latitudeE7 >= -900_000_000 && latitudeE7 <= 900_000_000 && longitudeE7 >= -1_800_000_000
      && longitudeE7 <= 1_800_000_000
  }
}
