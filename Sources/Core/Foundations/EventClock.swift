/// Follows event time during a drive, and detects when the clock was set.
///
/// Locations arrive in order, so one that is older than the previous one is from a clock that was
/// set back. A gap of more than an hour is not a pause of a drive. Stages that store times of the
/// old clock shift them by the step.
public struct EventClock: Codable, Hashable, Sendable {
  /// The newest moment; the earliest possible one before the first event.
  public private(set) var now = Instant(nanoseconds: .min)
  /// Time of the newest location; nil before the first since the start or since the clock was set.
  private var located: Instant?

  /// Seconds by which a location may be older than the one before it.
  private static let backS = 5.0
  /// Longest gap between two events of one drive, in seconds.
  private static let gapS = 3_600.0

  public init() {}

  /// A clock that continues after a restart.
  public init(now: Instant) { self.now = now }

  /// Advances to the time of a location.
  ///
  /// - Returns: the seconds by which the clock was set, negative for back; nil if it was not set.
  public mutating func located(at time: Instant) -> Double? {
    let sinceS = located.map { time.seconds(since: $0) }
    located = time
    guard now.nanoseconds != .min else { return moved(to: time) }
    let stepS = time.seconds(since: now)
    // A time before the first location may be from another clock, such as the machine's.
    let isBack = stepS < -Self.backS && sinceS ?? -.infinity < -Self.backS
    let isAhead = stepS > Self.gapS && sinceS ?? 0 > Self.gapS
    guard isBack || isAhead else { return moved(to: time) }
    now = time
    return stepS
  }

  /// Advances to a moment of stack time, such as a wake-up; returns the same as `located`.
  ///
  /// An earlier moment changes nothing.
  public mutating func reached(_ moment: Instant) -> Double? {
    let stepS = moment.seconds(since: now)
    guard located != nil, stepS > Self.gapS else { return moved(to: moment) }
    located = nil
    now = moment
    return stepS
  }

  /// Advances to the stamp of another message, whose clock may differ: never by more than a gap.
  public mutating func stamped(_ stamp: Instant) {
    guard located == nil || stamp.seconds(since: now) <= Self.gapS else { return }
    now = max(now, stamp)
  }

  /// Moves to the time of a clock that was set, such as by a loop or a jump; returns the seconds of
  /// the step.
  public mutating func set(to moment: Instant) -> Double {
    let isFirst = now.nanoseconds == .min
    let stepS = isFirst ? 0 : moment.seconds(since: now)
    located = nil
    now = moment
    return stepS
  }

  private mutating func moved(to moment: Instant) -> Double? {
    now = max(now, moment)
    return nil
  }
}
