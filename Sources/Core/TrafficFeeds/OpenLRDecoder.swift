import Geodesy
import RoadGraph

/// Finds the road of an OpenLR line in a graph that another map's owner never saw.
///
/// For each location reference point the edges within 50 m are candidates, the better the nearer they lie and the better their
/// direction, class and form fit. Between candidates of neighbouring points the shortest path is searched, over roads of
/// the least class that the reference names or nearly so; its length must agree with the reference's. The chain of
/// candidates with the least penalty is taken (OpenLR White Paper, chapter on decoding; the weights are ours).
struct OpenLRDecoder {
  /// Greatest distance of a road from a point.
  static let nearM = 50.0
  /// Greatest difference between the directions of a point and of a road.
  static let turnDeg = 60.0
  /// Metres from a point over which its direction is measured.
  static let bearingM = 20.0
  /// Most candidates of one point, the best ones.
  static let candidateLimit = 6
  /// A path may differ from the reference's length by these metres, or by this share of it.
  static let slackM = 100.0
  static let slackShare = 0.15
  /// A road of the path may be less important than the reference says by so many classes.
  static let classSlack = 2
  /// Metres of penalty for a step of road class, and for another form of way.
  private static let classM = 15.0
  private static let formM = 10.0
  /// Metres of penalty for a degree between directions.
  private static let degreeM = 0.5

  private struct Candidate {
    var position: RoadPosition
    var penaltyM: Double
  }

  private let graph: RoadGraph
  private let isMeant: (EdgeID) -> Bool

  init(on graph: RoadGraph, where isMeant: @escaping (EdgeID) -> Bool) {
    self.graph = graph
    self.isMeant = isMeant
  }

  /// The parts of edges of the line, in its order; empty where no path fits.
  ///
  /// For each pair of points at most 36 paths, found by one bounded search for each candidate.
  func parts(_ reference: OpenLRReference) -> [EdgePart] {
    let points = reference.points
    guard points.count > 1 else { return [] }
    let candidates = points.indices.map { number in
      self.candidates(points[number], isLast: number == points.count - 1)
    }
    guard candidates.allSatisfy({ !$0.isEmpty }) else { return [] }
    // Dynamic programming along the points: the least penalty to each candidate, and the path that led to it.
    var best: [[(penaltyM: Double, before: Int, path: [EdgePart])?]] = [
      candidates[0].map { ($0.penaltyM, 0, []) }
    ]
    for number in points.indices.dropLast() {
      var next = [(penaltyM: Double, before: Int, path: [EdgePart])?](
        repeating: nil, count: candidates[number + 1].count)
      for (from, start) in candidates[number].enumerated() {
        guard let known = best[number][from] else { continue }
        let found = paths(
          from: start.position, to: candidates[number + 1].map(\.position), points[number])
        for (to, path) in found.enumerated() {
          guard let path else { continue }
          let lengthM = path.reduce(0) { $0 + $1.lengthM }
          let penaltyM =
            known.penaltyM + candidates[number + 1][to].penaltyM
            + abs(lengthM - points[number].toNextM)
          if penaltyM < next[to]?.penaltyM ?? .infinity { next[to] = (penaltyM, from, path) }
        }
      }
      guard next.contains(where: { $0 != nil }) else { return [] }
      best.append(next)
    }
    var legs: [[EdgePart]] = []
    var at = best[points.count - 1].indices.min {
      (best[points.count - 1][$0]?.penaltyM ?? .infinity)
        < (best[points.count - 1][$1]?.penaltyM ?? .infinity)
    }
    for number in points.indices.dropFirst().reversed() {
      guard let place = at, let leg = best[number][place] else { return [] }
      legs.append(leg.path)
      at = leg.before
    }
    legs.reverse()
    return trimmed(legs, reference)
  }

  // MARK: Candidates

  private func candidates(_ point: OpenLRReference.Point, isLast: Bool) -> [Candidate] {
    let near = graph.edges(near: point.at, withinM: Self.nearM).compactMap { near -> Candidate? in
      let edge = near.position.edge
      guard isMeant(edge), let bearingDeg = bearingDeg(near.position, isLast: isLast) else {
        return nil
      }
      let turnDeg = Angle.differenceDeg(bearingDeg, point.bearingDeg)
      guard turnDeg <= Self.turnDeg else { return nil }
      let road = graph.attributes(edge)
      let penaltyM =
        near.distanceM + Self.degreeM * turnDeg
        + Self.classM * Double(abs(min(7, Int(road.roadClass.rawValue)) - point.roadClass))
        + (Self.fits(road, point.form) ? 0 : Self.formM)
      return Candidate(position: near.position, penaltyM: penaltyM)
    }
    return Array(near.sorted { $0.penaltyM < $1.penaltyM }.prefix(Self.candidateLimit))
  }

  /// Direction over the 20 m after a place, at the last point back over the 20 m before it; nil where the road has none.
  ///
  /// At the end of an edge the next one begins elsewhere: a place nearer to it than a metre is no beginning.
  private func bearingDeg(_ position: RoadPosition, isLast: Bool) -> Double? {
    let lengthM = graph.lengthM(position.edge)
    let otherM =
      isLast
      ? Double.maximum(0, position.offsetM - Self.bearingM)
      : Double.minimum(lengthM, position.offsetM + Self.bearingM)
    guard abs(otherM - position.offsetM) > Double.minimum(1, lengthM / 2) else { return nil }
    let here = graph.coordinate(position)
    let there = graph.coordinate(RoadPosition(edge: position.edge, offsetM: otherM))
    return here.bearingDeg(to: there)
  }

  private static func fits(_ road: RoadAttributes, _ form: Int) -> Bool {
    switch form {
    case 1: road.roadClass == .motorway && !road.flags.contains(.link)
    case 2: road.flags.contains(.oneWay) && !road.flags.contains(.link)
    case 3: !road.flags.contains(.roundabout) && !road.flags.contains(.link)
    case 4: road.flags.contains(.roundabout) || road.flags.contains(.circular)
    case 6: road.flags.contains(.link)
    default: true
    }
  }

  // MARK: Paths

  /// For each place the shortest path to it; nil where none is as long as the reference says.
  private func paths(
    from start: RoadPosition, to ends: [RoadPosition], _ point: OpenLRReference.Point
  ) -> [[EdgePart]?] {
    let slackM = Double.maximum(Self.slackM, Self.slackShare * point.toNextM)
    let limitM = point.toNextM + slackM
    let leastM = point.toNextM - slackM
    var found = [(lengthM: Double, path: [EdgePart])?](repeating: nil, count: ends.count)
    var wanted: [EdgeID: [Int]] = [:]
    for (number, end) in ends.enumerated() { wanted[end.edge, default: []].append(number) }
    var heads: [EdgeID: (lengthM: Double, before: EdgeID?)] = [:]
    func arrive(_ number: Int, _ lengthM: Double, _ before: EdgeID?) {
      guard lengthM >= leastM, lengthM <= limitM, lengthM < found[number]?.lengthM ?? .infinity
      else { return }
      let end = ends[number]
      var path = [
        EdgePart(edge: end.edge, fromM: before == nil ? start.offsetM : 0, toM: end.offsetM)
      ]
      var at = before
      while let edge = at {
        let earlier = heads[edge]?.before
        path.append(
          EdgePart(edge: edge, fromM: earlier == nil ? start.offsetM : 0, toM: graph.lengthM(edge)))
        at = earlier
      }
      found[number] = (lengthM, path.filter { $0.lengthM > 0 }.reversed())
    }
    for number in wanted[start.edge] ?? [] where ends[number].offsetM > start.offsetM {
      arrive(number, ends[number].offsetM - start.offsetM, nil)
    }
    // Buckets of ten metres: lengths are bounded.
    var buckets = [[(edge: EdgeID, lengthM: Double)]](repeating: [], count: Int(limitM / 10) + 1)
    func reach(_ edge: EdgeID, _ lengthM: Double, _ before: EdgeID?) {
      guard lengthM <= limitM, lengthM < heads[edge]?.lengthM ?? .infinity else { return }
      heads[edge] = (lengthM, before)
      buckets[Int(lengthM / 10)].append((edge, lengthM))
    }
    reach(start.edge, graph.lengthM(start.edge) - start.offsetM, nil)
    for bucket in buckets.indices {
      while let (edge, lengthM) = buckets[bucket].popLast() {
        guard heads[edge]?.lengthM == lengthM else { continue }
        for next in graph.edges(leaving: graph.head(edge))
        where next != graph.twin(edge) && next != start.edge && isMeant(next) {
          // The class is that of the way between: the last edge may be driven for no metre of it.
          for number in wanted[next] ?? [] { arrive(number, lengthM + ends[number].offsetM, edge) }
          guard isOfClass(next, point.leastClass) else { continue }
          reach(next, lengthM + graph.lengthM(next), edge)
        }
      }
    }
    return found.map { $0?.path }
  }

  private func isOfClass(_ edge: EdgeID, _ least: Int) -> Bool {
    min(7, Int(graph.attributes(edge).roadClass.rawValue)) <= least + Self.classSlack
  }

  /// The whole line without its offsets, which are shares of the first and the last leg.
  private func trimmed(_ legs: [[EdgePart]], _ reference: OpenLRReference) -> [EdgePart] {
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
