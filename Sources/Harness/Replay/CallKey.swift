import BusProtocol
import Foundations
import MessagePack
import Messages
import Stage

/// The key for matching calls with each other, in order.
struct CallKey: Hashable {
  var caller: String
  var name: String
  var vehicle: String

  init(caller: String, name: String, vehicle: String) {
    self.caller = caller
    self.name = name
    self.vehicle = vehicle
  }

  init(_ mirror: CallMirror) {
    self.init(caller: mirror.source ?? "", name: mirror.call, vehicle: mirror.vehicle ?? "")
  }

  /// The content of a call, as a message that can be compared.
  func frame(_ verb: String, _ stamp: Instant, _ payload: [UInt8]) -> Frame {
    Frame(
      topic: "call \(name) of \(vehicle): \(caller) \(verb)",
      header: Header(sequence: 1, stampNS: stamp.nanoseconds, source: caller, run: 1, schema: ""),
      payload: payload)
  }
}

extension CallMirror {
  /// The outcome of the call, if this is its end.
  var outcome: EncodedOutcome {
    ok == true
      ? .ok(payload: payload ?? [])
      : .failed(CallError(code: code ?? "internal", message: message ?? "", field: field))
  }
}

extension EncodedOutcome {
  /// The payload, or the error as a map.
  var bytes: [UInt8] {
    switch self {
    case .ok(let payload): payload
    case .failed(let error):
      MessagePackValue.map([
        MessagePackValue.Entry("code", .string(error.code)),
        MessagePackValue.Entry("message", .string(error.message)),
        MessagePackValue.Entry("field", error.field.map { .string($0) } ?? .null),
      ]).encoded()
    }
  }
}
