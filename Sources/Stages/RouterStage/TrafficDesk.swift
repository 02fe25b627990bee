import EventTime
import RoadGraph
import Synchronization
import Traffic

/// What one vehicle or many have heard of traffic, and what of it holds at a moment.
final class TrafficSheet: Sendable {
  let board: TrafficBoard
  let number: Int
  private let pages = Mutex(Pages())

  private struct Pages {
    var periods: [Period] = []
    /// What the board says of later.
    var later: TrafficBoard?
  }

  /// A time in which the same holds.
  private struct Period {
    var isForetold: Bool
    var since: Instant?
    var until: Instant?
    var view: TrafficView?

    func contains(_ moment: Instant) -> Bool {
      since.map { $0 <= moment } ?? true && until.map { moment < $0 } ?? true
    }
  }

  /// Vehicles may differ a little in what time it is, and some ask about tomorrow.
  private static let periodLimit = 6

  fileprivate init(_ board: TrafficBoard, number: Int) {
    self.board = board
    self.number = number
  }

  /// What holds at `moment`, or is foretold for it; the view is made once for all moments between two changes.
  func counted(
    at moment: Instant, isForetold: Bool = false, index: SegmentIndex, graph: RoadGraph
  ) -> CountedTraffic {
    let period = pages.withLock { Self.period(at: moment, isForetold, board, &$0) }
    return CountedTraffic(
      name: TrafficName(sheet: number, since: period.since, isForetold: isForetold),
      until: period.until, now: moment
    ) { [self] in
      pages.withLock { pages in
        let known = Self.period(at: moment, isForetold, board, &pages)
        if let view = known.view { return view }
        let board = isForetold ? Self.later(board, &pages) : board
        let made = board.view(at: moment, index: index, graph: graph)
        if let place = pages.periods.lastIndex(where: {
          $0.isForetold == isForetold && $0.since == known.since
        }) {
          pages.periods[place].view = made
        }
        return made
      }
    }
  }

  private static func period(
    at moment: Instant, _ isForetold: Bool, _ board: TrafficBoard, _ pages: inout Pages
  ) -> Period {
    let known = pages.periods.last { $0.isForetold == isForetold && $0.contains(moment) }
    if let known { return known }
    let found = (isForetold ? later(board, &pages) : board).period(around: moment)
    let made = Period(isForetold: isForetold, since: found.since, until: found.until)
    pages.periods.append(made)
    if pages.periods.count > periodLimit { pages.periods.removeFirst() }
    return made
  }

  private static func later(_ board: TrafficBoard, _ pages: inout Pages) -> TrafficBoard {
    if let later = pages.later { return later }
    let made = board.foretold
    pages.later = made
    return made
  }
}

/// The newest traffic of each vehicle, where threads beside the stages' loop find it.
///
/// A stage puts its board in after each change. Vehicles that have heard the same share one sheet, and with it what is
/// made of it: a fleet on one feed customizes once.
final class TrafficDesk: Sendable {
  private struct Desk {
    var heard: [String: Heard] = [:]
    /// By the mark of their boards those that somebody holds.
    var known: [Int: [Weak]] = [:]
    var live: [Int: Weak] = [:]
    var count = 0
  }

  /// What a vehicle has heard, and what it had heard shortly before.
  private struct Heard {
    var sheet: TrafficSheet
    /// Numbers of sheets, and when each was the newest no more.
    var past: [(sheet: Int, until: Instant)] = []
  }

  private struct Weak {
    weak var sheet: TrafficSheet?
  }

  /// Sheets of the past kept at most, whatever their stamps say.
  private static let pastLimit = 128

  private let desk = Mutex(Desk())

  /// Puts in what a vehicle has heard by `moment`; gives the sheet that it shares with those who heard the same.
  func put(_ board: TrafficBoard, of vehicle: String, at moment: Instant) -> TrafficSheet {
    let mark = board.mark
    let alike = desk.withLock { $0.known[mark]?.compactMap(\.sheet) ?? [] }
    // Looking through all reports takes long: nobody waits for it.
    let same = alike.first { $0.board == board }
    return desk.withLock { desk in
      let sheet = same ?? Self.sheet(board, mark, &desk)
      var heard = desk.heard[vehicle] ?? Heard(sheet: sheet)
      if heard.sheet !== sheet {
        heard.past.removeAll { moment.seconds(since: $0.until) > CountedTraffic.graceOfWaitingS }
        heard.past.append((heard.sheet.number, moment))
        if heard.past.count > Self.pastLimit { heard.past.removeFirst() }
        heard.sheet = sheet
      }
      desk.heard[vehicle] = heard
      return sheet
    }
  }

  private static func sheet(
    _ board: TrafficBoard, _ mark: Int, _ desk: inout Desk
  ) -> TrafficSheet {
    desk.count += 1
    let sheet = TrafficSheet(board, number: desk.count)
    desk.live = desk.live.filter { $0.value.sheet != nil }
    desk.live[sheet.number] = Weak(sheet: sheet)
    desk.known = desk.known.compactMapValues { sheets in
      let held = sheets.filter { $0.sheet != nil }
      return held.isEmpty ? nil : held
    }
    desk.known[mark, default: []].append(Weak(sheet: sheet))
    return sheet
  }

  /// What a vehicle has heard; nil where that is nothing.
  func sheet(of vehicle: String) -> TrafficSheet? {
    desk.withLock { $0.heard[vehicle]?.sheet }.flatMap { $0.board.isEmpty ? nil : $0 }
  }

  /// The traffic that counts for a vehicle now; nil where it has heard of none.
  func counted(
    of vehicle: String, at now: Instant, index: SegmentIndex, graph: RoadGraph
  ) -> CountedTraffic? {
    guard let heard = desk.withLock({ $0.heard[vehicle] }), !heard.sheet.board.isEmpty else {
      return nil
    }
    var counted = heard.sheet.counted(at: now, index: index, graph: graph)
    counted.recent = Self.recent(heard, at: now)
    return counted
  }

  /// Sheets that were a vehicle's newest until a moment before `now`, and how many seconds before.
  func recent(of vehicle: String, at now: Instant) -> [Int: Double] {
    desk.withLock { $0.heard[vehicle].map { Self.recent($0, at: now) } ?? [:] }
  }

  private static func recent(_ heard: Heard, at now: Instant) -> [Int: Double] {
    var recent: [Int: Double] = [:]
    // A sheet may come back: its last time counts.
    for (sheet, until) in heard.past { recent[sheet] = now.seconds(since: until) }
    return recent.filter { $0.value <= CountedTraffic.graceOfWaitingS }
  }

  /// Whether somebody may still ask for a route under such traffic.
  func isLive(_ name: TrafficName) -> Bool {
    name.sheet == 0 || desk.withLock { $0.live[name.sheet]?.sheet != nil }
  }
}
