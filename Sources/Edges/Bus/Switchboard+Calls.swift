extension Switchboard {
  /// The longest deadline that is kept; a caller that asks for more gets this.
  private static let maximumTimeoutMS: UInt64 = 3_600_000

  mutating func beginCall(
    _ head: Control, _ payload: [UInt8], from caller: Identity, now: MonotonicTime
  ) {
    guard let id = head.id, !id.isEmpty, id.utf8.count <= 128, let name = head.name,
      let timeoutMS = head.timeoutMS
    else {
      return fail(
        head.id ?? "", code: "invalid", "a call has id (1 to 128 bytes), name and timeout_ms",
        to: caller)
    }
    if let stored = desk.stored(id) { return send(stored.head, stored.payload, to: caller) }
    if desk.call(id) != nil { return desk.redirect(id, to: caller) }
    guard let service = desk.services[name] else {
      return fail(id, code: "no_such_service", "no node on the bus answers \(name)", to: caller)
    }
    guard let server = service.server else {
      desk.countRefusal(of: name)
      return fail(
        id, code: "unavailable", "\(service.serverName), which answers \(name), is away",
        to: caller)
    }
    guard service.pending < CallDesk.maximumPending else {
      desk.countRefusal(of: name)
      return fail(
        id, code: "busy", "\(service.serverName) has too many calls to answer", to: caller)
    }
    let patience = min(timeoutMS, Self.maximumTimeoutMS)
    desk.begin(
      CallDesk.Call(
        id: id, name: name, caller: caller, server: server,
        deadline: now.advanced(byMS: Int64(patience))))
    var request = Control(.call)
    request.id = id
    request.name = name
    request.vehicle = head.vehicle
    request.timeoutMS = patience
    request.source = registry.node(at: caller)?.name ?? head.source
    send(request, payload, to: server)
  }

  mutating func takeReply(
    _ head: Control, _ payload: [UInt8], from server: Identity, now: MonotonicTime
  ) {
    guard let id = head.id, head.isOK != nil else { return count("malformed_control") }
    guard let call = desk.call(id), call.server == server else { return desk.countLate() }
    finish(id, CallDesk.Reply(head: head, payload: payload), now: now)
  }

  mutating func cancelCall(_ head: Control, from caller: Identity, now: MonotonicTime) {
    guard let id = head.id, let call = desk.call(id), call.caller == caller else { return }
    var cancel = Control(.cancel)
    cancel.id = id
    send(cancel, to: call.server)
    endCall(id, code: "cancelled", "the caller gave up", now: now)
  }

  mutating func endCall(_ id: String, code: String, _ message: String, now: MonotonicTime) {
    finish(
      id, CallDesk.Reply(head: Self.failure(id, code: code, message), payload: []), now: now)
  }

  private mutating func finish(_ id: String, _ reply: CallDesk.Reply, now: MonotonicTime) {
    guard let call = desk.end(id, reply, now: now) else { return }
    send(reply.head, reply.payload, to: call.caller)
  }

  private mutating func fail(
    _ id: String, code: String, _ message: String, to caller: Identity
  ) {
    send(Self.failure(id, code: code, message), [], to: caller)
  }

  private static func failure(_ id: String, code: String, _ message: String) -> Control {
    var head = Control(.reply)
    head.id = id
    head.isOK = false
    head.code = code
    head.message = message
    return head
  }
}
