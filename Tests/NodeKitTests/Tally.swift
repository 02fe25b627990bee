import ByteStage
import Foundations
import MessagePack
import Stage

/// Numbers what it reads on `location/raw`, and says the number it read and its own on
/// `location/matched`; answers `toy/count`.
///
/// With `full` it hands all over itself, else what it saves goes with last values of inputs.
struct Tally: ByteStage {
  static let manifest = Manifest(
    name: "toy-tally", about: "Numbers.",
    parameters: [
      ParameterDeclaration("full", .bool, default: true, "Whether it hands all over."),
      ParameterDeclaration("refuses", .bool, default: false, "Whether it takes nothing over."),
      ParameterDeclaration("skew", .int, default: 0, min: 0, max: 255, "What it adds to a route."),
      ParameterDeclaration(
        "refuses_vehicle", .string, default: "", "A vehicle that it does not take over."),
      ParameterDeclaration(
        "ballast", .int, default: 0, min: 0, max: 1_000_000, "Bytes that its state has for nothing."
      ),
      ParameterDeclaration("stuck", .bool, default: false, "Whether its work never ends."),
    ],
    inputs: ["location/raw", "route/active"], outputs: ["location/matched"], serves: ["toy/count"])

  struct Shared: Sendable {
    var isFull: Bool
    var refuses: Bool
    var isStuck: Bool
    var skew: UInt8
    var ballast: Int
    var refusedVehicle: String
  }

  let vehicle: String
  let shared: Shared
  var count: UInt64 = 0
  var route: UInt8 = 0

  static func load(_ parameters: Parameters) throws(StageFailure) -> Shared {
    Shared(
      isFull: parameters.bool("full"), refuses: parameters.bool("refuses"),
      isStuck: parameters.bool("stuck"), skew: UInt8(clamping: parameters.int("skew")),
      ballast: parameters.int("ballast"),
      refusedVehicle: parameters.string("refuses_vehicle") ?? "")
  }

  init(vehicle: String, shared: Shared) {
    self.vehicle = vehicle
    self.shared = shared
  }

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    switch event {
    case .message(let message) where message.topic == "route/active":
      route = message.payload.first ?? 0
      return shared.isStuck
        ? [.call(name: "toy/never", payload: [], timeoutMS: 60_000, token: 1)] : []
    case .message(let message):
      count += 1
      return [
        .publish(
          topic: "location/matched", stamp: message.stamp,
          payload: message.payload + Self.bytes(count) + [route &+ shared.skew])
      ]
    case .call(let request):
      return [.reply(callID: request.id, outcome: .ok(payload: Self.bytes(count)))]
    default: return []
    }
  }

  static func bytes(_ value: UInt64) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  static func value(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  var savedState: [UInt8]? { shared.isFull ? nil : Self.bytes(count) }
  var handOverState: [UInt8]? {
    guard shared.isFull else { return nil }
    return Self.bytes(count) + [route] + [UInt8](repeating: 7, count: shared.ballast)
  }

  mutating func restore(_ state: [UInt8]) throws(Refusal) {
    guard !shared.refuses, vehicle != shared.refusedVehicle else {
      throw Refusal(reason: "refused", message: "it takes nothing")
    }
    count = Self.value(state.prefix(8))
  }

  mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    try restore(state)
    route = state.count > 8 ? state[8] : 0
  }
}
