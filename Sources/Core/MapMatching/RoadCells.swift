import Geodesy
import RoadGraph

/// Squares, found by their number, and the pieces near to them: at most `greatestCount` of them.
///
/// Of the pieces those alone are decoded that a place asked for is near to.
struct RoadCells: Sendable {
  private static let greatestCount = 16_384
  /// More pieces of squares are not kept, of 32 bytes each.
  private static let greatestNearby = 262_144

  /// Of the squares, by theirs.
  private var numbers = KeyNumbers()
  private var cells: [RoadCell] = []
  private(set) var nearby: [RoadCell.Nearby] = []
  private var book: RoadPieces
  /// The pieces, and the points of them, near to the place asked for.
  private var passing: [Int32] = []
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
    if book.forgetExcess() || nearby.count > Self.greatestNearby
      || cells.count > Self.greatestCount
    {
      forget()
    }
    let (number, isNew) = numbers.number(of: UInt64(bitPattern: key))
    if isNew { cells.append(RoadCell()) }
    if isNew || cells[number].marginM < tuning.radiusM {
      reserve(network)
      cells[number].fill(key, marginM: tuning.radiusM, &nearby, network: network)
    }
    let cell = cells[number]
    let circle = RoadCell.Circle(cell.plane.point(place), radiusM: tuning.radiusM)
    pass(cell, circle.limit, network)
    cell.feet(passing, within: circle, in: book, into: &feet)
    found.reserveCapacity(max(tuning.roomCount, 2 * feet.count))
    cell.add(feet, of: book, to: &found)
    network.thin(&found, previous: previous, route: route, tuning: tuning)
  }

  /// Finds the pieces of a square whose boxes lie below `limit`.
  private mutating func pass(_ cell: RoadCell, _ limit: SIMD4<Float>, _ network: MatchingNetwork) {
    passing.removeAll(keepingCapacity: true)
    for index in cell.nearby where all(nearby[index].box .<= limit) {
      if nearby[index].piece < 0 {
        let piece = book.piece(
          Int(nearby[index].number), region: cell.region, cell.plane, network)
        nearby[index].piece = Int32(piece)
        nearby[index].box = book.pieces[piece].box
        guard all(nearby[index].box .<= limit) else { continue }
      }
      passing.append(nearby[index].piece)
    }
  }

  private mutating func forget() {
    numbers.removeAll()
    cells.removeAll(keepingCapacity: true)
    nearby.removeAll(keepingCapacity: true)
  }

  /// Keeps address space for all that may come: what is not written costs nothing, and nothing is ever moved.
  private mutating func reserve(_ network: MatchingNetwork) {
    guard nearby.capacity == 0 else { return }
    nearby.reserveCapacity(min(Self.greatestNearby, 4 * network.graph.pieceCount))
  }
}
