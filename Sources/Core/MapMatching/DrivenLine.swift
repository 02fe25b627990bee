import EventTime
import Geodesy
import RoadGraph

/// Joins the paths between matches into one line.
///
/// Where the vehicle turns round on a road, the line turns where the places on both sides of the turn say, and not at
/// the end of the road.
struct DrivenLine {
  /// A road driven, or a part of it, in metres from where travel along it begins.
  private struct Piece {
    var state: TravelState
    var fromM: Double
    var toM: Double
    /// The farthest place on it; nil where no fix is.
    var reachedM: Double?
  }

  let network: MatchingNetwork
  private(set) var path: [TravelState] = []
  private(set) var shape: [Coordinate] = []
  private(set) var lengthM = 0.0
  private(set) var starts: [Int] = []
  /// Those of the stretch without a gap that is open.
  private var pieces: [Piece] = []
  private var last: Instant?

  init(network: MatchingNetwork) { self.network = network }

  /// Goes on to a place by the path that leads there.
  mutating func add(_ place: MatchedPlace, at time: Instant?) {
    defer { last = time }
    guard let here = pieces.last, here.state == place.path.first ?? place.state else {
      end()
      pieces = [
        Piece(
          state: place.state, fromM: place.offsetM, toM: place.offsetM, reachedM: place.offsetM)
      ]
      return
    }
    let elapsedS = last.flatMap { last in time.map { $0.seconds(since: last) } }
    for (index, state) in place.path.enumerated().dropFirst() {
      goOn(to: state, place, isLast: index == place.path.count - 1, elapsedS: elapsedS)
    }
    var end = pieces[pieces.count - 1]
    // Noise may throw a place back along the first road; nobody drives that.
    end.toM = pieces.count == 1 ? Double.maximum(end.toM, place.offsetM) : place.offsetM
    end.toM = Double.maximum(end.fromM, end.toM)
    end.reachedM = Double.maximum(end.reachedM ?? 0, place.offsetM)
    pieces[pieces.count - 1] = end
  }

  private mutating func goOn(
    to state: TravelState, _ place: MatchedPlace, isLast: Bool, elapsedS: Double?
  ) {
    var before = pieces[pieces.count - 1]
    let length = network.lengthM(before.state)
    var fromM = 0.0
    before.toM = length
    if network.reversed(before.state) == state {
      before.toM = turningM(
        on: before, length, towardsM: isLast ? place.offsetM : nil, elapsedS: elapsedS)
      fromM = length - before.toM
    }
    pieces[pieces.count - 1] = before
    pieces.append(Piece(state: state, fromM: fromM, toM: network.lengthM(state)))
  }

  /// Where the vehicle turned round on a road, in metres along it.
  private func turningM(
    on piece: Piece, _ length: Double, towardsM: Double?, elapsedS: Double?
  ) -> Double {
    // A road on which no fix lies was driven to its end: the search says so.
    guard piece.reachedM != nil || towardsM != nil else { return length }
    let reachedM = Double.maximum(piece.fromM, piece.reachedM ?? 0)
    let leastM = Double.minimum(
      length, Double.maximum(reachedM, towardsM.map { length - $0 } ?? 0))
    // Drivers turn at junctions where one is near, and at dead ends that they have the time for.
    if 2 * (length - leastM) <= Self.turnM { return length }
    let byEndM = length - reachedM + (towardsM ?? length)
    let usualMps = Double(network.traits(piece.state.edge).speedMps)
    return byEndM <= usualMps * (elapsedS ?? 0) && network.isDeadEnd(piece.state) ? length : leastM
  }

  /// Metres that a turn takes at any rate.
  private static let turnM = 15.0

  /// Closes the stretch without a gap that is open.
  mutating func end() {
    let start = shape.count
    for piece in pieces {
      let isWhole = piece.fromM <= 0 && piece.toM >= network.lengthM(piece.state)
      for point in isWhole ? points(of: piece.state) : part(of: piece)
      where shape.count == start || point != shape.last {
        shape.append(point)
      }
      lengthM += piece.toM - piece.fromM
    }
    if shape.count > start { starts.append(start) }
    if let first = pieces.first, path.last == first.state { pieces.removeFirst() }
    path.append(contentsOf: pieces.map(\.state))
    pieces = []
  }

  private func points(of state: TravelState) -> [Coordinate] {
    let points = network.graph.shape(state.edge)
    return state.isAgainst ? points.reversed() : points
  }

  private func part(of piece: Piece) -> [Coordinate] {
    let line = Polyline(points(of: piece.state))
    let length = network.lengthM(piece.state)
    // Lengths are stored to the millimetre; the shape measured anew may differ by a rounding.
    let scale = length > 0 ? line.lengthM / length : 1
    return line.slice(fromM: piece.fromM * scale, toM: piece.toM * scale)
  }
}
