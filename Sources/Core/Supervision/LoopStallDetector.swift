/// Detects that a loop itself did not run, because its process or the whole machine was stopped.
///
/// A supervisor that counted such a time would kill healthy processes, which were stopped with it.
public struct LoopStallDetector: Hashable, Sendable {
  /// Longest time that a watched loop may wait for its next turn, milliseconds.
  public static let longestWaitMS = 500.0
  /// Time between two turns from which on the loop counts as stopped, seconds.
  public static let pauseS = 1.5

  private var lastS: Double?

  public init() {}

  /// Records a turn at `now`, in seconds.
  ///
  /// Returns the seconds for which the loop was stopped before this turn; nil if it ran.
  public mutating func pauseS(atS now: Double) -> Double? {
    defer { lastS = now }
    guard let lastS, now - lastS >= Self.pauseS else { return nil }
    return now - lastS
  }
}
