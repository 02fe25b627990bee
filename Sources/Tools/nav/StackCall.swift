import ArgumentParser
import Bus
import Foundation
import Messages

/// Calls to the launcher of a running stack.
enum StackCall {
  /// Exit codes of commands that change a stack: 0 done, 1 refused or undone, 2 nobody to ask.
  static let refused = ExitCode(1)
  static let nobody = ExitCode(2)

  /// A client, or an end with exit code 2.
  static func connect(_ stack: StackOptions) throws -> BusClient {
    do {
      return try stack.connect()
    } catch {
      complain("\(error)")
      throw nobody
    }
  }

  /// Makes a call; an error of the launcher's ends the command with exit code 1.
  static func make<Reply: CallMessage>(
    _ request: some CallMessage, _ client: BusClient, timeoutS: Double? = nil, as: Reply.Type
  ) throws -> Reply {
    let name = Reply.call
    let seconds = timeoutS ?? Calls.declaration(of: name)?.timeoutS ?? 10
    let end = client.callAndWait(
      name, payload: request.encoded(), timeoutMS: UInt32(min(seconds, 86_400) * 1_000))
    switch end {
    case .ok(let payload): return try Reply(decoding: payload)
    case .failed(let code, let message, _):
      complain(message.isEmpty ? code : message)
      throw ["no_such_service", "unavailable", "timeout"].contains(code) ? nobody : refused
    }
  }

  static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("nav: \(text)\n".utf8))
  }

  /// `1.4 ms`, `12 ms`.
  static func milliseconds(_ value: Double) -> String {
    value < 10 ? "\((value * 10).rounded() / 10) ms" : "\(Int(value.rounded())) ms"
  }
}

/// What a process says that it has missed, once it says anything.
enum LostMessages {
  /// Messages lost by the process `pid` of `node`; nil where it says nothing in `seconds`.
  static func count(
    of node: String, pid: Int64, _ client: BusClient, within seconds: Int = 3
  ) -> UInt64? {
    client.subscribe(["_node/\(node)/status"])
    defer { client.unsubscribe(["_node/\(node)/status"]) }
    let deadline = MonotonicTime.now.advanced(byMS: Int64(seconds) * 1_000)
    while deadline > .now {
      guard case .message(let delivery)? = client.next(waitingMS: 100),
        let status = try? NodeStatus(decoding: delivery.payload), status.pid == pid
      else { continue }
      return status.subscriptions.values.reduce(0) { $0 + $1.lost }
    }
    return nil
  }
}
