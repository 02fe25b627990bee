public import BusProtocol
import Glibc

/// The recent message rate of a loop, and the batching that follows from it.
///
/// A message that arrives alone wakes two or three threads at each of its readers, which costs more
/// than the message. So a loop that receives a few messages at a time, thousands of times per
/// second, lets some accumulate before it polls again. Network cards do the same. A loop with few
/// messages reacts as fast as it can, and a flooded loop has no time to lose.
public struct MessageRate {
  /// Messages per second above which they are batched, and above which they are a flood.
  package struct Limits: Sendable {
    package var dense: Int64
    /// Half of it is what a broker handles easily on one core.
    package var flood: Int64

    package init(dense: Int64 = 4_000, flood: Int64 = 150_000) {
      self.dense = dense
      self.flood = flood
    }
  }

  /// Long enough that the messages caused by one location in a one-vehicle stack do not count as
  /// many.
  private static let denseWindowNS: Int64 = 50_000_000
  private static let floodWindowNS: Int64 = 5_000_000
  /// Divisor from messages per second to microseconds of pause.
  ///
  /// A pause grows with the rate, as do the wake-ups that it saves: by a quarter of a millisecond
  /// for each 4,000 per second, up to the longest.
  private static let rateOfOneUS: Int64 = 16
  private static let longestPauseUS: Int64 = 1_000
  /// Number of messages at once that are worth their wake-up.
  private static let worthwhile = 64

  /// Whether the load is so high that slowing publishers down is better than losing messages at
  /// readers.
  package private(set) var isFlood = false
  /// Number of times the loop has waited for more messages.
  package private(set) var pauses: UInt64 = 0
  private let limits: Limits
  /// Messages per second in the last complete window.
  private var rate: Int64 = 0
  private var short = Window()
  private var long = Window()

  public init() { self.init(Limits()) }

  package init(_ limits: Limits) { self.limits = limits }

  /// Counts messages that arrived; reads nothing but its arguments.
  public mutating func count(_ messages: Int, at now: MonotonicTime) {
    short.messages += Int64(messages)
    long.messages += Int64(messages)
    if let rate = short.end(Self.floodWindowNS, at: now) { isFlood = rate >= limits.flood }
    if let rate = long.end(Self.denseWindowNS, at: now) { self.rate = rate }
  }

  /// Whether the rate is high enough for batching.
  package var isDense: Bool { rate >= limits.dense }

  /// The pause in microseconds for a loop that has just received this number of messages.
  func pauseUS(after messages: Int) -> UInt32 {
    guard isDense, !isFlood, messages > 0, messages < Self.worthwhile else { return 0 }
    return UInt32(min(Self.longestPauseUS, rate / Self.rateOfOneUS))
  }

  /// Pauses for `pauseUS(after:)`; true if that is greater than 0.
  @discardableResult
  public mutating func pause(after messages: Int) -> Bool {
    let pause = pauseUS(after: messages)
    guard pause > 0 else { return false }
    pauses += 1
    // More messages arrive in this time, and are then received in one wake-up.
    usleep(pause)
    return true
  }

  private struct Window {
    var messages: Int64 = 0
    private var since = MonotonicTime(nanoseconds: 0)

    /// The messages per second of a completed window; nil while it continues.
    mutating func end(_ windowNS: Int64, at now: MonotonicTime) -> Int64? {
      let elapsed = now.nanoseconds - since.nanoseconds
      guard elapsed >= windowNS else { return nil }
      defer {
        messages = 0
        since = now
      }
      return Int64(Double(messages) * 1e9 / Double(elapsed))
    }
  }
}
