import Foundations
import RoadGraph
import Traffic

/// Detects changes of the traffic reports after which the price of a route may differ.
///
/// Each change of the set of closed roads counts. A change of speeds counts if it concerns the
/// share `speedShare` of the reported roads, at most once in `speedPauseS` seconds.
struct TrafficChangeDetector: Sendable {
  static let speedShare = 0.2
  static let speedPauseS = 30.0

  /// Number of closed road segments.
  private(set) var closedCount = 0
  /// The first time after the last evaluation at which a closure starts or ends, or a change of
  /// speeds is due; nil for none.
  private(set) var nextChange: Instant?
  /// A hash of the closed road segments that does not depend on their order.
  private var mark: UInt64 = 0
  /// The speeds at their last change, and the time of that change.
  private var speeds = SpeedCounts()
  private var speedsChanged: Instant?

  /// Number of reported speeds and jam factors.
  var speedCount: Int { speeds.total }

  /// Updates the state and returns whether a navigator has a reason to request the traffic on its
  /// route again.
  ///
  /// The cost is linear in the reports.
  mutating func moved(to reports: TrafficReports, at now: Instant) -> Bool {
    let areOtherRoadsClosed = closuresMoved(to: reports, at: now)
    return speedsMoved(to: reports, at: now) || areOtherRoadsClosed
  }

  private mutating func speedsMoved(to reports: TrafficReports, at now: Instant) -> Bool {
    let current = SpeedCounts(reports)
    let most = max(current.total, speeds.total)
    guard most > 0, Double(current.difference(to: speeds)) >= Self.speedShare * Double(most) else {
      return false
    }
    // The clock of the stack may have been set back since.
    if let last = speedsChanged, now >= last, now.seconds(since: last) < Self.speedPauseS {
      let due = last.advanced(bySeconds: Self.speedPauseS)
      nextChange = nextChange.map { min($0, due) } ?? due
      return false
    }
    (speeds, speedsChanged) = (current, now)
    return true
  }

  private mutating func closuresMoved(to reports: TrafficReports, at now: Instant) -> Bool {
    var closed: Set<SegmentReference> = []
    var next: Instant?
    func consider(_ moment: Instant?) {
      guard let moment, moment > now else { return }
      next = min(next ?? moment, moment)
    }
    for flow in reports.flows.values {
      for report in flow.reports where report.state.isClosed {
        guard flow.counts(report, at: now, reports.ages) else { continue }
        closed.insert(report.segment)
        consider(flow.until)
        consider(report.state.until)
        consider(flow.fading(of: report, reports.ages).end)
      }
    }
    for list in reports.incidents.values {
      for incident in list.incidents where incident.isClosed {
        if incident.holds(at: now) { closed.formUnion(incident.places) }
        consider(incident.from)
        consider(incident.until)
      }
    }
    nextChange = next
    // The hash is equal in every process, so that a successor does not treat restored state as a
    // change.
    let new = closed.reduce(0 as UInt64) { sum, road in
      sum &+ Self.mixed(road.way) &* 31 &+ Self.mixed(road.from) &* 7 &+ Self.mixed(road.to)
    }
    guard closed.count != closedCount || new != mark, !(closed.isEmpty && closedCount == 0) else {
      return false
    }
    (closedCount, mark) = (closed.count, new)
    return true
  }

  private static func mixed(_ id: Int64) -> UInt64 {
    let spread = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
    return spread ^ (spread >> 29)
  }
}

/// Counts the roads by reported jam factor or speed, in 16 classes.
private struct SpeedCounts: Sendable {
  private var counts = SIMD16<Int32>()

  init() {}

  init(_ reports: TrafficReports) {
    for flow in reports.flows.values {
      for report in flow.reports { counts[Self.index(of: report.state)] += 1 }
    }
  }

  var total: Int { Int(counts.wrappedSum()) }

  /// Returns the minimum number of roads whose class changed; added and removed roads count as
  /// well.
  func difference(to other: SpeedCounts) -> Int {
    let more = counts &- other.counts
    let came = more.replacing(with: 0, where: more .< 0).wrappedSum()
    let went = more.replacing(with: 0, where: more .> 0).wrappedSum()
    return Int(max(came, -went))
  }

  /// Returns the class: speeds in ten classes of 4 m/s; jam factors without speeds in six classes
  /// of two.
  private static func index(of state: TrafficState) -> Int {
    if let speedMps = state.measuredSpeedMps { return min(9, max(0, Int(speedMps / 4))) }
    return 10 + min(5, max(0, Int((state.measuredJamFactor ?? 0) / 2)))
  }
}
