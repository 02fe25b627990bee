import Messages
import Synchronization

/// The state of one calculation, shared by the stage that reports or cancels it and the thread that works on it.
final class Progress: Sendable {
  /// The current step of a calculation.
  enum Step: Int, Sendable, CaseIterable {
    case waiting
    case asking
    case matching
    case searching
    case building

    var wire: RouteProgress.Step {
      switch self {
      case .waiting: .waiting
      case .asking: .asking
      case .matching: .matching
      case .searching: .searching
      case .building: .building
      }
    }

    /// The shares of the whole work at which the step begins and ends, approximately.
    fileprivate var shares: (begin: Double, end: Double) {
      switch self {
      case .waiting: (0, 0)
      case .asking: (0.02, 0.4)
      case .matching: (0.4, 0.9)
      case .searching: (0.02, 0.9)
      case .building: (0.9, 1)
      }
    }
  }

  private enum Stage {
    static let running = 0
    static let cancelled = 1
    static let ended = 2
  }

  private let stage = Atomic(Stage.running)
  private let reached = Atomic(Step.waiting.rawValue)
  /// Completed work in millionths.
  private let done = Atomic(0)

  var isCancelled: Bool { stage.load(ordering: .relaxed) == Stage.cancelled }
  var isRunning: Bool { stage.load(ordering: .relaxed) == Stage.running }
  var current: Step { Step(rawValue: reached.load(ordering: .relaxed)) ?? .waiting }
  /// Completed share of the work, 0 to 1; never decreases.
  var share: Double { Double(done.load(ordering: .relaxed)) / 1e6 }

  /// Starts a step, of which a share is already completed.
  func step(_ new: Step, done part: Double = 0) {
    reached.store(new.rawValue, ordering: .relaxed)
    advance(to: part)
  }

  /// Records that a share of the current step is completed, 0 to 1.
  func advance(to part: Double) {
    let (begin, end) = current.shares
    let share = begin + (end - begin) * Double.minimum(1, Double.maximum(0, part))
    _ = done.max(Int((share * 1e6).rounded()), ordering: .relaxed)
  }

  /// Cancels the calculation; returns false if it was already cancelled or has ended.
  ///
  /// The stage then answers its call; the result of the work, which notices the cancellation later,
  /// is ignored.
  func cancel() -> Bool {
    stage.compareExchange(
      expected: Stage.running, desired: Stage.cancelled, ordering: .relaxed
    ).exchanged
  }

  /// Ends the calculation; returns false if it was cancelled, and its call therefore answered.
  func end() -> Bool {
    stage.compareExchange(
      expected: Stage.running, desired: Stage.ended, ordering: .relaxed
    ).exchanged
  }
}
