import Geodesy
public import RoadGraph
import Synchronization
public import Traffic

/// Finds the roads of incidents without segments.
///
/// It uses their OpenLR line, otherwise the nearest road within 50 m of their coordinates in the
/// given direction. It is shared by all vehicles of a node; each place is searched for once. Safe to
/// use from any thread.
public final class IncidentSnapper: Sendable {
  private struct Place: Hashable {
    var latitudeDeg: Double?
    var longitudeDeg: Double?
    var bearingDeg: Double?
    var openLR: String?
  }

  private let graph: RoadGraph
  private let placer: FeedPlacer
  /// The roads of a place, or the reason why its OpenLR line gives none.
  private struct Snapped {
    var segments: [SegmentReference]
    var problem: String?
  }

  private let known = Mutex<[Place: Snapped]>([:])
  /// Maximum number of cached places.
  private static let limit = 50_000

  /// Creates a snapper without cached places.
  public init(_ graph: RoadGraph, index: SegmentIndex) {
    self.graph = graph
    placer = FeedPlacer(graph, index: index)
  }

  /// Returns the same incidents with roads for those without segments.
  public func snapped(_ list: IncidentList) -> IncidentList {
    var list = list
    for place in list.incidents.indices where list.incidents[place].segments.isEmpty {
      let found = snapped(list.incidents[place])
      list.incidents[place].snapped = found.segments
      list.incidents[place].openLRProblem = found.problem
    }
    return list
  }

  private func snapped(_ incident: Incident) -> Snapped {
    let place = Place(
      latitudeDeg: incident.latitudeDeg, longitudeDeg: incident.longitudeDeg,
      bearingDeg: incident.bearingDeg, openLR: incident.openLR)
    if let snapped = known.withLock({ $0[place] }) { return snapped }
    var snapped = Snapped(segments: [])
    var found = FeedPlace(bearingDeg: incident.bearingDeg)
    if let code = incident.openLR {
      do throws(FeedFault) {
        found.references = [try OpenLRReference(base64: code)]
      } catch {
        snapped.problem = "\(OpenLRReference.shortened(code)): \(error)"
      }
    }
    if let latitude = incident.latitudeDeg, let longitude = incident.longitudeDeg {
      found.points = [Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)]
    }
    if !found.isEmpty {
      let placed = placer.place(FeedIncident(id: incident.id, kind: .other, place: found))
      snapped.segments = placed.edges.map { graph.reference($0) }
      if let reference = found.references.first {
        snapped.problem =
          placed.notes.first { $0.reason == .openLRWithoutPath }.map {
            String($0.problem.dropFirst("OpenLR ".count))
          }
          ?? placed.notes.first { $0.reason == .offMap }.map { _ in
            "\(reference.name): it lies outside the map"
          }
      }
    }
    known.withLock { known in
      if known.count >= Self.limit { known = [:] }
      known[place] = snapped
    }
    return snapped
  }
}
