/// Finds out that a loop itself did not run: its process was stopped, or the whole machine stood still.
///
/// A supervisor that judged others by such a time would kill healthy processes, which stood still with it.
public struct LoopPulse: Hashable, Sendable {
  /// A loop that is watched in this way waits no longer for its next turn, milliseconds.
  public static let longestWaitMS = 500.0
  /// A turn that comes so much later than the one before was no wait, seconds.
  public static let pauseS = 1.5

  private var lastS: Double?

  public init() {}

  /// Notes a turn at `now`; seconds that the loop stood still before it, nil where it ran.
  public mutating func pauseS(atS now: Double) -> Double? {
    defer { lastS = now }
    guard let lastS, now - lastS >= Self.pauseS else { return nil }
    return now - lastS
  }
}
