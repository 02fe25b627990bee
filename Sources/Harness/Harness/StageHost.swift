import MessagePack
import Messages
import Stage

/// The stage values of one node, one for each vehicle, without their type.
///
/// Every harness runs stages through this, so that all of them see the same.
protocol StageHosting: AnyObject {
  var manifest: Manifest { get }
  /// In the order in which they came to be.
  var vehicles: [String] { get }

  /// Makes the stage value of a vehicle; false where it is there already.
  func admit(_ vehicle: String) -> Bool
  func handle(_ event: StageEvent, vehicle: String) throws(Refusal) -> [StageOutput]
  func savedState(of vehicle: String) -> [UInt8]?
  func restore(_ state: [UInt8], vehicle: String) throws(Refusal)
}

final class StageHost<S: Stage>: StageHosting {
  private let shared: S.Shared
  private var stages: [String: S] = [:]
  private(set) var vehicles: [String] = []

  init(_ shared: S.Shared) { self.shared = shared }

  var manifest: Manifest { S.manifest }

  func admit(_ vehicle: String) -> Bool {
    guard stages[vehicle] == nil else { return false }
    stages[vehicle] = S(vehicle: vehicle, shared: shared)
    vehicles.append(vehicle)
    return true
  }

  func handle(_ event: StageEvent, vehicle: String) throws(Refusal) -> [StageOutput] {
    if case .call(let call) = event { try Self.check(call) }
    guard var stage = stages.removeValue(forKey: vehicle) else { return [] }
    // Taken out, so that the value is not copied when it changes.
    defer { stages[vehicle] = stage }
    return try stage.handle(event)
  }

  // Garbage must not stop or pause a drive because nobody reads the fields of an empty request.
  private static func check(_ call: CallRequest) throws(Refusal) {
    guard let declaration = Calls.declaration(of: call.name) else { return }
    do {
      try tryDecoding(declaration.request, call.payload)
    } catch {
      throw Refusal(
        reason: error.reason.rawValue, message: "\(call.name): \(error.message)",
        field: error.path)
    }
  }

  private static func tryDecoding(
    _ type: any CallMessage.Type, _ bytes: [UInt8]
  ) throws(DecodeError) {
    _ = try type.init(decoding: bytes)
  }

  func savedState(of vehicle: String) -> [UInt8]? { stages[vehicle]?.savedState }

  func restore(_ state: [UInt8], vehicle: String) throws(Refusal) {
    _ = admit(vehicle)
    try stages[vehicle]?.restore(state)
  }
}
