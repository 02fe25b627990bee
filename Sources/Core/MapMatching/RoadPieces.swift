import Geodesy
import RoadGraph

/// Pieces of road of a mode, decoded and flat, each once for all squares of a region that hold it.
///
/// Places are metres east and north of the middle of the region.
struct RoadPieces: ~Copyable {
  /// A direction of travel along a piece, and whether it runs against the order of the points.
  struct Direction: BitwiseCopyable {
    var lane: Lane
    var isReversed: Bool
  }

  struct Piece: BitwiseCopyable {
    /// West, south, and east and north with their signs turned: all four lie below those of a box that it meets.
    var box: SIMD4<Float>
    var firstBlock: Int32
    var endBlock: Int32
    /// No lanes where the mode may not be.
    var firstLane: Int32
    var endLane: Int32
    var lengthM: Double
    /// Metres of the stored length for one measured.
    var scale: Double
    fileprivate var region: UInt32 = 0
    /// The number of the same piece in another region; -1 for none.
    fileprivate var next: Int32 = -1
  }

  /// Four segments of a piece side by side, so that the nearest of them is found at once.
  struct Block: BitwiseCopyable {
    /// As that of a piece.
    var box = SIMD4<Float>(repeating: .infinity)
    /// Where they begin, in metres; far away where the piece has no more.
    var east = SIMD4<Float>(repeating: 1e9)
    var north = SIMD4<Float>(repeating: 1e9)
    /// From there to where they end.
    var toEast = SIMD4<Float>()
    var toNorth = SIMD4<Float>()
    /// One over the square of the length.
    var inverse = SIMD4<Float>()
    /// Metres from the piece's first point.
    var startM = SIMD4<Float>()
  }

  private(set) var blocks = Arena<Block>()
  private(set) var lanes = Arena<Direction>()
  private(set) var pieces = Arena<Piece>()
  /// Of the first of the pieces that is one of the map, by the number of that; the others follow it.
  private var numbers = KeyNumbers()
  private var firsts = Arena<Int32>()
  /// Of the piece that is decoded.
  private var segments = Arena<PieceLine.Segment>()
  private let greatestCount: Int

  /// More than `greatestCount` blocks, or pieces, are not kept; some 110 bytes a block and 150 a piece.
  init(greatestCount: Int = 131_072) { self.greatestCount = greatestCount }

  /// Forgets all where it is too much; whether it was.
  mutating func forgetExcess() -> Bool {
    // Pieces that the mode may not use have no blocks, and there may be many.
    guard max(blocks.count, pieces.count) > greatestCount else { return false }
    blocks.removeAll()
    lanes.removeAll()
    pieces.removeAll()
    numbers.removeAll()
    firsts.removeAll()
    return true
  }

  /// The number in `pieces` of a piece of the map as it lies in `plane`, the one of `region`.
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
    let firstLane = lanes.count
    addLanes(edge, isReversed: false, network)
    if let twin = network.graph.twin(edge) { addLanes(twin, isReversed: true, network) }
    sortLanes(from: firstLane)
    var piece = Piece(
      box: SIMD4(repeating: .infinity), firstBlock: Int32(blocks.count),
      endBlock: Int32(blocks.count), firstLane: Int32(firstLane), endLane: Int32(firstLane),
      lengthM: network.graph.lengthM(edge), scale: 1)
    guard lanes.count > firstLane else { return piece }
    var line = PieceLine(plane)
    segments.removeAll()
    network.graph.columns.forEachPointWithEnds(ofPiece: number) { latitude, longitude in
      if let segment = line.step(latitude, longitude) { segments.append(segment) }
    }
    for first in stride(from: 0, to: segments.count, by: 4) { addBlock(from: first) }
    guard line.walkedM > 0 else {
      lanes.removeAll(from: firstLane)
      return piece
    }
    piece.box = line.box
    piece.endBlock = Int32(blocks.count)
    piece.endLane = Int32(lanes.count)
    piece.scale = piece.lengthM / line.walkedM
    return piece
  }

  /// Adds four of the segments, the first of them given.
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

  private mutating func sortLanes(from first: Int) {
    for number in stride(from: first + 1, to: lanes.count, by: 1) {
      let lane = lanes[number]
      var at = number
      while at > first, lane.lane.state < lanes[at - 1].lane.state {
        lanes[at] = lanes[at - 1]
        at -= 1
      }
      lanes[at] = lane
    }
  }

  private mutating func reserve(_ network: MatchingNetwork) {
    let count = min(greatestCount, 2 * network.graph.pieceCount)
    guard pieces.capacity < count else { return }
    pieces.reserve(count)
    lanes.reserve(2 * count)
    blocks.reserve(min(greatestCount, 3 * count))
  }

  private mutating func addLanes(_ edge: EdgeID, isReversed: Bool, _ network: MatchingNetwork) {
    guard network.isUsable(edge) else { return }
    add(TravelState(edge, isAgainst: false), isReversed: isReversed, network)
    guard network.isOneWay(edge) else { return }
    add(TravelState(edge, isAgainst: true), isReversed: !isReversed, network)
  }

  private mutating func add(_ state: TravelState, isReversed: Bool, _ network: MatchingNetwork) {
    lanes.append(Direction(lane: network.lane(state), isReversed: isReversed))
  }
}
