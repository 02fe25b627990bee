import Geodesy
import RoadGraph
import Route

/// Finds the exit from a roundabout in which the path begins, with exits counted from its start.
struct RoundaboutStartRule: ManeuverRule {
  func applies(_ junction: Junction) -> Bool {
    let path = junction.path
    return path.road(0).isRoundabout && !junction.onto.isRoundabout
      && !RoundaboutRule.isAgainstFlow(0, path)
      && path.edges.indices[..<junction.index].allSatisfy { path.road($0).isRoundabout }
      && RoundaboutRing(from: path.edges[0], path.graph).lengthM >= RoundaboutRule.crossingM
  }

  func maneuver(_ junction: Junction) -> Finding? {
    let path = junction.path
    let passed = passedExits(before: junction.index, path)
    var finding = Finding(.roundabout(exit: passed.count + 1), junction)
    finding.turnAngleDeg = nil
    finding.roundaboutAngleDeg = RoundaboutRing(from: path.edges[0], path.graph).angleDeg(
      from: path.graph.coordinate(path.start), to: path.graph.coordinate(junction.node),
      isLeftHand: junction.isLeftHand)
    finding.passedExits = passed
    return finding
  }

  /// Indices of the edges at whose start an exit is passed, one entry for each exit.
  private func passedExits(before exit: Int, _ path: PathContext) -> [Int] {
    let (ring, out) = (path.road(0), path.road(exit))
    return path.edges.indices.dropFirst().prefix { $0 < exit }.flatMap { index in
      path.graph.edges(leaving: path.graph.tail(path.edges[index]))
        .filter {
          $0 != path.edges[index] && RoundaboutRule.isSeen($0, from: ring, taking: out, path)
        }
        .map { _ in index }
    }
  }
}
