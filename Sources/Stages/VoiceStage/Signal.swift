import EventTime

/// Whether locations come, and how long a silence is none of their usual ones.
struct Signal: Codable, Hashable, Sendable {
  /// The announcements of one loss replace each other while they wait.
  static let subject = "signal"
  /// No steady source is slower, seconds.
  private static let slowestS = 60.0
  /// So long is waited for a source of which too little has been seen to know its interval, seconds.
  private static let unknownS = 40.0

  /// When the last one came, estimated or not; nil before the first of a trip.
  var last: Instant? {
    didSet { if last == nil { lastSeen = nil } }
  }
  /// When the last one came that was seen.
  private var lastSeen: Instant?
  /// Seconds between the last ones that were seen, the newest last; at most two.
  private var intervalsS: [Double] = []
  var isLost = false
  /// That they fail to come has been spoken.
  var isLossSaid = false
  /// Until then no loss is spoken: another one was said to be over a moment ago.
  var quietUntil: Instant?

  /// Takes in that a location came.
  mutating func came(at now: Instant, isEstimated: Bool) {
    last = now
    guard !isEstimated else { return }
    if let lastSeen, now > lastSeen {
      let intervalS = now.seconds(since: lastSeen)
      if intervalS <= Self.slowestS { intervalsS = intervalsS.suffix(1) + [intervalS] }
    }
    lastSeen = now
  }

  /// When they count as lost, unless one comes: after `leastS` of silence, and three intervals of those that were seen.
  ///
  /// One gap alone makes no source slow.
  func lostAt(least leastS: Double) -> Instant? {
    guard let last else { return nil }
    let usualS = intervalsS.count == 2 ? 3 * (intervalsS.min() ?? 0) : Self.unknownS
    let silent = last.advanced(bySeconds: leastS)
    return lastSeen.map { max(silent, $0.advanced(bySeconds: usualS)) } ?? silent
  }
}
