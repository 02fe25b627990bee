import EventTime
import RoadGraph
import Synchronization
import Traffic

/// Names the traffic that a metric was made with; equal names stand for equal traffic.
struct TrafficName: Hashable, Sendable {
  /// Of the sheet; 0 where no traffic counts.
  var sheet = 0
  /// Since when the same of it has held.
  var since: Instant?
  /// The departure for which it was foretold; nil for now.
  var departure: Instant?
  /// The quarter of an hour whose typical speeds are filled in; nil for none.
  var typicalSlot: Int?

  static let none = TrafficName()
}

/// What one vehicle or many have heard of traffic, and what of it holds at a moment.
final class TrafficSheet: Sendable {
  let board: TrafficBoard
  let number: Int
  private let views = Mutex<[View]>([])

  private struct View {
    var view: TrafficView
    var since: Instant?
    var until: Instant?
  }

  /// Vehicles may differ a little in what time it is.
  private static let viewLimit = 2

  fileprivate init(_ board: TrafficBoard, number: Int) {
    self.board = board
    self.number = number
  }

  /// What holds at `now`, made once for all who ask until something begins or ends to hold.
  func view(
    at now: Instant, index: SegmentIndex, graph: RoadGraph
  ) -> (view: TrafficView, name: TrafficName) {
    views.withLock { views in
      let known = views.last {
        $0.since.map { $0 <= now } ?? true && $0.until.map { now < $0 } ?? true
      }
      if let known { return (known.view, TrafficName(sheet: number, since: known.since)) }
      let period = board.period(around: now)
      let made = board.view(at: now, index: index, graph: graph)
      views.append(View(view: made, since: period.since, until: period.until))
      if views.count > Self.viewLimit { views.removeFirst() }
      return (made, TrafficName(sheet: number, since: period.since))
    }
  }
}

/// The newest traffic of each vehicle, where threads beside the stages' loop find it.
///
/// A stage puts its board in after each change. Vehicles that have heard the same share one sheet, and with it what is
/// made of it: a fleet on one feed customizes once.
final class TrafficDesk: Sendable {
  private struct Desk {
    var sheets: [String: TrafficSheet] = [:]
    /// By the mark of their boards those that somebody holds.
    var known: [Int: [Weak]] = [:]
    var live: [Int: Weak] = [:]
    var count = 0
  }

  private struct Weak {
    weak var sheet: TrafficSheet?
  }

  private let desk = Mutex(Desk())

  /// Puts in what a vehicle has heard; gives the sheet that it shares with those who heard the same.
  func put(_ board: TrafficBoard, of vehicle: String) -> TrafficSheet {
    let mark = board.mark
    let alike = desk.withLock { $0.known[mark]?.compactMap(\.sheet) ?? [] }
    // Looking through all reports takes long: nobody waits for it.
    let same = alike.first { $0.board == board }
    return desk.withLock { desk in
      if let same {
        desk.sheets[vehicle] = same
        return same
      }
      desk.count += 1
      let sheet = TrafficSheet(board, number: desk.count)
      desk.sheets[vehicle] = sheet
      desk.live = desk.live.filter { $0.value.sheet != nil }
      desk.live[sheet.number] = Weak(sheet: sheet)
      desk.known = desk.known.compactMapValues { sheets in
        let held = sheets.filter { $0.sheet != nil }
        return held.isEmpty ? nil : held
      }
      desk.known[mark, default: []].append(Weak(sheet: sheet))
      return sheet
    }
  }

  /// What a vehicle has heard; nil where that is nothing.
  func sheet(of vehicle: String) -> TrafficSheet? {
    desk.withLock { $0.sheets[vehicle] }.flatMap { $0.board.isEmpty ? nil : $0 }
  }

  /// Whether somebody may still ask for a route under such traffic.
  func isLive(_ name: TrafficName) -> Bool {
    name.sheet == 0 || desk.withLock { $0.live[name.sheet]?.sheet != nil }
  }
}
