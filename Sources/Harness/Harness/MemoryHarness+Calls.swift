import Stage

/// Who waits for the end of a call in a `MemoryHarness`.
enum MemoryCaller {
  case stage(node: MemoryNode, vehicle: String, token: UInt64)
  case outside((CallOutcome) -> Void)
}

struct MemoryCall {
  var server: MemoryNode
  var vehicle: String
  var caller: MemoryCaller
}

extension MemoryHarness {
  func beginCall(_ name: String, payload: [UInt8], vehicle: String, caller: MemoryCaller) {
    guard let server = nodes.first(where: { $0.host.manifest.serves.contains(name) }) else {
      finish(
        caller,
        .failed(CallError(code: "no_such_service", message: "no node of the stack serves \(name)")))
      return
    }
    callCount += 1
    // Fixed width: identities sort as they came.
    let digits = String(callCount)
    let id = "call-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    calls[id] = MemoryCall(server: server, vehicle: vehicle, caller: caller)
    deliver(
      .call(CallRequest(id: id, name: name, stamp: now, payload: payload)), to: server,
      vehicle: vehicle, cause: nil)
  }

  /// Gives the caller the end of a call; a second end is nobody's.
  func endCall(_ id: String, _ outcome: CallOutcome) {
    guard let call = calls.removeValue(forKey: id) else { return }
    finish(call.caller, outcome)
  }

  func cancelCall(of node: MemoryNode, vehicle: String, token: UInt64) {
    for (id, call) in calls {
      guard case .stage(let caller, let owner, let own) = call.caller, caller === node,
        owner == vehicle, own == token
      else { continue }
      endCall(id, .failed(CallError(code: "cancelled", message: "the caller gave up")))
      deliver(.cancelled(callID: id), to: call.server, vehicle: call.vehicle, cause: nil)
      return
    }
  }

  func failCalls(servedBy node: MemoryNode) {
    for (id, call) in calls.sorted(by: { $0.key < $1.key }) where call.server === node {
      endCall(
        id, .failed(CallError(code: "server_restarted", message: "\(node.name) was restarted")))
    }
  }

  /// Ends calls that nobody will answer any more, because nothing is left to happen.
  func failUnansweredCalls() -> Bool {
    guard !calls.isEmpty else { return false }
    for (id, call) in calls.sorted(by: { $0.key < $1.key }) {
      endCall(
        id, .failed(CallError(code: "timeout", message: "\(call.server.name) did not answer")))
    }
    return true
  }

  private func finish(_ caller: MemoryCaller, _ outcome: CallOutcome) {
    switch caller {
    case .outside(let completion): completion(outcome)
    case .stage(let node, let vehicle, let token):
      deliver(
        .reply(token: token, stamp: now, outcome: outcome), to: node, vehicle: vehicle, cause: nil)
    }
  }
}
