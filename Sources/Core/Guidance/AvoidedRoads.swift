import EventTime
import RoadGraph
import Route

/// Roads ahead before which the driver turned round: for a while no route of the trip leads over them if others lead on.
struct AvoidedRoads: Codable, Hashable, Sendable {
  /// Seconds for which they are avoided.
  private static let lastsS = 1800.0
  /// Metres of the route ahead of the place of turning that are avoided.
  static let aheadM = 500.0
  /// A vehicle that has driven less of its route has only set off the other way.
  static let drivenM = 150.0

  private(set) var segments: [SegmentReference]
  private var until: Instant

  init(_ segments: [SegmentReference], at now: Instant) {
    self.segments = segments
    until = now.advanced(bySeconds: Self.lastsS)
  }

  /// These and those of before, where they still hold.
  func adding(_ earlier: AvoidedRoads?, at now: Instant) -> AvoidedRoads {
    var all = self
    if let earlier, earlier.holds(at: now) {
      all.segments += earlier.segments.filter { !segments.contains($0) }
    }
    return all
  }

  func holds(at now: Instant) -> Bool { now < until }

  var wishes: [RoadWish] { segments.map { RoadWish(.segment($0)) } }
}

extension RouteTrack {
  /// The roads of the route from one place to another, in both directions; the first only as it is driven, so that one
  /// can turn back on it.
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
