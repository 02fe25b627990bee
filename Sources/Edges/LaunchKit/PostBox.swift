import Bus
import Synchronization

/// Carries what other threads have found out to the launcher's one.
final class PostBox<Letter: Sendable>: Sendable {
  private let letters = Mutex<[Letter]>([])
  private let bell: WakeUp

  init() throws(BusError) { bell = try WakeUp() }

  /// Readable when something has come.
  var descriptor: Int32 { bell.descriptor }

  func put(_ letter: Letter) {
    letters.withLock { $0.append(letter) }
    bell.signal()
  }

  /// Everything that has come, in order.
  func take() -> [Letter] {
    bell.drain()
    return letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }
}
