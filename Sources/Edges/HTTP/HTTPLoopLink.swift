import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The connection between a server's event loop and other threads, and the counts of the server.
final class HTTPLoopLink: Sendable {
  private final class Running: Sendable {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop: any EventLoop

    init() { loop = group.next() }
  }

  private let running = AtomicLazyReference<Running>()
  /// Number of threads that are handing something to the loop.
  ///
  /// Workers do this after every answer, so they share no lock with each other and with the loop.
  private let callers = Atomic(0)
  private let isOver = Atomic(false)
  private let counted = Mutex(HTTPCounts())

  var counts: HTTPCounts { counted.withLock { $0 } }
  func count(_ change: (inout HTTPCounts) -> Void) { counted.withLock { change(&$0) } }

  var hasEnded: Bool { isOver.load(ordering: .sequentiallyConsistent) }

  /// Starts the thread of the loop; nil if it has ended.
  ///
  /// Called once, by the thread that starts the server.
  func start() -> (any EventLoop)? {
    hasEnded ? nil : running.storeIfNil(Running()).loop
  }

  /// Runs `body` on the loop; false if the loop does not run.
  @discardableResult
  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    callers.add(1, ordering: .sequentiallyConsistent)
    defer { callers.subtract(1, ordering: .sequentiallyConsistent) }
    guard !hasEnded, let running = running.load() else { return false }
    running.loop.execute(body)
    return true
  }

  /// Ends the loop and its thread; nothing is run from now on.
  func end() {
    guard !isOver.exchange(true, ordering: .sequentiallyConsistent) else { return }
    // A loop that has ended accepts no calls: the last ones need some microseconds.
    while callers.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
    running.load()?.group.shutdownGracefully { _ in }
  }
}

/// Joins the calls of a session until the loop has answered them.
final class HTTPBell: Sendable {
  private let isRung = Atomic(false)

  /// Whether the loop must be called.
  func ring() -> Bool { !isRung.exchange(true, ordering: .acquiringAndReleasing) }
  func acknowledge() { isRung.store(false, ordering: .releasing) }
}
