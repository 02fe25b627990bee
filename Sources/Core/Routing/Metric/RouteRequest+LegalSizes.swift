import Geodesy
public import RoadGraph
public import Route

extension RouteRequest {
  /// The request with missing sizes filled in: for a truck or bus, the legal maximum at the start.
  ///
  /// It costs a search for the nearest road.
  public func withLegalSizes(on graph: RoadGraph) -> RouteRequest {
    guard mode == .truck || mode == .bus else { return self }
    var request = self
    if let legal = VehicleSize.legal(mode, country: country(on: graph)) {
      request.vehicle = vehicle.filled(from: legal)
    }
    return request
  }

  /// The country of the road next to the start; nil if it is not known.
  private func country(on graph: RoadGraph) -> String? {
    guard let start = waypoints.first?.place, start.isValid else { return nil }
    for radiusM in [100.0, 1000, 10_000] {
      if let near = graph.edges(near: start, withinM: radiusM).first {
        return graph.attributes(near.position.edge).country
      }
    }
    return nil
  }
}
