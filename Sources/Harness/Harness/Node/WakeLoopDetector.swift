import Foundations

/// Detects stages that ask to be woken again and again while stack time does not advance.
struct WakeLoopDetector {
  private struct Entry {
    var moment: Instant
    var count = 0
  }

  private var entries: [String: Entry] = [:]

  /// Number of wake-ups at one moment above which they count as an endless loop.
  static let most = 1_000
  /// Seconds of stack time that count as one moment.
  ///
  /// A clock that is set again and again advances a little.
  private static let momentS = 0.001

  /// Records a request at `moment` to be woken at `at`; returns whether it exceeds the limit.
  mutating func exceedsLimit(_ vehicle: String, at: Instant, moment: Instant) -> Bool {
    guard at <= moment else {
      if !entries.isEmpty { entries[vehicle] = nil }
      return false
    }
    var entry = entries[vehicle] ?? Entry(moment: moment)
    if abs(moment.seconds(since: entry.moment)) > Self.momentS { entry = Entry(moment: moment) }
    entry.count = min(entry.count + 1, Self.most + 1)
    entries[vehicle] = entry
    return entry.count > Self.most
  }
}
