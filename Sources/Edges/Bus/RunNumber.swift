import Glibc

/// The number of an incarnation: that of a process which starts later on this machine is greater.
///
/// Within a stack it counts with the monotonic clock from a moment that the launcher gives to all (NAV_RUN_EPOCH,
/// microseconds), so a clock that is set back does not make a new process look like an old one.
public enum RunNumber {
  /// Environment variable with the microseconds that the monotonic clock is counted from.
  public static let epochVariable = "NAV_RUN_EPOCH"

  /// A number for what starts now.
  public static func next() -> UInt64 {
    guard let text = getenv(epochVariable), let epochUS = Int64(String(cString: text)) else {
      return number(epochUS: epoch(), at: .now)
    }
    return number(epochUS: epochUS, at: .now)
  }

  /// The epoch of a stack that starts now: with it the first numbers are microseconds since 1970.
  public static func epoch() -> Int64 {
    wallClockNS() / 1_000 - MonotonicTime.now.nanoseconds / 1_000
  }

  static func number(epochUS: Int64, at now: MonotonicTime) -> UInt64 {
    UInt64(max(1, epochUS.addingReportingOverflow(now.nanoseconds / 1_000).partialValue))
  }
}
