import Synchronization

/// A fact known to all vehicles of a process that only one of them reports.
final class SharedNotice: Sendable {
  private let isTold = Mutex(false)

  /// Returns true for the first call only.
  func isFirst() -> Bool {
    isTold.withLock { told in
      defer { told = true }
      return !told
    }
  }
}
