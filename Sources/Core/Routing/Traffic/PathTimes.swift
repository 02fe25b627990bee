import Foundations
import RoadGraph
import Route

/// The time of one piece of a path: the turn into it, and the part of the piece that the path
/// covers.
struct SegmentTime: Hashable, Sendable {
  var turnS: Double
  var freeFlowS: Double
  var latestS: Double
  /// When the piece is entered, including the wait before it; nil if the prices of one moment apply
  /// to the whole path.
  var entered: Instant?

  var durations: Durations {
    Durations(freeFlowS: turnS + freeFlowS, trafficS: turnS + latestS, latestS: turnS + latestS)
  }
}

extension RoadMetric {
  /// The times of the pieces of a path, including turns; `previous` is the edge driven before it.
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

  /// Times of the pieces of a path that is entered `clockMS` milliseconds after the departure.
  ///
  /// Afterwards `clockMS` is the time at which the path's end is reached. If the metric has no
  /// clock, the result contains its own times. A wait for a closed road to open counts as time on
  /// that road. With `waitsAtStart`, this includes the first road.
  func times(
    along path: RoadPath, after previous: EdgeID? = nil, clockMS: inout UInt64,
    waitsAtStart: Bool = false
  ) -> [SegmentTime] {
    var times = times(along: path, after: previous)
    guard let clock else { return times }
    for index in path.edges.indices {
      let edge = path.edges[index]
      let part = path.part(index, network.graph)
      let lengthM = network.graph.lengthM(edge)
      let share = lengthM > 0 ? (part.toM - part.fromM) / lengthM : 0
      if index > 0 {
        let before = path.edges[index - 1].index
        if boards(from: before, onto: edge.index) {
          let boardingMS = boardingMS(from: before, onto: edge.index, atMS: clockMS)
          times[index].turnS = Double(angleMS(from: before, onto: edge.index) + boardingMS) / 1000
        }
      }
      clockMS += UInt64((times[index].turnS * 1000).rounded())
      let driven = traversal(
        of: edge.index, share: share, atMS: clockMS, mayWait: index > 0 || waitsAtStart)
      times[index].entered = clock.moment(atMS: clockMS + (driven?.waitMS ?? 0))
      if let driven {
        times[index].latestS = (Double(driven.waitMS) + driven.driveMS) / 1000
        clockMS += driven.timeMS
      } else {
        clockMS += UInt64((times[index].latestS * 1000).rounded())
      }
    }
    return times
  }

  /// Times of the pieces of a path for a followed or proposed route, with the closure penalty,
  /// which no clock counts.
  func routeTimes(
    along path: RoadPath, after previous: EdgeID? = nil, clockMS: inout UInt64,
    waitsAtStart: Bool = false
  ) -> [SegmentTime] {
    var times = times(
      along: path, after: previous, clockMS: &clockMS, waitsAtStart: waitsAtStart)
    for index in closedBeginnings(of: path, times) { times[index].latestS += tuning.closedS }
    return times
  }

  /// Indices at which the path enters a road that traffic has closed.
  ///
  /// A closure costs more time than any jam. Closed roads at the start or end of the path do not
  /// count, because residents are let through.
  private func closedBeginnings(of path: RoadPath, _ times: [SegmentTime]) -> Set<Int> {
    guard traffic != nil || clock != nil, key.mode.isMotorised else { return [] }
    let isClosed = path.edges.indices.map { self.isClosed(path.edges[$0], at: times[$0].entered) }
    guard let first = isClosed.firstIndex(of: false), let last = isClosed.lastIndex(of: false)
    else { return [] }
    return Set((first..<last).filter { isClosed[$0] && !isClosed[$0 - 1] })
  }
}

extension RoadPath {
  /// The part of edge `index` that the path covers, in metres.
  func part(_ index: Int, _ graph: RoadGraph) -> (fromM: Double, toM: Double) {
    let fromM = index == 0 ? startOffsetM : 0
    let toM = index == edges.count - 1 ? endOffsetM : graph.lengthM(edges[index])
    return (fromM, Double.maximum(fromM, toM))
  }
}
