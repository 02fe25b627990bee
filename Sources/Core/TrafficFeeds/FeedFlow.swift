public import RoadGraph
public import Traffic

extension PlacedIncident {
  /// Jam factor per share of closed lanes: half of the lanes closed cost a fifth of the speed.
  ///
  /// An assumption: no feed says how much a closed lane slows traffic down.
  private static let jamOfClosedLanes = 4.0

  /// The speeds on its edges while the incident holds.
  ///
  /// An observed speed or jam is `live` and is used alone. Otherwise a temporary limit, closed lanes and a stated delay
  /// become a `predicted` speed, the slowest of the three. A closed road has no speed.
  public func flow(on graph: RoadGraph) -> [(edge: EdgeID, state: TrafficState)] {
    let effect = incident.effect
    guard !effect.isClosed else { return [] }
    if effect.speedMps != nil || effect.jamFactor != nil {
      let state = TrafficState(
        measuredSpeedMps: effect.speedMps, measuredJamFactor: effect.jamFactor)
      return edges.map { ($0, state) }
    }
    var seen: Set<EdgeID> = []
    return runs.flatMap { run -> [(edge: EdgeID, state: TrafficState)] in
      let share = speedShare(of: run, on: graph)
      return run.compactMap { edge in
        let freeFlowMps = graph.attributes(edge).freeFlowMps(.car)
        let mps = Double.minimum(share * freeFlowMps, effect.speedLimitMps ?? .infinity)
        guard freeFlowMps > 0, mps < freeFlowMps, seen.insert(edge).inserted else { return nil }
        return (edge, TrafficState(measuredSpeedMps: Double.maximum(1, mps), source: .predicted))
      }
    }
  }

  /// Share of the free-flow speed that closed lanes and the stated delay leave on a run, 0 to 1.
  private func speedShare(of run: [EdgeID], on graph: RoadGraph) -> Double {
    let effect = incident.effect
    var share = 1.0
    if let closed = effect.lanesClosed, closed > 0 {
      // Half of the lanes are closed if the number of open lanes is unknown.
      let open = effect.lanesOpen ?? closed
      let lost = Double(closed) / Double(closed + max(0, open))
      share = 1 - Self.jamOfClosedLanes / 10 * lost
    }
    if let delayS = effect.delayS, delayS > 0 {
      let freeFlowS = run.reduce(0) { sum, edge in
        let mps = graph.attributes(edge).freeFlowMps(.car)
        return sum + (mps > 0 ? graph.lengthM(edge) / mps : 0)
      }
      share = Double.minimum(share, freeFlowS / (freeFlowS + delayS))
    }
    return share
  }
}
