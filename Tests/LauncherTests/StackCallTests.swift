import BusClient
import BusProtocol
import CallCases
import Foundation
import Launcher
import MessagePack
import Messages
import Testing

/// A stack that runs, and a client that makes calls about it.
private struct RunningStack {
  let ground: StackFolder
  let launched: LauncherProcess
  let client: BusClient

  init() throws {
    ground = try StackFolder()
    try ground.stack(
      """
      stack: s
      nodes:
        one: {run: "@NODE"}
        many: {run: "@NODE", replicas: 2}
      """)
    // Asked what it is, it does not answer for longer than the calls after it take.
    try ground.write("#!/bin/sh\nexec sleep 5\n", to: "silent")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: "\(ground.folder)/silent")
    launched = try LauncherProcess(ground, "stack.yaml")
    try #require(launched.line(with: "all ready") != nil, "\(launched.text)")
    client = try BusClient(
      BusClient.Configuration(
        address: try Self.address(ground), name: "caller", kind: "tool", table: TopicTable([])))
    try #require(client.waitForBroker(timeoutMS: 5_000))
  }

  private static func address(_ ground: StackFolder) throws -> BusAddress {
    try BusAddress("ipc://\(ground.folder)/run/navstack/s")
  }

  /// Plays the replica of `many` on a lane, which a drawn node does not do.
  func replica(_ lane: Int) throws -> BusClient {
    let replica = try BusClient(
      BusClient.Configuration(
        address: try Self.address(ground), name: "many.\(lane - 1)", table: TopicTable([]),
        lane: lane, group: "many"))
    try #require(replica.waitForBroker(timeoutMS: 5_000))
    return replica
  }

  func call(_ name: String, _ payload: [UInt8]) -> CallEnd {
    client.callAndWait(name, payload: payload, timeoutMS: 20_000)
  }

  func call(_ request: some RequestMessage) -> CallEnd {
    call(type(of: request).call, request.encoded())
  }
}

/// A call of stack/* that fails.
private struct FailingStackCall: Sendable {
  var code: CallCode
  var because: String
  var field: String?
  /// Makes the call; the stack stays as it is left for the cases that follow.
  var end: @Sendable (RunningStack) throws -> CallEnd

  init(
    _ call: String, _ code: String, _ because: String, field: String? = nil,
    end: @escaping @Sendable (RunningStack) throws -> CallEnd
  ) {
    self.code = CallCode(call, code)
    self.because = because
    self.field = field
    self.end = end
  }

  /// The same request that must fail for several calls.
  static func all(
    _ code: String, _ because: String, _ requests: [any RequestMessage]
  ) -> [FailingStackCall] {
    requests.map { request in
      FailingStackCall(type(of: request).call, code, because) { $0.call(request) }
    }
  }
}

/// Every error code of the calls that the launcher serves, over a real stack of drawn nodes.
@Suite(.serialized) struct StackCallTests {
  private static func requests(_ node: String) -> [any RequestMessage] {
    [
      StackRestartRequest(node: node), StackStopRequest(node: node), StackStartRequest(node: node),
      StackSwapRequest(node: node, run: "drawn-node"),
      StackScaleRequest(node: node, replicas: 2),
    ]
  }

  private static let unknownFields: [FailingStackCall] = Calls.all.filter {
    $0.server == "navlaunch"
  }.map { call in
    FailingStackCall(call.name, "invalid", "an unknown field", field: "no_such_field") {
      $0.call(call.name, MessagePackValue.map([.init("no_such_field", .int(1))]).encoded())
    }
  }

  /// In this order: the last ones leave the stack changed.
  private static let cases: [FailingStackCall] = [
    unknownFields,
    FailingStackCall.all(
      "no_such_node", "a node that the stack does not have",
      requests("two") + [StackLogRequest(node: "two")]),
    FailingStackCall.all(
      "invalid", "a request that nothing can follow",
      [
        StackSwapRequest(node: "one", run: ""), StackSwapRequest(node: "one", run: "nowhere"),
        StackScaleRequest(node: "one", replicas: 2),
      ]),
    FailingStackCall.all(
      "does_not_fit", "a program that does not say what it is",
      [StackSwapRequest(node: "one", run: "/bin/false")]),
    FailingStackCall.all(
      "failed", "a node that the broker does not know, so that nothing can be handed over",
      [StackSwapRequest(node: "one", run: "drawn-node")]),
    [
      FailingStackCall(
        "stack/scale", "failed", "a replica that the broker does not know, beside two that it does"
      ) { stack in
        let replicas = try [1, 2].map { try stack.replica($0) }
        defer { for replica in replicas { replica.close() } }
        return stack.call(StackScaleRequest(node: "many", replicas: 3))
      }
    ],
    stopped.map { request in
      FailingStackCall(type(of: request).call, "not_ready", "a node that was stopped") { stack in
        _ = stack.call(StackStopRequest(node: "many"))
        return stack.call(request)
      }
    },
    requests("one").map { request in
      FailingStackCall(type(of: request).call, "busy", "a swap under way") { stack in
        stack.client.call(
          "stack/swap",
          payload: StackSwapRequest(node: "one", run: "\(stack.ground.folder)/silent").encoded(),
          timeoutMS: 20_000, completion: { _ in })
        return stack.call(request)
      }
    },
  ].flatMap { $0 }

  private static let stopped: [any RequestMessage] = [
    StackSwapRequest(node: "many", run: "drawn-node"), StackScaleRequest(node: "many", replicas: 3),
  ]

  @Test("a call about the stack ends with the code that its page declares, RT-22, BUS-5")
  func ends() throws {
    let stack = try RunningStack()
    defer { stack.client.close() }
    for one in Self.cases {
      guard case .failed(let code, let message, let field) = try one.end(stack) else {
        Issue.record("\(one.code) for \(one.because): the call did not fail")
        continue
      }
      #expect(code == one.code.code, "\(one.code) for \(one.because): \(message)")
      #expect(field == one.field, "\(one.code) for \(one.because): \(message)")
      #expect(message.split(separator: " ").count > 2, "\(message)")
    }
  }

  @Test("every error code of every call of the launcher has a case, RT-22, BUS-5")
  func complete() {
    for fault in CallCoverage.faults(of: Self.cases.map(\.code), in: "LauncherTests") {
      Issue.record("\(fault)")
    }
  }
}
