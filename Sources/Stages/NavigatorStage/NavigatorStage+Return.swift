import Geodesy
import Guidance
import MessagePack
import Messages
import RoadGraph
import Route
import RouteWire
import Stage

extension NavigatorStage {
  /// Asks the router: for the way back where the route that was left can be kept from where it is met again,
  /// RT-13, else for a new one.
  mutating func askRoute(
    _ token: UInt64, _ request: RouteRequest, _ origin: Sighting.Match?, _ speedMps: Double?,
    requestID: String?
  ) -> StageOutput {
    var wire = request.wire
    wire.requestId = requestID
    let anew = RouteCalculateRequest(wire).encoded()
    guard let left = navigator.departure(for: token), let origin,
      let start = request.waypoints.first
    else {
      calls[token] = .route
      return call(RouteCalculateRequest.call, anew, token)
    }
    calls[token] = .back(otherwise: anew)
    let back = RouteReturnRequest(
      handle: left.handle, latDeg: start.place.latitudeDeg, lonDeg: start.place.longitudeDeg,
      bearingDeg: start.bearingDeg, speedMps: speedMps, segment: origin.segment.wire,
      offsetM: max(0, origin.offsetM), section: Int64(left.section),
      travelledOnSectionM: max(0, left.travelledOnSectionM),
      strategy: RouteReturnRequest.Strategy(rawValue: left.strategy.rawValue) ?? .nextStop)
    return call(RouteReturnRequest.call, back.encoded(), token)
  }

  /// The question for a new way, where the router cannot lead back to a route that it does not know any more.
  mutating func askAnew(_ token: UInt64, _ outcome: CallOutcome) -> StageOutput? {
    guard case .back(let otherwise)? = calls[token], case .failed(let error) = outcome,
      error.code == "route_handle_missing" || error.code == "route_handle_outdated"
        || error.code == "no_such_service"
    else { return nil }
    calls[token] = .route
    return call(RouteCalculateRequest.call, otherwise, token)
  }

  private func call(_ name: String, _ payload: [UInt8], _ token: UInt64) -> StageOutput {
    .call(name: name, payload: payload, timeoutMS: shared.callTimeoutMS, token: token)
  }
}
