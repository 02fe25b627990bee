import Messages
import Synchronization

/// Where a calculation stands, for those who watch it and may end it early.
final class Progress: Sendable {
  /// What is being done; by and by the greater ones.
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

    /// Roughly how much of the whole is done when it begins.
    var share: Double { Double(rawValue) / Double(Self.allCases.count) }
  }

  private enum Stage {
    static let running = 0
    static let cancelled = 1
    static let ended = 2
  }

  private let stage = Atomic(Stage.running)
  private let reached = Atomic(Step.waiting.rawValue)

  var isCancelled: Bool { stage.load(ordering: .relaxed) == Stage.cancelled }
  var isRunning: Bool { stage.load(ordering: .relaxed) == Stage.running }
  var current: Step { Step(rawValue: reached.load(ordering: .relaxed)) ?? .waiting }

  func step(_ new: Step) { reached.store(new.rawValue, ordering: .relaxed) }

  func cancel() {
    _ = stage.compareExchange(
      expected: Stage.running, desired: Stage.cancelled, ordering: .relaxed)
  }
  func end() { stage.store(Stage.ended, ordering: .relaxed) }
}
