import Synchronization

/// Something that all vehicles of a process know of, and that one of them tells.
final class Notice: Sendable {
  private let isTold = Mutex(false)

  /// True the first time that anybody asks.
  func isFirst() -> Bool {
    isTold.withLock { told in
      defer { told = true }
      return !told
    }
  }
}
