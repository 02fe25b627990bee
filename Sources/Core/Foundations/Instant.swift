/// A moment of event time: nanoseconds since 1970-01-01T00:00:00Z, as reported by the source of
/// fixes.
///
/// Every decision of the stack is based on this clock, never on the machine's own, so that a replay
/// at fifty times the speed makes the same decisions.
@frozen
public struct Instant: Codable, Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment `seconds` after 1970 began; saturates beyond the years 1678 to 2262.
  @inlinable public init(seconds: Double) {
    self.nanoseconds = Self.clamp(seconds * 1e9)
  }

  /// Seconds since 1970, to the precision of a `Double` (about 0.2 microseconds today).
  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Seconds from `earlier` to here; negative if `earlier` is later.
  @inlinable public func seconds(since earlier: Instant) -> Double {
    Double(nanoseconds.subtractingReportingOverflow(earlier.nanoseconds).partialValue) / 1e9
  }

  /// The moment `seconds` later (earlier if negative); saturates.
  @inlinable public func advanced(bySeconds seconds: Double) -> Instant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(Self.clamp(seconds * 1e9))
    guard overflow else { return Instant(nanoseconds: sum) }
    return Instant(nanoseconds: seconds < 0 ? .min : .max)
  }

  @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

  @inlinable static func clamp(_ nanoseconds: Double) -> Int64 {
    if nanoseconds.isNaN { return 0 }
    if nanoseconds >= 9.223_372_036_854_775e18 { return .max }
    if nanoseconds <= -9.223_372_036_854_775e18 { return .min }
    return Int64(nanoseconds)
  }
}
