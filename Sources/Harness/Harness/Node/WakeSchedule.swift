import BusProtocol
import Foundations
import NodeKit
import Stage
import ZMQ

/// When the stages of a node are woken, by stack time or by the machine's clock.
final class WakeSchedule {
  /// Maximum number of wake-ups of one turn, so that the loop does its other work in between.
  private static let perTurn = 1_024

  /// Arrival time of the last handled message or call.
  var lastArrival: MonotonicTime?
  /// The time up to which stages have been woken.
  private(set) var until = Instant(nanoseconds: .min)
  private var requests = WakeHeap()
  private var duringWork = WorkWakes()
  private var loops = WakeLoopDetector()
  private var rate = MessageRate()
  /// Number of stages woken since the last pause.
  private var count = 0
  private let input: InputQueue
  private let clock: NodeClock
  private let report: NodeReport

  init(input: InputQueue, clock: NodeClock, report: NodeReport) {
    self.input = input
    self.clock = clock
    self.report = report
  }

  /// The stack time at which a vehicle's stage is woken; nil for none.
  subscript(vehicle: String) -> Instant? {
    get { requests[vehicle] }
    set { requests[vehicle] = newValue }
  }

  func removeAll() { requests = WakeHeap() }

  /// Records the time at which a stage wants to be woken.
  ///
  /// A stage that asks again and again while stack time does not advance would block all others. It
  /// is woken once per second, and the node is degraded, until time advances.
  func record(_ vehicle: String, at: Instant) {
    let subject = "wakes \(vehicle)"
    guard loops.exceedsLimit(vehicle, at: at, moment: until) else {
      requests[vehicle] = at
      if report.isDegraded(subject) {
        duringWork.end(vehicle)
        report.setDegraded(subject, nil)
      }
      return
    }
    requests[vehicle] = nil
    duringWork.ask(vehicle, everyS: 1, at: .now)
    report.setDegraded(
      subject,
      "\(vehicle) requests repeated wake-ups while stack time is paused at \(TimeText.utc(until))")
  }

  /// Also wakes a stage by the machine's clock, while its work runs outside the loop.
  func beginDuringWork(_ vehicle: String, everyS: Double) {
    duringWork.ask(vehicle, everyS: everyS, at: .now)
  }

  func endDuringWork(_ vehicle: String) { duringWork.end(vehicle) }

  /// Continues from a new time, because the clock was set.
  func reset(to now: Instant) { until = now }

  /// Wakes the stages of some vehicles as soon as possible.
  func wakeSoon(_ vehicles: some Sequence<String>) {
    for vehicle in vehicles { requests[vehicle] = until }
  }

  /// The moment of the next wake-up of a stage; nil for none.
  var next: MonotonicTime? {
    let byStackTime = requests.first.flatMap { clock.arrival(of: $0) }
    return [byStackTime, duringWork.next].compactMap { $0 }.min()
  }

  /// The vehicles whose wake-ups by the machine's clock are due.
  ///
  /// They follow the machine's clock also if no stack time is known.
  func popDueDuringWork(now: MonotonicTime) -> [String] { duringWork.popDue(at: now) }

  /// The vehicles whose wake-ups by stack time are due, and that time; nil for none.
  func popDue(now: MonotonicTime) -> (vehicles: [String], time: Instant)? {
    guard requests.count > 0, let time = advance(now: now) else { return nil }
    return (requests.popDue(at: time, limit: Self.perTurn), time)
  }

  /// Advances the time up to which stages may be woken, and returns it; nil while no time is known.
  ///
  /// Wake-ups are performed in order with the stage's input. Otherwise a stage whose fix still
  /// waits would replace it by an estimate, and a node that lags would have even more to do.
  func advance(now: MonotonicTime) -> Instant? {
    let time = input.isEmpty ? clock.now(at: now) : clock.past(at: min(now, lastArrival ?? now))
    guard let time else { return nil }
    until = max(until, time)
    return until
  }

  /// Records how many stages were woken in this turn.
  func recordWoken(_ stages: Int, now: MonotonicTime) {
    count = stages
    rate.count(stages, at: now)
  }

  /// Batches wake-ups if there are thousands: singly, each would wake all readers of its outputs.
  func pause() {
    rate.pause(after: count)
    count = 0
  }
}
