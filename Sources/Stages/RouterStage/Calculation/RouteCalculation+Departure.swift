import Foundations
import RoadGraph
import Route

extension RouteCalculation {
  /// A departure later than this uses other traffic than the current: forecasts and typical speeds.
  private static let nowS = 3600.0

  /// Whether a trip departs so late that forecasts count instead of the current traffic.
  func includesForecast(_ request: RouteRequest) -> Bool {
    departure(request).seconds(since: now) > Self.nowS
  }

  /// Returns the traffic that applies to a request, TR-7.
  func traffic(for request: RouteRequest) -> RequestTraffic {
    guard request.traffic != .off, request.mode.isMotorised else { return .none }
    let departure = self.departure(request)
    let isNow = !includesForecast(request)
    var counted = snapshot?.counted(
      at: isNow ? now : departure, includesForecast: !isNow, index: shared.index,
      graph: shared.graph)
    if isNow { counted?.recent = recentSheets }
    return shared.typical?.filled(counted, at: departure) ?? counted ?? .none
  }
}
