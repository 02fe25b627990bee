import Foundation

/// A thread of its own, so that it runs also where tests wait on every thread of the pool.
final class Worker: Sendable {
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [done] in
      body()
      done.signal()
    }
  }

  func join() { done.wait() }
}
