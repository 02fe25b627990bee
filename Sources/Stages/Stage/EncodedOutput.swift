public import Foundations

/// An action of a stage as a harness performs it: with bytes.
///
/// The cases are those of `StageOutput`.
public enum EncodedOutput: Sendable {
  /// Publishes a payload on a topic (without the vehicle); an empty payload deletes the key.
  case publish(
    topic: String, stamp: Instant, payload: [UInt8], key: String? = nil, ttlMS: UInt32? = nil,
    cause: Cause? = nil)
  case promise(topic: String, nextS: Double?)
  case call(name: String, payload: [UInt8], timeoutMS: UInt32, token: UInt64)
  case cancelCall(token: UInt64)
  case reply(callID: String, outcome: EncodedOutcome)
  case wake(at: Instant)
  case wakeDuringWork(everyS: Double)
  case work(callID: String?, @Sendable () -> [EncodedOutput])
  case log(LogLevel, String)
  case count(String, Int)
  case degraded(String?)
  case admit(vehicle: String)
  case leave
  case setClock(now: Instant, rate: Double, isPaused: Bool, run: UInt64)
}
