import Geodesy
import RoadGraph

/// Cache of decoded edge geometry for a mode; each piece is stored once for all cells of a region
/// that contain it.
///
/// Coordinates are metres east and north of the centre of the region.
struct EdgeGeometryCache: ~Copyable {
  /// A direction of travel along a piece, and whether it runs against the order of the points.
  struct Direction: BitwiseCopyable {
    var directed: DirectedEdge
    var isReversed: Bool
  }

  struct Piece: BitwiseCopyable {
    /// West, south, and negated east and north: all four are at most those of a box that it
    /// intersects.
    var box: SIMD4<Float>
    var firstBlock: Int32
    var endBlock: Int32
    /// The range of directed edges, empty if the mode may not drive there.
    var firstDirection: Int32
    var endDirection: Int32
    var lengthM: Double
    /// Ratio of the stored length to the measured length.
    var scale: Double
    fileprivate var region: UInt32 = 0
    /// Index of the same piece in another region; -1 for none.
    fileprivate var next: Int32 = -1
  }

  /// Four segments of a piece side by side, so that the nearest of them is found at once.
  struct Block: BitwiseCopyable {
    /// The box of the segments, as that of a piece.
    var box = SIMD4<Float>(repeating: .infinity)
    /// Start points in metres; far away where the piece has no more segments.
    var east = SIMD4<Float>(repeating: 1e9)
    var north = SIMD4<Float>(repeating: 1e9)
    /// Vectors from the start points to the end points.
    var toEast = SIMD4<Float>()
    var toNorth = SIMD4<Float>()
    /// Reciprocals of the squared lengths.
    var inverse = SIMD4<Float>()
    /// Metres from the first point of the piece.
    var startM = SIMD4<Float>()
  }

  private(set) var blocks = Arena<Block>()
  private(set) var directions = Arena<Direction>()
  private(set) var pieces = Arena<Piece>()
  /// Index of the first decoded piece by its number in the map; the others follow it.
  private var numbers = KeyIndexTable()
  private var firsts = Arena<Int32>()
  /// Segments of the piece that is being decoded.
  private var segments = Arena<PieceLine.Segment>()
  private let greatestCount: Int

  /// At most `greatestCount` blocks or pieces are kept; a block takes about 110 bytes, a piece 150.
  init(greatestCount: Int = 131_072) { self.greatestCount = greatestCount }

  /// Empties the cache if it is too large; returns whether it was.
  mutating func forgetExcess() -> Bool {
    // Pieces that the mode may not use have no blocks, and there may be many of them.
    guard max(blocks.count, pieces.count) > greatestCount else { return false }
    blocks.removeAll()
    directions.removeAll()
    pieces.removeAll()
    numbers.removeAll()
    firsts.removeAll()
    return true
  }

  /// Returns the index in `pieces` of a piece of the map in `plane`, the plane of `region`.
  mutating func piece(
    _ number: Int, region: UInt32, _ plane: LocalPlane, _ network: MatchingNetwork
  ) -> Int {
    let (first, isNew) = numbers.number(of: UInt64(UInt32(truncatingIfNeeded: number)))
    var known = isNew ? -1 : firsts[first]
    while known >= 0, pieces[Int(known)].region != region { known = pieces[Int(known)].next }
    if known >= 0 { return Int(known) }
    var piece = decode(number, plane, network)
    piece.region = region
    if isNew { firsts.append(-1) }
    piece.next = firsts[first]
    firsts[first] = Int32(pieces.count)
    pieces.append(piece)
    return pieces.count - 1
  }

  private mutating func decode(
    _ number: Int, _ plane: LocalPlane, _ network: MatchingNetwork
  ) -> Piece {
    reserve(network)
    let edge = network.graph.columns.pieceEdge[number]
    let firstDirection = directions.count
    addDirectedEdges(edge, isReversed: false, network)
    if let twin = network.graph.twin(edge) { addDirectedEdges(twin, isReversed: true, network) }
    sortDirectedEdges(from: firstDirection)
    var piece = Piece(
      box: SIMD4(repeating: .infinity), firstBlock: Int32(blocks.count),
      endBlock: Int32(blocks.count), firstDirection: Int32(firstDirection),
      endDirection: Int32(firstDirection),
      lengthM: network.graph.lengthM(edge), scale: 1)
    guard directions.count > firstDirection else { return piece }
    var line = PieceLine(plane)
    segments.removeAll()
    network.graph.columns.forEachPointWithEnds(ofPiece: number) { latitude, longitude in
      if let segment = line.step(latitude, longitude) { segments.append(segment) }
    }
    for first in stride(from: 0, to: segments.count, by: 4) { addBlock(from: first) }
    guard line.walkedM > 0 else {
      directions.removeAll(from: firstDirection)
      return piece
    }
    piece.box = line.box
    piece.endBlock = Int32(blocks.count)
    piece.endDirection = Int32(directions.count)
    piece.scale = piece.lengthM / line.walkedM
    return piece
  }

  /// Appends a block of four segments, starting with the given one.
  private mutating func addBlock(from first: Int) {
    let count = segments.count
    let (a, b, c, d) = (
      segments[first], first + 1 < count ? segments[first + 1] : .none,
      first + 2 < count ? segments[first + 2] : .none,
      first + 3 < count ? segments[first + 3] : .none
    )
    var block = Block()
    block.east = SIMD4(a.eastM, b.eastM, c.eastM, d.eastM)
    block.north = SIMD4(a.northM, b.northM, c.northM, d.northM)
    block.toEast = SIMD4(a.toEastM, b.toEastM, c.toEastM, d.toEastM)
    block.toNorth = SIMD4(a.toNorthM, b.toNorthM, c.toNorthM, d.toNorthM)
    block.inverse = SIMD4(a.inverse, b.inverse, c.inverse, d.inverse)
    block.startM = SIMD4(a.startM, b.startM, c.startM, d.startM)
    for number in first..<min(first + 4, count) {
      block.box.replace(with: segments[number].box, where: segments[number].box .< block.box)
    }
    blocks.append(block)
  }

  private mutating func sortDirectedEdges(from first: Int) {
    for number in stride(from: first + 1, to: directions.count, by: 1) {
      let directed = directions[number]
      var at = number
      while at > first, directed.directed.state < directions[at - 1].directed.state {
        directions[at] = directions[at - 1]
        at -= 1
      }
      directions[at] = directed
    }
  }

  private mutating func reserve(_ network: MatchingNetwork) {
    let count = min(greatestCount, 2 * network.graph.pieceCount)
    guard pieces.capacity < count else { return }
    pieces.reserve(count)
    directions.reserve(2 * count)
    blocks.reserve(min(greatestCount, 3 * count))
  }

  private mutating func addDirectedEdges(
    _ edge: EdgeID, isReversed: Bool, _ network: MatchingNetwork
  ) {
    guard network.isUsable(edge) else { return }
    add(TravelState(edge, isAgainst: false), isReversed: isReversed, network)
    guard network.isOneWay(edge) else { return }
    add(TravelState(edge, isAgainst: true), isReversed: !isReversed, network)
  }

  private mutating func add(_ state: TravelState, isReversed: Bool, _ network: MatchingNetwork) {
    directions.append(Direction(directed: network.directed(state), isReversed: isReversed))
  }
}
