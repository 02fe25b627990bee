import ExternalRouting
import Foundations
import Geodesy
import MapMatching
import Messages
import Positioning
import RoadGraph
import Route
import RouteWire
import Routing

extension RouteCalculation {
  /// Returns routes for a request from the engine that it selects, and that engine, RT-15.
  func selectEngine(
    _ request: RouteRequest
  ) throws(RouteFailure) -> (found: [Route], engine: String, fellBack: String?) {
    try selectEngine(request) { () throws(RouteFailure) in
      try compute(request)
    } online: { () throws(RouteFailure) in
      try online(request)
    }
  }

  /// Returns the result of the engine that a request selects: `own` uses the built-in one, `online`
  /// the server.
  func selectEngine<Found>(
    _ request: RouteRequest, own: () throws(RouteFailure) -> Found,
    online: () throws(RouteFailure) -> Found
  ) throws(RouteFailure) -> (found: Found, engine: String, fellBack: String?) {
    let outside = shared.outside
    let connectivity =
      request.connectivity == .standard ? outside.setting.connectivity : request.connectivity
    switch connectivity {
    case .standard, .offline: return (try own(), "offline", nil)
    case .online: return (try online(), outside.name, nil)
    case .hybrid:
      do throws(RouteFailure) {
        return (try online(), outside.name, nil)
      } catch {
        guard error.isTheEnginesOwn else { throw error }
        return (try own(), "offline", error.sentence)
      }
    }
  }

  private func online(_ request: RouteRequest) throws(RouteFailure) -> [Route] {
    let engine = usualEngine(request)
    let routes = try onlinePaths(request, engine).enumerated().map { index, path in
      build(
        path, request, clocked(engine.metric, along: path, request),
        name: "\(number)\(index == 0 ? "" : "-\(index)")")
    }
    guard !routes.isEmpty else { throw .noRouteFound(fromWaypoint: 0) }
    return routes
  }

  /// Returns the server's routes on this map, without their costs.
  func onlinePaths(
    _ request: RouteRequest, _ engine: RoutingEngine
  ) throws(RouteFailure) -> [FoundPath] {
    try RoutingEngine.validate(request)
    progress.step(.asking)
    let ways = try shared.outside.ways(request, policy: policy, hour: ExternalEngine.hour(now))
    if progress.isCancelled { throw .cancelled }
    progress.step(.matching)
    var paths: [FoundPath] = []
    for (index, way) in ways.prefix(1 + request.alternatives).enumerated() {
      progress.advance(to: Double(index) / Double(ways.count))
      guard way.legs.count == request.waypoints.count - 1 else {
        throw .engineUnavailable(
          "\(shared.outside.name) returned \(way.legs.count) legs for \(request.waypoints.count) waypoints."
        )
      }
      do throws(RouteFailure) {
        let found = try imported(request, engine) { (importing, space) throws(RouteFailure) in
          try importing.way(along: way.legs, in: &space)
        }
        paths.append(found.path)
      } catch {
        switch error {
        case .noMatch, .noMapData:
          throw .engineUnavailable(
            "\(shared.outside.name) returned a route that is not on this map. \(error.sentence)")
        default: throw error
        }
      }
    }
    return paths
  }

  func imported(
    _ request: RouteRequest, _ engine: RoutingEngine,
    _ body: (RouteImport, inout SearchSpace) throws(RouteFailure) -> ImportedPath
  ) throws(RouteFailure) -> ImportedPath {
    let importing = RouteImport(
      engine: engine,
      road: TraceMapper(shared.matchingNetwork(request.mode)),
      request: request, isCancelled: { [progress] in progress.isCancelled })
    return try shared.workspaces.withSpace { (space) throws(RouteFailure) in
      try body(importing, &space)
    }
  }

  /// Imports a route from another source, RT-14.
  func importing(_ wire: RouteImportRequest) throws(RouteFailure) -> ReplyValue {
    var request = RouteRequest(
      waypoints: [], mode: TravelMode(wire: wire.mode), language: wire.language)
    let engine = usualEngine(request)
    progress.step(.matching)
    let way = try imported(request, engine) { (importing, space) throws(RouteFailure) in
      switch try ImportSource(wire) {
      case .trace(let fixes):
        return try importing.way(driven: fixes, legEnds: [0, fixes.count - 1], in: &space)
      case .legs(let legs): return try importing.way(along: legs, in: &space)
      case .segments(let references):
        let edges = references.compactMap { shared.index.edge($0) }
        return try importing.way(
          over: edges, known: Double(edges.count) / Double(max(1, references.count)), in: &space)
      }
    }
    progress.step(.building)
    request.waypoints = way.path.stops.map { Waypoint(place: $0.coordinate) }
    let route = build(
      way.path, request, clocked(engine.metric, along: way.path, request), name: "\(number)")
    return .routeImport(
      RouteImportReply(
        route: route.wire, matchedShare: Double.minimum(1, way.matchedShare), gapM: way.gapM))
  }
}

/// The input of `route/import`.
private enum ImportSource {
  case trace([Fix])
  case legs([[Coordinate]])
  case segments([SegmentReference])

  /// - Throws: `invalidOptions` with the field and the place in it.
  init(_ wire: RouteImportRequest) throws(RouteFailure) {
    let given = [wire.gpx, wire.line, wire.osrm, wire.valhalla].compactMap { $0 }.count
    guard given + (wire.segments.isEmpty ? 0 : 1) == 1 else {
      throw .invalidOptions("Set exactly one of gpx, line, segments, osrm and valhalla.")
    }
    if let gpx = wire.gpx {
      self = try Self.trace(gpx)
    } else if let line = wire.line {
      self = try Self.line(line)
    } else if let answer = wire.osrm {
      self = .legs(try Self.kept("osrm") { try OSRMAdapter.way(kept: Array(answer.utf8)) })
    } else if let answer = wire.valhalla {
      self = .legs(try Self.kept("valhalla") { try ValhallaAdapter.way(kept: Array(answer.utf8)) })
    } else {
      self = .segments(wire.segments.map { SegmentReference(wire: $0) })
    }
  }

  private static func trace(_ gpx: String) throws(RouteFailure) -> ImportSource {
    let traces: [Trace]
    do throws(TraceFault) {
      traces = try GPX.parse(Array(gpx.utf8))
    } catch {
      throw .invalidOptions("gpx: \(error)")
    }
    guard let longest = traces.max(by: { $0.fixes.count < $1.fixes.count }),
      longest.fixes.count > 1
    else { throw .invalidOptions("gpx: no track has at least two points.") }
    let isTimed =
      longest.fixes.allSatisfy { $0.time != nil }
      && zip(longest.fixes, longest.fixes.dropFirst()).allSatisfy { a, b in
        a.time.flatMap { a in b.time.map { a < $0 } } ?? false
      }
    // A planned track has no times, or the same one everywhere: it is driven at a constant speed.
    return .trace(
      isTimed ? longest.fixes : TraceMapper.fixes(along: longest.fixes.map(\.place), mode: .car))
  }

  private static func line(_ text: String) throws(RouteFailure) -> ImportSource {
    let places: [Coordinate]
    do throws(PolylineError) {
      places = try EncodedPolyline.decode(text)
    } catch {
      throw .invalidOptions("line: \(error)")
    }
    guard places.count > 1 else { throw .invalidOptions("line: at least two points are required.") }
    return .legs([places])
  }

  private static func kept(
    _ field: String, _ read: () throws -> ExternalRoute
  ) throws(RouteFailure) -> [[Coordinate]] {
    do {
      return try read().legs
    } catch {
      throw .invalidOptions("\(field): \((error as? EngineFailure)?.sentence ?? "\(error)")")
    }
  }
}
