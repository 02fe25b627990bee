import Glibc

/// How long whoever finds a queue full waits for room.
///
/// 80 ms at most, so that a burst is held back rather than lost; and where that was in vain, since
/// the other side stands still, not again for a second, then two, and so on up to 20.
struct RoomPatience {
  private static let firstPauseMS: Int64 = 1_000
  private static let longestPauseMS: Int64 = 20_000
  /// libzmq calls a socket writable as long as any reader has room, so there is nothing to poll for.
  private static let tryUS: UInt32 = 200

  private let longestMS: Int64
  private var waitsFrom = MonotonicTime(nanoseconds: 0)
  private var pauseMS = firstPauseMS

  init(longestMS: Int64 = 80) { self.longestMS = longestMS }

  /// Tries again and again; false where it was in vain, or is not to be waited for now.
  mutating func waits<Failure: Error>(
    until succeeds: () throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    guard waitsFrom <= .now else { return false }
    let deadline = MonotonicTime.now.advanced(byMS: longestMS)
    repeat {
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
