public import Geodesy
public import RoadGraph
import Route

/// A position on the network where a route may begin or end.
public struct SnapCandidate: Hashable, Sendable {
  public var position: RoadPosition
  public var coordinate: Coordinate
  /// Distance between the requested place and the road in metres.
  public var distanceM: Double
  /// Cost of choosing it, in addition to the path there.
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

/// Snaps waypoints to the roads of a mode.
struct Snapper {
  let metric: RoadMetric
  private var network: RoadNetwork { metric.network }
  private var tuning: RoutingTuning { metric.tuning }

  private static let radiiM = [25.0, 100, 300, 1000, 3000, 10_000]

  /// Candidates for a waypoint within `radiusM`, the nearest first; empty if there is no usable
  /// road.
  ///
  /// Motorways, tunnels and roads that do not suit the trip are left out if another road is nearly
  /// as near. `isWide` returns more and farther candidates, for a second attempt if the nearest
  /// ones lead nowhere. These include the nearest road that the mode can leave.
  func candidates(for waypoint: Waypoint, radiusM: Double, isWide: Bool = false) -> [SnapCandidate]
  {
    var tried = 0.0
    for step in Self.radiiM where tried < radiusM {
      let reachM = Double.minimum(step, radiusM)
      tried = reachM
      let usable = usableEdges(near: waypoint.entry, withinM: reachM)
      guard let nearest = usable.first else { continue }
      // The nearest road that is not an island may lie outside the fully searched circle.
      let needsMainland = !usable.contains { !isIsland($0) }
      let nearM = nearest.distanceM
      if needsMainland, reachM < Double.minimum(radiusM, nearM + 300) { continue }
      let likely = usable.filter { !isUnlikely($0, for: waypoint) }
      let slackM = tuning.unlikelySlackM
      if likely.isEmpty, reachM < Double.minimum(radiusM, nearM + slackM) { continue }
      let isNear = likely.first.map { $0.distanceM <= nearM + slackM } ?? false
      let chosen = choose(
        isNear ? likely : usable, nearM: (isNear ? likely.first : nil)?.distanceM ?? nearM,
        waypoint, isWide: isWide)
      return isWide ? chosen + leavable(waypoint, radiusM: radiusM, after: chosen) : chosen
    }
    return []
  }

  /// Whether a place is unlikely to lie on a road: it is next to a motorway, above a tunnel, or the
  /// road does not suit the trip.
  ///
  /// A place on the road itself, a direction of travel, or a pass-through point refer to that very
  /// road.
  private func isUnlikely(_ near: NearbyEdge, for waypoint: Waypoint) -> Bool {
    guard near.distanceM > tuning.roadHalfWidthM, waypoint.bearingDeg == nil,
      waypoint.kind == .stopover
    else { return false }
    let road = network.graph.attributes(near.position.edge)
    if road.flags.contains(.controlledAccess), near.distanceM > tuning.motorwayHalfWidthM {
      return true
    }
    if road.flags.contains(.tunnel), road.roadClass <= .tertiary { return true }
    return metric.key.refuses(road)
  }

  /// The nearest roads from which the mode gets farther than from all others nearby, unless they
  /// are candidates already.
  private func leavable(
    _ waypoint: Waypoint, radiusM: Double, after known: [SnapCandidate]
  ) -> [SnapCandidate] {
    let nearM = known.map(\.distanceM).min() ?? 0
    // Roads farther away belong to another place, and it is useful to know that nothing leads to
    // this one.
    let found = usableEdges(
      near: waypoint.entry, withinM: Double.minimum(radiusM, nearM + tuning.leavableSlackM))
    var best: (lengthM: Double, distanceM: Double)?
    for near in found {
      let reach = RoadReachability(of: near.position.edge, in: network)
      // Roads of one network have about the same reach.
      if reach.lengthM > 1.5 * (best?.lengthM ?? 0) { best = (reach.lengthM, near.distanceM) }
      if reach.isLarge { break }
    }
    guard let best else { return [] }
    return found.filter {
      $0.distanceM >= best.distanceM && $0.distanceM <= best.distanceM + tuning.candidateSlackM
    }
    .prefix(8)
    .filter { near in !known.contains { $0.position.edge == near.position.edge } }
    .map { candidate($0, baseM: nearM, waypoint) }
  }

  /// Distance in metres to the nearest usable road; nil if there is none within `radiusM`.
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
    // The curb is that of the street itself, not of the next one.
    if waypoint.isAtCurb { chosen.removeAll { $0.distanceM > baseM + tuning.roadHalfWidthM } }
    return chosen.prefix(limit).map { candidate($0, baseM: baseM, waypoint) }
  }

  private func candidate(
    _ near: NearbyEdge, baseM: Double, _ waypoint: Waypoint
  ) -> SnapCandidate {
    let fartherM = Double.maximum(0, near.distanceM - baseM)
    var penaltyMS = UInt64((fartherM * Double(tuning.candidateMSPerM)).rounded())
    if let wanted = waypoint.bearingDeg,
      Angle.differenceDeg(wanted, near.bearingDeg) > tuning.bearingToleranceDeg
    {
      penaltyMS += tuning.againstBearingMS
    }
    if waypoint.isAtCurb, isAcrossRoad(near, waypoint) { penaltyMS += tuning.acrossRoadMS }
    return SnapCandidate(
      position: near.position, coordinate: near.coordinate, distanceM: near.distanceM,
      penaltyMS: penaltyMS)
  }

  /// Whether the place lies beyond the oncoming traffic; never on a one-way road, or right on the
  /// road.
  private func isAcrossRoad(_ near: NearbyEdge, _ waypoint: Waypoint) -> Bool {
    let graph = network.graph
    guard network.mode != .pedestrian, near.distanceM > 0.5,
      let twin = graph.twin(near.position.edge), network.isUsable(twin)
    else { return false }
    let turnDeg = Angle.turnDeg(
      from: near.bearingDeg, to: near.coordinate.bearingDeg(to: waypoint.entry))
    let isLeftHand = graph.attributes(near.position.edge).flags.contains(.leftHand)
    return (turnDeg > 0) == isLeftHand
  }
}
