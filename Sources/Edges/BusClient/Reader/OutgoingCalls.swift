import BusProtocol
import ZMQ

/// A call that a node makes.
struct OutgoingCall: Sendable {
  var id: String
  var name: String
  var vehicle: String?
  var payload: [UInt8]
  var deadline: MonotonicTime
  /// Time until which a new broker is asked again for a server that it does not know yet.
  var repeatUntil: MonotonicTime?
  var completion: @Sendable (CallEnd) -> Void
}

/// The calls that a node has made, from their start to their only end.
struct OutgoingCalls {
  /// Delay after a call's deadline at which the caller ends the call if the broker did not.
  static let graceMS: Int64 = 500

  /// How long callers of a new broker wait for their servers to reconnect to it.
  static let reunionMS: Int64 = 2_000
  static let retryMS: Int64 = 50

  /// Name of the node.
  private let source: String
  private var calls: [String: OutgoingCall] = [:]
  private var deadlines = DeadlineHeap<String>()
  private var retries = DeadlineHeap<String>()

  init(source: String) { self.source = source }

  /// Whether a call is repeated soon.
  var isRetrying: Bool { retries.next != nil }
  var nextDeadline: MonotonicTime? { deadlines.next }

  /// Makes a call, at once if the broker has registered the node.
  mutating func make(
    _ call: OutgoingCall, isRegistered: Bool, over control: borrowing ControlSocket
  ) {
    guard call.payload.count <= Socket.maximumPartBytes else {
      return call.completion(
        .failed(
          code: "invalid", message: "a request of \(call.payload.count) bytes is too large",
          field: nil))
    }
    calls[call.id] = call
    deadlines.insert(call.id, at: call.deadline)
    if isRegistered { send(call, over: control) }
  }

  /// Repeats at a new broker the calls that the old one did not answer.
  mutating func repeatAll(over control: borrowing ControlSocket, now: MonotonicTime) {
    for id in calls.keys.sorted() {
      calls[id]?.repeatUntil = now.advanced(byMS: Self.reunionMS)
      if let call = calls[id] { send(call, over: control) }
    }
  }

  private func send(_ call: OutgoingCall, over control: borrowing ControlSocket) {
    let request = ControlMessage.Call(
      name: call.name, src: source, id: call.id, vehicle: call.vehicle,
      timeoutMs: UInt64(max(1, call.deadline.millisecondsLeft())))
    control.send(request, call.payload)
  }

  mutating func cancel(_ id: String, isRegistered: Bool, over control: borrowing ControlSocket) {
    guard calls[id] != nil else { return }
    if !isRegistered || !control.send(ControlMessage.Cancel(id: id)) {
      end(id, .failed(code: "cancelled", message: "the caller cancelled the call", field: nil))
    }
  }

  mutating func handle(_ head: ControlMessage.Reply, _ payload: [UInt8], now: MonotonicTime) {
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

  /// Repeats the calls that are due, and ends those whose deadline has passed.
  mutating func handleDue(
    isRegistered: Bool, over control: borrowing ControlSocket, now: MonotonicTime
  ) {
    while let id = retries.popDue(now) {
      if let call = calls[id] { send(call, over: control) }
    }
    while let id = deadlines.popDue(now) {
      guard let call = calls[id] else { continue }
      let limit = call.deadline.advanced(byMS: Self.graceMS)
      if isRegistered, now < limit {
        deadlines.insert(id, at: limit)
        continue
      }
      end(
        id,
        .failed(
          code: isRegistered ? "timeout" : "unavailable",
          message: isRegistered ? "the call was not answered in time" : "no broker is connected",
          field: nil))
    }
  }

  /// Ends all calls, because the node leaves.
  mutating func end() {
    for call in calls.values {
      call.completion(.failed(code: "cancelled", message: "this node is shutting down", field: nil))
    }
    calls = [:]
  }
}
