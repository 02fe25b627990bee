import BusClient
import BusProtocol
import Foundations
import NodeKit
import Stage

/// The calls that the stages of a node have made, and those that they serve.
final class OpenCalls {
  /// A call that a stage has made.
  struct MadeCall: Hashable {
    var vehicle: String
    var token: UInt64
  }

  /// A call that a stage serves.
  struct ServedCall {
    var vehicle: String
    var cause: Cause
  }

  private var made: [MadeCall: String] = [:]
  private var served: [String: ServedCall] = [:]
  private let client: BusClient
  private let jobs: NodeJobs

  init(client: BusClient, jobs: NodeJobs) {
    self.client = client
    self.jobs = jobs
  }

  /// Makes a call; its reply is passed to the stage on the work loop.
  func call(
    _ name: String, payload: [UInt8], timeoutMS: UInt32, token: UInt64, vehicle: String
  ) {
    let call = MadeCall(vehicle: vehicle, token: token)
    let jobs = jobs
    made[call] = client.call(name, vehicle: vehicle, payload: payload, timeoutMS: timeoutMS) {
      end in
      jobs.post { $0.stages.endCall(call, name: name, EncodedOutcome(end)) }
    }
  }

  /// Forgets a call that has ended.
  func end(_ call: MadeCall) { made[call] = nil }

  /// Cancels a call; its reply arrives all the same.
  func cancel(_ call: MadeCall) {
    if let id = made[call] { client.cancel(callID: id) }
  }

  /// Records a call that a stage is going to serve.
  func serve(_ id: String, _ call: ServedCall) { served[id] = call }

  /// Forgets a call that its caller has cancelled; nil if no stage serves it.
  func endServing(_ id: String) -> ServedCall? { served.removeValue(forKey: id) }

  func reply(to id: String, _ outcome: EncodedOutcome) {
    served[id] = nil
    switch outcome {
    case .ok(let payload): client.reply(to: id, .ok(payload: payload))
    case .failed(let error):
      client.reply(
        to: id, .failed(code: error.code, message: error.message, field: error.field))
    }
  }

  /// Whether a call of one of the vehicles is open.
  func areOpen(where isOne: (String) -> Bool) -> Bool {
    made.keys.contains { isOne($0.vehicle) } || served.values.contains { isOne($0.vehicle) }
  }
}

extension EncodedOutcome {
  init(_ end: CallEnd) {
    switch end {
    case .ok(let payload): self = .ok(payload: payload)
    case .failed(let code, let message, let field):
      self = .failed(CallError(code: code, message: message, field: field))
    }
  }
}
