public import Foundations
public import Messages

/// An action that a stage requests.
public enum StageOutput: Sendable {
  /// Publishes a message with the event time `stamp`.
  ///
  /// `key` for keyed states; `deleted` deletes the key. `ttlMS` ends the message's use.
  case publish(
    TopicValue, stamp: Instant, key: String? = nil, ttlMS: UInt32? = nil, cause: Cause? = nil)
  /// Promises the readers of a topic that each later message is followed by another within `nextS`
  /// seconds of event time.
  ///
  /// 0 means no promise, nil the value on the topic's page.
  case promise(Topics.Name, nextS: Double?)
  /// Makes a call; its result arrives as `reply` with the same token.
  case call(RequestValue, timeoutMS: UInt32, token: UInt64)
  /// Cancels a pending call.
  case cancelCall(token: UInt64)
  /// Replies to a call of this stage; exactly one reply for each call.
  case reply(callID: String, outcome: CallOutcome)
  /// Requests `wake` at a moment of stack time; a later request replaces an earlier one.
  case wake(at: Instant)
  /// Requests `wake` at intervals of the machine's clock while work of this stage runs outside the
  /// event loop.
  ///
  /// `now` is 0 if no stack time is known. This output precedes the work. It has no effect where
  /// work is done at once, as in lock-step.
  case wakeDuringWork(everyS: Double)
  /// Long work that may run outside the event loop; its outputs are performed when it ends.
  case work(callID: String?, @Sendable () -> [StageOutput])
  /// A line for the log.
  case log(LogLevel, String)
  /// Adds to a named counter of the node's status.
  case count(String, Int)
  /// The node works, but is impaired; nil ends this state.
  case degraded(String?)
  /// Creates the stage of another vehicle and wakes it, unless it exists.
  case admit(vehicle: String)
  /// This vehicle has left: its stage is removed after the other outputs.
  case leave
  /// Sets the stack clock; only the source of time does so.
  case setClock(now: Instant, rate: Double, isPaused: Bool, run: UInt64)
}

public enum LogLevel: String, Hashable, Sendable, Codable {
  case debug
  case info
  case warning
  case error
}
