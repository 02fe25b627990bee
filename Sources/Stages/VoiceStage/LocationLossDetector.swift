import Foundations

/// Detects lost locations by comparing the time since the last one with their usual interval.
struct LocationLossDetector: Codable, Hashable, Sendable {
  /// Subject of the announcements of a loss, so that a newer one replaces a waiting one.
  static let subject = "signal"
  /// Longest interval of a regular source, seconds.
  private static let slowestS = 60.0
  /// Timeout for a source whose interval is not known yet, seconds.
  private static let unknownS = 40.0

  /// Time of the last location, estimated or not; nil before the first of a trip.
  var last: Instant? {
    didSet { if last == nil { lastSeen = nil } }
  }
  /// Time of the last measured location.
  private var lastSeen: Instant?
  /// Seconds between the last measured locations, the newest last; at most two.
  private var intervalsS: [Double] = []
  var isLost = false
  /// Whether the loss has been announced.
  var isLossSaid = false
  /// Time before which no loss is announced, because the end of another was just announced.
  var quietUntil: Instant?

  /// Records that a location arrived.
  mutating func came(at now: Instant, isEstimated: Bool) {
    last = now
    guard !isEstimated else { return }
    if let lastSeen, now > lastSeen {
      let intervalS = now.seconds(since: lastSeen)
      if intervalS <= Self.slowestS { intervalsS = intervalsS.suffix(1) + [intervalS] }
    }
    lastSeen = now
  }

  /// Returns the time at which locations count as lost if no further location comes.
  ///
  /// It is at least `leastS` seconds after the last location, and three usual intervals after the
  /// last measured one. The shorter of two intervals counts, so that one gap does not make a source
  /// slow.
  func lostAt(least leastS: Double) -> Instant? {
    guard let last else { return nil }
    let usualS = intervalsS.count == 2 ? 3 * (intervalsS.min() ?? 0) : Self.unknownS
    let silent = last.advanced(bySeconds: leastS)
    return lastSeen.map { max(silent, $0.advanced(bySeconds: usualS)) } ?? silent
  }
}
