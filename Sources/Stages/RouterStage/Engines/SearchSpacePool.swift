import Routing
import Synchronization

/// Pool of scratch memory for searches, as large as the maximum number of concurrent searches.
final class SearchSpacePool: Sendable {
  /// A workspace at a fixed address, which successive searches use.
  private final class PooledSearchSpace: Sendable {
    let space = Mutex(SearchSpace())
  }

  private let idle = Mutex<[PooledSearchSpace]>([])

  /// Calls `body` with scratch memory that no other search uses meanwhile.
  func withSpace<Result: Sendable, Failure: Error>(
    _ body: (inout SearchSpace) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let workspace = idle.withLock { $0.popLast() } ?? PooledSearchSpace()
    defer { idle.withLock { $0.append(workspace) } }
    return try workspace.space.withLock { (space) throws(Failure) in try body(&space) }
  }
}
