import Glibc

/// The number of a process's run; a process that starts later on this machine has a greater one.
///
/// Within a stack, the number is NAV_RUN_EPOCH plus the monotonic clock, both in microseconds.
/// The launcher sets that variable for all processes. A wall clock that is set back therefore does
/// not make a new process look like an old one. Outside a stack, the number is the wall clock in microseconds.
public enum RunNumber {
  /// Environment variable with the epoch in microseconds; the monotonic clock is added to it.
  public static let epochVariable = "NAV_RUN_EPOCH"

  /// Returns the run number of a process that starts now.
  public static func next() -> UInt64 {
    guard let text = getenv(epochVariable), let epochUS = Int64(String(cString: text)) else {
      return UInt64(max(1, wallClockNS() / 1_000))
    }
    return number(epochUS: epochUS, at: .now)
  }

  /// Returns the epoch of a stack that starts now, in microseconds.
  ///
  /// With this epoch, the first run numbers are microseconds since 1970.
  public static func epoch() -> Int64 {
    wallClockNS() / 1_000 - MonotonicTime.now.nanoseconds / 1_000
  }

  static func number(epochUS: Int64, at now: MonotonicTime) -> UInt64 {
    UInt64(max(1, epochUS.addingReportingOverflow(now.nanoseconds / 1_000).partialValue))
  }
}
