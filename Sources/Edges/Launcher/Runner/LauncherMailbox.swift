import Synchronization
import ZMQ

/// Passes results of other threads to the launcher's thread.
final class LauncherMailbox<Letter: Sendable>: Sendable {
  private let letters = Mutex<[Letter]>([])
  private let bell: ThreadWaker

  init() throws(BusError) { bell = try ThreadWaker() }

  /// Readable when something has arrived.
  var descriptor: Int32 { bell.descriptor }

  func put(_ letter: Letter) {
    letters.withLock { $0.append(letter) }
    bell.signal()
  }

  /// Everything that has arrived, in order.
  func drain() -> [Letter] {
    bell.drain()
    return letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }
}
