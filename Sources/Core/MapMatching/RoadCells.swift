import Geodesy
import RoadGraph

/// Squares, found by their number, and the pieces near to them: at most `greatestCount` of them.
///
/// Of the pieces those alone are decoded that a place asked for is near to.
struct RoadCells: ~Copyable {
  private static let greatestCount = 16_384
  /// More pieces of squares are not kept, of 20 bytes each.
  private static let greatestNearby = 262_144

  /// Of the squares, by theirs.
  private var numbers = KeyNumbers()
  private var cells = Arena<RoadCell>()
  private(set) var nearby = RoadCell.Nearby()
  private var book: RoadPieces
  /// The pieces, the points of them, and the candidates there near to the place asked for.
  private var passing = Arena<Int32>()
  private var feet = Arena<RoadCell.Foot>()
  private var near = Arena<Candidate>()

  init(book: consuming RoadPieces = RoadPieces()) { self.book = book }

  /// Puts the candidates near `place` into `found`, the nearest first, as `MatchingNetwork.candidates` tells.
  mutating func candidates(
    near place: Coordinate, previous: [Candidate], route: Set<EdgeID>,
    tuning: MatcherTuning, network: MatchingNetwork, into found: inout [Candidate]
  ) {
    found.removeAll(keepingCapacity: true)
    guard place.isValid, tuning.radiusM >= 0 else { return }
    let key = RoadCell.key(place)
    if book.forgetExcess() || nearby.count > Self.greatestNearby
      || cells.count > Self.greatestCount
    {
      forget()
    }
    let (number, isNew) = numbers.number(of: key)
    if isNew { cells.append(RoadCell()) }
    if isNew || cells[number].marginM < tuning.radiusM {
      reserve(network)
      cells[number].fill(key, marginM: tuning.radiusM, &nearby, network: network)
    }
    let cell = cells[number]
    let circle = RoadCell.Circle(cell.plane.point(place), radiusM: tuning.radiusM)
    pass(cell, circle.limit, network)
    cell.feet(passing, within: circle, in: book, into: &feet)
    near.removeAll()
    cell.add(feet, of: book, to: &near)
    network.thin(&near, previous: previous, route: route, tuning: tuning)
    found.reserveCapacity(max(tuning.roomCount, near.count))
    near.withElements { found.append(contentsOf: $0) }
  }

  /// Finds the pieces of a square whose boxes lie below `limit`.
  private mutating func pass(_ cell: RoadCell, _ limit: SIMD4<Float>, _ network: MatchingNetwork) {
    passing.removeAll()
    for index in cell.nearby where all(nearby.boxes[index] .<= limit) {
      var piece = nearby.pieces[index]
      if piece < 0 {
        piece = Int32(book.piece(Int(~piece), region: cell.region, cell.plane, network))
        nearby.pieces[index] = piece
        nearby.boxes[index] = book.pieces[Int(piece)].box
        guard all(nearby.boxes[index] .<= limit) else { continue }
      }
      passing.append(piece)
    }
  }

  private mutating func forget() {
    numbers.removeAll()
    cells.removeAll()
    nearby.removeAll()
  }

  private mutating func reserve(_ network: MatchingNetwork) {
    nearby.reserve(min(Self.greatestNearby, 4 * network.graph.pieceCount))
  }
}
