import CLinux
import Synchronization

/// Whether an answer is still wanted: until its timeout, or until its client disconnects.
public final class HTTPCancellation: Sendable {
  private let deadline: Int64
  private let isOver = Atomic(false)

  init(limitS: Double) {
    deadline = clinux_monotonic_ns() &+ Int64(Double.minimum(limitS, 1e6) * 1e9)
  }

  /// Costs some nanoseconds; long calculations should check it from time to time.
  public var hasEnded: Bool {
    isOver.load(ordering: .relaxed) || clinux_monotonic_ns() > deadline
  }

  func end() { isOver.store(true, ordering: .relaxed) }
}
