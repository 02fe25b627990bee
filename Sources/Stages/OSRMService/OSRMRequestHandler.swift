public import Foundations
import Geodesy
import Maneuvers
import OSRM
import RoadGraph
import Route
public import RouterStage
import Routing

/// Answers requests of OSRM's HTTP API with the router's own engine, RT-19.
///
/// It may be used by any number of threads at once; each request is answered on the calling thread.
public struct OSRMRequestHandler: Sendable {
  private let shared: RouterShared
  /// The vehicle whose traffic counts.
  public let vehicle: String
  private let parser = OSRMParser()

  public init(shared: RouterShared, vehicle: String) {
    self.shared = shared
    self.vehicle = vehicle
  }

  /// Whether a request may take long: such requests leave a worker free for all others.
  public static func isHeavy(_ target: some Collection<UInt8>) -> Bool {
    guard let query = try? OSRMParser().query(target) else { return false }
    switch query.service {
    case .table, .match: return true
    case .route, .nearest: return query.places.count > 8 || query.isNarrow
    }
  }

  /// Returns HTTP status and JSON for the target of a request, path and query as received.
  public func response(
    to target: some Collection<UInt8>, now: Instant,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) -> (status: Int, json: [UInt8]) {
    do throws(OSRMFault) {
      let query = try parser.query(target)
      let work = OSRMResponder(
        routing: routing(for: query, now), query: query, now: now,
        isCancelled: isCancelled)
      return (200, try work.response())
    } catch {
      return (error.code == .notImplemented ? 501 : 400, error.json)
    }
  }
}

extension OSRMRequestHandler {
  /// Returns the engines with the map under its rules for the vehicle of a request.
  private func routing(for query: OSRMRequest, _ now: Instant) -> VisitorRouting {
    let request = RouteRequest(
      waypoints: query.places.prefix(1).map { Waypoint(place: $0.coordinate) },
      mode: query.mode, vehicle: query.vehicle)
    return VisitorRouting(
      shared, of: vehicle, at: now, size: request.withLegalSizes(on: shared.graph).vehicle)
  }
}

/// One request that is being answered.
struct OSRMResponder {
  /// The engines, and the map under its rules at this moment.
  let routing: VisitorRouting
  let query: OSRMRequest
  let now: Instant
  let isCancelled: @Sendable () -> Bool

  func response() throws(OSRMFault) -> [UInt8] {
    switch query.service {
    case .route(let alternatives, let goesOn):
      return try route(alternatives: alternatives, goesOn: goesOn)
    case .nearest(let count):
      let found = snapper(metric(request)).nearest(to: query.places[0], count: count)
      guard !found.isEmpty else { throw noSegment(0) }
      return query.response(nearest: found.map(\.waypoint), on: routing.graph)
    case .table(let options):
      return try table(options)
    case .match(let timesS, let splits, let tidies):
      return try match(timesS, splits: splits, tidies: tidies)
    }
  }

  /// The request as passed to the engine, with the policy of the stack and the waypoints as given.
  var request: RouteRequest {
    routing.policy.applied(
      to: RouteRequest(
        waypoints: query.places.map { Waypoint(place: $0.coordinate) }, mode: query.mode,
        avoid: query.exclude, vehicle: query.vehicle)
    ).withLegalSizes(on: routing.graph)
  }

  func metric(_ request: RouteRequest) -> RoadMetric {
    routing.metric(request, excludes: !query.exclude.isEmpty)
  }

  /// Returns the engine of a request without preferences for areas and segments.
  ///
  /// Tables use this engine: with such preferences each cell would need a search of its own.
  func engine(_ request: RouteRequest) -> RoutingEngine {
    routing.engine(request, excludes: !query.exclude.isEmpty)
  }

  func snapper(_ metric: RoadMetric) -> PlaceSnapper {
    PlaceSnapper(
      network: metric.network, exclude: query.exclude,
      snapsAnywhere: query.snapsAnywhere)
  }

  /// Returns the candidates for each place; with `beyondCorners` for places whose usual candidates
  /// led nowhere.
  func stops(
    _ metric: RoadMetric, beyondCorners: Bool = false
  ) throws(OSRMFault) -> [[SnapCandidate]] {
    let snapper = snapper(metric)
    var all: [[SnapCandidate]] = []
    for (index, place) in query.places.enumerated() {
      if isCancelled() { throw OSRMFault(.noRoute, "The calculation was given up.") }
      let candidates =
        beyondCorners
        ? snapper.candidates(beyondCorners: place) : snapper.candidates(for: place)
      guard !candidates.isEmpty else { throw noSegment(index) }
      all.append(candidates)
    }
    return all
  }

  func noSegment(_ index: Int) -> OSRMFault {
    OSRMFault(.noSegment, "Could not find a matching segment for coordinate \(index)")
  }

  /// Returns a whole route along a path; legs end at the stopovers of `request`.
  func route(_ path: FoundPath, _ request: RouteRequest, _ metric: RoadMetric) -> OSRMRoute {
    let finder = ManeuverFinder(graph: routing.graph)
    return OSRMRoute(
      route: RouteBuilder(metric: metric).route(
        path, request: request, id: "", handle: nil, computedAt: now,
        maneuvers: { query.format.steps ? finder.maneuvers(along: $0) : [] }),
      edges: path.segments(request))
  }

  /// Returns `request` with stopovers where legs end, and all other places as pass-through points.
  func withLegs(_ request: RouteRequest) -> RouteRequest {
    guard let ends = query.waypoints.map(Set.init) else { return request }
    var request = request
    for index in request.waypoints.indices where !ends.contains(index) {
      request.waypoints[index].kind = .passThrough
    }
    return request
  }
}

extension SnapCandidate {
  var waypoint: OSRMWaypoint {
    OSRMWaypoint(position: position, coordinate: coordinate, distanceM: distanceM)
  }
}
