import Foundations
import RoadGraph

/// The reports on parts of one edge; later reports cover earlier ones.
struct EdgePieces {
  struct Piece {
    var fromM: Double
    var toM: Double
    var state: TrafficState
  }

  private(set) var pieces: [Piece] = []

  mutating func add(_ part: EdgePart, _ state: TrafficState) {
    pieces.append(Piece(fromM: part.fromM, toM: part.toM, state: state))
  }

  /// Share of measured or forecast flow on a part of the edge, 0 to 1.
  func weight(on part: EdgePart) -> Double {
    pieces.reduce(0) { most, piece in
      piece.fromM < part.toM && piece.toM > part.fromM && piece.state.source.rank < 2
        ? Double.maximum(most, piece.state.weight) : most
    }
  }

  /// The state of the whole edge, computed from its pieces.
  ///
  /// Travel times of the pieces are added, and the rest keeps the speed of `base`, or its own. A
  /// closed piece closes the edge. The edge fades like the piece that fades first. n log n in the
  /// pieces.
  func combined(over base: TrafficState?, lengthM: Double, freeFlowMps: Double) -> TrafficState? {
    guard let newest = pieces.last, lengthM > 0 else { return base }
    var state = TrafficState(source: newest.state.source)
    var knownM = 0.0
    var knownS = 0.0
    var isClosed = false
    for (lengthM, piece) in visible() {
      let part = piece.state
      isClosed = isClosed || part.isClosed
      knownM += lengthM
      // Full values, not faded ones, because the edge fades as a whole.
      var whole = part
      whole.weight = 1
      knownS += lengthM / whole.speedMps(freeFlowMps: freeFlowMps, mode: .car)
      state.until = Self.earlier(state.until, part.until)
      if part.weight <= state.weight { (state.weight, state.fading) = (part.weight, part.fading) }
      if part.source.rank < state.source.rank { state.source = part.source }
      state.isOpenEnded = state.isOpenEnded || part.isOpenEnded
    }
    if let base, knownM < lengthM {
      let restM = lengthM - knownM
      isClosed = isClosed || base.isClosed
      knownS += restM / base.speedMps(freeFlowMps: freeFlowMps, mode: .car)
      knownM = lengthM
      state.until = Self.earlier(state.until, base.until)
      state.isOpenEnded = state.isOpenEnded || base.isOpenEnded
    }
    state.unknownShare = Float(Double.maximum(0, 1 - knownM / lengthM))
    state.fallbackMps = base?.fallbackMps
    state.measuredSpeedMps = isClosed ? 0 : knownS > 0 ? knownM / knownS : nil
    return state
  }

  private static func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }

  /// The metres of each piece that are not covered by a later one.
  private func visible() -> [(lengthM: Double, piece: Piece)] {
    let ends = Set(pieces.flatMap { [$0.fromM, $0.toM] }).sorted()
    let place = Dictionary(uniqueKeysWithValues: ends.enumerated().map { ($1, $0) })
    // For each cell between two ends, the next one that is not covered yet, itself or a later one.
    var next = Array(ends.indices)
    func free(_ cell: Int) -> Int {
      var cell = cell
      while next[cell] != cell {
        next[cell] = next[next[cell]]
        cell = next[cell]
      }
      return cell
    }
    var found: [(lengthM: Double, piece: Piece)] = []
    for piece in pieces.reversed() {
      guard let first = place[piece.fromM], let last = place[piece.toM] else { continue }
      var cell = free(first)
      var lengthM = 0.0
      while cell < last {
        lengthM += ends[cell + 1] - ends[cell]
        next[cell] = cell + 1
        cell = free(cell)
      }
      if lengthM > 0 { found.append((lengthM, piece)) }
    }
    return found
  }
}
