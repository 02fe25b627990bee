import Foundations
import Geodesy
import MapMatching
import Messages
import Positioning
import RoadGraph
import RouteWire
import Stage

enum Wire {
  static func raw(_ fix: Fix) -> LocationRaw {
    LocationRaw(
      fix, provider: fix.source, priority: fix.priority == 0 ? nil : Int64(fix.priority))
  }

  /// Returns a match as published on `location/matched`; `speedMps` is the speed that the matcher
  /// uses.
  static func matched(
    _ match: Match, network: MatchingNetwork, speedMps: Double?, consecutive: UInt64
  ) -> LocationMatched {
    let raw = raw(match.fix)
    guard let place = match.place else {
      return LocationMatched(
        state: .noMatch, reason: match.reason.flatMap { reason($0) }, path: [],
        offRoadProbability: match.offRoadProbability,
        offRouteProbability: match.offRouteProbability, teleport: match.isTeleport,
        speedMps: speedMps, consecutive: consecutive, candidates: UInt64(match.candidateCount),
        raw: raw)
    }
    return LocationMatched(
      state: .matched, latDeg: place.coordinate.latitudeDeg, lonDeg: place.coordinate.longitudeDeg,
      bearingDeg: place.bearingDeg, segment: place.segment.wire,
      offsetM: Double.maximum(0, place.offsetM),
      path: place.path.map { network.reference($0).wire }, probability: place.probability,
      distanceM: place.distanceM, offRoadProbability: match.offRoadProbability,
      offRouteProbability: match.offRouteProbability,
      wrongWay: place.isWrongWay, inTunnel: place.isInTunnel, teleport: match.isTeleport,
      zLevel: Int64(max(-10, min(10, place.zLevel))), uncertaintyM: place.uncertaintyM,
      speedMps: speedMps, consecutive: consecutive, candidates: UInt64(match.candidateCount),
      raw: raw)
  }

  private static func reason(_ reason: NoMatchReason) -> LocationMatched.Reason? {
    LocationMatched.Reason(rawValue: reason.published.rawValue)
  }

  /// Returns an estimated location, or one between two fixes, which has no fix (TU-2).
  static func estimated(
    _ estimate: DeadReckoning.Estimate, path: some Sequence<EdgeID>, graph: RoadGraph,
    consecutive: UInt64, isEstimated: Bool = true
  ) -> LocationMatched {
    LocationMatched(
      state: .matched, latDeg: estimate.place.latitudeDeg, lonDeg: estimate.place.longitudeDeg,
      bearingDeg: estimate.bearingDeg, segment: graph.reference(estimate.position.edge).wire,
      offsetM: estimate.position.offsetM, path: path.map { graph.reference($0).wire },
      probability: Double.minimum(1, estimate.probability), estimated: isEstimated,
      inTunnel: estimate.isInTunnel,
      zLevel: Int64(max(-10, min(10, graph.attributes(estimate.position.edge).layer))),
      uncertaintyM: estimate.uncertaintyM, speedMps: estimate.speedMps, consecutive: consecutive)
  }

  /// Returns the roads of a route in order, with the speeds of live traffic; nil if there is no
  /// route.
  static func course(_ active: RouteActive, index: SegmentIndex) throws(Refusal) -> RouteCourse? {
    guard let route = active.route else { return nil }
    let segments = route.segments
    guard segments.way.count == segments.from.count, segments.way.count == segments.to.count else {
      throw Refusal(
        reason: "out_of_range", message: "the columns of segments have different lengths",
        field: "route.segments")
    }
    let edges = zip(segments.way, zip(segments.from, segments.to)).map { way, ends in
      index.edge(SegmentReference(way: way, from: ends.0, to: ends.1))
    }
    return RouteCourse(edges: edges, trafficMps: liveSpeeds(route.spans, count: edges.count))
  }

  /// Returns the live speeds in the shape `[segments]`; nil where no live traffic is known.
  private static func liveSpeeds(_ spans: WireRouteSpans, count: Int) -> [Double?] {
    var speeds = [Double?](repeating: nil, count: count)
    let columns = zip(spans.firstSegment, spans.segmentCount)
    for ((first, length), (kind, speed)) in zip(
      columns, zip(spans.trafficKind, spans.trafficSpeedMps)) where kind == .live
    {
      let lower = max(0, min(Int(clamping: first), count))
      let upper = lower + max(0, min(Int(clamping: length), count - lower))
      for segment in lower..<upper { speeds[segment] = speed }
    }
    return speeds
  }
}

extension NoMatchReason {
  /// The reason as published in topics, which use `outlier` for every fix that is not used.
  var published: NoMatchReason {
    switch self {
    case .inaccurate, .repeatedTime, .frozen: .outlier
    case .offRoad, .noTime, .noMapData, .outlier, .warmingUp: self
    }
  }
}
