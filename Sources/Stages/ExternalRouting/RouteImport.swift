import Foundations
package import Geodesy
import MapMatching
package import Positioning
package import RoadGraph
package import Route
package import Routing

/// A path on this map for a route from another source.
package struct ImportedPath {
  /// The path, with a leg for each leg of the given route.
  package var path: FoundPath
  /// Share of the given places that lie on roads of the map, 0 to 1.
  package var matchedShare: Double
  /// Metres that were filled by the fastest path.
  package var gapM: Double
}

/// Maps a route from another source to the roads of this map, RT-14.
///
/// The matcher finds the driven roads; the engine fills its gaps.
package struct RouteImport {
  let engine: RoutingEngine
  let road: TraceMapper
  let request: RouteRequest
  let isCancelled: @Sendable () -> Bool

  package init(
    engine: RoutingEngine, road: TraceMapper, request: RouteRequest,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.engine = engine
    self.road = road
    self.request = request
    self.isCancelled = isCancelled
  }

  /// A route of which a smaller share is on the map is not imported.
  static let leastShare = 0.5
  /// Lines of engines and of other maps follow their roads: points in between lie on the road, too.
  private static let spacingM = 40.0

  private var graph: RoadGraph { engine.metric.network.graph }

  /// Returns the path along lines that follow roads, one for each leg.
  package func way(
    along legs: [[Coordinate]], in space: inout SearchSpace
  ) throws(RouteFailure) -> ImportedPath {
    let count = legs.reduce(0) {
      $0 + TraceMapper.fixCount(along: $1, spacingM: Self.spacingM)
    }
    try Self.check(count)
    var fixes: [Fix] = []
    var ends = [0]
    for leg in legs {
      var line = leg
      if let last = fixes.last?.place, line.first != last { line.insert(last, at: 0) }
      let more = TraceMapper.fixes(
        along: line, mode: request.mode, spacingM: Self.spacingM, accuracyM: 5)
      let startS = fixes.last?.time
      for fix in fixes.isEmpty ? more[...] : more.dropFirst() {
        var fix = fix
        if let startS, let time = fix.time {
          fix.time = startS.advanced(bySeconds: time.seconds)
        }
        fixes.append(fix)
      }
      ends.append(max(0, fixes.count - 1))
    }
    return try way(driven: fixes, legEnds: ends, in: &space)
  }

  private static func check(_ count: Int) throws(RouteFailure) {
    guard count <= TraceMapper.mostFixes else {
      throw .invalidOptions(
        "The input is too long to be matched: \(count) places at \(Int(spacingM)) m, at most \(TraceMapper.mostFixes)."
      )
    }
  }

  /// Returns the path of a trace; `legEnds` are the fixes at which legs begin and end, the first
  /// and last included.
  package func way(
    driven fixes: [Fix], legEnds: [Int], in space: inout SearchSpace
  ) throws(RouteFailure) -> ImportedPath {
    try Self.check(fixes.count)
    let stretches = road.stretches(fixes).stretches
    let matched = stretches.reduce(0) { $0 + $1.points.count }
    if matched == 0, !fixes.isEmpty, !fixes.contains(where: { graph.reaches($0.place) }) {
      throw .noMapData(index: 0)
    }
    let share = fixes.isEmpty ? 0 : Double(matched) / Double(fixes.count)
    guard share >= Self.leastShare else {
      throw .noMatch(
        "Only \(Int(share * 100)) % of the input lies on roads that are open to the travel mode \(request.mode.word)."
      )
    }
    var chain = MatchedChain()
    for stretch in stretches {
      if let last = chain.last, let first = stretch.points.first {
        chain.gap(try fill(last, first.position, in: &space), graph)
      }
      chain.add(stretch)
    }
    guard let path = chain.path(legEnds: legEnds, graph: graph) else {
      throw .noMatch("The input is too short to be matched.")
    }
    return ImportedPath(path: path.trimmed(graph), matchedShare: share, gapM: chain.gapM)
  }

  /// Returns the path over edges; gaps between edges that do not follow each other are filled.
  package func way(
    over edges: [EdgeID], known: Double, in space: inout SearchSpace
  ) throws(RouteFailure) -> ImportedPath {
    guard let first = edges.first else {
      throw .noMatch("None of the road segments is on this map.")
    }
    var path = RoadPath(edges: [first], startOffsetM: 0, endOffsetM: graph.lengthM(first))
    var gapM = 0.0
    for edge in edges.dropFirst() {
      guard let last = path.edges.last else { continue }
      if graph.head(last) != graph.tail(edge) {
        let between = try fill(
          RoadPosition(edge: last, offsetM: graph.lengthM(last)),
          RoadPosition(edge: edge, offsetM: 0), in: &space)
        // End edges of which nothing is driven may be missing in it.
        path.edges += between.edges.filter { $0 != last && $0 != edge }
        gapM += between.lengthM(graph)
      }
      path.edges.append(edge)
      path.endOffsetM = graph.lengthM(edge)
    }
    guard let last = path.edges.last else { throw .noMatch("The matched path is empty.") }
    let ends = [
      RoadPosition(edge: first, offsetM: 0), RoadPosition(edge: last, offsetM: path.endOffsetM),
    ]
    return ImportedPath(
      path: FoundPath(
        stops: ends.map {
          SnapCandidate(position: $0, coordinate: graph.coordinate($0), distanceM: 0)
        },
        legs: [path], costMS: 0, breaksRestrictions: false),
      matchedShare: known, gapM: gapM)
  }

  private func fill(
    _ from: RoadPosition, _ to: RoadPosition, in space: inout SearchSpace
  ) throws(RouteFailure) -> RoadPath {
    let ends = [from, to].map {
      SnapCandidate(position: $0, coordinate: graph.coordinate($0), distanceM: 0)
    }
    var request = request
    request.waypoints = ends.map { Waypoint(place: $0.coordinate) }
    request.alternatives = 0
    let found = try engine.paths(
      request, through: ends.map { [$0] }, in: &space, isCancelled: isCancelled)
    guard let leg = found.first?.legs.first else { throw .noRouteFound(fromWaypoint: 0) }
    return leg
  }
}

extension RoadPath {
  /// Returns the metres from its start to its end; linear in the edges.
  func lengthM(_ graph: RoadGraph) -> Double {
    edges.reduce(0) { $0 + graph.lengthM($1) } - startOffsetM
      - (edges.last.map { graph.lengthM($0) - endOffsetM } ?? 0)
  }

  /// Returns this path joined with one that begins at its end.
  fileprivate func joined(_ next: RoadPath) -> RoadPath {
    guard edges.last == next.edges.first else {
      return RoadPath(
        edges: edges + next.edges, startOffsetM: startOffsetM, endOffsetM: next.endOffsetM)
    }
    return RoadPath(
      edges: edges + next.edges.dropFirst(), startOffsetM: startOffsetM,
      endOffsetM: next.endOffsetM)
  }
}

/// Matched places in the order of their fixes, and the road between successive places.
private struct MatchedChain {
  private var points: [(fix: Int, position: RoadPosition, distanceM: Double)] = []
  private var legs: [RoadPath] = []
  private(set) var gapM = 0.0

  var last: RoadPosition? { points.last?.position }

  mutating func gap(_ path: RoadPath, _ graph: RoadGraph) {
    legs.append(path)
    gapM += path.lengthM(graph)
  }

  mutating func add(_ stretch: TracedStretch) {
    points += stretch.points.map { ($0.fix, $0.position, $0.place.distanceM) }
    legs += stretch.legs
  }

  /// Returns the chain split where legs end: at the first matched place from that fix on.
  func path(legEnds: [Int], graph: RoadGraph) -> FoundPath? {
    guard points.count > 1, legs.count == points.count - 1 else { return nil }
    var cuts = [0]
    for end in legEnds.dropFirst().dropLast() {
      let cut = points.firstIndex { $0.fix >= end } ?? points.count - 1
      cuts.append(max(cut, cuts.last ?? 0))
    }
    cuts.append(points.count - 1)
    let joined = zip(cuts, cuts.dropFirst()).map { first, last -> RoadPath in
      guard first < last else {
        let here = points[first].position
        return RoadPath(edges: [here.edge], startOffsetM: here.offsetM, endOffsetM: here.offsetM)
      }
      return legs[first..<last].dropFirst().reduce(legs[first]) { $0.joined($1) }
    }
    return FoundPath(
      stops: cuts.map { cut in
        SnapCandidate(
          position: points[cut].position, coordinate: graph.coordinate(points[cut].position),
          distanceM: points[cut].distanceM)
      }, legs: joined, costMS: 0, breaksRestrictions: false)
  }
}
