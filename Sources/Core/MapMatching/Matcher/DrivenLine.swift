import Foundations
import Geodesy
import RoadGraph

/// Joins the paths between matched places into one driven line.
///
/// Where the vehicle turns round on a road, the matched places on both sides of the turn determine
/// its position. The line does not run on to the end of the road.
struct DrivenLine {
  /// A road that was driven, completely or in part.
  ///
  /// Offsets are in metres from where travel along the road begins.
  private struct Piece {
    var state: TravelState
    var fromM: Double
    var toM: Double
    /// The greatest offset of a fix on the road, in metres; nil without a fix on it.
    var reachedM: Double?
  }

  /// A matched fix on the open stretch.
  private struct Anchor {
    /// Index of its road in `pieces`.
    var piece: Int
    var offsetM: Double
    var time: Instant
  }

  let network: MatchingNetwork
  private(set) var path: [TravelState] = []
  private(set) var shape: [Coordinate] = []
  private(set) var lengthM = 0.0
  private(set) var starts: [Int] = []
  /// Metres in a straight line across the gaps of the line.
  private(set) var missingM = 0.0
  /// Metres of the path between fixes that are far apart in time and place.
  private(set) var bridgedM = 0.0
  private(set) var ways: [MatchedWay] = []
  /// The pieces of the open stretch, which has no gap.
  private var pieces: [Piece] = []
  private var anchors: [Anchor] = []
  private var last: Instant?
  private var lastPlace: MatchedPlace?

  init(network: MatchingNetwork) { self.network = network }

  /// Extends the line to a matched place along the path that leads there.
  mutating func add(_ place: MatchedPlace, at time: Instant?) {
    defer {
      last = time
      lastPlace = place
      if let time {
        anchors.append(Anchor(piece: pieces.count - 1, offsetM: place.offsetM, time: time))
      }
    }
    guard let here = pieces.last, here.state == place.path.first ?? place.state else {
      end()
      if let lastPlace { missingM += lastPlace.coordinate.distanceM(to: place.coordinate) }
      pieces = [
        Piece(
          state: place.state, fromM: place.offsetM, toM: place.offsetM, reachedM: place.offsetM)
      ]
      return
    }
    let elapsedS = last.flatMap { last in time.map { $0.seconds(since: last) } }
    if let elapsedS, elapsedS > Self.bridgeS, let lastPlace {
      let wholeM = place.path.dropLast().reduce(0) { $0 + network.lengthM($1) }
      let stepM = wholeM + place.offsetM - lastPlace.offsetM
      if stepM > Self.bridgeM { bridgedM += stepM }
    }
    for (index, state) in place.path.enumerated().dropFirst() {
      goOn(to: state, place, isLast: index == place.path.count - 1, elapsedS: elapsedS)
    }
    var end = pieces[pieces.count - 1]
    // Noise may move a place back along the first road; the vehicle did not drive back.
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

  /// Returns the offset along a road, in metres, at which the vehicle turned round.
  private func turningM(
    on piece: Piece, _ length: Double, towardsM: Double?, elapsedS: Double?
  ) -> Double {
    // Without a fix on the road, the matched path determines that it was driven to its end.
    guard piece.reachedM != nil || towardsM != nil else { return length }
    let reachedM = Double.maximum(piece.fromM, piece.reachedM ?? 0)
    let leastM = Double.minimum(
      length, Double.maximum(reachedM, towardsM.map { length - $0 } ?? 0))
    // Drivers turn at a nearby junction, or at a dead end that they have time to reach.
    if 2 * (length - leastM) <= Self.turnM { return length }
    let byEndM = length - reachedM + (towardsM ?? length)
    let usualMps = Double(network.traits(piece.state.edge).speedMps)
    return byEndM <= usualMps * (elapsedS ?? 0) && network.isDeadEnd(piece.state) ? length : leastM
  }

  /// Fixes farther apart than both determine little of the path between them.
  private static let bridgeS = 150.0
  private static let bridgeM = 1000.0

  /// Extra distance, in metres, up to which a turn is placed at the end of the road.
  private static let turnM = 15.0

  /// Closes the open stretch and appends it to the line.
  mutating func end() {
    let start = shape.count
    let firstWay = ways.count
    let startM = lengthM
    for piece in pieces {
      let isWhole = piece.fromM <= 0 && piece.toM >= network.lengthM(piece.state)
      for point in isWhole ? points(of: piece.state) : part(of: piece)
      where shape.count == start || point != shape.last {
        shape.append(point)
      }
      lengthM += piece.toM - piece.fromM
      extendWays(by: piece, from: firstWay, startM: startM, firstPoint: start)
    }
    if ways.count > firstWay { time(waysFrom: firstWay, startM: startM) }
    if shape.count > start { starts.append(start) }
    if let first = pieces.first, path.last == first.state { pieces.removeFirst() }
    path.append(contentsOf: pieces.map(\.state))
    pieces.removeAll(keepingCapacity: true)
    anchors.removeAll(keepingCapacity: true)
  }

  /// Appends a road whose points are in the line to the last way of the stretch, or begins the next way.
  private mutating func extendWays(
    by piece: Piece, from firstWay: Int, startM: Double, firstPoint: Int
  ) {
    let way = network.graph.columns.way(piece.state.edge)
    if ways.count > firstWay, ways[ways.count - 1].way == way {
      ways[ways.count - 1].toM = lengthM
      ways[ways.count - 1].points = ways[ways.count - 1].points.lowerBound..<shape.count
      return
    }
    let before = ways.count > firstWay ? ways[ways.count - 1] : nil
    // A way begins at the last point of the one before.
    let first = before.map { max($0.points.lowerBound, $0.points.upperBound - 1) } ?? firstPoint
    ways.append(
      MatchedWay(
        way: way, state: piece.state, fromM: before?.toM ?? startM, toM: lengthM,
        points: first..<shape.count))
  }

  /// Sets the times of the ways of the open stretch, linear in its fixes and ways.
  ///
  /// Between two fixes the vehicle is taken to drive at a constant speed. Where a fix lies before an earlier one, the
  /// vehicle is at the place of the earlier one.
  private mutating func time(waysFrom first: Int, startM: Double) {
    var marks: [(atM: Double, time: Instant)] = []
    marks.reserveCapacity(anchors.count)
    var (piece, pieceM) = (0, startM)
    var reachedM = startM
    for anchor in anchors {
      while piece < anchor.piece {
        pieceM += pieces[piece].toM - pieces[piece].fromM
        piece += 1
      }
      let onM = Double.minimum(anchor.offsetM, pieces[piece].toM) - pieces[piece].fromM
      reachedM = Double.maximum(reachedM, pieceM + Double.maximum(0, onM))
      marks.append((reachedM, anchor.time))
    }
    guard let begin = marks.first, let end = marks.last else { return }
    var next = 0
    var from = begin.time
    for index in first..<ways.count {
      let endM = ways[index].toM
      while next < marks.count, marks[next].atM < endM { next += 1 }
      var to = end.time
      if index + 1 < ways.count, next > 0, next < marks.count {
        let (a, b) = (marks[next - 1], marks[next])
        let share = b.atM > a.atM ? (endM - a.atM) / (b.atM - a.atM) : 0
        to = a.time.advanced(bySeconds: b.time.seconds(since: a.time) * share)
      } else if index + 1 < ways.count, next == 0 {
        to = begin.time
      }
      ways[index].from = from
      ways[index].to = to
      from = to
    }
  }

  private func points(of state: TravelState) -> [Coordinate] {
    let points = network.graph.shape(state.edge)
    return state.isAgainst ? points.reversed() : points
  }

  private func part(of piece: Piece) -> [Coordinate] {
    let line = Polyline(points(of: piece.state))
    let length = network.lengthM(piece.state)
    // Lengths are stored to the millimetre; the length of the shape may differ by rounding.
    let scale = length > 0 ? line.lengthM / length : 1
    return line.slice(fromM: piece.fromM * scale, toM: piece.toM * scale)
  }
}
