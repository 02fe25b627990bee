import Synchronization

/// A fact known to all vehicles of a process that only one of them reports.
final class SharedNotice: Sendable {
  private let isReported = Mutex(false)

  /// Returns true for the first call only.
  func isFirst() -> Bool {
    isReported.withLock { reported in
      defer { reported = true }
      return !reported
    }
  }
}
