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
  var duringWork = WorkWakes()
  var circles = WakeCircles()
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

/// Wake-ups by the machine's clock of stages whose work runs beside the loop, by vehicle.
struct WorkWakes {
  private struct Entry {
    var everyMS: Int64
    var next: MonotonicTime
  }

  private var entries: [String: Entry] = [:]

  /// The next one that is due; nil for none.
  var next: MonotonicTime? { entries.values.map(\.next).min() }

  /// Begins them; for a vehicle that has them already the rhythm goes on.
  mutating func ask(_ vehicle: String, everyS: Double, at now: MonotonicTime) {
    guard entries[vehicle] == nil else { return }
    let everyMS = Int64(max(1, everyS * 1_000))
    entries[vehicle] = Entry(everyMS: everyMS, next: now.advanced(byMS: everyMS))
  }

  mutating func end(_ vehicle: String) { entries[vehicle] = nil }

  /// The vehicles whose wake-ups are due; their next ones are set.
  mutating func takeDue(at now: MonotonicTime) -> [String] {
    guard let next, next <= now else { return [] }
    let due = entries.filter { $0.value.next <= now }.keys.sorted()
    for vehicle in due {
      guard var entry = entries[vehicle] else { continue }
      entry.next = now.advanced(byMS: entry.everyMS)
      entries[vehicle] = entry
    }
    return due
  }
}

/// Detects stages that ask to be woken again and again while stack time does not advance.
struct WakeCircles {
  private struct Entry {
    var moment: Instant
    var count = 0
  }

  private var entries: [String: Entry] = [:]

  /// Number of wake-ups at one moment above which they count as an endless loop.
  static let most = 1_000
  /// Seconds of stack time that count as one moment.
  ///
  /// A clock that is set again and again advances a little.
  private static let momentS = 0.001

  /// Records a request at `moment` to be woken at `at`; returns whether it exceeds the limit.
  mutating func isOneTooMany(_ vehicle: String, at: Instant, moment: Instant) -> Bool {
    guard at <= moment else {
      if !entries.isEmpty { entries[vehicle] = nil }
      return false
    }
    var entry = entries[vehicle] ?? Entry(moment: moment)
    if abs(moment.seconds(since: entry.moment)) > Self.momentS { entry = Entry(moment: moment) }
    entry.count = min(entry.count + 1, Self.most + 1)
    entries[vehicle] = entry
    return entry.count > Self.most
  }
}

/// Wakes the stages, and has what one turn leads to go together.
extension BusHarness {
  func wakeAll(at now: Instant) {
    for vehicle in host.vehicles {
      handle(.wake(now: now), vehicle: vehicle)
    }
  }

  /// Records when a stage wants to be woken.
  ///
  /// A stage that asks again and again while stack time does not advance would block all others.
  /// It is woken once a second, and the node is degraded, until time advances.
  func noteWake(of vehicle: String, at: Instant) {
    let matter = "wakes \(vehicle)"
    guard waking.circles.isOneTooMany(vehicle, at: at, moment: waking.until) else {
      wakes[vehicle] = at
      if degradations[matter] != nil {
        waking.duringWork.end(vehicle)
        setDegraded(matter, nil)
      }
      return
    }
    wakes[vehicle] = nil
    waking.duringWork.ask(vehicle, everyS: 1, at: .now)
    setDegraded(
      matter,
      "\(vehicle) asks to be woken again and again while stack time stands at \(TimeText.utc(waking.until))"
    )
  }

  /// Wake-ups of one turn, so that the loop looks around in between.
  private static let wakesPerTurn = 1_024

  /// When the next wake-up of a stage is due.
  func nextWake() -> MonotonicTime? {
    let byStackTime = wakes.first.flatMap { time.arrival(of: $0) }
    return [byStackTime, waking.duringWork.next].compactMap { $0 }.min()
  }

  func fireWakes(now: MonotonicTime) {
    // What ends with the work is reported by the wall clock, also where no stack time is known.
    for vehicle in waking.duringWork.takeDue(at: now) where host.has(vehicle) {
      handle(.wake(now: wakeTime(now: now) ?? Instant(nanoseconds: 0)), vehicle: vehicle)
    }
    guard wakes.count > 0, let instant = wakeTime(now: now) else { return }
    var due = wakes.takeDue(at: instant, limit: Self.wakesPerTurn)
    if let leaving, leaving.hasCut {
      // Their next one is their successor's matter, or comes when they stay after all.
      self.leaving?.wakes.formUnion(due.filter(leaving.takes))
      due.removeAll(where: leaving.takes)
    }
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
