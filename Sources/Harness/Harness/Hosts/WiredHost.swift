import BusProtocol
import Foundations
import Stage

/// The stages of a node with renamed topics.
///
/// Events and outputs have the names on the bus, and the stages use their own names.
final class WiredHost: StageHosting {
  private let host: any StageHosting
  private let wiring: Wiring
  let manifest: Manifest

  init(_ host: any StageHosting, _ wiring: Wiring) {
    self.host = host
    self.wiring = wiring
    manifest = host.manifest.wired(wiring)
  }

  func handle(_ event: EncodedEvent, vehicle: String) throws(Refusal) -> [EncodedOutput] {
    Self.onBus(try host.handle(inStage(event), vehicle: vehicle), wiring)
  }

  func changeMap(to new: any Sendable) -> [(vehicle: String, outputs: [EncodedOutput])] {
    host.changeMap(to: new).map { ($0, Self.onBus($1, wiring)) }
  }

  private func inStage(_ event: EncodedEvent) -> EncodedEvent {
    switch event {
    case .message(var message):
      message.topic = wiring.inStage(message.topic)
      return .message(message)
    case .call(var request):
      request.name = wiring.inStage(request.name)
      return .call(request)
    default: return event
    }
  }

  private static func onBus(_ outputs: [EncodedOutput], _ wiring: Wiring) -> [EncodedOutput] {
    outputs.map { output in
      switch output {
      case .publish(let topic, let stamp, let payload, let key, let ttlMS, var cause):
        if let given = cause { cause?.topic = wiring.onBus(given.topic) }
        return .publish(
          topic: wiring.onBus(topic), stamp: stamp, payload: payload, key: key, ttlMS: ttlMS,
          cause: cause)
      case .promise(let topic, let nextS):
        return .promise(topic: wiring.onBus(topic), nextS: nextS)
      case .call(let name, let payload, let timeoutMS, let token):
        return .call(
          name: wiring.onBus(name), payload: payload, timeoutMS: timeoutMS, token: token)
      case .work(let id, let body):
        return .work(callID: id) { onBus(body(), wiring) }
      default: return output
      }
    }
  }

  // Members that use no name on the bus.
  var vehicles: [String] { host.vehicles }
  var vehicleCount: Int { host.vehicleCount }
  func vehicles(in slots: SlotSet) -> [String] { host.vehicles(in: slots) }
  var countsBySlot: [Int] { host.countsBySlot }
  func has(_ vehicle: String) -> Bool { host.has(vehicle) }
  func silent(forS seconds: Double, at now: Instant) -> [String] {
    host.silent(forS: seconds, at: now)
  }
  func admit(_ vehicle: String) -> Bool { host.admit(vehicle) }
  func drop(_ vehicle: String) -> Bool { host.drop(vehicle) }
  func savedState(of vehicle: String) -> [UInt8]? { host.savedState(of: vehicle) }
  func restore(_ state: [UInt8], vehicle: String) throws(Refusal) {
    try host.restore(state, vehicle: vehicle)
  }
  func handOverState(of vehicle: String) -> [UInt8]? { host.handOverState(of: vehicle) }
  func takeOver(_ state: [UInt8], vehicle: String) throws(Refusal) {
    try host.takeOver(state, vehicle: vehicle)
  }
  func maps(_ parameters: Parameters) -> [String] { host.maps(parameters) }
  func reloading(_ parameters: Parameters) -> @Sendable () -> Result<any Sendable, StageFailure> {
    host.reloading(parameters)
  }
}
