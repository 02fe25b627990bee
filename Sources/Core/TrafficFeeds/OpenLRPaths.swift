import Geodesy
import RoadGraph

/// Searches for the shortest paths from one candidate of a point to all candidates of the next one.
///
/// Dijkstra by length in buckets of ten metres over directed edges. It is bounded by the
/// reference's length and by the remaining straight distance: at most the roads of an ellipse
/// around both points.
struct OpenLRPaths {
  /// A path may differ from the reference's length by these metres, or by this share of it.
  static let slackM = 100.0
  static let slackShare = 0.15
  /// The number of classes by which a road of the path may be less important than in the reference.
  static let classSlack = 2
  private static let bucketM = 10.0

  let graph: RoadGraph
  let isMeant: (EdgeID) -> Bool
  /// The least important class of a road of the path, as a number of OpenLR; nil for any.
  let leastLevel: Int?
  /// Shortest and longest path.
  let lengthsM: ClosedRange<Double>
  private let goal: Coordinate

  /// The paths from a point to the next one, which lies at `goal`; over roads of any class if
  /// `isFree`.
  init(
    _ graph: RoadGraph, _ point: OpenLRReference.Point, to goal: Coordinate, isFree: Bool,
    where isMeant: @escaping (EdgeID) -> Bool
  ) {
    self.graph = graph
    self.isMeant = isMeant
    self.goal = goal
    leastLevel = isFree ? nil : OpenLRCandidates.leastLevel(point.leastClass) + Self.classSlack
    lengthsM = Self.lengthsM(point)
  }

  static func lengthsM(_ point: OpenLRReference.Point) -> ClosedRange<Double> {
    let slackM = Double.maximum(slackM, slackShare * point.toNextM)
    return Double.maximum(0, point.toNextM - slackM)...point.toNextM + slackM
  }

  /// For each place the shortest path to it; nil if none has the wanted length.
  func paths(from start: RoadPosition, to ends: [RoadPosition]) -> [[EdgePart]?] {
    var search = Search(start: start, ends: ends)
    for number in search.wanted[start.edge] ?? [] where ends[number].offsetM > start.offsetM {
      search.found[number] = leg(
        ends[number].offsetM - start.offsetM, to: ends[number], after: nil, search,
        insteadOf: search.found[number])
    }
    search.buckets = [[EdgeID]](
      repeating: [], count: Int(lengthsM.upperBound / Self.bucketM) + 1)
    reach(start.edge, graph.lengthM(start.edge) - start.offsetM, after: nil, &search)
    for bucket in search.buckets.indices {
      let doneM = Double(bucket) * Self.bucketM
      if search.found.allSatisfy({ $0.map { $0.lengthM <= doneM } ?? false }) { break }
      while let edge = search.buckets[bucket].popLast() {
        guard let head = search.heads[edge], !head.isExpanded,
          Int(head.lengthM / Self.bucketM) == bucket
        else { continue }
        search.heads[edge]?.isExpanded = true
        expand(edge, head.lengthM, &search)
      }
    }
    return search.found.map { $0?.parts }
  }

  private struct Search {
    let start: RoadPosition
    let ends: [RoadPosition]
    /// The places on each edge.
    var wanted: [EdgeID: [Int]] = [:]
    var found: [(lengthM: Double, parts: [EdgePart])?]
    /// Metres to the head of an edge, and the edge before it; nil for the first.
    var heads: [EdgeID: (lengthM: Double, before: EdgeID?, isExpanded: Bool)] = [:]
    var buckets: [[EdgeID]] = []

    init(start: RoadPosition, ends: [RoadPosition]) {
      self.start = start
      self.ends = ends
      found = Array(repeating: nil, count: ends.count)
      for (number, end) in ends.enumerated() { wanted[end.edge, default: []].append(number) }
    }
  }

  private func expand(_ edge: EdgeID, _ lengthM: Double, _ search: inout Search) {
    for next in graph.edges(leaving: graph.head(edge))
    where next != graph.twin(edge) && isMeant(next) {
      // The class is that of the path in between, since the last edge may not be driven at all.
      for number in search.wanted[next] ?? [] {
        let end = search.ends[number]
        // A line may return to the edge on which it began, up to its beginning.
        guard next != search.start.edge || end.offsetM <= search.start.offsetM else { continue }
        search.found[number] = leg(
          lengthM + end.offsetM, to: end, after: edge, search, insteadOf: search.found[number])
      }
      guard next != search.start.edge,
        leastLevel.map({ OpenLRCandidates.level(graph.attributes(next).roadClass) <= $0 }) ?? true
      else { continue }
      reach(next, lengthM + graph.lengthM(next), after: edge, &search)
    }
  }

  private func reach(
    _ edge: EdgeID, _ lengthM: Double, after before: EdgeID?, _ search: inout Search
  ) {
    guard lengthM <= lengthsM.upperBound, lengthM < search.heads[edge]?.lengthM ?? .infinity
    else { return }
    let leftM = graph.coordinate(graph.head(edge)).distanceM(to: goal) - OpenLRCandidates.nearM
    guard lengthM + leftM <= lengthsM.upperBound else { return }
    search.heads[edge] = (lengthM, before, false)
    search.buckets[Int(lengthM / Self.bucketM)].append(edge)
  }

  /// A path to a place, if it has the wanted length and is shorter than `other`; otherwise `other`.
  private func leg(
    _ lengthM: Double, to end: RoadPosition, after before: EdgeID?, _ search: Search,
    insteadOf other: (lengthM: Double, parts: [EdgePart])?
  ) -> (lengthM: Double, parts: [EdgePart])? {
    guard lengthsM.contains(lengthM), lengthM < other?.lengthM ?? .infinity else { return other }
    let startM = search.start.offsetM
    var parts = [EdgePart(edge: end.edge, fromM: before == nil ? startM : 0, toM: end.offsetM)]
    var at = before
    while let edge = at {
      let earlier = search.heads[edge]?.before
      parts.append(
        EdgePart(edge: edge, fromM: earlier == nil ? startM : 0, toM: graph.lengthM(edge)))
      at = earlier
    }
    return (lengthM, parts.filter { $0.lengthM > 0 }.reversed())
  }
}
