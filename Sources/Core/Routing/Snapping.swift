public import Geodesy
public import RoadGraph
import Route

/// A place on the network at which a route may begin or end.
public struct SnapCandidate: Hashable, Sendable {
  public var position: RoadPosition
  public var coordinate: Coordinate
  /// Metres between the place asked for and the road.
  public var distanceM: Double
  /// What choosing it costs beside the way there.
  public var penaltyMS: UInt64

  public init(
    position: RoadPosition, coordinate: Coordinate, distanceM: Double, penaltyMS: UInt64 = 0
  ) {
    self.position = position
    self.coordinate = coordinate
    self.distanceM = distanceM
    self.penaltyMS = penaltyMS
  }
}

/// Puts waypoints on the roads of a mode.
struct Snapper {
  let network: RoadNetwork
  let tuning: RoutingTuning

  private static let radiiM = [25.0, 100, 300, 1000, 3000, 10_000]

  /// Candidates for a waypoint within `radiusM`, the nearest first; empty where there is no usable road.
  ///
  /// `isWide` gives more and farther ones, for a second try when the nearest lead nowhere.
  func candidates(for waypoint: Waypoint, radiusM: Double, isWide: Bool = false) -> [SnapCandidate]
  {
    var tried = 0.0
    for step in Self.radiiM where tried < radiusM {
      let reachM = Double.minimum(step, radiusM)
      tried = reachM
      let usable = usableEdges(near: waypoint.entry, withinM: reachM)
      guard let nearest = usable.first else { continue }
      // The nearest road that is no island may lie beyond what this circle shows in full.
      let needsMainland = !usable.contains { !isIsland($0) }
      let nearM = nearest.distanceM
      if needsMainland, reachM < Double.minimum(radiusM, nearM + 300) { continue }
      return choose(usable, nearM: nearM, waypoint, isWide: isWide)
    }
    return []
  }

  /// Metres to the nearest usable road; nil where there is none within `radiusM`.
  func nearestM(to place: Coordinate, withinM radiusM: Double) -> Double? {
    usableEdges(near: place, withinM: radiusM).first?.distanceM
  }

  private func usableEdges(near place: Coordinate, withinM radiusM: Double) -> [NearbyEdge] {
    let graph = network.graph
    return graph.edges(near: place, withinM: radiusM).filter {
      network.isUsable($0.position.edge)
        && !graph.attributes($0.position.edge).flags.contains(.ferry)
    }
  }

  private func isIsland(_ near: NearbyEdge) -> Bool {
    network.graph.attributes(near.position.edge).flags.contains(.island)
  }

  private func choose(
    _ usable: [NearbyEdge], nearM: Double, _ waypoint: Waypoint, isWide: Bool
  ) -> [SnapCandidate] {
    let limit = isWide ? 24 : 12
    let mainlandM = usable.first { !isIsland($0) }?.distanceM
    let slackM = isWide ? Double.maximum(150, nearM) : tuning.candidateSlackM
    let baseM = nearM > tuning.islandRadiusM ? mainlandM ?? nearM : nearM
    var chosen = usable.filter { $0.distanceM >= baseM && $0.distanceM <= baseM + slackM }
    if let mainlandM, !chosen.contains(where: { !isIsland($0) }) {
      chosen += usable.filter { !isIsland($0) && $0.distanceM <= mainlandM + 0.5 }
    }
    return chosen.prefix(limit).map { near in
      var penaltyMS = UInt64(
        ((near.distanceM - baseM) * Double(tuning.candidateMSPerM)).rounded())
      if let wanted = waypoint.bearingDeg,
        Angle.differenceDeg(wanted, near.bearingDeg) > tuning.bearingToleranceDeg
      {
        penaltyMS += tuning.againstBearingMS
      }
      return SnapCandidate(
        position: near.position, coordinate: near.coordinate, distanceM: near.distanceM,
        penaltyMS: penaltyMS)
    }
  }
}
