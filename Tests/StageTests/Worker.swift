import Dispatch

/// Work on another thread, and its end.
final class Worker: Sendable {
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async { [done] in
      body()
      done.signal()
    }
  }

  func join() { done.wait() }
}
