import CallCases
import Harness
import MessagePack
import Messages
import Stage
import Testing

/// A call that fails, and what makes it fail.
struct FailingCall: CustomTestStringConvertible, Sendable {
  var code: CallCode
  var because: String
  /// Path of the field that the error must blame; nil for none.
  var field: String?
  /// Makes the call and returns its end.
  var end: @Sendable () throws -> EncodedOutcome?

  init(
    _ call: String, _ code: String, _ because: String, field: String? = nil,
    end: @escaping @Sendable () throws -> EncodedOutcome?
  ) {
    self.code = CallCode(call, code)
    self.because = because
    self.field = field
    self.end = end
  }

  var testDescription: String { "\(code) for \(because)" }

  /// One case for each call that a stage serves: a request with an unknown field is `invalid`.
  static func unknownFields<S: Stage>(
    _ stage: S.Type, shared: @escaping @Sendable () throws -> S.Shared
  ) -> [FailingCall] {
    S.manifest.serves.map { call in
      FailingCall(call, "invalid", "an unknown field", field: "no_such_field") {
        let harness = MemoryHarness()
        harness.add(S.self, name: "server", shared: try shared())
        let request = MessagePackValue.map([.init("no_such_field", .int(1))])
        return harness.settle(call: call, payload: request.encoded())
      }
    }
  }
}

extension MemoryHarness {
  /// A harness with one stage, named `server`.
  convenience init<S: Stage>(
    _ stage: S.Type, _ parameters: [String: ParameterValue] = [:]
  ) throws {
    self.init()
    try add(stage, name: "server", parameters: parameters)
  }

  /// The end of a call that nothing has to wait for.
  func end(_ request: some RequestMessage) -> EncodedOutcome? {
    settle(call: type(of: request).call, payload: request.encoded())
  }
}
