import Routing
import Synchronization

/// Scratch memory of searches; as many pieces as there were searches at once.
final class Workspaces: Sendable {
  private let idle = Mutex<[Workspace]>([])

  /// Gives `body` scratch memory that nobody else uses meanwhile.
  func withSpace<Result, Failure: Error>(
    _ body: (inout SearchSpace) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let workspace = idle.withLock { $0.popLast() } ?? Workspace()
    defer { idle.withLock { $0.append(workspace) } }
    return try body(&workspace.space)
  }
}

/// A box for scratch memory, so that a list can keep it.
///
/// Sendable without the compiler's proof: the list hands each box to one user at a time, under its lock.
private final class Workspace: @unchecked Sendable {
  var space = SearchSpace()
}
