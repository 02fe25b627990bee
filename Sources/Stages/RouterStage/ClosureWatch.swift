import EventTime
import RoadGraph
import Traffic

/// Detects changes of the set of roads that are closed according to the traffic reports.
struct ClosureWatch: Sendable {
  /// Number of closed road segments.
  private(set) var count = 0
  /// The first time after the last look at which a closure starts or ends; nil for none.
  private(set) var nextChange: Instant?
  /// A hash of the closed road segments that does not depend on their order.
  private var mark: UInt64 = 0

  /// Updates the state and returns whether other segments are closed now; linear in the reports.
  mutating func moved(to board: TrafficBoard, at now: Instant) -> Bool {
    var closed: Set<SegmentReference> = []
    var next: Instant?
    func consider(_ moment: Instant?) {
      guard let moment, moment > now else { return }
      next = min(next ?? moment, moment)
    }
    for flow in board.flows.values {
      for report in flow.reports where report.state.isClosed {
        guard flow.counts(report, at: now, board.ages) else { continue }
        closed.insert(report.segment)
        consider(flow.until)
        consider(report.state.until)
        consider(flow.fading(of: report, board.ages).end)
      }
    }
    for list in board.incidents.values {
      for incident in list.incidents where incident.isClosed {
        if incident.holds(at: now) { closed.formUnion(incident.places) }
        consider(incident.from)
        consider(incident.until)
      }
    }
    nextChange = next
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
}
