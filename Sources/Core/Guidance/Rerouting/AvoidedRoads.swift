import Foundations
import RoadGraph
import Route

/// Roads ahead of a place where the driver turned round, which reroutes avoid for 30 minutes.
///
/// A route still uses these roads if no others lead on.
struct AvoidedRoads: Codable, Hashable, Sendable {
  /// Seconds for which the roads are avoided.
  private static let lastsS = 1800.0
  /// Length of the route to avoid after the place where the driver turned round, in metres.
  static let aheadM = 500.0
  /// Metres driven on the route before turning round counts.
  ///
  /// A vehicle that has driven less has only set off in the other direction.
  static let drivenM = 150.0

  private(set) var segments: [SegmentReference]
  private var until: Instant

  init(_ segments: [SegmentReference], at now: Instant) {
    self.segments = segments
    until = now.advanced(bySeconds: Self.lastsS)
  }

  /// Returns these roads and the earlier ones, if those have not expired.
  func adding(_ earlier: AvoidedRoads?, at now: Instant) -> AvoidedRoads {
    var all = self
    if let earlier, earlier.holds(at: now) {
      all.segments += earlier.segments.filter { !segments.contains($0) }
    }
    return all
  }

  mutating func clockSet(bySeconds seconds: Double) {
    until = until.advanced(bySeconds: seconds)
  }

  func holds(at now: Instant) -> Bool { now < until }

  var wishes: [RoutePreference] { segments.map { RoutePreference(.segment($0)) } }
}

extension RouteTrack {
  /// Returns the segments of the route between two offsets (metres from its start), in both
  /// directions.
  ///
  /// The first segment is included only in its driven direction, so that the vehicle can turn back
  /// on it.
  func roads(fromM: Double, toM: Double) -> [SegmentReference] {
    let (first, last) = (segmentIndex(atM: fromM), segmentIndex(atM: toM))
    guard route.segments.indices.contains(first), last >= first else { return [] }
    let behind = Set(route.segments[...first].map(\.reference))
    return route.segments[first...last].flatMap { segment in
      [segment.reference, segment.reference.reversed].filter { road in
        road == route.segments[first].reference || !behind.contains(road.reversed)
      }
    }
  }
}
