import BusClient
import BusProtocol
import Foundations
import Messages
import NodeKit

/// Stack time at a node; each change of it is passed on to the node's attachments.
final class NodeClock {
  /// Whether this node is the source of time.
  let isSource: Bool
  private var time = StackTime()
  private let handle: BusNodeHandle

  init(isSource: Bool, handle: BusNodeHandle) {
    self.isSource = isSource
    self.handle = handle
  }

  /// Stack time at a moment of the machine's clock; nil while it is unknown.
  func now(at moment: MonotonicTime = .now) -> Instant? { time.now(at: moment) }

  /// Stack time in nanoseconds for the stamp of a message; 0 while it is unknown.
  func stampNS(at moment: MonotonicTime = .now) -> Int64 { now(at: moment)?.nanoseconds ?? 0 }

  /// Stack time at a past moment, independent of times returned since; nil while it is unknown.
  func past(at moment: MonotonicTime) -> Instant? { time.past(at: moment) }

  /// The moment at which stack time reaches `instant`; nil while time is paused or unknown.
  func arrival(of instant: Instant) -> MonotonicTime? { time.arrival(of: instant) }

  /// Handles the stamp of a message of a stream, which counts if there is no source of time.
  func follow(stampOf delivery: Delivery) -> StackTime.Change {
    let change = time.ingest(
      stamp: Instant(nanoseconds: delivery.header.stampNS), of: delivery.vehicle ?? "",
      at: delivery.arrival)
    handle.setTime(time)
    return change
  }

  /// Handles an update of the source of time.
  ///
  /// - Throws: `DecodeError` if the message cannot be decoded.
  func follow(update delivery: Delivery) throws(DecodeError) -> StackTime.Change {
    let clock = try StackClock(decoding: delivery.payload)
    var moment = delivery.arrival
    if delivery.header.isLatched, let wallNS = delivery.header.wallNS {
      // The broker has stored it since then; both clocks are this machine's, or nearly equal to it.
      let ageNS = min(max(0, wallClockNS() - max(0, wallNS)), 10_000_000_000)
      moment = MonotonicTime(nanoseconds: moment.nanoseconds - ageNS)
    }
    return set(
      now: Instant(nanoseconds: clock.nowNs), rate: clock.rate, isPaused: clock.paused,
      run: clock.run, at: moment)
  }

  /// Sets the time that was valid at `moment`.
  @discardableResult
  func set(
    now: Instant, rate: Double, isPaused: Bool, run: UInt64, at moment: MonotonicTime = .now
  ) -> StackTime.Change {
    let change = time.ingest(now: now, rate: rate, isPaused: isPaused, run: run, at: moment)
    handle.setTime(time)
    return change
  }

  /// The time with which a successor continues; nil while it is unknown.
  func reading() -> StackTime.Reading? { time.reading(at: .now) }

  /// Continues a predecessor's time, which was valid at `wallNS` of the machine's clock.
  func goOn(from reading: StackTime.Reading, wallNS: Int64) {
    let ageNS = min(max(0, wallClockNS() - wallNS), 2_000_000_000)
    let now = MonotonicTime.now
    time.goOn(from: reading, at: MonotonicTime(nanoseconds: now.nanoseconds - ageNS))
    handle.setTime(time)
  }
}
