import Geodesy
import RoadGraph

/// Finds the edges that a line of coordinates runs along, in its direction.
///
/// Edges are sampled every ten metres. A sample scores if the line passes within `toleranceM` in
/// nearly the same direction, and scores more the nearer it passes, so crossing streets and the
/// opposite direction get nothing. Dynamic programming along the line selects the sequence of
/// connected edges with the highest score. A gap in the map is bridged if that gains more than
/// `gapM`.
struct LineMatcher {
  /// Maximum distance between a line and the middle of its road, since feeds draw lines next to
  /// carriageways.
  static let toleranceM = 25.0
  private static let sampleM = 10.0
  private static let turnDeg = 45.0
  private static let gapM = 60.0

  private struct Candidate {
    var edge: EdgeID
    /// Where on the line the edge starts and stops to run along it.
    var loM: Double
    var hiM: Double
    /// Metres of the edge along the line, weighted by nearness.
    var score: Double
    var middleM: Double { (loM + hiM) / 2 }
  }

  private let graph: RoadGraph
  private let line: Polyline
  private let rows: SegmentRows

  init(_ points: [Coordinate], on graph: RoadGraph) {
    self.graph = graph
    line = Polyline(points)
    rows = SegmentRows([points], isClosed: false, marginM: 2 * Self.toleranceM)
  }

  /// The edges in the order of the line, and the share of the line that they cover, 0 to 1.
  ///
  /// Linear in the edges around the line, times the segments near each sample.
  func edges(where isMeant: (EdgeID) -> Bool) -> (edges: [EdgeID], coverage: Double) {
    guard line.lengthM > 0 else { return ([], 0) }
    let candidates = candidates(where: isMeant).sorted {
      ($0.middleM, $0.edge) < ($1.middleM, $1.edge)
    }
    let chain = best(of: candidates)
    var coveredM = 0.0
    var reachedM = 0.0
    for candidate in chain {
      coveredM += Double.maximum(0, candidate.hiM - Double.maximum(reachedM, candidate.loM))
      reachedM = Double.maximum(reachedM, candidate.hiM)
    }
    return (chain.map(\.edge), Double.minimum(1, coveredM / line.lengthM))
  }

  // MARK: Candidates

  private func candidates(where isMeant: (EdgeID) -> Bool) -> [Candidate] {
    // The box around a long diagonal line holds far more edges than the boxes of its parts.
    var pieces: Set<Int> = []
    for part in stride(from: 0, to: line.points.count - 1, by: 8) {
      let points = line.points[part...min(part + 8, line.points.count - 1)]
      guard let box = BoundingBox(around: points)?.expanded(byM: Self.toleranceM) else { continue }
      graph.forEachPiece(in: box) { pieces.insert($0) }
    }
    var candidates: [Candidate] = []
    for piece in pieces.sorted() {
      let edge = graph.columns.pieceEdge[piece]
      for edge in [edge, graph.twin(edge)].compactMap({ $0 }) where isMeant(edge) {
        if let candidate = candidate(edge) { candidates.append(candidate) }
      }
    }
    return candidates
  }

  /// How an edge runs along the line; nil if it does not.
  private func candidate(_ edge: EdgeID) -> Candidate? {
    let shape = Polyline(graph.shape(edge))
    let count = max(1, Int((shape.lengthM / Self.sampleM).rounded(.up)))
    let stepM = shape.lengthM / Double(count)
    var (loM, hiM) = (Double.infinity, -Double.infinity)
    var (alongM, score) = (0.0, 0.0)
    // Metres away from the line: before the first sample along it, in between, and after the last
    // one.
    var (beforeM, betweenM, sinceM) = (0.0, 0.0, 0.0)
    for number in 0..<count {
      let metres = (Double(number) + 0.5) * stepM
      guard let place = shape.coordinate(atM: metres), let bearing = shape.bearingDeg(atM: metres)
      else { continue }
      switch projection(of: place, bearingDeg: bearing) {
      case .along(let distanceM, let offsetM):
        loM = Double.minimum(loM, offsetM - stepM / 2)
        hiM = Double.maximum(hiM, offsetM + stepM / 2)
        alongM += stepM
        score += stepM * (1 - 0.9 * distanceM / Self.toleranceM)
        betweenM += sinceM
        sinceM = 0
      case .across: break
      case .away:
        if alongM > 0 { sinceM += stepM } else { beforeM += stepM }
      }
    }
    let needM = Double.minimum(
      Self.toleranceM * 0.8, Double.minimum(shape.lengthM, line.lengthM) / 2)
    guard alongM > 0, alongM >= needM else { return nil }
    // An edge may reach beyond the ends of the line, but must not leave it in between.
    let slackM = Self.toleranceM + Self.sampleM
    if loM > slackM { betweenM += beforeM }
    if hiM < line.lengthM - slackM { betweenM += sinceM }
    score -= betweenM
    guard score > 0 else { return nil }
    return Candidate(
      edge: edge, loM: Double.maximum(0, loM), hiM: Double.minimum(line.lengthM, hiM), score: score)
  }

  private enum LineProjection {
    case along(distanceM: Double, offsetM: Double)
    /// Near the line in another direction, or beyond one of its ends.
    case across
    case away
  }

  private func projection(of place: Coordinate, bearingDeg: Double) -> LineProjection {
    let plane = LocalPlane(origin: place)
    let here = PlanePoint(eastM: 0, northM: 0)
    var best: LineProjection = .away
    var bestM = Self.toleranceM
    for segment in rows.segments(at: place) {
      let (a, b) = (plane.point(segment.from), plane.point(segment.to))
      let (eastM, northM) = (b.eastM - a.eastM, b.northM - a.northM)
      let near = here.projected(onto: a, b)
      guard near.distanceM <= Self.toleranceM, eastM != 0 || northM != 0 else { continue }
      let segmentDeg = LocalPlane.bearingDeg(eastM: eastM, northM: northM)
      // Beyond the end of a segment the road has left it, except next to the end, on the outside of
      // a bend.
      var isBeyond = false
      if near.fraction <= 0 || near.fraction >= 1, near.distanceM > 1 {
        let end = near.fraction <= 0 ? a : b
        let toEndDeg = LocalPlane.bearingDeg(eastM: end.eastM, northM: end.northM)
        isBeyond = abs(90 - Angle.differenceDeg(segmentDeg, toEndDeg)) > 30
      }
      if Angle.differenceDeg(segmentDeg, bearingDeg) <= Self.turnDeg, !isBeyond {
        guard near.distanceM <= bestM else { continue }
        bestM = near.distanceM
        let (startM, endM) = (line.offsetsM[segment.index], line.offsetsM[segment.index + 1])
        best = .along(
          distanceM: near.distanceM, offsetM: startM + near.fraction * (endM - startM))
      } else if case .away = best {
        best = .across
      }
    }
    return best
  }

  // MARK: The best sequence

  /// The best sequence of candidates along the line; `candidates` are sorted by their middles.
  private func best(of candidates: [Candidate]) -> [Candidate] {
    var place: [EdgeID: Int] = [:]
    var sums: [Double] = []
    var before: [Int?] = []
    for (number, candidate) in candidates.enumerated() {
      var (sum, from): (Double, Int?) = (0, nil)
      for edge in graph.edges(entering: graph.tail(candidate.edge)) {
        guard let other = place[edge], edge != graph.twin(candidate.edge), sums[other] > sum else {
          continue
        }
        (sum, from) = (sums[other], other)
      }
      // Over a gap the sequence continues after the end of the other edge.
      for other in stride(from: number - 1, through: max(0, number - 200), by: -1) {
        guard candidates[other].hiM <= candidate.loM + Self.toleranceM,
          sums[other] - Self.gapM > sum
        else { continue }
        (sum, from) = (sums[other] - Self.gapM, other)
      }
      place[candidate.edge] = number
      sums.append(sum + candidate.score)
      before.append(from)
    }
    guard let last = sums.indices.max(by: { sums[$0] < sums[$1] }) else { return [] }
    var chain: [Candidate] = []
    var at: Int? = last
    while let number = at {
      chain.append(candidates[number])
      at = before[number]
    }
    return chain.reversed()
  }
}
