public import EventTime
import Messages
public import Stage

/// A call as seen from outside: started, or ended.
public struct CallRecord: Hashable, Sendable {
  public enum Phase: Hashable, Sendable {
    case asked(payload: [UInt8])
    case ended(EncodedOutcome)
  }

  /// Identity of the call; derived from a counter, so that runs are equal.
  public var id: String
  public var name: String
  public var vehicle: String
  /// The caller.
  public var caller: String
  /// The server; empty if there is none.
  public var server: String
  public var stamp: Instant
  public var phase: Phase
}

extension CallRecord {
  fileprivate var mirror: CallMirror {
    var mirror = CallMirror(
      phase: .request, id: id, call: name, vehicle: vehicle, source: caller,
      server: server.isEmpty ? nil : server)
    switch phase {
    case .asked(let payload):
      (mirror.payload, mirror.payloadBytes) = (payload, UInt64(payload.count))
    case .ended(.ok(let payload)):
      (mirror.phase, mirror.ok) = (.reply, true)
      (mirror.payload, mirror.payloadBytes) = (payload, UInt64(payload.count))
    case .ended(.failed(let error)):
      (mirror.phase, mirror.ok) = (.reply, false)
      (mirror.code, mirror.message, mirror.field) = (error.code, error.message, error.field)
    }
    return mirror
  }
}

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

struct OpenCall {
  var name: String
  /// nil if the call is answered from outside.
  var server: ConductorMember?
  var vehicle: String
  var caller: CallRecipient
}

extension Conductor {
  func beginCall(_ name: String, payload: [UInt8], vehicle: String, caller: CallRecipient) {
    callCount += 1
    // Fixed width, so that identities sort in order of creation.
    let digits = String(callCount)
    let id = "call-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    let server = members.first { $0.facts.serves.contains(name) }
    calls[id] = OpenCall(name: name, server: server, vehicle: vehicle, caller: caller)
    let record = CallRecord(
      id: id, name: name, vehicle: vehicle, caller: caller.name, server: server?.name ?? "",
      stamp: now, phase: .asked(payload: payload))
    show(record)
    if let server {
      deliver(
        .call(EncodedCall(id: id, name: name, stamp: now, payload: payload)), to: server,
        vehicle: vehicle, cause: .call(name, of: caller.name))
    } else if answersOutside?(id, record) != true {
      endCall(
        id,
        .failed(CallError(code: "no_such_service", message: "no node of the stack answers \(name)"))
      )
    }
  }

  /// Sends the caller the end of a call; a second end is ignored.
  public func endCall(_ id: String, _ outcome: EncodedOutcome) {
    guard let call = calls.removeValue(forKey: id) else { return }
    show(
      CallRecord(
        id: id, name: call.name, vehicle: call.vehicle, caller: call.caller.name,
        server: call.server?.name ?? "", stamp: now, phase: .ended(outcome)))
    switch call.caller {
    case .outside(_, let completion): completion(outcome)
    case .member(let member, let vehicle, let token):
      // A vehicle that has gone meanwhile must not be recreated for it.
      guard member.has(vehicle) else { return }
      deliver(
        .reply(token: token, stamp: now, outcome: outcome), to: member, vehicle: vehicle,
        cause: .call(call.name, of: member.name))
    }
  }

  /// Publishes a call on `_svc/<call>`, as the broker does.
  private func show(_ record: CallRecord) {
    guard mirrorsCalls else { return }
    let topic = "_svc/\(record.name)"
    outsideSequences["\(Self.name) \(topic)", default: 0] += 1
    tap?(
      PublishedMessage(
        vehicle: nil, topic: topic, stamp: record.stamp, source: Self.name, run: 1,
        sequence: outsideSequences["\(Self.name) \(topic)", default: 1],
        schema: CallMirror.schema, key: nil, ttlMS: nil, cause: nil,
        payload: record.mirror.encoded()))
  }

  func cancelCall(of member: ConductorMember, vehicle: String, token: UInt64) {
    let mine = calls.filter { _, call in
      guard case .member(let caller, let owner, let own) = call.caller else { return false }
      return caller === member && owner == vehicle && own == token
    }
    guard let (id, call) = mine.min(by: { $0.key < $1.key }) else { return }
    endCall(id, .failed(CallError(code: "cancelled", message: "the caller cancelled the call")))
    guard let server = call.server else { return }
    deliver(
      .cancelled(callID: id), to: server, vehicle: call.vehicle,
      cause: .call(call.name, of: call.caller.name))
  }

  func failCalls(servedBy member: ConductorMember) {
    for (id, call) in calls.sorted(by: { $0.key < $1.key }) where call.server === member {
      endCall(
        id, .failed(CallError(code: "server_restarted", message: "\(member.name) was restarted")))
    }
  }

  /// Ends calls that cannot be answered any more, because no events are left.
  func failUnansweredCalls() -> Bool {
    guard !calls.isEmpty else { return false }
    for (id, call) in calls.sorted(by: { $0.key < $1.key }) {
      endCall(
        id,
        .failed(
          CallError(code: "timeout", message: "\(call.server?.name ?? call.name) did not answer")))
    }
    return true
  }
}
