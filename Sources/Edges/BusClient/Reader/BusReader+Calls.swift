import BusProtocol
import ZMQ

extension BusReader {
  /// Delay after a call's deadline at which the caller ends the call if the broker did not.
  static let graceMS: Int64 = 500

  /// How long callers of a new broker wait for their servers to reconnect to it.
  static let reunionMS: Int64 = 2_000
  static let retryMS: Int64 = 50

  /// Repeats at a new broker the calls that the old one did not answer.
  mutating func repeatCalls(now: MonotonicTime) {
    for id in calls.keys.sorted() {
      calls[id]?.repeatUntil = now.advanced(byMS: Self.reunionMS)
      if let call = calls[id] { sendCall(call) }
    }
  }

  mutating func begin(_ call: OutgoingCall) {
    guard call.payload.count <= Socket.maximumPartBytes else {
      return call.completion(
        .failed(
          code: "invalid", message: "a request of \(call.payload.count) bytes is too large",
          field: nil))
    }
    calls[call.id] = call
    deadlines.insert(call.id, at: call.deadline)
    if isRegistered { sendCall(call) }
  }

  func sendCall(_ call: OutgoingCall) {
    let request = ControlMessage.Call(
      name: call.name, src: client.configuration.name, id: call.id, vehicle: call.vehicle,
      timeoutMs: UInt64(max(1, call.deadline.millisecondsLeft())))
    send(request, call.payload)
  }

  mutating func cancel(_ id: String) {
    guard calls[id] != nil else { return }
    if !isRegistered || !send(ControlMessage.Cancel(id: id)) {
      end(id, .failed(code: "cancelled", message: "the caller cancelled the call", field: nil))
    }
  }

  mutating func takeReply(_ head: ControlMessage.Reply, _ payload: [UInt8], now: MonotonicTime) {
    let id = head.id
    let isMissing = head.code == "no_such_service" || head.code == "unavailable"
    if isMissing, let until = calls[id]?.repeatUntil, now < until {
      // The server, too, is still on its way to the new broker.
      return retries.insert(id, at: now.advanced(byMS: Self.retryMS))
    }
    end(
      id,
      head.ok
        ? .ok(payload: payload)
        : .failed(
          code: head.code ?? "internal", message: head.message ?? "no reason given",
          field: head.field))
  }

  private mutating func end(_ id: String, _ end: CallEnd) {
    calls.removeValue(forKey: id)?.completion(end)
  }

  mutating func expireCalls(now: MonotonicTime) {
    while let id = retries.popDue(now) {
      if let call = calls[id] { sendCall(call) }
    }
    while let id = deadlines.popDue(now) {
      guard let call = calls[id] else { continue }
      let isReached = isRegistered
      let limit = call.deadline.advanced(byMS: Self.graceMS)
      if isReached, now < limit {
        deadlines.insert(id, at: limit)
        continue
      }
      end(
        id,
        .failed(
          code: isReached ? "timeout" : "unavailable",
          message: isReached ? "the call was not answered in time" : "no broker is connected",
          field: nil))
    }
  }

  mutating func takeCall(_ head: ControlMessage.Call, _ payload: [UInt8], now: MonotonicTime) {
    let id = head.id
    switch served.state(of: id) {
    case .running: return
    case .answered(let reply, let bytes):
      send(reply, bytes)
      return
    case .unknown: break
    }
    guard client.inbox.count < Inbox.callDepth * 10, served.running < Inbox.callDepth else {
      served.begin(id)
      return answer(
        id, .failed(code: "busy", message: "too many calls are waiting", field: nil), now: now)
    }
    served.begin(id)
    client.inbox.append(
      .call(
        IncomingCall(
          id: id, name: head.name, vehicle: head.vehicle, source: head.src ?? "",
          payload: payload, arrival: now,
          deadline: now.advanced(byMS: Int64(clamping: head.timeoutMs)))))
  }

  mutating func answer(_ id: String, _ end: CallEnd, now: MonotonicTime) {
    var payload: [UInt8] = []
    let head: ControlMessage.Reply
    switch end {
    case .ok(let bytes) where bytes.count > Socket.maximumPartBytes:
      head = ControlMessage.Reply(
        id: id, ok: false, code: "internal",
        message: "a reply of \(bytes.count) bytes is too large")
    case .ok(let bytes):
      head = ControlMessage.Reply(id: id, ok: true)
      payload = bytes
    case .failed(let code, let message, let field):
      head = ControlMessage.Reply(id: id, ok: false, code: code, message: message, field: field)
    }
    guard served.end(id, head, payload, now: now) else { return }
    send(head, payload)
  }
}

/// The calls that this node serves or has answered in the last minute.
///
/// A retry through a new broker gets the stored answer; the call is not executed again.
struct ServedCalls {
  enum State {
    case unknown
    case running
    case answered(ControlMessage.Reply, [UInt8])
  }

  private var open: Set<String> = []
  private var replies: [String: (ControlMessage.Reply, [UInt8])] = [:]
  private var order = RingQueue<(id: String, at: MonotonicTime, bytes: Int)>()
  private var bytes = 0

  var running: Int { open.count }

  func state(of id: String) -> State {
    if open.contains(id) { return .running }
    return replies[id].map { .answered($0.0, $0.1) } ?? .unknown
  }

  mutating func begin(_ id: String) { open.insert(id) }

  /// Ends a call; false if it had ended before.
  mutating func end(
    _ id: String, _ head: ControlMessage.Reply, _ payload: [UInt8], now: MonotonicTime
  ) -> Bool {
    guard open.remove(id) != nil else { return false }
    replies[id] = (head, payload)
    order.append((id, now, payload.count))
    bytes += payload.count
    return true
  }

  mutating func forget(now: MonotonicTime) {
    while let oldest = order.first,
      bytes > StoredReplies.maximumBytes
        || now.milliseconds(since: oldest.at) > StoredReplies.lifetimeMS
    {
      order.removeFirst()
      bytes -= oldest.bytes
      replies[oldest.id] = nil
    }
  }
}
