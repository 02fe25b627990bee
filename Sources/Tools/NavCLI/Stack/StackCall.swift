import ArgumentParser
import BusClient
import BusProtocol
import Foundation
import Messages

/// Calls to the launcher of a running stack.
enum StackCall {
  /// Exit codes of commands that change a stack: 0 done, 1 refused or undone, 2 no launcher to ask.
  static let refused = ExitCode(1)
  static let nobody = ExitCode(2)

  /// Returns a client, or ends with exit code 2.
  static func connect(_ stack: StackOptions) throws -> BusClient {
    do {
      return try stack.connect()
    } catch {
      complain("\(error)")
      throw nobody
    }
  }

  /// Makes a call; an error of the launcher ends the command with exit code 1.
  ///
  /// `node` is the node that the call concerns: the launcher does not know one that was started
  /// elsewhere.
  static func make<Reply: CallMessage>(
    _ request: some CallMessage, _ client: BusClient, timeoutS: Double? = nil,
    about node: String? = nil, as: Reply.Type
  ) throws -> Reply {
    let name = Reply.call
    let seconds = timeoutS ?? Calls.declaration(of: name)?.timeoutS ?? 10
    let end = client.callAndWait(
      name, payload: request.encoded(), timeoutMS: UInt32(min(seconds, 86_400) * 1_000))
    switch end {
    case .ok(let payload): return try Reply(decoding: payload)
    case .failed(let code, let message, _):
      complain(foreign(node, code, client) ?? (message.isEmpty ? code : message))
      throw ["no_such_service", "unavailable", "timeout"].contains(code) ? nobody : refused
    }
  }

  /// The reason why the launcher does not know a node that is on the bus; nil for other failures.
  private static func foreign(_ node: String?, _ code: String, _ client: BusClient) -> String? {
    guard code == "no_such_node", let node,
      let report = client.nodeReports()?.first(where: { $0.name == node && $0.isAlive })
    else { return nil }
    let place = report.host.isEmpty ? "" : " on \(report.host)"
    return "\(node) was not started by this stack's launcher: it is process \(report.pid)\(place); "
      + "stop or start it where it was started"
  }

  static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("nav: \(text)\n".utf8))
  }

  /// `1.4 ms`, `12 ms`.
  static func milliseconds(_ value: Double) -> String {
    value < 10 ? "\((value * 10).rounded() / 10) ms" : "\(Int(value.rounded())) ms"
  }
}

/// The losses that a process reports about itself.
enum LostMessages {
  /// Messages lost by the process `pid` of `node`; nil if it reports nothing in `seconds`.
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
