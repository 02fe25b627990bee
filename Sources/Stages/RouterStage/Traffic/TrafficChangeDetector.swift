import Foundations
import RoadGraph
import Traffic

/// Detects changes of the traffic reports after which the price of a route may differ.
///
/// Each change of the set of closed roads counts at once. A change of speeds counts at most once in
/// `speedPauseS` seconds; if it concerns few roads, their names are part of it.
struct TrafficChangeDetector: Sendable {
  /// A change of closures or speeds.
  struct Change: Hashable, Sendable {
    /// The roads whose speed changed; empty if any road may be concerned.
    var segments: [SegmentReference] = []
  }

  /// From this share of the reported roads on, a change concerns any road.
  static let speedShare = 0.2
  /// Maximum number of roads that are named.
  static let mostNamed = 512
  static let speedPauseS = 15.0

  /// Number of closed road segments.
  private(set) var closedCount = 0
  /// The first time after the last evaluation at which a closure starts or ends, or a change of
  /// speeds is due; nil for none.
  private(set) var nextChange: Instant?
  /// A hash of the closed road segments that does not depend on their order.
  private var mark: UInt64 = 0
  /// The speeds at their last change, with the reports themselves, and the time of that change.
  private var speeds = SpeedCounts()
  private var changed: TrafficReports?
  private var speedsChanged: Instant?

  /// Number of reported speeds and jam factors.
  var speedCount: Int { speeds.total }

  /// Updates the state and returns the change, if a navigator has a reason to request the traffic
  /// on its route again.
  ///
  /// The cost is linear in the reports.
  mutating func change(to reports: TrafficReports, at now: Instant) -> Change? {
    let areOtherRoadsClosed = closuresMoved(to: reports, at: now)
    let change = speedChange(to: reports, at: now)
    return areOtherRoadsClosed ? Change() : change
  }

  private mutating func speedChange(to reports: TrafficReports, at now: Instant) -> Change? {
    let current = SpeedCounts(reports)
    guard current != speeds else { return nil }
    // The clock of the stack may have been set back since.
    if let last = speedsChanged, now >= last, now.seconds(since: last) < Self.speedPauseS {
      let due = last.advanced(bySeconds: Self.speedPauseS)
      nextChange = nextChange.map { min($0, due) } ?? due
      return nil
    }
    let most = Double(max(current.total, speeds.total))
    let isWide = Double(current.difference(to: speeds)) >= Self.speedShare * most
    let named = isWide ? [] : SpeedCounts.changes(from: changed, to: reports)
    (speeds, speedsChanged, changed) = (current, now, reports)
    return Change(segments: named.count <= Self.mostNamed ? named : [])
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
      sum &+ road.hash
    }
    guard closed.count != closedCount || new != mark, !(closed.isEmpty && closedCount == 0) else {
      return false
    }
    (closedCount, mark) = (closed.count, new)
    return true
  }
}

/// Counts the roads by reported jam factor or speed, in 16 classes.
private struct SpeedCounts: Hashable, Sendable {
  private var counts = SIMD16<Int32>()
  /// A hash of the roads and their classes that does not depend on their order.
  private var mark: UInt64 = 0

  init() {}

  init(_ reports: TrafficReports) {
    for flow in reports.flows.values {
      for report in flow.reports {
        let index = Self.index(of: report.state)
        counts[index] += 1
        mark &+= report.segment.hash &* UInt64(2 * index + 1)
      }
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

  /// The roads whose class differs, in the order of the later reports; those that have gone follow.
  static func changes(from before: TrafficReports?, to after: TrafficReports)
    -> [SegmentReference]
  {
    var left = before.map(classes) ?? [:]
    var named: [SegmentReference] = []
    for (feed, flow) in after.flows.sorted(by: { $0.key < $1.key }) {
      for report in flow.reports {
        let place = Place(feed: feed, segment: report.segment)
        if left.removeValue(forKey: place) != index(of: report.state) {
          named.append(report.segment)
        }
      }
    }
    return named
      + left.keys.map(\.segment)
      .sorted { ($0.way, $0.from, $0.to) < ($1.way, $1.from, $1.to) }
  }

  private struct Place: Hashable {
    var feed: String
    var segment: SegmentReference
  }

  private static func classes(_ reports: TrafficReports) -> [Place: Int] {
    var found: [Place: Int] = [:]
    for (feed, flow) in reports.flows {
      for report in flow.reports {
        found[Place(feed: feed, segment: report.segment)] = index(of: report.state)
      }
    }
    return found
  }

  /// Returns the class: speeds in ten classes of 4 m/s; jam factors without speeds in six classes
  /// of two.
  private static func index(of state: TrafficState) -> Int {
    if let speedMps = state.measuredSpeedMps { return min(9, max(0, Int(speedMps / 4))) }
    return 10 + min(5, max(0, Int((state.measuredJamFactor ?? 0) / 2)))
  }
}

extension SegmentReference {
  /// A hash that is equal in every process.
  fileprivate var hash: UInt64 {
    func mixed(_ id: Int64) -> UInt64 {
      let spread = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
      return spread ^ (spread >> 29)
    }
    return mixed(way) &* 31 &+ mixed(from) &* 7 &+ mixed(to)
  }
}
