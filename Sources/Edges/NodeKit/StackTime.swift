public import BusProtocol
public import Foundations

/// Stack time at a node: event time, extrapolated between the updates of its source.
///
/// The source of time publishes `_clock`. Without a source, time is the last stamp of a stream plus
/// the time since then. One vehicle with a wrong clock does not move it: stamps that are far ahead
/// count once more vehicles have them than others. It never goes back within one run of the clock.
public struct StackTime: Sendable {
  /// The effect of an update of time.
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
    /// Stack seconds per second; 0 while time is paused.
    var rate: Double
  }

  /// The vehicles whose stamps are far ahead of time, and those whose stamps are not.
  private struct Leap {
    var since: MonotonicTime
    var ahead: Set<String> = []
    var present: Set<String> = []
  }

  /// Stamps farther ahead, in seconds, need a majority of the vehicles.
  private static let leapS = 60.0
  /// Seconds of the machine's clock after which vehicles are counted, and after which counting
  /// begins again.
  private static let leapCountedS = 2.0
  private static let leapForgottenS = 10.0

  private var base: Base?
  private var leap: Leap?
  private var clockRun: UInt64?
  /// The latest time that was returned.
  private var floor = Instant(nanoseconds: .min)

  public init() {}

  public var isKnown: Bool { base != nil }

  /// Handles an update of the clock's source, which was valid at `at`.
  public mutating func ingest(
    now: Instant, rate: Double, isPaused: Bool, run: UInt64, at: MonotonicTime
  ) -> Change {
    let wasKnown = isKnown
    // A stamp may have been received before the clock: that time is void.
    let isReset = clockRun.map { $0 != run } ?? wasKnown
    if isReset || !wasKnown { floor = now }
    base = Base(now: now, at: at, rate: isPaused ? 0 : rate)
    clockRun = run
    if !wasKnown { return .began(now) }
    return isReset ? .reset(now) : .none
  }

  /// Handles the stamp of a message about `vehicle`, which counts if there is no clock.
  public mutating func ingest(
    stamp: Instant, of vehicle: String = "", at: MonotonicTime
  ) -> Change {
    guard clockRun == nil else { return .none }
    let wasKnown = isKnown
    if let now = now(at: at) {
      let aheadS = stamp.seconds(since: now)
      if aheadS > Self.leapS {
        guard isConfirmed(by: vehicle, at: at) else { return .none }
        leap = nil
      } else if aheadS > -Self.leapS {
        leap?.present.insert(vehicle)
      }
      if stamp <= now { return .none }
    }
    base = Base(now: stamp, at: at, rate: 1)
    floor = max(floor, stamp)
    return wasKnown ? .none : .began(stamp)
  }

  /// Counts a vehicle whose stamp is far ahead; returns whether most vehicles have such stamps.
  private mutating func isConfirmed(by vehicle: String, at: MonotonicTime) -> Bool {
    var counted = leap ?? Leap(since: at)
    let lastedS = Double(at.nanoseconds - counted.since.nanoseconds) / 1e9
    if lastedS > Self.leapForgottenS { counted = Leap(since: at) }
    counted.ahead.insert(vehicle)
    leap = counted
    return lastedS >= Self.leapCountedS && lastedS <= Self.leapForgottenS
      && counted.ahead.count > counted.present.count
  }

  /// Stack time at a moment of the machine's clock; nil while it is unknown.
  public mutating func now(at: MonotonicTime) -> Instant? {
    guard let base else { return nil }
    let elapsed = Double(at.nanoseconds - base.at.nanoseconds) / 1e9
    floor = max(floor, base.now.advanced(bySeconds: max(0, elapsed) * base.rate))
    return floor
  }

  /// Stack time at a past moment, independent of times returned since; nil while it is unknown.
  public func past(at: MonotonicTime) -> Instant? {
    guard let base else { return nil }
    let elapsed = Double(at.nanoseconds - base.at.nanoseconds) / 1e9
    return base.now.advanced(bySeconds: elapsed * base.rate)
  }

  /// Stack time at one moment, for a successor.
  public struct Reading: Hashable, Sendable {
    public var now: Instant
    /// Stack seconds per second; 0 while time is paused.
    public var rate: Double
    /// The run of the clock; nil if time is only derived from messages.
    public var clockRun: UInt64?

    public init(now: Instant, rate: Double, clockRun: UInt64? = nil) {
      self.now = now
      self.rate = rate
      self.clockRun = clockRun
    }
  }

  /// The time with which a successor continues; nil while it is unknown.
  public mutating func reading(at: MonotonicTime) -> Reading? {
    guard let base, let now = now(at: at) else { return nil }
    return Reading(now: now, rate: base.rate, clockRun: clockRun)
  }

  /// Continues a predecessor's time at the moment `at`, never before the times that it had
  /// returned.
  ///
  /// The node's own clock updates have priority, unless the predecessor's come from another run.
  public mutating func goOn(from reading: Reading, at: MonotonicTime) {
    if base == nil || (reading.clockRun != nil && clockRun != reading.clockRun) {
      base = Base(now: reading.now, at: at, rate: reading.rate)
      clockRun = reading.clockRun
      floor = reading.now
    }
    floor = max(floor, reading.now)
  }

  /// The moment at which stack time reaches `instant`; nil while time is paused or unknown.
  public func arrival(of instant: Instant) -> MonotonicTime? {
    if instant <= floor, let base { return base.at }
    guard let base, base.rate > 0 else { return nil }
    let seconds = instant.seconds(since: base.now) / base.rate
    guard seconds < 1e8 else { return nil }
    return MonotonicTime(nanoseconds: base.at.nanoseconds + Int64(max(0, seconds) * 1e9) + 1)
  }
}
