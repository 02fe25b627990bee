public import Bus
public import EventTime

/// Stack time at a node: event time between the moments at which its source tells it.
///
/// The source of time publishes `_clock`; where none is heard, time is the last stamp of a stream
/// plus the time since. It never goes back within one run of the clock.
public struct StackTime: Sendable {
  /// What hearing of time changed.
  public enum Change: Hashable, Sendable {
    case none
    /// Time is known from now on.
    case began(Instant)
    /// The clock was set: a loop, or a seek.
    case reset(Instant)
  }

  private struct Base {
    var now: Instant
    var at: MonotonicTime
    /// Stack seconds a second; 0 while time stands still.
    var rate: Double
  }

  private var base: Base?
  private var clockRun: UInt64?
  /// The latest moment that was told of.
  private var floor = Instant(nanoseconds: .min)

  public init() {}

  public var isKnown: Bool { base != nil }

  /// Hears the clock's source; `at` is when what it says was so.
  public mutating func hear(
    now: Instant, rate: Double, isPaused: Bool, run: UInt64, at: MonotonicTime
  ) -> Change {
    let wasKnown = isKnown
    // A stamp may have been heard before the clock was: that time is void.
    let isReset = clockRun.map { $0 != run } ?? wasKnown
    if isReset || !wasKnown { floor = now }
    base = Base(now: now, at: at, rate: isPaused ? 0 : rate)
    clockRun = run
    if !wasKnown { return .began(now) }
    return isReset ? .reset(now) : .none
  }

  /// Hears the stamp of a message, which counts where there is no clock.
  public mutating func hear(stamp: Instant, at: MonotonicTime) -> Change {
    guard clockRun == nil else { return .none }
    let wasKnown = isKnown
    if let now = now(at: at), stamp <= now { return .none }
    base = Base(now: stamp, at: at, rate: 1)
    floor = max(floor, stamp)
    return wasKnown ? .none : .began(stamp)
  }

  /// Stack time at a moment of the machine's clock; nil while none is known.
  public mutating func now(at: MonotonicTime) -> Instant? {
    guard let base else { return nil }
    let elapsed = Double(at.nanoseconds - base.at.nanoseconds) / 1e9
    floor = max(floor, base.now.advanced(bySeconds: max(0, elapsed) * base.rate))
    return floor
  }

  /// Stack time as it was at a moment that has passed, whatever has been told since; nil while none
  /// is known.
  public func past(at: MonotonicTime) -> Instant? {
    guard let base else { return nil }
    let elapsed = Double(at.nanoseconds - base.at.nanoseconds) / 1e9
    return base.now.advanced(bySeconds: elapsed * base.rate)
  }

  /// Stack time at one moment, for a successor.
  public struct Reading: Hashable, Sendable {
    public var now: Instant
    /// Stack seconds a second; 0 while time stands still.
    public var rate: Double
    /// nil where time is only that of the messages.
    public var clockRun: UInt64?

    public init(now: Instant, rate: Double, clockRun: UInt64? = nil) {
      self.now = now
      self.rate = rate
      self.clockRun = clockRun
    }
  }

  /// What a successor goes on with; nil while no time is known.
  public mutating func reading(at: MonotonicTime) -> Reading? {
    guard let base, let now = now(at: at) else { return nil }
    return Reading(now: now, rate: base.rate, clockRun: clockRun)
  }

  /// Goes on where a predecessor was at the moment `at`: never before what it had told its stages.
  ///
  /// A clock that was heard of oneself is believed as far as it goes.
  public mutating func goOn(from reading: Reading, at: MonotonicTime) {
    if base == nil || (reading.clockRun != nil && clockRun != reading.clockRun) {
      base = Base(now: reading.now, at: at, rate: reading.rate)
      clockRun = reading.clockRun
      floor = reading.now
    }
    floor = max(floor, reading.now)
  }

  /// When a moment of stack time will come; nil while time stands still or is not known.
  public func arrival(of instant: Instant) -> MonotonicTime? {
    if instant <= floor, let base { return base.at }
    guard let base, base.rate > 0 else { return nil }
    let seconds = instant.seconds(since: base.now) / base.rate
    guard seconds < 1e8 else { return nil }
    return MonotonicTime(nanoseconds: base.at.nanoseconds + Int64(max(0, seconds) * 1e9) + 1)
  }
}
