import EventTime
import RoadGraph
import Traffic

/// Detects changes of the set of roads that are closed according to the traffic reports.
struct ClosureWatch: Sendable {
  /// Number of closed road segments.
  private(set) var count = 0
  /// A hash of the closed road segments that does not depend on their order.
  private var mark: UInt64 = 0

  /// Updates the state and returns whether other segments are closed now; linear in the reports.
  mutating func moved(to board: TrafficBoard, at now: Instant) -> Bool {
    var closed: Set<SegmentReference> = []
    for flow in board.flows.values where flow.until.map({ now < $0 }) ?? true {
      for report in flow.reports where report.state.isClosed {
        if report.state.until.map({ now < $0 }) ?? true { closed.insert(report.segment) }
      }
    }
    for list in board.incidents.values {
      for incident in list.incidents where incident.isClosed && incident.holds(at: now) {
        closed.formUnion(incident.segments)
      }
    }
    // The hash is equal in every process, so a successor does not take received state for a change.
    let new = closed.reduce(0 as UInt64) { sum, road in
      sum &+ Self.mixed(road.way) &* 31 &+ Self.mixed(road.from) &* 7 &+ Self.mixed(road.to)
    }
    guard closed.count != count || new != mark, !(closed.isEmpty && count == 0) else {
      return false
    }
    (count, mark) = (closed.count, new)
    return true
  }

  private static func mixed(_ id: Int64) -> UInt64 {
    let spread = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
    return spread ^ (spread >> 29)
  }

  /// Returns the first time after `now` at which a closure starts or ends; nil for none.
  static func nextChange(of board: TrafficBoard, after now: Instant) -> Instant? {
    board.incidents.values.flatMap(\.incidents).filter(\.isClosed)
      .flatMap { [$0.from, $0.until].compactMap { $0 } }.filter { $0 > now }.min()
  }
}
