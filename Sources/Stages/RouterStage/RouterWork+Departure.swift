import EventTime
import RoadGraph
import Route

extension RouterWork {
  /// A departure later than this has other traffic than now: what is foretold, and what is typical.
  private static let nowS = 3600.0

  /// Whether a trip sets out so late that what is foretold counts, and not what holds now.
  func isForetold(_ request: RouteRequest) -> Bool {
    departure(request).seconds(since: now) > Self.nowS
  }

  /// The traffic that counts for a request, TR-7.
  func traffic(for request: RouteRequest) -> CountedTraffic {
    guard request.traffic != .off, request.mode.isMotorised else { return .none }
    let departure = self.departure(request)
    let isNow = !isForetold(request)
    var counted = sheet?.counted(
      at: isNow ? now : departure, isForetold: !isNow, index: shared.index, graph: shared.graph)
    if isNow { counted?.recent = recentSheets }
    return shared.typical?.filled(counted, at: departure) ?? counted ?? .none
  }
}
