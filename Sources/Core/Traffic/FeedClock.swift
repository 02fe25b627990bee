public import EventTime

/// Judges the clock of one feed by the stamps of its messages, so that a wrong clock wins over no honest feed.
///
/// A clock that is ahead is recognised by the first value of the future, and corrected by the least lead of the last eight
/// messages: the message that came fastest counts as observed when it came. A clock that is behind cannot be told from a feed
/// that is slow, but for one kind: three messages over a minute that are late by the same half hours, to ten seconds, have a
/// wrong time zone and are corrected. Everything else that is old stays as old as it says.
public struct FeedClock: Hashable, Sendable {
  public enum Finding: Hashable, Sendable {
    case right
    /// Ahead by so many seconds: corrected.
    case ahead(Double)
    /// Behind by so many seconds, a number of half hours: corrected.
    case behind(Double)
    /// The value is so many seconds old, more than it counts for.
    case stale(Double)
  }

  /// Seconds by which a stamp may lie in the future without a wrong clock: processes differ a little.
  public static let toleranceS = 5.0
  /// A clock that moves by more has been set.
  private static let setS = 300.0
  private static let window = 8
  private static let zoneS = 1800.0
  private static let zoneSpreadS = 10.0
  private static let zoneSpanS = 60.0
  private static let mostZoneS = 14 * 3600.0

  private struct Sample: Hashable, Sendable {
    var seen: Instant
    /// Seconds from when it came to its stamp: positive in the future.
    var leadS: Double
  }

  private var samples: [Sample] = []

  public init() {}

  /// The moment at which a value counts as observed, given when it came and for how long values of its kind count.
  public mutating func judge(
    observed: Instant, seen: Instant, countsS: Double
  ) -> (observed: Instant, finding: Finding) {
    let leadS = observed.seconds(since: seen)
    if let top = samples.map(\.leadS).max(), abs(top - leadS) > Self.setS { samples = [] }
    samples.append(Sample(seen: seen, leadS: leadS))
    if samples.count > Self.window { samples.removeFirst() }
    let topS = samples.map(\.leadS).max() ?? leadS
    if topS > Self.toleranceS {
      return (min(seen, observed.advanced(bySeconds: -topS)), .ahead(topS))
    }
    if let zoneS = zoneS(topS) {
      return (min(seen, observed.advanced(bySeconds: zoneS)), .behind(zoneS))
    }
    return (min(seen, observed), -leadS > countsS ? .stale(-leadS) : .right)
  }

  /// The half hours by which the clock is behind; nil where it is not, or that is not certain.
  private func zoneS(_ topS: Double) -> Double? {
    let zoneS = (-topS / Self.zoneS).rounded() * Self.zoneS
    guard samples.count >= 3, zoneS >= Self.zoneS, zoneS <= Self.mostZoneS,
      abs(zoneS + topS) <= 2 * Self.zoneSpanS,
      let first = samples.first, let last = samples.last,
      last.seen.seconds(since: first.seen) >= Self.zoneSpanS,
      samples.allSatisfy({ topS - $0.leadS <= Self.zoneSpreadS })
    else { return nil }
    return zoneS
  }
}
