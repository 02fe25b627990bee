import Routing
import Synchronization

/// Scratch memory of searches; as many pieces as there were searches at once.
final class Workspaces: Sendable {
  /// A piece that stays where it is while one search after the other uses it.
  private final class Workspace: Sendable {
    let space = Mutex(SearchSpace())
  }

  private let idle = Mutex<[Workspace]>([])

  /// Gives `body` scratch memory that nobody else uses meanwhile.
  func withSpace<Result: Sendable, Failure: Error>(
    _ body: (inout SearchSpace) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let workspace = idle.withLock { $0.popLast() } ?? Workspace()
    defer { idle.withLock { $0.append(workspace) } }
    return try workspace.space.withLock { (space) throws(Failure) in try body(&space) }
  }
}
