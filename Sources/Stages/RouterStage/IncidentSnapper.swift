import Geodesy
import RoadGraph
import Synchronization
import Traffic
import TrafficFeeds

/// Finds the roads of incidents without segments: by their OpenLR line, else the nearest road within 50 m of their coordinates,
/// in the direction that is given.
///
/// Shared by all vehicles of a router; each place is searched for once.
final class IncidentSnapper: Sendable {
  private struct Place: Hashable {
    var latitudeDeg: Double?
    var longitudeDeg: Double?
    var bearingDeg: Double?
    var openLR: String?
  }

  private let graph: RoadGraph
  private let placer: FeedPlacer
  private let known = Mutex<[Place: [SegmentReference]]>([:])
  /// Places kept at most.
  private static let limit = 50_000

  init(_ graph: RoadGraph, index: SegmentIndex) {
    self.graph = graph
    placer = FeedPlacer(graph, index: index)
  }

  /// The same incidents with the roads on which those without segments lie.
  func snapped(_ list: IncidentList) -> IncidentList {
    var list = list
    for place in list.incidents.indices where list.incidents[place].segments.isEmpty {
      list.incidents[place].snapped = segments(list.incidents[place])
    }
    return list
  }

  private func segments(_ incident: Incident) -> [SegmentReference] {
    let place = Place(
      latitudeDeg: incident.latitudeDeg, longitudeDeg: incident.longitudeDeg,
      bearingDeg: incident.bearingDeg, openLR: incident.openLR)
    if let segments = known.withLock({ $0[place] }) { return segments }
    var found = FeedPlace(bearingDeg: incident.bearingDeg)
    if let reference = incident.openLR.flatMap({ try? OpenLRReference(base64: $0) }) {
      found.references = [reference]
    }
    if let latitude = incident.latitudeDeg, let longitude = incident.longitudeDeg {
      found.points = [Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)]
    }
    guard !found.isEmpty else { return [] }
    let placed = placer.place(FeedIncident(id: incident.id, kind: .other, place: found))
    let segments = placed.edges.map { graph.reference($0) }
    known.withLock { known in
      if known.count >= Self.limit { known = [:] }
      known[place] = segments
    }
    return segments
  }
}
