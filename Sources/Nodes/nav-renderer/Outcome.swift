import Stage
import Synchronization

/// How work on another thread ended, to be read when it has.
final class Outcome<Value: Sendable>: Sendable {
  private let stored = Mutex<Result<Value, StageFailure>?>(nil)

  func set(_ result: Result<Value, StageFailure>) { stored.withLock { $0 = result } }

  func get() throws(StageFailure) -> Value {
    guard let result = stored.withLock({ $0 }) else {
      throw StageFailure("the work ended without a result")
    }
    return try result.get()
  }
}
