import BusProtocol
import Glibc
import Synchronization

/// The failed waits of all threads of this process, for its status and its log.
///
/// A wait fails if the system has no memory or a descriptor was closed while a thread waits for it.
/// The loops of a node check everything after each failure. So neither a message nor a deadline is
/// delayed by more than the pause, and no loop spins.
public enum FailedWaits {
  /// How long a loop pauses after a wait that failed.
  public static let pauseMS: UInt32 = 20

  private struct Failures {
    var count: UInt64 = 0
    var last: BusError?
  }
  private static let failures = Mutex(Failures())

  /// Number of failures since the process started.
  public static var count: UInt64 { failures.withLock { $0.count } }

  /// The error of the last failure; nil if there was none.
  public static var last: BusError? { failures.withLock { $0.last } }

  /// Counts a failure and pauses.
  package static func pause(after error: BusError) {
    failures.withLock {
      $0.count += 1
      $0.last = error
    }
    // A wait that fails at once would keep its loop spinning.
    usleep(pauseMS * 1_000)
  }
}
