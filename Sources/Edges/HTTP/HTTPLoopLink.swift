import NIOCore
import NIOPosix
import Synchronization

/// The connection between a server's event loop and other threads, and the counts of the server.
final class HTTPLoopLink: Sendable {
  private enum Stage {
    case new
    case running(MultiThreadedEventLoopGroup, any EventLoop)
    case ended
  }

  private struct State {
    var stage = Stage.new
    var counts = HTTPCounts()
  }

  private let state = Mutex(State())

  var counts: HTTPCounts { state.withLock { $0.counts } }
  func count(_ change: (inout HTTPCounts) -> Void) { state.withLock { change(&$0.counts) } }

  var hasEnded: Bool { state.withLock { if case .ended = $0.stage { true } else { false } } }

  /// Starts the thread of the loop; nil if it was started before, or has ended.
  func begin() -> (any EventLoop)? {
    state.withLock { state in
      guard case .new = state.stage else { return nil }
      let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      let loop = group.next()
      state.stage = .running(group, loop)
      return loop
    }
  }

  /// Runs `body` on the loop; false if the loop does not run.
  @discardableResult
  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard case .running(_, let loop) = state.stage else { return false }
      loop.execute(body)
      return true
    }
  }

  /// Ends the loop and its thread; nothing is run from now on.
  func end() {
    let group = state.withLock { state -> MultiThreadedEventLoopGroup? in
      defer { state.stage = .ended }
      if case .running(let group, _) = state.stage { return group }
      return nil
    }
    group?.shutdownGracefully { _ in }
  }
}

/// Joins the calls of a session until the loop has answered them.
final class HTTPBell: Sendable {
  private let isRung = Atomic(false)

  /// Whether the loop must be called.
  func ring() -> Bool { !isRung.exchange(true, ordering: .acquiringAndReleasing) }
  func answer() { isRung.store(false, ordering: .releasing) }
}
