import BusClient
import ByteStage
import CallCases
import Foundations
import Messages
import NodeKit
import Stage
import Testing

@testable import Harness

/// Serves every call of the contract and says yes without reading the request.
private struct AcceptingStage: ByteStage {
  static let names = Calls.all.map(\.name).filter { !$0.contains("<") }
  static let manifest = Manifest(name: "toy-agreeing", about: "Agrees.", serves: names)

  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    guard case .call(let request) = event else { return [] }
    return [.reply(callID: request.id, outcome: .ok(payload: []))]
  }
}

/// What a harness does not let through to a stage, whoever the stage is and wherever it runs.
@Suite(.serialized) struct RequestRefusalTests {
  private let unknown = MessagePackValue.map([.init("no_such_field", .int(1))]).encoded()

  private func check(
    _ call: String, _ code: String, _ message: String, _ field: String?,
    from place: SourceLocation = #_sourceLocation
  ) {
    #expect(code == "invalid", "\(call)", sourceLocation: place)
    #expect(field == "no_such_field", "\(call)", sourceLocation: place)
    #expect(message.contains("\(call): "), sourceLocation: place)
    #expect(message.contains("unknown field \"no_such_field\""), sourceLocation: place)
  }

  @Test("in one process every call refuses an unknown field and a request that is too large, RT-22")
  func memory() throws {
    let harness = MemoryHarness()
    try harness.add(AcceptingStage.self, name: "agreeing")
    for call in AcceptingStage.names {
      guard case .failed(let error)? = harness.settle(call: call, payload: unknown) else {
        Issue.record("\(call) was answered")
        continue
      }
      check(call, error.code, error.message, error.field)
      let declaration = try #require(Calls.declaration(of: call))
      let large = [UInt8](repeating: 0x80, count: declaration.maxSizeBytes + 1)
      guard case .failed(let refusal)? = harness.settle(call: call, payload: large) else {
        Issue.record("\(call) was answered")
        continue
      }
      #expect(refusal.code == "invalid")
      #expect(refusal.message.contains("at most \(declaration.maxSizeBytes) "))
    }
    #expect(harness.settle(call: "navigate/stop", payload: [0x80]) == .ok(payload: []))
    let refusals = harness.refusals["agreeing"]
    #expect(refusals?["navigate/stop unknown_field"] == 1)
    #expect(refusals?["navigate/stop too_large"] == 1)
  }

  @Test("over the bus every call refuses an unknown field and a request that is too large, RT-22")
  func bus() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    let node = try stack.start(AcceptingStage.self, "agreeing")
    defer { node.end() }
    for call in AcceptingStage.names {
      guard
        case .failed(let code, let message, let field) = outside.callAndWait(
          call, payload: unknown)
      else {
        Issue.record("\(call) was answered")
        continue
      }
      check(call, code, message, field)
    }
    let large = [UInt8](repeating: 0x80, count: 4_097)
    guard
      case .failed(let code, let message, _) = outside.callAndWait(
        "navigate/stop", payload: large)
    else {
      Issue.record("a request that is too large was answered")
      return
    }
    #expect(code == "invalid" && message.contains("4097 bytes"))
    #expect(outside.callAndWait("navigate/stop", payload: [0x80]) == .ok(payload: []))
  }

  @Test("in lock-step every call refuses an unknown field, RT-22")
  func lockStep() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let node = try stack.start(AcceptingStage.self, "agreeing", isLockStep: true)
    defer { node.end() }
    let client = try stack.client("conductor")
    defer { client.close() }
    #expect(client.waitForBroker(timeoutMS: 5_000))
    let conductor = Conductor()
    conductor.add(
      try RemoteNode(name: "agreeing", facts: NodeFacts(AcceptingStage.manifest), client: client))
    for call in AcceptingStage.names {
      var end: EncodedOutcome?
      conductor.call(call, payload: unknown) { end = $0 }
      _ = conductor.run()
      guard case .failed(let error)? = end else {
        Issue.record("\(call) was answered")
        continue
      }
      check(call, error.code, error.message, error.field)
    }
  }

  private static let batches: [(String, code: CallCode, field: String?, payload: [UInt8])] = [
    (
      "an unknown field", CallCode("_lockstep/<node>", "invalid"), "no_such_field",
      MessagePackValue.map([.init("no_such_field", .int(1))]).encoded()
    ),
    (
      "an unknown field of an event", CallCode("_lockstep/<node>", "invalid"),
      "events[0].no_such_field",
      MessagePackValue.map([
        .init("events", .array([.map([.init("no_such_field", .int(1))])]))
      ]).encoded()
    ),
    (
      "no map", CallCode("_lockstep/<node>", "invalid"), nil, MessagePackValue.int(1).encoded()
    ),
  ]

  @Test("a node in lock-step refuses a batch that is none, RT-22, BUS-5")
  func batch() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let node = try stack.start(AcceptingStage.self, "agreeing", isLockStep: true)
    defer { node.end() }
    let client = try stack.client("conductor")
    defer { client.close() }
    #expect(client.waitForBroker(timeoutMS: 5_000))
    for batch in Self.batches {
      guard
        case .failed(let code, _, let field) = client.callAndWait(
          "_lockstep/agreeing", payload: batch.payload)
      else {
        Issue.record("\(batch.0) was answered")
        continue
      }
      #expect(code == batch.code.code && field == batch.field, "\(batch.0)")
    }
    for fault in CallCoverage.faults(of: Self.batches.map(\.code), in: "NodeKitTests") {
      Issue.record("\(fault)")
    }
  }
}
