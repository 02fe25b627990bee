import Geodesy
public import RoadGraph

/// Finds the road of an OpenLR line in a graph that differs from the publisher's map.
///
/// Each location reference point has candidates, see `OpenLRCandidates`. The shortest path is
/// searched between candidates of neighbouring points. It uses roads of the lowest class in the
/// reference or nearly that, otherwise all roads. Its length and its directions at the points must
/// agree with the reference. The chain of candidates with the lowest penalty is chosen (OpenLR
/// White Paper, chapter on decoding; the weights are ours).
public struct OpenLRDecoder {
  private let graph: RoadGraph
  private let isMeant: (EdgeID) -> Bool

  /// A decoder over the roads that motor vehicles may use.
  public init(on graph: RoadGraph) {
    self.init(on: graph) { FeedPlacer.isForMotorVehicles($0, graph) }
  }

  init(on graph: RoadGraph, where isMeant: @escaping (EdgeID) -> Bool) {
    self.graph = graph
    self.isMeant = isMeant
  }

  /// The parts of edges of the line, in its order.
  ///
  /// At most 100 paths for each pair of points, found by one bounded search for each candidate.
  ///
  /// - Throws: `FeedFault` naming the point that has no road, the points that no path joins, or
  ///   offsets that leave nothing.
  public func parts(_ reference: OpenLRReference) throws(FeedFault) -> [EdgePart] {
    guard reference.points.count > 1 else { throw FeedFault("it has fewer than two points") }
    let finder = OpenLRCandidates(graph: graph, isMeant: isMeant, reference: reference)
    var candidates: [[OpenLRCandidate]] = []
    for (number, point) in reference.points.enumerated() {
      let (found, isRoadNear) = finder.candidates(ofPoint: number)
      guard !found.isEmpty else {
        throw FeedFault(
          (isRoadNear
            ? "no road runs in the direction of point \(number + 1)"
            : "no road lies within \(Int(OpenLRCandidates.nearM)) m of point \(number + 1)")
            + " (\(point.at.latitudeDeg), \(point.at.longitudeDeg))")
      }
      candidates.append(found)
    }
    var chain = OpenLRChain(graph: graph, finder: finder, candidates: candidates)
    for number in reference.points.indices.dropLast() {
      guard chain.extend(from: number, isFree: false) || chain.extend(from: number, isFree: true)
      else {
        let lengthsM = OpenLRPaths.lengthsM(reference.points[number])
        throw FeedFault(
          "no path of \(Int(lengthsM.lowerBound)) to \(Int(lengthsM.upperBound)) m joins points \(number + 1) and \(number + 2)"
        )
      }
    }
    let parts = Self.trimmed(chain.legs, reference)
    guard !parts.isEmpty else { throw FeedFault("its offsets are longer than the line") }
    return parts
  }

  /// The whole line without its offsets, which are shares of the first and the last leg.
  private static func trimmed(_ legs: [[EdgePart]], _ reference: OpenLRReference) -> [EdgePart] {
    func lengthM(_ parts: [EdgePart]?) -> Double { parts?.reduce(0) { $0 + $1.lengthM } ?? 0 }
    var parts: [EdgePart] = []
    for part in legs.joined() {
      // A point in the middle of an edge cuts it in two.
      if let last = parts.last, last.edge == part.edge, part.fromM >= last.fromM {
        parts[parts.count - 1].toM = Double.maximum(last.toM, part.toM)
      } else {
        parts.append(part)
      }
    }
    let cutStartM = lengthM(legs.first) * reference.positiveOffset
    let cutEndM = lengthM(legs.last) * reference.negativeOffset
    guard cutStartM + cutEndM < lengthM(parts) else { return [] }
    var leftM = cutStartM
    while leftM > 0, let first = parts.first {
      if first.lengthM <= leftM {
        leftM -= first.lengthM
        parts.removeFirst()
      } else {
        parts[0].fromM += leftM
        leftM = 0
      }
    }
    leftM = cutEndM
    while leftM > 0, let last = parts.last {
      if last.lengthM <= leftM {
        leftM -= last.lengthM
        parts.removeLast()
      } else {
        parts[parts.count - 1].toM -= leftM
        leftM = 0
      }
    }
    return parts
  }
}

/// The best chains of candidates so far: dynamic programming along the points of a reference.
private struct OpenLRChain {
  private struct Link {
    var penaltyM: Double
    /// The candidate of the previous point.
    var before: Int
    var leg: [EdgePart]
  }

  let graph: RoadGraph
  let finder: OpenLRCandidates
  let candidates: [[OpenLRCandidate]]
  /// By point and candidate; nil if no path leads to a candidate.
  private var links: [[Link?]]

  init(graph: RoadGraph, finder: OpenLRCandidates, candidates: [[OpenLRCandidate]]) {
    self.graph = graph
    self.finder = finder
    self.candidates = candidates
    links = [candidates[0].map { Link(penaltyM: $0.penaltyM, before: 0, leg: []) }]
  }

  /// Adds the point after `number`; false if no path leads to it.
  mutating func extend(from number: Int, isFree: Bool) -> Bool {
    let points = finder.reference.points
    let search = OpenLRPaths(
      graph, points[number], to: points[number + 1].at, isFree: isFree, where: finder.isMeant)
    let ends = candidates[number + 1]
    var next = [Link?](repeating: nil, count: ends.count)
    for (from, start) in candidates[number].enumerated() {
      guard let known = links[number][from] else { continue }
      let paths = search.paths(from: start.position, to: ends.map(\.position))
      for (to, path) in paths.enumerated() {
        guard let path, let legM = penaltyM(of: path, from: number) else { continue }
        let penaltyM = known.penaltyM + ends[to].penaltyM + legM
        if penaltyM < next[to]?.penaltyM ?? .infinity {
          next[to] = Link(penaltyM: penaltyM, before: from, leg: path)
        }
      }
    }
    guard next.contains(where: { $0 != nil }) else { return false }
    links.append(next)
    return true
  }

  /// The paths between the points of the best chain.
  var legs: [[EdgePart]] {
    let last = links[links.count - 1]
    var at = last.indices.min {
      (last[$0]?.penaltyM ?? .infinity) < (last[$1]?.penaltyM ?? .infinity)
    }
    var legs: [[EdgePart]] = []
    for number in links.indices.dropFirst().reversed() {
      guard let place = at, let link = links[number][place] else { return [] }
      legs.append(link.leg)
      at = link.before
    }
    return legs.reversed()
  }

  /// Penalty in metres for the length of a path and its directions at the points; nil if a
  /// direction differs too much.
  ///
  /// Length and direction are only known as intervals, and there is no penalty within these.
  private func penaltyM(of path: [EdgePart], from number: Int) -> Double? {
    let (points, reference) = (finder.reference.points, finder.reference)
    let lengthM = path.reduce(0) { $0 + $1.lengthM }
    var penaltyM = Double.maximum(
      0, abs(lengthM - points[number].toNextM) - reference.lengthToleranceM)
    if let bearingDeg = bearingDeg(path, isBack: false) {
      guard let turnM = finder.turnPenaltyM(bearingDeg, points[number]) else { return nil }
      penaltyM += turnM
    }
    if number + 2 == points.count, let bearingDeg = bearingDeg(path, isBack: true) {
      guard let turnM = finder.turnPenaltyM(bearingDeg, points[number + 1]) else { return nil }
      penaltyM += turnM
    }
    return penaltyM
  }

  /// Direction over the first 20 m of a path, across junctions, or back over its last 20 m; nil for a path below 3 m.
  private func bearingDeg(_ path: [EdgePart], isBack: Bool) -> Double? {
    var leftM = OpenLRCandidates.bearingM
    var first: Coordinate?
    var last: Coordinate?
    for part in isBack ? path.reversed() : path {
      let metres = Double.minimum(leftM, part.lengthM)
      let (fromM, toM) =
        isBack ? (part.toM, part.toM - metres) : (part.fromM, part.fromM + metres)
      first = first ?? graph.coordinate(RoadPosition(edge: part.edge, offsetM: fromM))
      last = graph.coordinate(RoadPosition(edge: part.edge, offsetM: toM))
      leftM -= metres
      if leftM <= 0 { break }
    }
    guard let first, let last, OpenLRCandidates.bearingM - leftM > 3 else { return nil }
    return first.bearingDeg(to: last)
  }
}
