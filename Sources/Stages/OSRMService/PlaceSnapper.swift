import Geodesy
import OSRM
import RoadGraph
import Route
import Routing

/// Snaps the places of an OSRM request to roads like OSRM, to the nearest road that fits.
struct PlaceSnapper {
  let network: RoadNetwork
  let exclude: Set<Avoidance>
  let snapsAnywhere: Bool
  private var graph: RoadGraph { network.graph }

  /// Maximum distance of a road from a place whose request sets no limit.
  static let farthestM = 50_000.0
  private static let radiiM = [25.0, 100, 400, 1600, 6400, 25_600, farthestM]
  /// Roads this much farther than the nearest one meet it at a junction, or are its opposite
  /// direction.
  private static let tieM = 0.5
  /// Maximum distance between a hint and its place.
  private static let hintM = 100.0

  /// Returns the candidates for a place; empty if no road fits.
  func candidates(for place: OSRMPlace) -> [SnapCandidate] {
    if let position = place.hint?.position(in: graph), let hinted = hinted(place, at: position) {
      return hinted
    }
    let fitting = nearest(to: place, atLeast: 1)
    guard let first = fitting.first else { return [] }
    var chosen = fitting.prefix { $0.distanceM <= first.distanceM + Self.tieM }
    // A small island leads nowhere: the nearest road of the mainland is tried in addition.
    if !snapsAnywhere, isIsland(first),
      let mainland = self.nearest(to: place, atLeast: 1, where: { !isIsland($0) }).first
    {
      chosen.append(mainland)
    }
    return chosen.map(candidate)
  }

  /// Returns the candidates for a place whose usual candidates led nowhere.
  ///
  /// In addition to a road that a vehicle cannot leave or reach, they include the nearest usable
  /// one. A motorway at the edge of a map is such a road.
  func candidates(beyondCorners place: OSRMPlace) -> [SnapCandidate] {
    let usual = candidates(for: place)
    guard !snapsAnywhere, usual.contains(where: { isCorner($0.position.edge) }),
      let open = nearest(to: place, atLeast: 1, where: { !isCorner($0.position.edge) }).first
    else { return usual }
    return usual + [candidate(open)]
  }

  /// Whether hardly any road leads on from an edge, or hardly any leads to it.
  private func isCorner(_ edge: EdgeID) -> Bool {
    reachesFew(from: edge) { graph.edges(leaving: graph.head($0)).filter(network.isUsable) }
      || reachesFew(from: edge) { graph.edges(entering: graph.tail($0)).filter(network.isUsable) }
  }

  private func reachesFew(from edge: EdgeID, _ next: (EdgeID) -> [EdgeID]) -> Bool {
    var seen: Set<EdgeID> = [edge]
    var open = [edge]
    while let edge = open.popLast() {
      for other in next(edge) where seen.insert(other).inserted { open.append(other) }
      if seen.count > Self.cornerSize { return false }
    }
    return true
  }

  /// Maximum number of edges in a corner.
  private static let cornerSize = 50

  /// Returns the nearest roads, each once whatever its directions, the nearest first.
  func nearest(to place: OSRMPlace, count: Int) -> [SnapCandidate] {
    var pieces: Set<UInt32> = []
    return nearest(to: place, atLeast: count).filter {
      pieces.insert(graph.columns.piece[$0.position.edge.index] >> 1).inserted
    }.prefix(count).map(candidate)
  }

  private func hinted(_ place: OSRMPlace, at position: RoadPosition) -> [SnapCandidate]? {
    let coordinate = graph.coordinate(position)
    let here = NearbyEdge(
      position: position, coordinate: coordinate,
      distanceM: coordinate.distanceM(to: place.coordinate),
      bearingDeg: graph.bearingDeg(position))
    // A hint belongs to the coordinate with which it was issued; it is ignored if the place is far
    // from it.
    guard here.distanceM <= Double.minimum(place.radiusM ?? Self.hintM, Self.hintM),
      fits(here, place)
    else { return nil }
    guard let twin = graph.twin(position.edge) else { return [candidate(here)] }
    var back = here
    back.position = RoadPosition(
      edge: twin, offsetM: Double.maximum(0, graph.lengthM(twin) - position.offsetM))
    back.bearingDeg = Angle.normalizedDeg(here.bearingDeg + 180)
    return [candidate(here)] + (fits(back, place) ? [candidate(back)] : [])
  }

  private func candidate(_ near: NearbyEdge) -> SnapCandidate {
    SnapCandidate(
      position: near.position, coordinate: near.coordinate, distanceM: near.distanceM)
  }

  // Rings of growing radius find nearby roads without a search of the whole map.
  private func nearest(
    to place: OSRMPlace, atLeast count: Int, where isWanted: (NearbyEdge) -> Bool = { _ in true }
  ) -> [NearbyEdge] {
    let limitM = Double.minimum(place.radiusM ?? Self.farthestM, Self.farthestM)
    for radiusM in Self.radiiM {
      let reachM = Double.minimum(radiusM, limitM)
      let found = graph.edges(near: place.coordinate, withinM: reachM).filter {
        fits($0, place) && isWanted($0)
      }
      if found.count >= 2 * count || reachM == limitM { return found }
      // A road nearer than the radius of the ring has no rival outside of it.
      if count == 1, !found.isEmpty { return found }
    }
    return []
  }

  private func fits(_ near: NearbyEdge, _ place: OSRMPlace) -> Bool {
    let edge = near.position.edge
    guard network.isUsable(edge) else { return false }
    let road = graph.attributes(edge)
    guard !road.flags.contains(.ferry), !exclude.contains(where: { $0.applies(to: road) }) else {
      return false
    }
    if let bearing = place.bearing,
      Angle.differenceDeg(bearing.deg, near.bearingDeg) > bearing.rangeDeg
    {
      return false
    }
    return place.approach == .unrestricted || isOnWantedSide(near, place, road)
  }

  // The side of a place matters on two-way roads only.
  private func isOnWantedSide(
    _ near: NearbyEdge, _ place: OSRMPlace, _ road: RoadAttributes
  ) -> Bool {
    guard let twin = graph.twin(near.position.edge), network.isUsable(twin), near.distanceM > 0.5
    else { return true }
    let turnDeg = Angle.turnDeg(
      from: near.bearingDeg, to: near.coordinate.bearingDeg(to: place.coordinate))
    let isAtCurb = (turnDeg > 0) != road.flags.contains(.leftHand)
    return isAtCurb == (place.approach == .curb)
  }

  private func isIsland(_ near: NearbyEdge) -> Bool {
    graph.attributes(near.position.edge).flags.contains(.island)
  }
}
