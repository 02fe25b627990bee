import BusProtocol
import Foundations
import Messages
import Stage

/// The stages of a node with a journal, which records each event before its consequences.
///
/// A stage's outputs depend only on its events. So the same events, in the same order and with the
/// same times, give the same outputs of the same stage. A recording of a live drive is therefore
/// replayed through a stage as exactly as one of a run in lock-step.
final class JournaledHost: StageHosting {
  private let host: any StageHosting
  /// The node's name: messages that it wrote itself, and did not receive over the bus, have this
  /// source.
  private let node: String
  private let publish: (NodeJournal) -> Void

  init(_ host: any StageHosting, node: String, publish: @escaping (NodeJournal) -> Void) {
    self.host = host
    self.node = node
    self.publish = publish
  }

  func handle(_ event: EncodedEvent, vehicle: String) throws(Refusal) -> [EncodedOutput] {
    publish(entry(event, vehicle))
    return try host.handle(event, vehicle: vehicle)
  }

  func admit(_ vehicle: String) -> Bool {
    guard host.admit(vehicle) else { return false }
    publish(NodeJournal(event: .admit, vehicle: vehicle))
    return true
  }

  func drop(_ vehicle: String) -> Bool {
    guard host.drop(vehicle) else { return false }
    publish(NodeJournal(event: .drop, vehicle: vehicle))
    return true
  }

  func restore(_ state: [UInt8], vehicle: String) throws(Refusal) {
    publish(NodeJournal(event: .restore, vehicle: vehicle, payload: state))
    try host.restore(state, vehicle: vehicle)
  }

  func takeOver(_ state: [UInt8], vehicle: String) throws(Refusal) {
    publish(NodeJournal(event: .takeOver, vehicle: vehicle, payload: state))
    try host.takeOver(state, vehicle: vehicle)
  }

  func changeMap(to new: any Sendable) -> [(vehicle: String, outputs: [EncodedOutput])] {
    for vehicle in host.vehicles { publish(NodeJournal(event: .map, vehicle: vehicle)) }
    return host.changeMap(to: new)
  }

  private func entry(_ event: EncodedEvent, _ vehicle: String) -> NodeJournal {
    var entry = NodeJournal(event: .wake, vehicle: vehicle)
    switch event {
    case .message(let message):
      entry.event = .message
      entry.stampNs = message.stamp.nanoseconds
      entry.topic = message.topic
      entry.source = message.source
      entry.run = message.run
      entry.seq = message.sequence
      entry.key = message.key
      entry.latched = message.isLatched ? true : nil
      // Input from an attachment is in no recording.
      if message.sequence == 0 || message.source == node { entry.payload = message.payload }
    case .call(let request):
      entry.event = .call
      entry.stampNs = request.stamp.nanoseconds
      entry.id = request.id
      entry.name = request.name
      entry.payload = request.payload
    case .cancelled(let id):
      entry.event = .cancelled
      entry.id = id
    case .reply(let token, let stamp, let outcome):
      entry.event = .reply
      entry.stampNs = stamp.nanoseconds
      entry.token = token
      switch outcome {
      case .ok(let payload):
        entry.ok = true
        entry.payload = payload
      case .failed(let error):
        entry.ok = false
        entry.code = error.code
        entry.message = error.message
        entry.field = error.field
      }
    case .wake(let now): entry.stampNs = now.nanoseconds
    case .clockReset(let now):
      entry.event = .clockReset
      entry.stampNs = now.nanoseconds
    }
    return entry
  }

  // Members that do not change a stage.
  var manifest: Manifest { host.manifest }
  var vehicles: [String] { host.vehicles }
  var vehicleCount: Int { host.vehicleCount }
  func vehicles(in slots: SlotSet) -> [String] { host.vehicles(in: slots) }
  var countsBySlot: [Int] { host.countsBySlot }
  func has(_ vehicle: String) -> Bool { host.has(vehicle) }
  func silent(forS seconds: Double, at now: Instant) -> [String] {
    host.silent(forS: seconds, at: now)
  }
  func savedState(of vehicle: String) -> [UInt8]? { host.savedState(of: vehicle) }
  func handOverState(of vehicle: String) -> [UInt8]? { host.handOverState(of: vehicle) }
  func maps(_ parameters: Parameters) -> [String] { host.maps(parameters) }
  func reloading(_ parameters: Parameters) -> @Sendable () -> Result<any Sendable, StageFailure> {
    host.reloading(parameters)
  }
}
