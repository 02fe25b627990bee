import Glibc

/// How many messages a second a loop has had lately, and what follows from it.
///
/// A message that comes alone wakes two or three threads at each of its readers, which costs more than
/// the message. So a loop that hears a few messages at a time, thousands of times a second, lets some
/// more come together before it looks again, as network cards do; one that hears few is as quick as it
/// can be, and one that is flooded has no time to lose.
public struct MessageRate {
  /// Messages a second from which on they are let come together, and from which on they are a flood.
  struct Limits: Sendable {
    var dense: Int64 = 4_000
    /// What a broker carries with ease on one core is half of it.
    var flood: Int64 = 150_000
  }

  /// Long enough that what one location leads to in a stack of one vehicle is not taken for many.
  private static let denseWindowNS: Int64 = 50_000_000
  private static let floodWindowNS: Int64 = 5_000_000
  /// A pause grows with the rate, since so do the wake-ups that it saves: by a quarter of a
  /// millisecond for each 4,000 a second, up to the longest.
  private static let rateOfOneUS: Int64 = 16
  private static let longestPauseUS: Int64 = 1_000
  /// So many at once are worth their wake-up.
  private static let worthwhile = 64

  /// Whether so much comes in that publishers are rather held back than readers left behind.
  private(set) var isFlood = false
  /// How often the loop has waited for more.
  private(set) var pauses: UInt64 = 0
  private let limits: Limits
  /// Messages a second, in the last window that has ended.
  private var rate: Int64 = 0
  private var short = Window()
  private var long = Window()

  public init() { self.init(Limits()) }

  init(_ limits: Limits) { self.limits = limits }

  /// Notes that messages came; reads nothing but its arguments.
  public mutating func count(_ messages: Int, at now: MonotonicTime) {
    short.messages += Int64(messages)
    long.messages += Int64(messages)
    if let rate = short.end(Self.floodWindowNS, at: now) { isFlood = rate >= limits.flood }
    if let rate = long.end(Self.denseWindowNS, at: now) { self.rate = rate }
  }

  /// Whether so many come that some are let come together.
  var isDense: Bool { rate >= limits.dense }

  /// For how many microseconds a loop had better wait that has just had so many messages.
  func pauseUS(after messages: Int) -> UInt32 {
    guard isDense, !isFlood, messages > 0, messages < Self.worthwhile else { return 0 }
    return UInt32(min(Self.longestPauseUS, rate / Self.rateOfOneUS))
  }

  /// Waits as `pauseUS(after:)` says; true where that was not at once over.
  @discardableResult
  public mutating func pause(after messages: Int) -> Bool {
    let pause = pauseUS(after: messages)
    guard pause > 0 else { return false }
    pauses += 1
    usleep(pause)
    return true
  }

  private struct Window {
    var messages: Int64 = 0
    private var since = MonotonicTime(nanoseconds: 0)

    /// The messages a second of a window that has ended; nil while it goes on.
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
