import CLinux
import Synchronization

/// How long an answer is still wanted: until its time is over or its client has gone.
public final class HTTPPatience: Sendable {
  private let deadline: Int64
  private let isOver = Atomic(false)

  init(limitS: Double) {
    deadline = clinux_monotonic_ns() &+ Int64(Double.minimum(limitS, 1e6) * 1e9)
  }

  /// Costs some nanoseconds; to be asked from time to time by long calculations.
  public var hasEnded: Bool {
    isOver.load(ordering: .relaxed) || clinux_monotonic_ns() > deadline
  }

  func end() { isOver.store(true, ordering: .relaxed) }
}
