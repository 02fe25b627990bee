import BusProtocol
import DequeModule
import ZMQ

/// The calls that this node serves or has answered in the last minute.
///
/// A retry through a new broker gets the stored answer; the call is not executed again.
struct ServedCalls {
  private enum State {
    case unknown
    case running
    case answered(ControlMessage.Reply, [UInt8])
  }

  private let client: BusClient
  private var open: Set<String> = []
  private var replies: [String: (ControlMessage.Reply, [UInt8])] = [:]
  private var order = Deque<(id: String, at: MonotonicTime, bytes: Int)>()
  private var bytes = 0

  init(_ client: BusClient) { self.client = client }

  /// Passes a call on, or answers it again.
  mutating func handle(
    _ head: ControlMessage.Call, _ payload: [UInt8], over control: borrowing ControlSocket,
    now: MonotonicTime
  ) {
    let id = head.id
    switch state(of: id) {
    case .running: return
    case .answered(let reply, let bytes):
      control.send(reply, bytes)
      return
    case .unknown: break
    }
    guard client.inbox.count < Inbox.callDepth * 10, open.count < Inbox.callDepth else {
      open.insert(id)
      return reply(
        id, .failed(code: "busy", message: "too many calls are waiting", field: nil),
        over: control, now: now)
    }
    open.insert(id)
    client.inbox.append(
      .call(
        IncomingCall(
          id: id, name: head.name, vehicle: head.vehicle, source: head.src ?? "",
          payload: payload, arrival: now,
          deadline: now.advanced(byMS: Int64(clamping: head.timeoutMs)))))
  }

  /// Answers a call; a second answer is ignored.
  mutating func reply(
    _ id: String, _ end: CallEnd, over control: borrowing ControlSocket, now: MonotonicTime
  ) {
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
    guard self.end(id, head, payload, now: now) else { return }
    control.send(head, payload)
  }

  private func state(of id: String) -> State {
    if open.contains(id) { return .running }
    return replies[id].map { .answered($0.0, $0.1) } ?? .unknown
  }

  /// Ends a call; false if it had ended before.
  private mutating func end(
    _ id: String, _ head: ControlMessage.Reply, _ payload: [UInt8], now: MonotonicTime
  ) -> Bool {
    guard open.remove(id) != nil else { return false }
    replies[id] = (head, payload)
    order.append((id, now, payload.count))
    bytes += payload.count
    return true
  }

  /// Forgets old replies.
  mutating func forget(now: MonotonicTime) {
    while let oldest = order.first,
      bytes > StoredReplies.maximumBytes
        || now.milliseconds(since: oldest.at) > StoredReplies.lifetimeMS
    {
      _ = order.popFirst()
      bytes -= oldest.bytes
      replies[oldest.id] = nil
    }
  }
}
