import Foundations
import RoadGraph
import Synchronization
import Traffic

/// The traffic known to one or more vehicles, and the part of it that holds at a moment.
final class TrafficSnapshot: Sendable {
  let reports: TrafficReports
  let number: Int
  private let pages = Mutex(Pages())
  /// Held while a view is built, so that simultaneous requests for the same view build it once and
  /// no others wait.
  private let making = Mutex(())

  private struct Pages {
    var periods: [Period] = []
    /// The part of the reports that is forecast for later.
    var later: TrafficReports?

    func place(_ moment: Instant, _ includesForecast: Bool) -> Int? {
      periods.lastIndex { $0.includesForecast == includesForecast && $0.contains(moment) }
    }
  }

  /// A period in which the same values hold.
  private struct Period {
    var includesForecast: Bool
    var since: Instant?
    var until: Instant?
    var view: TrafficView?
    /// nil until it is needed.
    var hasOpenEndedSpeed: Bool?

    func contains(_ moment: Instant) -> Bool {
      since.map { $0 <= moment } ?? true && until.map { moment < $0 } ?? true
    }
  }

  /// Maximum number of stored periods.
  ///
  /// The clocks of vehicles may differ a little, and some requests concern tomorrow.
  private static let periodLimit = 6

  fileprivate init(_ reports: TrafficReports, number: Int) {
    self.reports = reports
    self.number = number
  }

  /// Returns the traffic at `moment`, or the forecast for it; the view is built once for all
  /// moments between two changes.
  func counted(
    at moment: Instant, includesForecast: Bool = false, index: SegmentIndex, graph: RoadGraph
  ) -> RequestTraffic {
    counted(at: moment, includesForecast: includesForecast) {
      $0.view(at: $1, index: index, graph: graph)
    }
  }

  /// Returns the same with a view that `make` builds from the reports at a moment.
  func counted(
    at moment: Instant, includesForecast: Bool = false,
    _ make: @escaping @Sendable (TrafficReports, Instant) -> TrafficView
  ) -> RequestTraffic {
    let period = period(at: moment, includesForecast)
    return RequestTraffic(
      name: TrafficKey(snapshot: number, since: period.since, includesForecast: includesForecast),
      until: period.until, now: moment
    ) { [self] in
      if let known = view(at: moment, includesForecast) { return known }
      return making.withLock { _ in
        if let known = view(at: moment, includesForecast) { return known }
        let made = make(includesForecast ? later() : reports, moment)
        pages.withLock { pages in
          if let place = pages.place(moment, includesForecast) { pages.periods[place].view = made }
        }
        return made
      }
    }
  }

  private func view(at moment: Instant, _ includesForecast: Bool) -> TrafficView? {
    pages.withLock { pages in
      pages.place(moment, includesForecast).flatMap { pages.periods[$0].view }
    }
  }

  /// Returns the period that contains a moment; no lock is held during the slow evaluation of all
  /// reports.
  private func period(at moment: Instant, _ includesForecast: Bool) -> Period {
    let known = pages.withLock { pages in
      pages.place(moment, includesForecast).map { pages.periods[$0] }
    }
    if let known { return known }
    let found = (includesForecast ? later() : reports).period(around: moment)
    return pages.withLock { pages in
      // Another thread may have been faster.
      if let place = pages.place(moment, includesForecast) { return pages.periods[place] }
      let made = Period(includesForecast: includesForecast, since: found.since, until: found.until)
      pages.periods.append(made)
      if pages.periods.count > Self.periodLimit { pages.periods.removeFirst() }
      return made
    }
  }

  /// Whether a live value without an end counts at a moment.
  func hasOpenEndedSpeed(at moment: Instant) -> Bool {
    let period = period(at: moment, false)
    if let known = period.hasOpenEndedSpeed { return known }
    let has = reports.hasOpenEndedSpeed(at: moment)
    pages.withLock { pages in
      if let place = pages.place(moment, false) { pages.periods[place].hasOpenEndedSpeed = has }
    }
    return has
  }

  /// Returns the current traffic, or the part of it that is forecast for later.
  func reports(includesForecast: Bool) -> TrafficReports { includesForecast ? later() : reports }

  private func later() -> TrafficReports {
    if let later = pages.withLock({ $0.later }) { return later }
    let made = reports.foretold
    pages.withLock { $0.later = made }
    return made
  }
}

/// The newest traffic of each vehicle, for threads outside the event loop of the stages.
///
/// A stage stores its reports here after each change. Vehicles with the same traffic share one
/// snapshot and all that is derived from it: a fleet on one feed customizes once.
final class TrafficSnapshotStore: Sendable {
  private struct Contents {
    var heard: [String: Heard] = [:]
    /// Snapshots that are still in use, by the marks of their reports.
    var known: [Int: [Weak]] = [:]
    var live: [Int: Weak] = [:]
    var count = 0
  }

  /// The current traffic of a vehicle, and its recent traffic.
  private struct Heard {
    var snapshot: TrafficSnapshot
    /// Numbers of earlier snapshots, with the times until which each was the newest.
    var past: [(snapshot: Int, until: Instant)] = []
  }

  private struct Weak {
    weak var snapshot: TrafficSnapshot?
  }

  /// Maximum number of earlier snapshots, whatever their stamps are.
  private static let pastLimit = 128

  private let snapshots = Mutex(Contents())

  /// Stores the traffic of a vehicle at `moment`, the stamp of its writer, and returns the snapshot
  /// that it shares with equal traffic.
  func put(_ reports: TrafficReports, of vehicle: String, at moment: Instant) -> TrafficSnapshot {
    let mark = reports.mark
    let alike = snapshots.withLock { $0.known[mark]?.compactMap(\.snapshot) ?? [] }
    // Evaluating all reports takes long; therefore no lock is held meanwhile.
    let same = alike.first { $0.reports == reports }
    return snapshots.withLock { snapshots in
      let snapshot = same ?? Self.snapshot(reports, mark, &snapshots)
      var heard = snapshots.heard[vehicle] ?? Heard(snapshot: snapshot)
      if heard.snapshot !== snapshot {
        heard.past.removeAll { !RequestTraffic.isRecent($0.until, at: moment) }
        heard.past.append((heard.snapshot.number, moment))
        if heard.past.count > Self.pastLimit { heard.past.removeFirst() }
        heard.snapshot = snapshot
      }
      snapshots.heard[vehicle] = heard
      return snapshot
    }
  }

  private static func snapshot(
    _ reports: TrafficReports, _ mark: Int, _ snapshots: inout Contents
  ) -> TrafficSnapshot {
    snapshots.count += 1
    let snapshot = TrafficSnapshot(reports, number: snapshots.count)
    snapshots.live = snapshots.live.filter { $0.value.snapshot != nil }
    snapshots.live[snapshot.number] = Weak(snapshot: snapshot)
    snapshots.known = snapshots.known.compactMapValues { sheets in
      let held = sheets.filter { $0.snapshot != nil }
      return held.isEmpty ? nil : held
    }
    snapshots.known[mark, default: []].append(Weak(snapshot: snapshot))
    return snapshot
  }

  /// Returns the traffic of a vehicle; nil if there is none.
  func snapshot(of vehicle: String) -> TrafficSnapshot? {
    snapshots.withLock { $0.heard[vehicle]?.snapshot }.flatMap { $0.reports.isEmpty ? nil : $0 }
  }

  /// Returns the traffic that counts for a vehicle now; nil if there is none.
  func counted(
    of vehicle: String, at now: Instant, index: SegmentIndex, graph: RoadGraph
  ) -> RequestTraffic? {
    guard let heard = snapshots.withLock({ $0.heard[vehicle] }), !heard.snapshot.reports.isEmpty
    else {
      return nil
    }
    var counted = heard.snapshot.counted(at: now, index: index, graph: graph)
    counted.recent = Self.recent(heard, at: now)
    return counted
  }

  /// Returns the snapshots that were a vehicle's newest until a moment before `now`, with the
  /// seconds since then.
  func recent(of vehicle: String, at now: Instant) -> [Int: Double] {
    snapshots.withLock { $0.heard[vehicle].map { Self.recent($0, at: now) } ?? [:] }
  }

  private static func recent(_ heard: Heard, at now: Instant) -> [Int: Double] {
    var recent: [Int: Double] = [:]
    // A snapshot may occur repeatedly: its last time counts.
    for (snapshot, until) in heard.past {
      recent[snapshot] =
        RequestTraffic.isRecent(until, at: now) ? abs(now.seconds(since: until)) : nil
    }
    return recent
  }

  /// Whether a route may still be requested under this traffic.
  func isLive(_ name: TrafficKey) -> Bool {
    name.snapshot == 0 || snapshots.withLock { $0.live[name.snapshot]?.snapshot != nil }
  }
}
