public import RoadGraph
public import Traffic

/// The speed of a part of an edge while an incident holds.
public struct FeedSpeed: Hashable, Sendable {
  public var edge: EdgeID
  /// The whole edge, or the part of it that the feed names.
  public var segment: SegmentReference
  public var state: TrafficState
}

extension PlacedIncident {
  /// Jam factor per share of closed lanes: half of the lanes closed cost a fifth of the speed.
  ///
  /// An assumption, since no feed contains the effect of a closed lane on speed.
  private static let jamOfClosedLanes = 4.0

  /// The speeds on its edges, or on the parts of edges that the feed names, while the incident holds.
  ///
  /// An observed speed or jam is `live` and is used alone. Otherwise a temporary limit, closed lanes and a stated delay
  /// become a `predicted` speed, the slowest of the three. A closed road has no speed.
  public func flow(on graph: RoadGraph) -> [FeedSpeed] {
    let effect = incident.effect
    guard !effect.isClosed else { return [] }
    var seen: Set<SegmentReference> = []
    let isObserved = effect.speedMps != nil || effect.jamFactor != nil
    return parts(on: graph).flatMap { run -> [FeedSpeed] in
      let share = isObserved ? 1 : speedShare(of: run.map(\.part), on: graph)
      return run.compactMap { one in
        let freeFlowMps = graph.attributes(one.part.edge).freeFlowMps(.car)
        let mps = Double.minimum(share * freeFlowMps, effect.speedLimitMps ?? .infinity)
        guard isObserved || freeFlowMps > 0 && mps < freeFlowMps,
          seen.insert(one.segment).inserted
        else { return nil }
        let state =
          isObserved
          ? TrafficState(
            measuredSpeedMps: effect.speedMps, measuredJamFactor: effect.jamFactor)
          : TrafficState(measuredSpeedMps: Double.maximum(1, mps), source: .predicted)
        return FeedSpeed(edge: one.part.edge, segment: one.segment, state: state)
      }
    }
  }

  /// Share of the free-flow speed that closed lanes and the stated delay leave on a run, 0 to 1.
  private func speedShare(of run: [EdgePart], on graph: RoadGraph) -> Double {
    let effect = incident.effect
    var share = 1.0
    if let closed = effect.lanesClosed, closed > 0 {
      // Half of the lanes are closed if the number of open lanes is unknown.
      let open = effect.lanesOpen ?? closed
      let lost = Double(closed) / Double(closed + max(0, open))
      share = 1 - Self.jamOfClosedLanes / 10 * lost
    }
    if let delayS = effect.delayS, delayS > 0 {
      let freeFlowS = run.reduce(0) { sum, part in
        let mps = graph.attributes(part.edge).freeFlowMps(.car)
        return sum + (mps > 0 ? part.lengthM / mps : 0)
      }
      share = Double.minimum(share, freeFlowS / (freeFlowS + delayS))
    }
    return share
  }
}
