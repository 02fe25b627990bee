import EventTime
import Geodesy
import Guidance
import MessagePack
import Messages
import Route
import RouteWire
import Stage

extension DynamicRoutingStage {
  /// Returns the poller event of a message; nil if the message does not concern the poller.
  static func event(_ message: Inbound) throws(Refusal) -> RoutePoller.Event? {
    switch message.topic {
    case RouteActive.topic:
      let wire: RouteActive = try message.decoded()
      guard let route = wire.route else { return .routeChanged(nil) }
      do throws(RouteWireFault) {
        return .routeChanged(try Route(wire: route))
      } catch {
        throw Refusal(
          reason: "broken_route", message: "\(message.topic): route.\(error)",
          field: "route.\(error.field)")
      }
    case GuidanceProgress.topic:
      let wire: GuidanceProgress = try message.decoded()
      guard wire.onRoute == .yes else { return nil }
      return .moved(RoutePoller.Place(wire), at: message.stamp)
    case RouteBetter.topic:
      let wire: RouteBetter = try message.decoded()
      guard wire.state != .found else { return nil }
      return .proposed(id: wire.id, isOpen: wire.state == .proposed)
    case GuidanceDeviation.topic:
      let _: GuidanceDeviation = try message.decoded()
      return .offRoute(at: message.stamp)
    case GuidanceArrival.topic:
      let _: GuidanceArrival = try message.decoded()
      return .arrived
    case LocationMatched.topic:
      let _: LocationMatched = try message.decoded()
      return .located(at: message.stamp)
    default:
      return nil
    }
  }

  /// Returns the route of a watch request; nil if watching is to end.
  static func planned(_ request: CallRequest) throws(Refusal) -> Route? {
    guard let route = try request.decoded(RouteWatchRequest.self).route else { return nil }
    do throws(RouteWireFault) {
      return try Route(wire: route)
    } catch {
      throw Refusal(
        reason: "broken_route", message: "\(request.name): route.\(error.field): \(error.message)",
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
