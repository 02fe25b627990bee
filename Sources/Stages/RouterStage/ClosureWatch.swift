import EventTime
import RoadGraph
import Traffic

/// Notices that other roads are closed by traffic than before.
struct ClosureWatch: Sendable {
  /// How many pieces of road are closed.
  private(set) var count = 0
  /// A sum over the closed roads, in no order.
  private var mark: UInt64 = 0

  /// Whether others are closed now; linear in the reports.
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
    // The same in every process: a successor must not take what it is handed for news.
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

  /// When a closure begins or ends by its own times, after `now`; nil where none does.
  static func nextChange(of board: TrafficBoard, after now: Instant) -> Instant? {
    board.incidents.values.flatMap(\.incidents).filter(\.isClosed)
      .flatMap { [$0.from, $0.until].compactMap { $0 } }.filter { $0 > now }.min()
  }
}
