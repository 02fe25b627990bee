/// Time for which a peer has sent nothing while this process listened.
///
/// A process that was stopped, or whose machine was suspended, received nothing because it did not
/// listen; that time does not count as silence of the peer. A loop reports each of its turns. A
/// pause between two turns that is longer than the loop ever waits does not count.
package struct LivenessTimeout {
  /// No loop of the bus waits longer than 500 ms for its next turn.
  static let longestTurnMS: Int64 = 750

  private var lastTurn: MonotonicTime?
  private var lastHeard = MonotonicTime(nanoseconds: 0)

  package init() {}

  /// Records a turn of the loop; returns the milliseconds for which it was stopped, or 0.
  package mutating func turn(at now: MonotonicTime) -> Int64 {
    defer { lastTurn = now }
    guard let lastTurn else { return 0 }
    let pauseMS = now.milliseconds(since: lastTurn)
    guard pauseMS > Self.longestTurnMS else { return 0 }
    lastHeard = min(lastHeard.advanced(byMS: pauseMS), now)
    return pauseMS
  }

  package mutating func heard(at now: MonotonicTime) { lastHeard = now }

  package func milliseconds(at now: MonotonicTime) -> Int64 { now.milliseconds(since: lastHeard) }
}
