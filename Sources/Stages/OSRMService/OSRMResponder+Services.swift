import ExternalRouting
import Foundations
import Geodesy
import MapMatching
import OSRM
import Positioning
import RoadGraph
import Route
import RouterStage
import Routing

extension OSRMResponder {
  // MARK: Route

  func route(alternatives: Int, goesOn: Bool?) throws(OSRMFault) -> [UInt8] {
    var request = request
    request.alternatives = query.places.count > 2 ? 0 : alternatives
    // Whether the route continues straight at waypoints concerns the search; the ends of legs are
    // set afterwards.
    let searched = goesOn ?? query.mode.isMotorised ? passing(request) : request
    let engine = engine(request).adjusted(for: request, index: routing.index)
    let metric = engine.metric
    let paths = try paths(searched, engine)
    let written = withLegs(request)
    let kept = paths.filter { keepsExclusions($0.legs.flatMap(\.edges)) }
    guard let first = kept.first else {
      throw OSRMFault(.noRoute, "Impossible route between points")
    }
    return query.response(
      routes: kept.map { route($0, written, metric) }, waypoints: first.stops.map(\.waypoint),
      on: routing.graph)
  }

  private func paths(
    _ request: RouteRequest, _ engine: RoutingEngine
  ) throws(OSRMFault) -> [FoundPath] {
    func found(_ stops: [[SnapCandidate]]) -> [FoundPath]? {
      routing.withSpace { space in
        try? engine.paths(request, through: stops, in: &space, isCancelled: isCancelled)
      }
    }
    let usual = try stops(engine.metric)
    if let paths = found(usual) { return paths }
    let more = try stops(engine.metric, beyondCorners: true)
    guard more != usual, let paths = found(more) else {
      throw OSRMFault(.noRoute, "Impossible route between points")
    }
    return paths
  }

  private func passing(_ request: RouteRequest) -> RouteRequest {
    var request = request
    for index in request.waypoints.indices.dropFirst().dropLast() {
      request.waypoints[index].kind = .passThrough
    }
    return request
  }

  /// Whether a path avoids what OSRM excludes: excluded roads are removed, not only expensive.
  func keepsExclusions(_ edges: [EdgeID]) -> Bool {
    query.exclude.isEmpty
      || !edges.contains { edge in
        query.exclude.contains { $0.applies(to: routing.graph.attributes(edge)) }
      }
  }

  // MARK: Match

  func match(_ timesS: [Double], splits: Bool, tidies: Bool) throws(OSRMFault) -> [UInt8] {
    let metric = metric(request)
    let fixes = fixes(timesS)
    let kept = tidies ? OSRMTrace.tidied(fixes) : Array(fixes.indices)
    var road = TraceMapper(routing.matchingNetwork(query.mode))
    road.tuning.radiusM = OSRMTrace.radiusM(query.places)
    var matchings: [OSRMRoute] = []
    var tracepoints = [OSRMTracepoint?](repeating: nil, count: fixes.count)
    for part in splits ? OSRMTrace.parts(kept, timesS) : [kept] {
      let (stretches, confidence) = road.stretches(part.map { fixes[$0] })
      for stretch in stretches {
        let indices = stretch.points.map { part[$0.fix] }
        let request = legs(at: indices)
        var leg = -1
        for (number, point) in stretch.points.enumerated() {
          let ends = request.waypoints[number].kind == .stopover
          if ends { leg += 1 }
          tracepoints[indices[number]] = OSRMTracepoint(
            waypoint: stretch.path.stops[number].waypoint, matching: matchings.count,
            leg: ends ? leg : nil, alternatives: point.alternatives)
        }
        var matching = route(stretch.path, request, metric)
        matching.confidence = confidence
        matchings.append(matching)
      }
    }
    guard !matchings.isEmpty else { throw OSRMFault.unmatched }
    return query.response(
      matchings: matchings, tracepoints: tracepoints, on: routing.graph)
  }

  /// Returns the request of a matching, whose legs end at the requested places and at its two ends.
  private func legs(at indices: [Int]) -> RouteRequest {
    var request = request
    let ends = query.waypoints.map(Set.init)
    request.waypoints = indices.map { index in
      var waypoint = request.waypoints[index]
      let isEnd = index == indices.first || index == indices.last
      if !isEnd, let ends, !ends.contains(index) { waypoint.kind = .passThrough }
      return waypoint
    }
    return request
  }

  private func fixes(_ timesS: [Double]) -> [Fix] {
    var fixes = TraceMapper.fixes(
      along: query.places.map(\.coordinate), mode: query.mode)
    for index in fixes.indices {
      if !timesS.isEmpty {
        // Two fixes of the same second get times a millisecond apart.
        let tie = index > 0 && timesS[index] == timesS[index - 1] ? 1 : 0
        let before = fixes[max(0, index - 1)].time ?? Instant(seconds: 0)
        fixes[index].time =
          tie == 1 ? before.advanced(bySeconds: 0.001) : Instant(seconds: timesS[index])
      }
      let place = query.places[index]
      fixes[index].accuracyM = Double.minimum(45, place.radiusM ?? 5)
      if let bearing = place.bearing {
        fixes[index].bearingDeg = bearing.deg
        fixes[index].bearingAccuracyDeg = bearing.rangeDeg / 2
        fixes[index].speedMps = 10
      }
    }
    return fixes
  }
}

/// Preparation of a trace before OSRM-style matching.
enum OSRMTrace {
  /// Gap in seconds at which a trace is split.
  private static let gapS = 60.0

  /// Returns the indices without those of places that add no information.
  static func tidied(_ fixes: [Fix]) -> [Int] {
    var kept: [Int] = []
    for (index, fix) in fixes.enumerated() {
      guard let last = kept.last, index + 1 < fixes.count else {
        kept.append(index)
        continue
      }
      let seconds = fix.time.flatMap { now in fixes[last].time.map { now.seconds(since: $0) } }
      if fix.place.distanceM(to: fixes[last].place) >= 15 || (seconds ?? 0) >= 5 {
        kept.append(index)
      }
    }
    return kept
  }

  static func parts(_ kept: [Int], _ timesS: [Double]) -> [[Int]] {
    guard !timesS.isEmpty else { return [kept] }
    var parts: [[Int]] = []
    for index in kept {
      if let last = parts.last?.last, timesS[index] - timesS[last] <= gapS {
        parts[parts.count - 1].append(index)
      } else {
        parts.append([index])
      }
    }
    return parts
  }

  static func radiusM(_ places: [OSRMPlace]) -> Double {
    let widest = places.compactMap(\.radiusM).max() ?? 5
    return Double.minimum(OSRMLimits().matchRadiusM, Double.maximum(50, 3 * widest))
  }
}
