import CLinux

/// Nanoseconds on the machine's monotonic clock: for transport, deadlines and watchdogs only.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var now: MonotonicTime { MonotonicTime(nanoseconds: clinux_monotonic_ns()) }

  @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The time `ms` milliseconds later; at most about a hundred years, because some spans come from
  /// untrusted input.
  @inlinable public func advanced(byMS ms: Int64) -> MonotonicTime {
    let bounded = min(max(ms, -Self.longestMS), Self.longestMS)
    return MonotonicTime(nanoseconds: nanoseconds + bounded * 1_000_000)
  }

  @inlinable static var longestMS: Int64 { 100 * 366 * 86_400_000 }

  /// Milliseconds from `earlier` to here.
  @inlinable public func milliseconds(since earlier: MonotonicTime) -> Int64 {
    (nanoseconds - earlier.nanoseconds) / 1_000_000
  }

  /// Whole milliseconds from `now` until this time, rounded up, for a poll timeout; 0 if it has
  /// passed.
  public func millisecondsLeft(from now: MonotonicTime = .now) -> Int {
    nanoseconds <= now.nanoseconds
      ? 0 : Int((nanoseconds - now.nanoseconds + 999_999) / 1_000_000)
  }
}

/// Nanoseconds since 1970 on the machine's own clock: for logs and transport figures only.
public func wallClockNS() -> Int64 { clinux_wall_ns() }
