import Bus
import EventTime
import NodeKit
import Stage

/// How far a node has come with what it hears and with waking its stages.
struct Waking {
  /// When the last message or call came that was handled.
  var lastArrival: MonotonicTime?
  /// Up to which moment stages have been woken.
  var until = Instant(nanoseconds: .min)
  private var rate = MessageRate()
  /// Stages woken since the last pause.
  private var count = 0

  mutating func woke(_ stages: Int, at now: MonotonicTime) {
    count = stages
    rate.count(stages, at: now)
  }

  /// Lets wake-ups come together where there are thousands: one by one, each would wake everybody
  /// who hears of it.
  mutating func pause() {
    rate.pause(after: count)
    count = 0
  }
}

/// Wakes the stages, and has what one turn leads to go together.
extension BusHarness {
  func wakeAll(at now: Instant) {
    for vehicle in host.vehicles {
      handle(.wake(now: now), vehicle: vehicle)
    }
  }

  /// Wake-ups of one turn, so that the loop looks around in between.
  private static let wakesPerTurn = 1_024

  /// When the next wake-up of a stage is due.
  func nextWake() -> MonotonicTime? {
    guard let first = wakes.first else { return nil }
    return time.arrival(of: first)
  }

  func fireWakes(now: MonotonicTime) {
    guard wakes.count > 0, let instant = wakeTime(now: now) else { return }
    let due = wakes.takeDue(at: instant, limit: Self.wakesPerTurn)
    for vehicle in due { handle(.wake(now: instant), vehicle: vehicle) }
    waking.woke(due.count, at: now)
  }

  /// Up to which moment stages may be woken; nil while no time is known.
  ///
  /// They are in their place among what they hear: one whose fix still waits would else make up
  /// for it, and a node that is behind would have the more to do.
  private func wakeTime(now: MonotonicTime) -> Instant? {
    let hasAll = client.queueLength == 0 && kept.isEmpty
    let instant = hasAll ? time.now(at: now) : time.past(at: min(now, waking.lastArrival ?? now))
    guard let instant else { return nil }
    waking.until = max(waking.until, instant)
    return waking.until
  }

  /// Does something of which what is published may go together.
  func publishingTogether(_ body: () -> Void) {
    client.beginTurn()
    body()
    let refused = client.endTurn()
    if refused > 0 {
      log.write(
        .warning, kind: "publish", "\(refused) messages that went together were not taken",
        stampNS: stampNS(.now))
    }
  }
}
