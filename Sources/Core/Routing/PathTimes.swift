import RoadGraph
import Route

/// Seconds of one piece of a path: the turn into it, and the piece itself as far as the path covers it.
struct SegmentTime: Hashable, Sendable {
  var turnS: Double
  var freeFlowS: Double
  var latestS: Double

  var durations: Durations {
    Durations(freeFlowS: turnS + freeFlowS, trafficS: turnS + latestS, latestS: turnS + latestS)
  }
}

extension RoadMetric {
  /// The times of the pieces of a path, turns included; `previous` is the edge driven before it.
  func times(along path: RoadPath, after previous: EdgeID? = nil) -> [SegmentTime] {
    var last = previous
    return path.edges.indices.map { index in
      let edge = path.edges[index]
      let part = path.part(index, network.graph)
      let lengthM = network.graph.lengthM(edge)
      let share = lengthM > 0 ? (part.toM - part.fromM) / lengthM : 0
      var turnS = 0.0
      if let last, index > 0 || network.graph.twin(last) == edge {
        turnS = Double(turnMS(from: last.index, onto: edge.index)) / 1000
      }
      last = edge
      return SegmentTime(
        turnS: turnS, freeFlowS: Double(freeFlowMS[edge.index]) / 1000 * share,
        latestS: Double(latestMS[edge.index]) / 1000 * share)
    }
  }

  /// Times of the pieces of a path for a followed or proposed route, with the penalty for closures.
  func routeTimes(along path: RoadPath, after previous: EdgeID? = nil) -> [SegmentTime] {
    var times = times(along: path, after: previous)
    for index in closedBeginnings(of: path) { times[index].latestS += tuning.closedS }
    return times
  }

  /// Indices at which the path enters a road that traffic has closed.
  ///
  /// A closure costs more time than any jam. Closed roads at the start or end of the path do not
  /// count, because residents are let through.
  private func closedBeginnings(of path: RoadPath) -> Set<Int> {
    guard traffic != nil, key.mode.isMotorised,
      let first = path.edges.firstIndex(where: { !isClosed($0) }),
      let last = path.edges.lastIndex(where: { !isClosed($0) })
    else { return [] }
    return Set((first..<last).filter { isClosed(path.edges[$0]) && !isClosed(path.edges[$0 - 1]) })
  }
}

extension RoadPath {
  /// The metres of edge `index` that the path covers.
  func part(_ index: Int, _ graph: RoadGraph) -> (fromM: Double, toM: Double) {
    let fromM = index == 0 ? startOffsetM : 0
    let toM = index == edges.count - 1 ? endOffsetM : graph.lengthM(edges[index])
    return (fromM, Double.maximum(fromM, toM))
  }
}
