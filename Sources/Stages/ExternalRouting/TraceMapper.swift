import Foundations
package import Geodesy
package import MapMatching
package import Positioning
package import RoadGraph
import Route
package import Routing

/// A stretch of road that a trace drives without a gap.
package struct TracedStretch {
  /// The index of a fix and its place on the road; offsets never decrease along an edge.
  package struct Point {
    package var fix: Int
    var place: MatchedPlace
    package var position: RoadPosition
    /// Number of other places on paths that may still be the true one.
    package var alternatives: Int
  }

  package var points: [Point]
  /// The legs, one for each pair of neighbouring points.
  var legs: [RoadPath]

  /// The stretch as a path through its points.
  package var path: FoundPath {
    FoundPath(
      stops: points.map {
        SnapCandidate(
          position: $0.position, coordinate: $0.place.coordinate, distanceM: $0.place.distanceM)
      }, legs: legs, costMS: 0, breaksRestrictions: false)
  }
}

/// Maps lines and traces to the roads of a mode with the matcher's engine.
package struct TraceMapper {
  let network: MatchingNetwork
  package var tuning = MatcherTuning()

  package init(_ network: MatchingNetwork) {
    self.network = network
    // Routes respect one-way streets; driving against one is a gap.
    tuning.wrongWayNats = 1_000
  }

  /// Returns the parts of the trace on roads, and the confidence in the whole.
  package func stretches(_ fixes: [Fix]) -> (stretches: [TracedStretch], confidence: Double) {
    guard !fixes.isEmpty else { return ([], 0) }
    let trace = network.match(trace: fixes, tuning: tuning)
    var all: [TracedStretch] = []
    for (index, match) in trace.matches.enumerated() {
      guard let place = match.place, !place.isWrongWay else { continue }
      var point = TracedStretch.Point(
        fix: index, place: place,
        position: RoadPosition(edge: place.state.edge, offsetM: place.offsetM),
        alternatives: match.alternativeCount)
      if let last = all.indices.last, let leg = leg(after: all[last], to: place) {
        point.position.offsetM = leg.endOffsetM
        // Before it turns round, the vehicle is still on the last road of the leg.
        if let edge = leg.edges.last { point.position.edge = edge }
        all[last].points.append(point)
        all[last].legs.append(leg)
      } else {
        all.append(TracedStretch(points: [point], legs: []))
      }
    }
    return (all.filter { !$0.legs.isEmpty }, trace.confidence)
  }

  /// Returns the path from a stretch's end to a place; nil if the trace has a gap there.
  private func leg(after stretch: TracedStretch, to place: MatchedPlace) -> RoadPath? {
    guard let last = stretch.points.last, let first = place.path.first,
      first == last.place.state, place.path.last == place.state,
      !place.path.contains(where: \.isAgainst)
    else { return nil }
    var edges = place.path.map(\.edge)
    for (edge, next) in zip(edges, edges.dropFirst())
    where network.graph.head(edge) != network.graph.tail(next) { return nil }
    var startM = last.position.offsetM
    let lengthM = network.graph.lengthM(edges[0])
    if last.position.edge != edges[0] { startM = lengthM - startM }
    if edges.count > 1, network.graph.twin(edges[0]) == edges[1] {
      let turnM = lengthM - place.offsetM
      if edges.count == 2, turnM > startM {
        return RoadPath(edges: [edges[0]], startOffsetM: startM, endOffsetM: turnM)
      }
      // The vehicle turned round at the last place, and the rest of the leg leads back from there.
      edges.removeFirst()
      startM = lengthM - startM
    }
    // Noise may move a place back along its road; the vehicle did not drive back.
    let endM = edges.count == 1 ? Double.maximum(startM, place.offsetM) : place.offsetM
    return RoadPath(edges: edges, startOffsetM: startM, endOffsetM: endM)
  }

  /// More fixes than this are refused: a route across a continent has fewer.
  static let mostFixes = 200_000

  /// Returns the number of fixes that `fixes` would create, without creating them.
  static func fixCount(along line: [Coordinate], spacingM: Double?) -> Int {
    line.count
      + zip(line, line.dropFirst()).reduce(0) {
        $0 + parts($1.0.distanceM(to: $1.1), spacingM) - 1
      }
  }

  private static func parts(_ lengthM: Double, _ spacingM: Double?) -> Int {
    spacingM.map { max(1, min(512, Int((lengthM / $0).rounded(.up)))) } ?? 1
  }

  /// Returns fixes along a line, as if it had been driven at a constant speed.
  ///
  /// Between points farther apart than `spacingM` others are inserted, for a line that is known to
  /// follow the road.
  package static func fixes(
    along line: [Coordinate], mode: TravelMode, spacingM: Double? = nil, accuracyM: Double? = nil
  ) -> [Fix] {
    let speedMps =
      switch mode {
      case .pedestrian: 1.4
      case .bicycle: 5.0
      case .car, .truck, .bus, .taxi, .scooter: 15.0
      }
    var fixes: [Fix] = []
    var atS = 0.0
    for (index, place) in line.enumerated() {
      if index > 0 {
        let before = line[index - 1]
        let lengthM = before.distanceM(to: place)
        let parts = parts(lengthM, spacingM)
        for part in 1..<parts {
          let fraction = Double(part) / Double(parts)
          fixes.append(
            Fix(
              place: before.interpolated(to: place, fraction: fraction),
              time: Instant(seconds: atS + Double.maximum(1, lengthM / speedMps) * fraction),
              accuracyM: accuracyM))
        }
        atS += Double.maximum(1, lengthM / speedMps)
      }
      fixes.append(Fix(place: place, time: Instant(seconds: atS), accuracyM: accuracyM))
    }
    return fixes
  }
}
