import BusClient
import BusProtocol
import EventTime
import NodeKit
import Stage
import ZMQ

/// Progress of a node in handling its input and waking its stages.
struct WakeProgress {
  /// Arrival time of the last handled message or call.
  var lastArrival: MonotonicTime?
  /// The time up to which stages have been woken.
  var until = Instant(nanoseconds: .min)
  var duringWork = WorkWakes()
  var circles = WakeLoopDetector()
  private var rate = MessageRate()
  /// Number of stages woken since the last pause.
  private var count = 0

  mutating func woke(_ stages: Int, at now: MonotonicTime) {
    count = stages
    rate.count(stages, at: now)
  }

  /// Batches wake-ups if there are thousands: singly, each would wake all readers of its outputs.
  mutating func pause() {
    rate.pause(after: count)
    count = 0
  }
}

/// Wake-ups by the machine's clock, by vehicle, of stages whose work runs outside the loop.
struct WorkWakes {
  private struct Entry {
    var everyMS: Int64
    var next: MonotonicTime
  }

  private var entries: [String: Entry] = [:]

  /// The next one that is due; nil for none.
  var next: MonotonicTime? { entries.values.map(\.next).min() }

  /// Starts them; for a vehicle that already has them, the rhythm stays the same.
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
struct WakeLoopDetector {
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
  mutating func exceedsLimit(_ vehicle: String, at: Instant, moment: Instant) -> Bool {
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

/// Wakes the stages, and batches the messages of one turn.
extension BusHarness {
  func wakeAll(at now: Instant) {
    for vehicle in host.vehicles {
      handle(.wake(now: now), vehicle: vehicle)
    }
  }

  /// Records the time at which a stage wants to be woken.
  ///
  /// A stage that asks again and again while stack time does not advance would block all others. It
  /// is woken once per second, and the node is degraded, until time advances.
  func recordWakeUp(of vehicle: String, at: Instant) {
    let matter = "wakes \(vehicle)"
    guard waking.circles.exceedsLimit(vehicle, at: at, moment: waking.until) else {
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
      "\(vehicle) requests repeated wake-ups while stack time is paused at \(TimeText.utc(waking.until))"
    )
  }

  /// Maximum number of wake-ups of one turn, so that the loop does its other work in between.
  private static let wakesPerTurn = 1_024

  /// Time of the next wake-up of a stage.
  func nextWake() -> MonotonicTime? {
    let byStackTime = wakes.first.flatMap { time.arrival(of: $0) }
    return [byStackTime, waking.duringWork.next].compactMap { $0 }.min()
  }

  func fireWakes(now: MonotonicTime) {
    // Wake-ups that end with the work follow the machine's clock, also if no stack time is known.
    for vehicle in waking.duringWork.takeDue(at: now) where host.has(vehicle) {
      handle(.wake(now: wakeTime(now: now) ?? Instant(nanoseconds: 0)), vehicle: vehicle)
    }
    guard wakes.count > 0, let instant = wakeTime(now: now) else { return }
    var due = wakes.takeDue(at: instant, limit: Self.wakesPerTurn)
    if let leaving, leaving.hasCut {
      // Their successor wakes them next, or this process does if they stay after all.
      self.leaving?.wakes.formUnion(due.filter(leaving.takes))
      due.removeAll(where: leaving.takes)
    }
    for vehicle in due { handle(.wake(now: instant), vehicle: vehicle) }
    waking.woke(due.count, at: now)
  }

  /// The time up to which stages may be woken; nil while no time is known.
  ///
  /// Wake-ups are performed in order with the stage's input. Otherwise a stage whose fix still
  /// waits would replace it by an estimate, and a node that lags would have even more to do.
  private func wakeTime(now: MonotonicTime) -> Instant? {
    let hasAll = client.queueLength == 0 && kept.isEmpty
    let instant = hasAll ? time.now(at: now) : time.past(at: min(now, waking.lastArrival ?? now))
    guard let instant else { return nil }
    waking.until = max(waking.until, instant)
    return waking.until
  }

  /// Does something of which what is published may go together.
  func publishAsBatch(_ body: () -> Void) {
    client.beginTurn()
    body()
    let refused = client.endTurn()
    if refused > 0 {
      log.write(
        .warning, kind: "publish", "\(refused) messages of a batch were not published",
        stampNS: stampNS(.now))
    }
  }
}
