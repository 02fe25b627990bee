package import Foundations
package import MapMatching
package import RoadGraph
package import Route
package import Routing

/// The map and the engines of a router at one moment, for clients over HTTP.
///
/// The results are cached apart from those of vehicles. It may be used by any number of threads at
/// once.
package struct VisitorRouting: Sendable {
  /// The usual map, with which the traffic is stored.
  private let usual: RouterShared
  /// The map under its rules at the moment.
  private let shared: RouterShared
  private let traffic: RequestTraffic

  /// Creates it for the traffic that counts for `vehicle`, and for roads that are open at `now` to a
  /// vehicle of a size.
  package init(_ usual: RouterShared, of vehicle: String, at now: Instant, size: VehicleSize) {
    self.usual = usual
    shared = usual.at(now, size)
    let received = usual.traffic(of: vehicle, at: now)
    traffic = shared.typical?.filled(received, at: now) ?? received ?? .none
  }

  package var graph: RoadGraph { shared.graph }
  package var index: SegmentIndex { shared.index }
  /// The routing policy of the stack.
  package var policy: RoutePolicy { usual.policy.policy }

  /// Returns costs and times for a request, in which `excludes` makes avoided roads unusable.
  package func metric(_ request: RouteRequest, excludes: Bool) -> RoadMetric {
    shared.engines.metric(key(request, excludes), traffic, for: .visitor)
  }

  /// Returns the engine for a request, without its preferences for areas and segments.
  package func engine(_ request: RouteRequest, excludes: Bool) -> RoutingEngine {
    shared.engines.engine(key(request, excludes), traffic, for: .visitor)
  }

  private func key(_ request: RouteRequest, _ excludes: Bool) -> MetricKey {
    var key = MetricKey(request)
    key.excludes = excludes
    return key
  }

  /// Returns the roads of a mode for the matcher.
  package func matchingNetwork(_ mode: TravelMode) -> MatchingNetwork {
    shared.matchingNetwork(mode)
  }

  /// Calls `body` with scratch memory that no other search uses meanwhile.
  package func withSpace<Result: Sendable, Failure: Error>(
    _ body: (inout SearchSpace) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try shared.workspaces.withSpace(body)
  }
}
