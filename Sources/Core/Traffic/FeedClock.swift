public import Foundations

/// Evaluates the clock of one feed by the stamps of its messages, so that a wrong clock does not
/// win over a correct feed.
///
/// A clock that is ahead is detected by the first value in the future. It is corrected by the
/// smallest lead of the last eight messages: the message with the shortest delay counts as observed
/// on arrival. A clock that is slow is not distinguishable from a delayed feed, with one exception.
/// Three messages over a minute that are late by the same number of half hours, within ten seconds,
/// have a wrong time zone and are corrected. All other old values keep their stamps.
public struct FeedClock: Hashable, Sendable {
  public enum Finding: Hashable, Sendable {
    case right
    /// Ahead by this many seconds, and corrected.
    case ahead(Double)
    /// Behind by this many seconds, a multiple of half an hour, and corrected.
    case behind(Double)
    /// The value is this many seconds old, which is longer than it counts.
    case stale(Double)
  }

  /// Seconds by which a stamp may be in the future with a correct clock, since processes differ a
  /// little.
  public static let toleranceS = 5.0
  /// A clock that moves by more than this was set.
  private static let setS = 300.0
  private static let window = 8
  private static let zoneS = 1800.0
  private static let zoneSpreadS = 10.0
  private static let zoneSpanS = 60.0
  private static let mostZoneS = 14 * 3600.0

  private struct Sample: Hashable, Sendable {
    var seen: Instant
    /// Seconds from the arrival to the stamp: positive in the future.
    var leadS: Double
  }

  private var samples: [Sample] = []

  public init() {}

  /// The time at which a value counts as observed, by its arrival and the validity of its kind.
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

  /// The half hours by which the clock is behind; nil if it is not, or if that is uncertain.
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
