import Foundations
import Geodesy
import RoadGraph
import Route

/// The roads ahead on which a vehicle may still drive until it can turn back before a closed road.
///
/// The route that is followed starts by turning back. Driving on is not a deviation from it for a
/// minute. After that, the route is calculated again from the current position, in either
/// direction.
struct TurningBack: Codable, Hashable, Sendable {
  private static let lastsS = 60.0

  private(set) var roads: Set<SegmentReference>
  private var until: Instant

  init(_ roads: Set<SegmentReference>, at now: Instant) {
    self.roads = roads
    until = now.advanced(bySeconds: Self.lastsS)
  }

  /// The same roads for another minute.
  func renewed(at now: Instant) -> TurningBack { TurningBack(roads, at: now) }

  /// Whether a match may still be on the road to a place where the vehicle can turn.
  func allows(_ match: VehicleLocation.Match) -> Bool { roads.contains(match.segment) }

  /// Whether driving on such a road does not count as a deviation at a moment.
  func allows(_ match: VehicleLocation.Match, at now: Instant) -> Bool {
    allows(match) && now < until
  }

  mutating func clockSet(bySeconds seconds: Double) {
    until = until.advanced(bySeconds: seconds)
  }
}

extension Navigator {
  /// The roads that a vehicle may still use before it turns back onto `route` at a closed road; nil
  /// for other routes.
  func turningBack(
    onto route: Route, _ reason: ActivationReason, at now: Instant
  ) -> TurningBack? {
    guard let old = following else { return nil }
    switch reason {
    case .better:
      guard let hereM = old.track.travelledM,
        let fork = Fork(turningBack: route, from: old.track.route, atM: hereM)
      else { return nil }
      let ahead = old.track.route.segments.filter {
        $0.startM + $0.lengthM > hereM - Self.turnedM && $0.startM < fork.currentM
      }
      return TurningBack(Set(ahead.map(\.reference)), at: now)
    case .reroute: return old.turning?.renewed(at: now)
    case .new, .import, .waypoints, .traffic, .refresh, .cleared: return nil
    }
  }

  /// A segment that ends less than this many metres behind the vehicle may still be in use.
  private static let turnedM = 40.0
}
