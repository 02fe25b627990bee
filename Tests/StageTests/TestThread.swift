import Foundation

/// A thread of its own, so that it runs also where tests wait on every thread of the pool.
final class TestThread: Sendable {
  private let done = Gate()

  init(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [done] in
      body()
      done.open()
    }
  }

  func join() throws { try done.pass() }
}

/// What one thread waits for and another lets happen; who has waited for a minute gives up.
final class Gate: Sendable {
  struct StaysShut: Error {}

  private let way = DispatchSemaphore(value: 0)

  func open() { way.signal() }

  /// Waits until it is open; it stays so.
  func pass() throws {
    guard way.wait(timeout: .now() + 60) == .success else { throw StaysShut() }
    way.signal()
  }
}
