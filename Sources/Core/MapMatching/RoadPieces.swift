import Geodesy
import RoadGraph

/// Pieces of road of a mode, decoded and flat, each once for all squares of a region that hold it.
///
/// Places are metres east and north of the middle of the region.
struct RoadPieces: Sendable {
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
    /// No lanes where the mode may not be.
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
  }

  private(set) var segments: [Segment] = []
  private(set) var lanes: [Lane] = []
  private var pieces: [Piece] = []
  /// Of the pieces, by the region and the piece of the map.
  private var numbers = KeyNumbers()
  private let greatestCount: Int

  /// More than `greatestCount` segments, or pieces, are not kept; some 50 bytes a segment and 70 a piece.
  init(greatestCount: Int = 262_144) { self.greatestCount = greatestCount }

  /// Forgets all where it is too much; whether it was.
  mutating func forgetExcess() -> Bool {
    // Pieces that the mode may not use have no segments, and there may be many.
    guard max(segments.count, pieces.count) > greatestCount else { return false }
    segments.removeAll(keepingCapacity: true)
    lanes.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    numbers.removeAll()
    return true
  }

  /// A piece of the map as it lies in `plane`, the one of `region`.
  mutating func piece(
    _ number: Int, region: UInt32, _ plane: LocalPlane, _ network: MatchingNetwork
  ) -> Piece {
    let key = UInt64(region) << 32 | UInt64(UInt32(truncatingIfNeeded: number))
    let (known, isNew) = numbers.number(of: key)
    if isNew { pieces.append(decode(network.graph.columns.pieceEdge[number], plane, network)) }
    return pieces[known]
  }

  private mutating func decode(
    _ edge: EdgeID, _ plane: LocalPlane, _ network: MatchingNetwork
  ) -> Piece {
    reserve(network)
    let firstLane = lanes.count
    addLanes(edge, isReversed: false, network)
    if let twin = network.graph.twin(edge) { addLanes(twin, isReversed: true, network) }
    sortLanes(from: firstLane)
    var piece = Piece(
      box: SIMD4(repeating: .infinity), firstSegment: Int32(segments.count),
      endSegment: Int32(segments.count), firstLane: Int32(firstLane), endLane: Int32(firstLane),
      lengthM: network.graph.lengthM(edge), scale: 1)
    guard lanes.count > firstLane else { return piece }
    let walkedM = addSegments(edge, plane, network, &piece.box)
    guard walkedM > 0 else {
      lanes.removeLast(lanes.count - firstLane)
      return piece
    }
    piece.endSegment = Int32(segments.count)
    piece.endLane = Int32(lanes.count)
    piece.scale = piece.lengthM / walkedM
    return piece
  }

  /// In place: a slice of a list is sorted in a list of its own.
  private mutating func sortLanes(from first: Int) {
    for number in lanes.indices.dropFirst(first + 1) {
      var at = number
      while at > first, lanes[at].state < lanes[at - 1].state {
        lanes.swapAt(at, at - 1)
        at -= 1
      }
    }
  }

  /// Keeps address space for all that may come: what is not written costs nothing, and nothing is ever moved.
  private mutating func reserve(_ network: MatchingNetwork) {
    guard pieces.capacity == 0 else { return }
    let count = min(greatestCount, 2 * network.graph.pieceCount)
    pieces.reserveCapacity(count)
    lanes.reserveCapacity(2 * count)
    segments.reserveCapacity(min(greatestCount, 8 * count))
  }

  private mutating func addLanes(_ edge: EdgeID, isReversed: Bool, _ network: MatchingNetwork) {
    guard network.isUsable(edge) else { return }
    lanes.append(Lane(state: TravelState(edge, isAgainst: false), isReversed: isReversed))
    guard network.isOneWay(edge) else { return }
    lanes.append(Lane(state: TravelState(edge, isAgainst: true), isReversed: !isReversed))
  }

  /// Adds the line of an edge; its metres as measured.
  private mutating func addSegments(
    _ edge: EdgeID, _ plane: LocalPlane, _ network: MatchingNetwork, _ box: inout SIMD4<Float>
  ) -> Double {
    var last: PlanePoint?
    var walkedM = 0.0
    network.graph.forEachPoint(edge) { coordinate in
      let point = plane.point(coordinate)
      box = pointwiseMin(
        box,
        SIMD4(
          Float(point.eastM), Float(point.northM), Float(-point.eastM), Float(-point.northM)))
      defer { last = point }
      guard let from = last else { return }
      let east = point.eastM - from.eastM
      let north = point.northM - from.northM
      let square = east * east + north * north
      guard square > 0 else { return }
      let lengthM = square.squareRoot()
      segments.append(
        Segment(
          east: Float(from.eastM), north: Float(from.northM), toEast: Float(east),
          toNorth: Float(north), inverse: Float(1 / square), startM: Float(walkedM),
          lengthM: Float(lengthM)))
      walkedM += lengthM
    }
    return walkedM
  }
}
