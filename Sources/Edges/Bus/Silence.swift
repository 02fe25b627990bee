/// For how long another end has said nothing while this one listened.
///
/// A process that was stopped, or whose machine stood still, heard nothing because it did not listen:
/// such a time is nobody's silence. A loop tells of each of its turns, and a longer pause between two than
/// it ever waits does not count.
struct Silence {
  /// No loop of the bus waits longer than 500 ms for its next turn.
  static let longestTurnMS: Int64 = 750

  private var lastTurn: MonotonicTime?
  private var lastHeard = MonotonicTime(nanoseconds: 0)

  /// Notes that the loop goes round; gives the milliseconds for which it did not, 0 where it did.
  mutating func turn(at now: MonotonicTime) -> Int64 {
    defer { lastTurn = now }
    guard let lastTurn else { return 0 }
    let pauseMS = now.milliseconds(since: lastTurn)
    guard pauseMS > Self.longestTurnMS else { return 0 }
    lastHeard = min(lastHeard.advanced(byMS: pauseMS), now)
    return pauseMS
  }

  mutating func heard(at now: MonotonicTime) { lastHeard = now }

  func milliseconds(at now: MonotonicTime) -> Int64 { now.milliseconds(since: lastHeard) }
}
