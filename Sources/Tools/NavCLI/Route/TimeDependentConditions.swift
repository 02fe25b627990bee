import Foundations
import RoadGraph
import Route
import Routing
import Traffic

/// Conditions that may change during a trip: typical speeds, and rules that only hold at certain
/// times.
struct TimeDependentConditions {
  var rules: RuleBook
  /// Speeds at the departure, which hold for the whole trip; nil for none.
  var reports: TrafficReports?
  var typical: PlacedSpeeds?

  /// Seconds by which a trip may take longer than with the costs of its departure.
  private static let extraS = 7200.0

  /// The engine in whose metric each road has the cost of the time at which it is reached.
  ///
  /// It is nil if nothing changes.
  ///
  /// `paths` are found with the metric of the departure; the trip may take half as long again, and
  /// two hours more.
  func engine(
    _ metric: RoadMetric, after paths: [FoundPath], _ request: RouteRequest
  ) -> RoutingEngine? {
    guard let departure = request.departure, let path = paths.first else { return nil }
    let until = departure.advanced(
      bySeconds: metric.durationS(of: path, request) * 1.5 + Self.extraS)
    let counts = request.traffic != .off && request.mode.isMotorised
    let shares = counts ? typical?.shares(from: departure, until: until) : nil
    let circumstances = request.vehicle.circumstances
    let changes =
      rules.isEmpty ? nil : rules.timeline(from: departure, until: until, circumstances)
    guard shares?.isConstant == false || changes?.isConstant == false else { return nil }
    let graph = changes.flatMap { try? rules.graph(at: $0.best) } ?? metric.network.graph
    let index = SegmentIndex(graph)
    let traffic = (reports ?? TrafficReports()).timeline(
      from: departure, until: until, typical: shares, index: index, graph: graph)
    let timeline = RoadTimeline(
      from: departure, until: until, traffic: counts ? traffic : nil,
      rules: changes.flatMap { $0.isConstant ? nil : $0 }, edgeCount: graph.edgeCount)
    let base = RoadMetric(
      network: RoadNetwork(graph: graph, mode: request.mode), key: metric.key,
      traffic: metric.traffic)
    let clock = TripClock(departure: departure, timeline: timeline)
    return RoutingEngine(metric: RoadMetric(base, clock: clock)).adjusted(
      for: request, index: index)
  }
}
