import Geodesy
import Positioning
import RoadGraph

/// A place on a road at which a fix may have been taken, with a direction of travel.
struct Candidate: Hashable, Sendable {
  var state: TravelState
  /// Metres from where travel along the edge begins.
  var offsetM: Double
  var coordinate: Coordinate
  /// Metres from the fix.
  var distanceM: Double
  /// Direction of travel, clockwise from north.
  var bearingDeg: Double
}

extension MatchingNetwork {
  /// The places within the radius that the mode may be at, the nearest first.
  ///
  /// A place at the very start of an edge is left out where another road ends in the same node: at
  /// the node one is still on the road that led there. What `previous` holds stays, so that a road
  /// once taken is not lost there.
  func candidates(
    near place: Coordinate, previous: [TravelState], tuning: MatcherTuning
  ) -> [Candidate] {
    var found: [Candidate] = []
    for near in graph.edges(near: place, withinM: tuning.radiusM) {
      let edge = near.position.edge
      guard isUsable(edge) else { continue }
      let length = graph.lengthM(edge)
      let offset = Double.minimum(length, near.position.offsetM)
      found.append(
        Candidate(
          state: TravelState(edge, isAgainst: false), offsetM: offset,
          coordinate: near.coordinate, distanceM: near.distanceM, bearingDeg: near.bearingDeg))
      guard isOneWay(edge) else { continue }
      found.append(
        Candidate(
          state: TravelState(edge, isAgainst: true), offsetM: length - offset,
          coordinate: near.coordinate, distanceM: near.distanceM,
          bearingDeg: Angle.normalizedDeg(near.bearingDeg + 180)))
    }
    let kept = found.filter { candidate in
      candidate.offsetM > 1 || previous.contains(candidate.state)
        || !isEndOfAnother(candidate, among: found)
    }
    return limited(kept, previous: previous, tuning: tuning)
  }

  private func isEndOfAnother(_ candidate: Candidate, among others: [Candidate]) -> Bool {
    let node = start(candidate.state)
    let back = reversed(candidate.state)
    return others.contains { other in
      other.state != back && other.state != candidate.state && end(other.state) == node
        && other.offsetM >= lengthM(other.state) - 1
    }
  }

  private func limited(
    _ candidates: [Candidate], previous: [TravelState], tuning: MatcherTuning
  ) -> [Candidate] {
    guard candidates.count > tuning.candidateLimit else { return candidates }
    return candidates.enumerated().filter { index, candidate in
      index < tuning.candidateLimit || previous.contains(candidate.state)
    }.map(\.element)
  }
}
