import Foundations

/// Stack time in a conductor's run.
struct ConductedClock {
  /// The change that an update of the source of time caused.
  struct Change {
    var isFirst: Bool
    var isReset: Bool
  }

  private(set) var now: Instant
  private(set) var isKnown = false
  private(set) var isPaused = false
  /// The run of the source of time; nil before its first update.
  private var run: UInt64?

  init(start: Instant) { now = start }

  /// Handles an update of the source of time; time goes back only in a new run.
  mutating func set(now new: Instant, isPaused: Bool, run: UInt64) -> Change {
    let change = Change(isFirst: !isKnown, isReset: self.run.map { $0 != run } ?? false)
    now = change.isReset || change.isFirst ? new : max(now, new)
    isKnown = true
    self.run = run
    self.isPaused = isPaused
    return change
  }

  /// Advances to a moment; does nothing if it has passed.
  mutating func advance(to moment: Instant) { now = max(now, moment) }

  /// Makes the time known, because there is no source of time.
  mutating func start() { isKnown = true }
}
