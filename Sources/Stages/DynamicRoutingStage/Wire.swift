import Foundations
import Geodesy
import Guidance
import Messages
import Route
import RouteWire
import Stage

extension DynamicRoutingStage {
  /// Returns the poller event of a message; nil if the message does not concern the poller.
  static func event(_ message: Inbound) throws(Refusal) -> RoutePoller.Event? {
    switch message.value {
    case .routeActive(let active):
      guard let route = active.route else { return .routeChanged(nil) }
      do throws(RouteWireFault) {
        return .routeChanged(try Route(wire: route))
      } catch {
        throw Refusal(
          reason: "broken_route", message: "\(RouteActive.topic): route.\(error)",
          field: "route.\(error.field)")
      }
    case .guidanceProgress(let progress):
      guard progress.onRoute == .yes else { return nil }
      return .moved(RoutePoller.Place(progress), at: message.stamp)
    case .routeBetter(let better):
      guard better.state != .found else { return nil }
      return .proposed(id: better.id, isOpen: better.state == .proposed)
    case .guidanceDeviation: return .offRoute(at: message.stamp)
    case .guidanceArrival: return .arrived
    case .locationMatched: return .located(at: message.stamp)
    default: return nil
    }
  }

  /// Returns the route of a watch request; nil if watching is to end.
  static func planned(_ request: RouteWatchRequest) throws(Refusal) -> Route? {
    guard let route = request.route else { return nil }
    do throws(RouteWireFault) {
      return try Route(wire: route)
    } catch {
      throw Refusal(
        reason: "broken_route",
        message: "\(RouteWatchRequest.call): route.\(error.field): \(error.message)",
        field: "route.\(error.field)")
    }
  }
}

extension RoutePoller.Place {
  init(_ wire: GuidanceProgress) {
    self.init(
      routeID: wire.routeId, section: Int(clamping: wire.section),
      travelledOnSectionM: wire.travelledOnSectionM, travelledM: wire.travelledM,
      coordinate: Coordinate(latitudeDeg: wire.latDeg, longitudeDeg: wire.lonDeg),
      bearingDeg: wire.bearingDeg, speedMps: wire.speedMps,
      nextWaypoint: wire.nextWaypoint.map { Int(clamping: $0) })
  }
}
