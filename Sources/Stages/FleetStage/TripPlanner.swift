import Foundations
import Geodesy
import Positioning
import RoadGraph
import Route
import Routing
import Synchronization

/// Draws random trips on the roads of a map.
final class TripPlanner: Sendable {
  /// Trips over more edges are drawn again: the memory of one vehicle is bounded.
  static let maximumEdges = 4_000
  private static let attempts = 24

  private let engine: RoutingEngine
  private let graph: RoadGraph
  private let mode: TravelMode
  private let radiusM: Double
  private let scratch = Mutex(Scratch())

  private struct Scratch: ~Copyable {
    var space = SearchSpace()
  }

  init(graph: RoadGraph, mode: TravelMode, radiusM: Double) {
    self.graph = graph
    self.mode = mode
    self.radiusM = radiusM
    let request = RouteRequest(waypoints: [], mode: mode, traffic: .off)
    // A trip may end elsewhere: a search for distant roads would cost more than the path search.
    var tuning = RoutingTuning()
    tuning.originRadiusM = 50
    tuning.destinationRadiusM = 200
    engine = RoutingEngine(
      metric: RoadMetric(
        network: RoadNetwork(graph: graph, mode: mode), key: MetricKey(request), tuning: tuning))
  }

  /// Whether the map has any road that the mode may use; linear if it has none.
  var hasRoads: Bool { (0..<graph.edgeCount).contains { isDrivable(EdgeID($0)) } }

  private func isDrivable(_ edge: EdgeID) -> Bool {
    let attributes = graph.attributes(edge)
    return attributes.access(mode).allowsThrough && attributes.freeFlowMps(mode) > 0
      && !attributes.flags.contains(.ferry)
  }

  /// Returns a place on any road of the mode.
  func place(_ random: inout SplitMix64) -> RoadPosition {
    // A map has roads of the mode, otherwise the stage would not have been loaded. Their share of
    // all edges affects only the run time.
    var edge = EdgeID(Int(random.next() % UInt64(max(1, graph.edgeCount))))
    for _ in 0..<graph.edgeCount where !isDrivable(edge) {
      edge = EdgeID((edge.index + 1) % graph.edgeCount)
    }
    return RoadPosition(edge: edge, offsetM: graph.lengthM(edge) * (0.2 + 0.6 * random.unit()))
  }

  /// Returns the nearest place on a road of the mode, in the direction closer to `bearingDeg`; nil
  /// if none is within 100 m.
  func place(near here: Coordinate, bearingDeg: Double) -> RoadPosition? {
    let near = graph.edges(near: here, withinM: 100).filter { isDrivable($0.position.edge) }
    guard let nearestM = near.first?.distanceM else { return nil }
    return near.prefix { $0.distanceM <= nearestM + 0.5 }.min {
      abs(Angle.differenceDeg($0.bearingDeg, bearingDeg))
        < abs(Angle.differenceDeg($1.bearingDeg, bearingDeg))
    }?.position
  }

  /// Returns the path from `here` to `place`; nil if there is none.
  func way(from here: RoadPosition, to place: Coordinate) -> RoadPath? {
    let request = RouteRequest(
      waypoints: [Waypoint(place: graph.coordinate(here)), Waypoint(place: place)], mode: mode,
      traffic: .off)
    let path = scratch.withLock { scratch in
      try? engine.path(request, origin: here, in: &scratch.space).legs.first
    }
    guard let path, path.edges.count > 1, path.edges.count <= Self.maximumEdges else { return nil }
    return path
  }

  /// Returns a path from `here` to some place near `home`; nil if none was found in several draws.
  func trip(
    from here: RoadPosition, home: Coordinate, _ random: inout SplitMix64
  ) -> RoadPath? {
    for _ in 0..<Self.attempts {
      // The square root spreads the places evenly over the disc.
      let place = home.moved(
        bearingDeg: 360 * random.unit(), distanceM: radiusM * random.unit().squareRoot())
      if let path = way(from: here, to: place) { return path }
    }
    return nil
  }
}
