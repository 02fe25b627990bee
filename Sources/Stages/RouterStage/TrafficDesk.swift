import EventTime
import Synchronization
import Traffic

/// The newest traffic of each vehicle, where threads beside the stages' loop find it.
///
/// A stage puts its board in after each change; who asks gets a view of it, made once for all who ask until the
/// board changes or something begins or ends to hold.
final class TrafficDesk: Sendable {
  private struct Entry {
    var board: TrafficBoard
    var version: Int
    var view: TrafficView?
    var until: Instant?
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// Names the traffic that a metric was made with.
  static func name(_ vehicle: String, _ version: Int, _ view: TrafficView?) -> String {
    "\(vehicle) \(version) \(view?.asOf.nanoseconds ?? 0)"
  }

  func put(_ board: TrafficBoard, version: Int, of vehicle: String) {
    entries.withLock { $0[vehicle] = Entry(board: board, version: version) }
  }

  /// The view of a vehicle's traffic at `now`, made by `make` where there is none that holds.
  ///
  /// Two that ask at once may both make it; the results are equal.
  func view(
    of vehicle: String, at now: Instant, _ make: (TrafficBoard) -> TrafficView
  ) -> (view: TrafficView, name: String)? {
    guard let entry = entries.withLock({ $0[vehicle] }), !entry.board.isEmpty else { return nil }
    if let view = entry.view, view.asOf <= now, entry.until.map({ now < $0 }) ?? true {
      return (view, Self.name(vehicle, entry.version, view))
    }
    let view = make(entry.board)
    let until = entry.board.nextChange(after: now)
    entries.withLock { entries in
      guard entries[vehicle]?.version == entry.version else { return }
      entries[vehicle]?.view = view
      entries[vehicle]?.until = until
    }
    return (view, Self.name(vehicle, entry.version, view))
  }
}
