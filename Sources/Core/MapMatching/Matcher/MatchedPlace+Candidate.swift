import Geodesy
import Positioning
import RoadGraph

extension MatchingNetwork {
  /// Returns the public form of a candidate.
  func place(
    _ candidate: Candidate, path: [TravelState], probability: Double, sigmaM: Double
  ) -> MatchedPlace {
    let state = candidate.state
    let attributes = graph.attributes(state.edge)
    let length = graph.lengthM(state.edge)
    return MatchedPlace(
      coordinate: candidate.coordinate, bearingDeg: candidate.bearingDeg,
      position: RoadPosition(
        edge: state.edge,
        offsetM: state.isAgainst ? length - candidate.offsetM : candidate.offsetM),
      state: state, segment: reference(state), offsetM: candidate.offsetM, path: path,
      probability: Double.minimum(1, probability), distanceM: candidate.distanceM,
      isInTunnel: attributes.flags.contains(.tunnel),
      zLevel: Int(attributes.layer), uncertaintyM: sigmaM)
  }

  /// Returns the last reported place where noise would move `place` back along the road; otherwise
  /// `place`.
  func holding(
    _ place: MatchedPlace, at before: MatchedPlace, of fix: Fix, move: TransitionKind,
    withinM: Double
  ) -> MatchedPlace {
    let isOnSameEdge = place.state == before.state && place.offsetM < before.offsetM
    let isOnEdgeBefore =
      place.segment.to == before.segment.from && place.segment.from != before.segment.to
    guard isOnSameEdge || isOnEdgeBefore, case .drive(let isBackward) = move,
      isBackward || isOnSameEdge
    else { return place }
    let backM =
      before.offsetM - place.offsetM
      + (isOnSameEdge ? 0 : graph.lengthM(place.position.edge))
    let distanceM = fix.place.distanceM(to: before.coordinate)
    guard backM <= withinM, distanceM <= 50 else { return place }
    var held = before
    held.path = [before.state]
    held.probability = place.probability
    held.uncertaintyM = place.uncertaintyM
    held.distanceM = distanceM
    return held
  }
}
