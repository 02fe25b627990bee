public import EventTime
import Stage

extension Conductor {
  /// The change that an update of the source of time caused.
  struct ClockChange {
    var isFirst: Bool
    var isReset: Bool
  }

  func recordClock(now new: Instant, isPaused: Bool, run: UInt64) -> ClockChange {
    let change = ClockChange(
      isFirst: !clock.isKnown, isReset: clock.run.map { $0 != run } ?? false)
    now = change.isReset || change.isFirst ? new : max(now, new)
    clock = ConductedClock(isKnown: true, run: run, isPaused: isPaused)
    return change
  }

  func followClock(_ change: ClockChange, now new: Instant, besides setter: ConductorMember?) {
    for member in members where member !== setter {
      if change.isFirst { wakeFirst(member) }
      guard change.isReset else { continue }
      member.wakes = [:]
      deliver(
        .clockReset(now: new), to: member, vehicle: nil, cause: .tick(at: member.name))
    }
  }

  /// Sets stack time from outside, from a source of time that is not a node here.
  public func tell(now new: Instant, isPaused: Bool, run: UInt64) {
    start()
    let change = recordClock(now: new, isPaused: isPaused, run: run)
    followClock(change, now: new, besides: nil)
  }

  /// Advances to a moment from outside; does nothing if it has passed already.
  ///
  /// Earlier actions are performed at their own times, actions due at that moment are performed
  /// then.
  ///
  /// - Returns: the reason why it stopped earlier; nil if it arrived.
  public func advance(to moment: Instant) -> End? {
    start()
    guard moment > now, clock.isKnown || !hasOutsideClock else { return nil }
    while now < moment, let next = nextWake(), next < moment {
      now = max(now, next)
      deliverDueWakes()
      if let end = settled() { return end }
    }
    // A source of time here may have set the clock: actions at its new time come later.
    guard now < moment else { return nil }
    now = moment
    deliverDueWakes()
    return settled()
  }

  /// Whether stack time is known.
  public var isTimeKnown: Bool { clock.isKnown }

  func wakeFirst(_ member: ConductorMember) {
    for vehicle in member.vehicles {
      wakeCount += 1
      member.wakes[vehicle] = DueWakeUp(at: now, order: wakeCount)
    }
  }

  /// Time of the next wake-up; while the clock is paused, only its source has any.
  func nextWake() -> Instant? {
    awake.flatMap { $0.wakes.values.map(\.at) }.min()
  }

  private var awake: [ConductorMember] {
    clock.isPaused ? members.filter(\.setsClock) : members
  }

  func deliverDueWakes() { deliverDueWakes(of: awake) }

  func deliverDueWakes(of members: [ConductorMember]) {
    for member in members {
      let due = member.wakes.filter { $0.value.at <= now }.sorted {
        ($0.value.at, $0.value.order) < ($1.value.at, $1.value.order)
      }
      for (vehicle, _) in due {
        member.wakes[vehicle] = nil
        pending.append(
          PendingEvent(
            member: member, vehicle: vehicle, event: .wake(now: now),
            cause: .tick(at: member.name)))
      }
    }
  }
}
