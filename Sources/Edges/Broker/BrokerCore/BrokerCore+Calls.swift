import BusProtocol

extension BrokerCore {
  /// The maximum deadline; a caller that requests more gets this.
  private static let maximumTimeoutMS: UInt64 = 3_600_000

  mutating func openCall(
    _ head: ControlMessage.Call, _ payload: [UInt8], from caller: Identity, now: MonotonicTime
  ) {
    let (id, name) = (head.id, head.name)
    guard !id.isEmpty, id.utf8.count <= 128 else {
      return fail(
        id, code: "invalid", "a call needs id (1 to 128 bytes), name and timeout_ms", to: caller)
    }
    if let stored = callTable.stored(id) { return send(stored.head, stored.payload, to: caller) }
    if callTable.call(id) != nil { return callTable.redirect(id, to: caller) }
    let patience = min(head.timeoutMs, Self.maximumTimeoutMS)
    let service = callTable.services[name]
    let call = CallTable.Call(
      id: id, name: name, vehicle: head.vehicle, caller: caller,
      callerName: registry.node(at: caller)?.name ?? head.src ?? "",
      server: service.flatMap { server($0, head.vehicle) } ?? [],
      serverName: service?.serverName ?? "", began: now,
      deadline: now.advanced(byMS: Int64(patience)))
    mirrorRequest(call, timeoutMS: patience, payload, now: now)
    if let (code, message) = callTable.refusal(of: call) {
      callTable.countRefusal(of: name, code)
      let reply = CallTable.Reply(head: Self.failure(id, code: code, message), payload: [])
      mirrorReply(call, reply, now: now)
      return send(reply.head, reply.payload, to: caller)
    }
    callTable.open(call)
    let request = ControlMessage.Call(
      name: name, src: call.callerName.isEmpty ? nil : call.callerName, id: id,
      vehicle: head.vehicle, timeoutMs: patience)
    if holdCall(request, payload, to: call.server) { return }
    send(request, payload, to: call.server)
  }

  /// The node that serves a service's call about a vehicle; nil if it is not present.
  private func server(_ service: CallTable.Service, _ vehicle: String?) -> Identity? {
    let server = service.group.map { replica(of: $0, for: vehicle) } ?? service.server
    // A part of a node that is being swapped already belongs to its successor.
    guard let handover, let standby = handover.standby, server == handover.holder?.identity,
      handover.moved.contains(vehicle: vehicle ?? "ego")
    else { return server }
    return standby.identity
  }

  mutating func forwardReply(
    _ head: ControlMessage.Reply, _ payload: [UInt8], from server: Identity, now: MonotonicTime
  ) {
    let id = head.id
    guard let call = callTable.call(id), call.server == server else {
      return count("late_reply \(callTable.countLate(id))")
    }
    finish(id, CallTable.Reply(head: head, payload: payload), now: now)
  }

  mutating func cancelCall(
    _ head: ControlMessage.Cancel, from caller: Identity, now: MonotonicTime
  ) {
    guard let call = callTable.call(head.id), call.caller == caller else { return }
    cancel(head.id, "the caller cancelled the call", now: now)
  }

  /// Cancels a call that has no waiting caller any more, and notifies its server.
  mutating func cancel(_ id: String, _ why: String, now: MonotonicTime) {
    guard let call = callTable.call(id) else { return }
    send(ControlMessage.Cancel(id: id), to: call.server)
    endCall(id, code: "cancelled", why, now: now)
  }

  mutating func endCall(_ id: String, code: String, _ message: String, now: MonotonicTime) {
    finish(
      id, CallTable.Reply(head: Self.failure(id, code: code, message), payload: []), now: now)
  }

  private mutating func finish(_ id: String, _ reply: CallTable.Reply, now: MonotonicTime) {
    guard let call = callTable.end(id, reply, now: now) else { return }
    mirrorReply(call, reply, now: now)
    send(reply.head, reply.payload, to: call.caller)
  }

  private mutating func fail(
    _ id: String, code: String, _ message: String, to caller: Identity
  ) {
    send(Self.failure(id, code: code, message), [], to: caller)
  }

  static func failure(_ id: String, code: String, _ message: String) -> ControlMessage.Reply {
    ControlMessage.Reply(id: id, ok: false, code: code, message: message)
  }
}
