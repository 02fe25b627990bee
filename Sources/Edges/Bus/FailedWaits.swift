import Glibc
import Synchronization

/// The waits of this process that failed, whoever waited: for its status and its log.
///
/// A wait fails where the system has no memory or a descriptor was closed that somebody still waits for. The
/// loops of a node look around after each, so that neither a message nor a deadline is missed for
/// longer than the pause, and none spins.
public enum FailedWaits {
  /// How long a loop pauses after a wait that failed.
  public static let pauseMS: UInt32 = 20

  private struct Failures {
    var count: UInt64 = 0
    var last: BusError?
  }
  private static let failures = Mutex(Failures())

  /// How many have failed since the process began.
  public static var count: UInt64 { failures.withLock { $0.count } }

  /// Why the last one failed; nil where none has.
  public static var last: BusError? { failures.withLock { $0.last } }

  /// Counts a failure and pauses.
  static func pause(after error: BusError) {
    failures.withLock {
      $0.count += 1
      $0.last = error
    }
    usleep(pauseMS * 1_000)
  }
}
