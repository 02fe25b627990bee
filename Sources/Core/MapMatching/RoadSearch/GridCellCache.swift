import Geodesy
import RoadGraph

/// A cache of grid cells by number and of the pieces near them, with at most `greatestCount` cells.
///
/// A piece is decoded only once a requested place is near it.
struct GridCellCache: ~Copyable {
  private static let greatestCount = 16_384
  /// Maximum number of cached pieces of cells, 20 bytes each.
  private static let greatestNearby = 262_144

  /// Cell indices by cell number.
  private var numbers = KeyIndexTable()
  private var cells = Arena<GridCell>()
  private(set) var nearby = GridCell.Nearby()
  private var geometry: EdgeGeometryCache
  /// The pieces near the requested place, and the projections onto them.
  private var passing = Arena<Int32>()
  private var projections = Arena<GridCell.Projection>()
  /// The candidates near the last requested place, the nearest first.
  private(set) var found = Arena<Candidate>()

  init(geometry: consuming EdgeGeometryCache = EdgeGeometryCache()) { self.geometry = geometry }

  /// Finds the candidates near `place` and stores them in `found`, as described at
  /// `MatchingNetwork.candidates`.
  mutating func find(
    near place: Coordinate, previous: UnsafeBufferPointer<Candidate>, route: Set<EdgeID>,
    by model: MatchingModel
  ) {
    found.removeAll()
    let radiusM = model.tuning.radiusM
    guard place.isValid, radiusM >= 0 else { return }
    let key = GridCell.key(place)
    if geometry.forgetExcess() || nearby.count > Self.greatestNearby
      || cells.count > Self.greatestCount
    {
      forget()
    }
    let (number, isNew) = numbers.number(of: key)
    if isNew { cells.append(GridCell()) }
    if isNew || cells[number].marginM < radiusM {
      reserve(model.network)
      cells[number].fill(key, marginM: radiusM, &nearby, network: model.network)
    }
    let cell = cells[number]
    let circle = GridCell.Circle(cell.plane.point(place), radiusM: radiusM)
    pass(cell, circle.limit, model.network)
    cell.projections(passing, within: circle, in: geometry, into: &projections)
    cell.add(projections, of: geometry, to: &found)
    model.thin(&found, previous: previous, route: route)
  }

  /// Finds the pieces of a cell whose boxes lie below `limit`.
  private mutating func pass(_ cell: GridCell, _ limit: SIMD4<Float>, _ network: MatchingNetwork) {
    passing.removeAll()
    for index in cell.nearby where all(nearby.boxes[index] .<= limit) {
      var piece = nearby.pieces[index]
      if piece < 0 {
        piece = Int32(geometry.piece(Int(~piece), region: cell.region, cell.plane, network))
        nearby.pieces[index] = piece
        nearby.boxes[index] = geometry.pieces[Int(piece)].box
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
