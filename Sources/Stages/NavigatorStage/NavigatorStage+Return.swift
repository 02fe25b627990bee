import Geodesy
import Guidance
import Messages
import RoadGraph
import Route
import RouteWire
import Stage

extension NavigatorStage {
  /// Requests a route from the router.
  ///
  /// If the route that was left can be kept from a point ahead, it requests a path back to it,
  /// RT-13; otherwise it requests a new route.
  mutating func askRoute(
    _ token: UInt64, _ request: RouteRequest, _ origin: VehicleLocation.Match?, _ speedMps: Double?,
    requestID: String?
  ) -> StageOutput {
    var wire = request.wire
    wire.requestId = requestID
    let anew = RouteCalculateRequest(wire)
    guard let left = navigator.departure(for: token), let origin,
      let start = request.waypoints.first
    else {
      calls[token] = .route
      return call(.routeCalculate(anew), token)
    }
    calls[token] = .back(otherwise: anew.encoded())
    let back = RouteReturnRequest(
      handle: left.handle, latDeg: start.place.latitudeDeg, lonDeg: start.place.longitudeDeg,
      bearingDeg: start.bearingDeg, speedMps: speedMps, segment: origin.segment.wire,
      offsetM: max(0, origin.offsetM), section: Int64(left.section),
      travelledOnSectionM: max(0, left.travelledOnSectionM),
      strategy: RouteReturnRequest.Strategy(rawValue: left.strategy.rawValue) ?? .nextStop)
    return call(.routeReturn(back), token)
  }

  /// Returns the request for a new route if the router no longer knows the route to lead back to.
  mutating func retryAsNewRoute(_ token: UInt64, _ outcome: CallOutcome) -> StageOutput? {
    guard case .back(let otherwise)? = calls[token], case .failed(let error) = outcome,
      error.code == "route_handle_missing" || error.code == "route_handle_outdated"
        || error.code == "no_such_service"
    else { return nil }
    calls[token] = .route
    return call(.bytes(call: RouteCalculateRequest.call, otherwise), token)
  }

  private func call(_ request: RequestValue, _ token: UInt64) -> StageOutput {
    .call(request, timeoutMS: shared.callTimeoutMS, token: token)
  }
}
