import Foundations
import Messages
import Stage

/// The recipient of the end of a `Conductor`'s call.
enum CallRecipient {
  case member(ConductorMember, vehicle: String, token: UInt64)
  case outside(String, (EncodedOutcome) -> Void)

  var name: String {
    switch self {
    case .member(let member, _, _): member.name
    case .outside(let name, _): name
    }
  }
}

/// The calls in a conductor's run, from their start to their only end.
final class ConductedCalls {
  private struct OpenCall {
    var name: String
    /// nil if the call is answered from outside.
    var server: ConductorMember?
    var vehicle: String
    var caller: CallRecipient
  }

  /// Handles a call that no node here serves; false refuses it.
  var answersOutside: ((_ id: String, _ call: CallRecord) -> Bool)?
  /// Whether the tap receives each call and its end.
  var areMirrored = false
  private var open: [String: OpenCall] = [:]
  private var count = 0
  private let schedule: EventSchedule
  private let router: MessageRouter

  init(schedule: EventSchedule, router: MessageRouter) {
    self.schedule = schedule
    self.router = router
  }

  func open(_ name: String, payload: [UInt8], vehicle: String, caller: CallRecipient) {
    count += 1
    // Fixed width, so that identities sort in order of creation.
    let digits = String(count)
    let id = "call-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    let server = schedule.server(of: name)
    open[id] = OpenCall(name: name, server: server, vehicle: vehicle, caller: caller)
    let now = schedule.now
    let record = CallRecord(
      id: id, name: name, vehicle: vehicle, caller: caller.name, server: server?.name ?? "",
      stamp: now, phase: .asked(payload: payload))
    show(record)
    if let server {
      schedule.deliver(
        .call(EncodedCall(id: id, name: name, stamp: now, payload: payload)), to: server,
        vehicle: vehicle, cause: .call(name, of: caller.name))
    } else if answersOutside?(id, record) != true {
      fail(id, code: "no_such_service", "no node of the stack answers \(name)")
    }
  }

  /// Sends the caller the end of a call; a second end is ignored.
  func end(_ id: String, _ outcome: EncodedOutcome) {
    guard let call = open.removeValue(forKey: id) else { return }
    show(
      CallRecord(
        id: id, name: call.name, vehicle: call.vehicle, caller: call.caller.name,
        server: call.server?.name ?? "", stamp: schedule.now, phase: .ended(outcome)))
    switch call.caller {
    case .outside(_, let completion): completion(outcome)
    case .member(let member, let vehicle, let token):
      // A vehicle that has gone meanwhile must not be recreated for it.
      guard member.has(vehicle) else { return }
      schedule.deliver(
        .reply(token: token, stamp: schedule.now, outcome: outcome), to: member, vehicle: vehicle,
        cause: .call(call.name, of: member.name))
    }
  }

  private func fail(_ id: String, code: String, _ message: String) {
    end(id, .failed(CallError(code: code, message: message)))
  }

  /// Publishes a call on `_svc/<call>`, as the broker does.
  private func show(_ record: CallRecord) {
    guard areMirrored else { return }
    let topic = "_svc/\(record.name)"
    router.tap?(
      PublishedMessage(
        vehicle: nil, topic: topic, stamp: record.stamp, source: Conductor.name, run: 1,
        sequence: router.nextSequence(of: topic, source: Conductor.name),
        schema: CallMirror.schema, key: nil, ttlMS: nil, cause: nil,
        payload: record.mirror.encoded()))
  }

  /// Cancels a call of a stage, and informs the server.
  func cancel(of member: ConductorMember, vehicle: String, token: UInt64) {
    let mine = open.filter { _, call in
      guard case .member(let caller, let owner, let own) = call.caller else { return false }
      return caller === member && owner == vehicle && own == token
    }
    guard let (id, call) = mine.min(by: { $0.key < $1.key }) else { return }
    fail(id, code: "cancelled", "the caller cancelled the call")
    guard let server = call.server else { return }
    schedule.deliver(
      .cancelled(callID: id), to: server, vehicle: call.vehicle,
      cause: .call(call.name, of: call.caller.name))
  }

  /// Ends the calls of a server that was killed.
  func fail(servedBy member: ConductorMember) {
    for (id, call) in open.sorted(by: { $0.key < $1.key }) where call.server === member {
      fail(id, code: "server_restarted", "\(member.name) was restarted")
    }
  }

  /// Ends calls that cannot be answered any more, because no events are left; false if there are
  /// none.
  func failUnanswered() -> Bool {
    guard !open.isEmpty else { return false }
    for (id, call) in open.sorted(by: { $0.key < $1.key }) {
      fail(id, code: "timeout", "\(call.server?.name ?? call.name) did not answer")
    }
    return true
  }
}
