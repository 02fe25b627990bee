import BusProtocol
import Glibc

/// The waiting policy of a sender that finds a queue full.
///
/// It waits at most 80 ms, so that a burst is delayed and not lost. If that was in vain because the
/// receiver is stuck, it does not wait again for one second. The pause then doubles with each
/// failure, up to 20 seconds.
package struct BackPressureTimeout {
  private static let firstPauseMS: Int64 = 1_000
  private static let longestPauseMS: Int64 = 20_000
  /// libzmq reports a socket as writable while any reader has room, so polling is not possible.
  private static let tryUS: UInt32 = 200

  private let longestMS: Int64
  private var waitsFrom = MonotonicTime(nanoseconds: 0)
  private var pauseMS = firstPauseMS

  package init(longestMS: Int64 = 80) { self.longestMS = longestMS }

  /// Retries until it succeeds; false if it did not, or if waiting is suspended.
  package mutating func waits<Failure: Error>(
    until succeeds: () throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    guard waitsFrom <= .now else { return false }
    let deadline = MonotonicTime.now.advanced(byMS: longestMS)
    repeat {
      // See `tryUS`: no event reports room for this receiver.
      usleep(Self.tryUS)
      if try succeeds() {
        pauseMS = Self.firstPauseMS
        return true
      }
    } while deadline > .now
    waitsFrom = MonotonicTime.now.advanced(byMS: pauseMS)
    pauseMS = min(Self.longestPauseMS, 2 * pauseMS)
    return false
  }
}
