import Foundation
import Synchronization

/// A thread that runs only while its work is wanted.
///
/// Each `start` begins the work anew, so that a new reader gets everything from the beginning.
final class OnDemandThread: Sendable {
  /// The work; it returns soon after `isWanted` has become false.
  typealias Work = @Sendable (_ isWanted: @escaping @Sendable () -> Bool) -> Void

  private struct State {
    var isWanted = false
    /// Number of the last start.
    var turn: UInt64 = 0
    var isRunning = false
  }

  private let name: String
  private let work: Work
  private let state = Mutex(State())

  init(_ name: String, _ work: @escaping Work) {
    self.name = name
    self.work = work
  }

  var isRunning: Bool { state.withLock { $0.isRunning } }

  func start() {
    let isFirst = state.withLock { state in
      state.isWanted = true
      state.turn += 1
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFirst else { return }
    let thread = Thread { [self] in run() }
    thread.name = name
    thread.start()
  }

  func stop() { state.withLock { $0.isWanted = false } }

  private func run() {
    while let turn = nextTurn() {
      work { [self] in state.withLock { $0.isWanted && $0.turn == turn } }
    }
  }

  /// The number of the start to work for; nil, and the thread ends, if there is none.
  private func nextTurn() -> UInt64? {
    state.withLock { state in
      guard state.isWanted else {
        state.isRunning = false
        return nil
      }
      return state.turn
    }
  }
}
