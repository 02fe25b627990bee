import EventTime
import RoadGraph
import Route
import Traffic

extension RouterWork {
  /// A departure later than this has other traffic than now: what is foretold, and what is typical.
  private static let nowS = 3600.0

  /// The traffic that counts for a request, and its name among metrics, TR-7.
  func traffic(for request: RouteRequest) -> (view: TrafficView?, name: TrafficName) {
    guard request.traffic != .off, request.mode.isMotorised else { return (nil, .none) }
    let departure = self.departure(request)
    var counted: (view: TrafficView, name: TrafficName)?
    if departure.seconds(since: now) <= Self.nowS {
      counted = traffic.map { ($0, trafficName) }
    } else if !board.isEmpty {
      let view = board.foretold(at: departure, index: shared.index, graph: shared.graph)
      var name = trafficName
      name.departure = departure
      counted = (view, name)
    }
    guard let typical = shared.typical else { return (counted?.view, counted?.name ?? .none) }
    return typical.filled(counted, at: departure)
  }
}
