import StackFile

/// The failures of a process, and how long it waits before its next start.
struct RestartBackoff: Hashable, Sendable {
  /// Number of restarts since the process last counted as well.
  private var troubles = 0
  /// Times of the failures that may add up to a crash loop.
  private var failuresS: [Double] = []

  /// Time after which a node that has been ready without a break counts as well.
  static let forgivenessS = 60.0
  /// A node that was ready for this long before it died is restarted immediately.
  ///
  /// Something killed it, and a pause would not help; it still counts towards a crash loop.
  static let soundS = 5.0

  init() {}

  /// Records a failure; returns the seconds until the next start, or nil for a crash loop.
  ///
  /// `readyS` is the time for which the process was ready before; nil if it was not ready.
  mutating func waitS(
    _ policy: NodePolicy, readyS: Double?, atS now: Double,
    using generator: inout some RandomNumberGenerator
  ) -> Double? {
    failuresS.append(now)
    failuresS.removeAll { now - $0 >= policy.giveUpWithinS }
    guard failuresS.count < policy.giveUpTimes else { return nil }
    if let readyS, readyS >= Self.soundS { troubles = 0 }
    troubles += 1
    guard troubles > 1 else { return 0 }
    let doublings = Double(1 << min(troubles - 2, 30))
    let wait = min(policy.firstBackoffS * doublings, policy.longestBackoffS)
    // Not `Double.random(in:)`, which draws until a value is accepted: a constant source would
    // never end it.
    let spread = Double(generator.next() >> 11) / 0x1p53
    return wait * (0.8 + 0.4 * spread)
  }

  /// Moves the failures by a time in which no process ran.
  mutating func shift(_ later: (Double) -> Double) { failuresS = failuresS.map(later) }
}
