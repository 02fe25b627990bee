public import RoadGraph
public import Route

extension RoutingEngine {
  /// Paths through waypoints with known positions on the road, the best first, with up to
  /// `request.alternatives` more.
  ///
  /// `stops` contains one or more candidates for each waypoint. No restriction is violated. The
  /// caller must limit the number of waypoints.
  ///
  /// - Throws: `noRouteFound`, or `cancelled`.
  public func paths(
    _ request: RouteRequest, through stops: [[SnapCandidate]], in space: inout SearchSpace,
    isCancelled: () -> Bool = { false }
  ) throws(RouteFailure) -> [FoundPath] {
    let outcome = withoutActuallyEscaping(isCancelled) { isCancelled in
      chain(
        request, stops,
        EdgeSearch(
          metric: metric, customized: customized, relaxesRestrictions: false,
          isCancelled: isCancelled),
        in: &space)
    }
    if isCancelled() { throw .cancelled }
    switch outcome {
    case .failure(let failure): throw failure
    case .success(let best):
      return try alternatives(
        to: best, request, origin: nil, in: &space, isCancelled: isCancelled)
    }
  }
}

extension FoundPath {
  /// Metres and seconds of the whole path on a metric, including turns; linear in the edges.
  public func measured(on metric: RoadMetric) -> (lengthM: Double, durations: Durations) {
    var lengthM = 0.0
    var durations = Durations.zero
    var clockMS: UInt64 = 0
    var last: EdgeID?
    for leg in legs {
      for index in leg.edges.indices {
        let part = leg.part(index, metric.network.graph)
        lengthM += part.toM - part.fromM
      }
      for time in metric.times(along: leg, after: last, clockMS: &clockMS) {
        durations = durations + time.durations
      }
      last = leg.edges.last
    }
    return (lengthM, durations)
  }

  /// The edges in the order of the segments of `request`'s route.
  public func segments(_ request: RouteRequest) -> [EdgeID] {
    SectionPlan.plans(self, request.waypoints).flatMap(\.path.edges)
  }
}
