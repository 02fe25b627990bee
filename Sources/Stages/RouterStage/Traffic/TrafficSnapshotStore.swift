import EventTime
import RoadGraph
import Synchronization
import Traffic

/// The traffic known to one or more vehicles, and the part of it that holds at a moment.
final class TrafficSnapshot: Sendable {
  let board: TrafficReports
  let number: Int
  private let pages = Mutex(Pages())
  /// Held while a view is built, so that simultaneous requests for the same view build it once and
  /// no others wait.
  private let making = Mutex(())

  private struct Pages {
    var periods: [Period] = []
    /// The part of the reports that is forecast for later.
    var later: TrafficReports?

    func place(_ moment: Instant, _ isForetold: Bool) -> Int? {
      periods.lastIndex { $0.isForetold == isForetold && $0.contains(moment) }
    }
  }

  /// A period in which the same values hold.
  private struct Period {
    var isForetold: Bool
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

  fileprivate init(_ board: TrafficReports, number: Int) {
    self.board = board
    self.number = number
  }

  /// Returns the traffic at `moment`, or the forecast for it; the view is built once for all
  /// moments between two changes.
  func counted(
    at moment: Instant, isForetold: Bool = false, index: SegmentIndex, graph: RoadGraph
  ) -> RequestTraffic {
    counted(at: moment, isForetold: isForetold) { $0.view(at: $1, index: index, graph: graph) }
  }

  /// Returns the same with a view that `make` builds from the reports at a moment.
  func counted(
    at moment: Instant, isForetold: Bool = false,
    _ make: @escaping @Sendable (TrafficReports, Instant) -> TrafficView
  ) -> RequestTraffic {
    let period = period(at: moment, isForetold)
    return RequestTraffic(
      name: TrafficKey(sheet: number, since: period.since, isForetold: isForetold),
      until: period.until, now: moment
    ) { [self] in
      if let known = view(at: moment, isForetold) { return known }
      return making.withLock { _ in
        if let known = view(at: moment, isForetold) { return known }
        let made = make(isForetold ? later() : board, moment)
        pages.withLock { pages in
          if let place = pages.place(moment, isForetold) { pages.periods[place].view = made }
        }
        return made
      }
    }
  }

  private func view(at moment: Instant, _ isForetold: Bool) -> TrafficView? {
    pages.withLock { pages in pages.place(moment, isForetold).flatMap { pages.periods[$0].view } }
  }

  /// Returns the period that contains a moment; no lock is held during the slow evaluation of all
  /// reports.
  private func period(at moment: Instant, _ isForetold: Bool) -> Period {
    let known = pages.withLock { pages in
      pages.place(moment, isForetold).map { pages.periods[$0] }
    }
    if let known { return known }
    let found = (isForetold ? later() : board).period(around: moment)
    return pages.withLock { pages in
      // Another thread may have been faster.
      if let place = pages.place(moment, isForetold) { return pages.periods[place] }
      let made = Period(isForetold: isForetold, since: found.since, until: found.until)
      pages.periods.append(made)
      if pages.periods.count > Self.periodLimit { pages.periods.removeFirst() }
      return made
    }
  }

  /// Whether a live value without an end counts at a moment.
  func hasOpenEndedSpeed(at moment: Instant) -> Bool {
    let period = period(at: moment, false)
    if let known = period.hasOpenEndedSpeed { return known }
    let has = board.hasOpenEndedSpeed(at: moment)
    pages.withLock { pages in
      if let place = pages.place(moment, false) { pages.periods[place].hasOpenEndedSpeed = has }
    }
    return has
  }

  /// Returns the current traffic, or the part of it that is forecast for later.
  func board(isForetold: Bool) -> TrafficReports { isForetold ? later() : board }

  private func later() -> TrafficReports {
    if let later = pages.withLock({ $0.later }) { return later }
    let made = board.foretold
    pages.withLock { $0.later = made }
    return made
  }
}

/// The newest traffic of each vehicle, for threads outside the event loop of the stages.
///
/// A stage stores its reports here after each change. Vehicles with the same traffic share one
/// snapshot and all that is derived from it: a fleet on one feed customizes once.
final class TrafficSnapshotStore: Sendable {
  private struct Desk {
    var heard: [String: Heard] = [:]
    /// Snapshots that are still in use, by the marks of their reports.
    var known: [Int: [Weak]] = [:]
    var live: [Int: Weak] = [:]
    var count = 0
  }

  /// The current traffic of a vehicle, and its recent traffic.
  private struct Heard {
    var sheet: TrafficSnapshot
    /// Numbers of earlier snapshots, with the times until which each was the newest.
    var past: [(sheet: Int, until: Instant)] = []
  }

  private struct Weak {
    weak var sheet: TrafficSnapshot?
  }

  /// Maximum number of earlier snapshots, whatever their stamps are.
  private static let pastLimit = 128

  private let desk = Mutex(Desk())

  /// Stores the traffic of a vehicle at `moment`, the stamp of its writer, and returns the snapshot
  /// that it shares with equal traffic.
  func put(_ board: TrafficReports, of vehicle: String, at moment: Instant) -> TrafficSnapshot {
    let mark = board.mark
    let alike = desk.withLock { $0.known[mark]?.compactMap(\.sheet) ?? [] }
    // Evaluating all reports takes long; therefore no lock is held meanwhile.
    let same = alike.first { $0.board == board }
    return desk.withLock { desk in
      let sheet = same ?? Self.sheet(board, mark, &desk)
      var heard = desk.heard[vehicle] ?? Heard(sheet: sheet)
      if heard.sheet !== sheet {
        heard.past.removeAll { !RequestTraffic.isRecent($0.until, at: moment) }
        heard.past.append((heard.sheet.number, moment))
        if heard.past.count > Self.pastLimit { heard.past.removeFirst() }
        heard.sheet = sheet
      }
      desk.heard[vehicle] = heard
      return sheet
    }
  }

  private static func sheet(
    _ board: TrafficReports, _ mark: Int, _ desk: inout Desk
  ) -> TrafficSnapshot {
    desk.count += 1
    let sheet = TrafficSnapshot(board, number: desk.count)
    desk.live = desk.live.filter { $0.value.sheet != nil }
    desk.live[sheet.number] = Weak(sheet: sheet)
    desk.known = desk.known.compactMapValues { sheets in
      let held = sheets.filter { $0.sheet != nil }
      return held.isEmpty ? nil : held
    }
    desk.known[mark, default: []].append(Weak(sheet: sheet))
    return sheet
  }

  /// Returns the traffic of a vehicle; nil if there is none.
  func sheet(of vehicle: String) -> TrafficSnapshot? {
    desk.withLock { $0.heard[vehicle]?.sheet }.flatMap { $0.board.isEmpty ? nil : $0 }
  }

  /// Returns the traffic that counts for a vehicle now; nil if there is none.
  func counted(
    of vehicle: String, at now: Instant, index: SegmentIndex, graph: RoadGraph
  ) -> RequestTraffic? {
    guard let heard = desk.withLock({ $0.heard[vehicle] }), !heard.sheet.board.isEmpty else {
      return nil
    }
    var counted = heard.sheet.counted(at: now, index: index, graph: graph)
    counted.recent = Self.recent(heard, at: now)
    return counted
  }

  /// Returns the snapshots that were a vehicle's newest until a moment before `now`, with the
  /// seconds since then.
  func recent(of vehicle: String, at now: Instant) -> [Int: Double] {
    desk.withLock { $0.heard[vehicle].map { Self.recent($0, at: now) } ?? [:] }
  }

  private static func recent(_ heard: Heard, at now: Instant) -> [Int: Double] {
    var recent: [Int: Double] = [:]
    // A snapshot may occur repeatedly: its last time counts.
    for (sheet, until) in heard.past {
      recent[sheet] = RequestTraffic.isRecent(until, at: now) ? abs(now.seconds(since: until)) : nil
    }
    return recent
  }

  /// Whether a route may still be requested under this traffic.
  func isLive(_ name: TrafficKey) -> Bool {
    name.sheet == 0 || desk.withLock { $0.live[name.sheet]?.sheet != nil }
  }
}
