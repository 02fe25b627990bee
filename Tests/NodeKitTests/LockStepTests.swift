import BusClient
import Foundations
import Messages
import NodeKit
import Stage
import Synchronization
import Testing

@testable import Harness

/// The same stages led by a conductor: in this process, and as nodes of a bus.
@Suite(.serialized) struct LockStepTests {
  private static let limit = ClockStage.day.advanced(bySeconds: 25)

  private func transcript(_ nodes: [any ConductedNode]) -> [PublishedMessage] {
    let conductor = Conductor()
    var messages: [PublishedMessage] = []
    conductor.tap = { messages.append($0) }
    conductor.publishesStates = true
    for node in nodes { conductor.add(node) }
    #expect(conductor.run(until: Self.limit) == .timeLimit)
    return messages
  }

  private func remote<S: Stage>(
    _ stage: S.Type, _ name: String, _ client: BusClient
  ) throws -> RemoteNode {
    try RemoteNode(name: name, facts: NodeFacts(S.manifest), client: client)
  }

  @Test func `processes say what one process says, byte for byte, BUS-7`() throws {
    let local = transcript([
      LocalNode(ClockStage.self, name: "ticking", shared: ()),
      LocalNode(CountingStage.self, name: "counting", shared: 2),
      LocalNode(CallingStage.self, name: "asking", shared: ()),
    ])
    #expect(local.contains { $0.topic == "_state/counting" && $0.key == "ego" })
    let stack = try TestStack()
    let nodes = [
      try stack.start(ClockStage.self, "ticking", isLockStep: true),
      try stack.start(CountingStage.self, "counting", parameters: ["step": 2], isLockStep: true),
      try stack.start(CallingStage.self, "asking", isLockStep: true),
    ]
    let client = try stack.client("conductor")
    #expect(client.waitForBroker(timeoutMS: 5_000))
    let far = transcript([
      try remote(ClockStage.self, "ticking", client),
      try remote(CountingStage.self, "counting", client),
      try remote(CallingStage.self, "asking", client),
    ])
    #expect(far == local)
    client.close()
    for node in nodes { node.end() }
    stack.end()
  }

  @Test func `a node that goes away ends the run, and is named`() throws {
    let stack = try TestStack()
    let node = try stack.start(CountingStage.self, "counting", isLockStep: true)
    let client = try stack.client("conductor")
    #expect(client.waitForBroker(timeoutMS: 5_000))
    let conductor = Conductor()
    conductor.add(try remote(CountingStage.self, "counting", client))
    conductor.publish(topic: "toy/in", stamp: ClockStage.day, payload: [1])
    #expect(conductor.run() == .idle)
    node.end()
    conductor.publish(topic: "toy/in", stamp: ClockStage.day, payload: [1])
    guard case .lost(let lost) = conductor.run() else {
      Issue.record("the run should have ended with the node")
      return
    }
    #expect(lost.node == "counting")
    client.close()
    stack.end()
  }

  @Test func `in lock-step attachments see what is said, and cannot speak`() throws {
    let stack = try TestStack()
    let attachment = PublishingAttachment()
    let node = try stack.start(
      CountingStage.self, "counting", attachments: [attachment], isLockStep: true)
    let client = try stack.client("conductor")
    #expect(client.subscribe(["ego/toy/out"], waitingMS: 5_000))
    let conductor = Conductor()
    conductor.add(try remote(CountingStage.self, "counting", client))
    conductor.publish(topic: "toy/in", stamp: ClockStage.day, payload: [4])
    #expect(conductor.run() == .idle)
    #expect(attachment.heard.withLock { $0 } == ["toy/out"])
    // It has answered the next batch, and so done what the attachment wanted before it.
    conductor.publish(topic: "toy/in", stamp: ClockStage.day, payload: [4])
    #expect(conductor.run() == .idle)
    #expect(client.queueLength == 0)
    client.close()
    node.end()
    stack.end()
  }

  @Test func `events and outputs travel whole`() throws {
    let stamp = Instant(nanoseconds: 5)
    let error = CallError(code: "no_route", message: "none", field: "to")
    let events: [EncodedEvent] = [
      .message(
        EncodedMessage(
          topic: "toy/in", stamp: stamp, source: "a", run: 2, sequence: 3, key: "k",
          isLatched: true, payload: [1, 2])),
      .message(
        EncodedMessage(topic: "toy/in", stamp: stamp, source: "a", run: 2, sequence: 4, payload: [])
      ),
      .call(EncodedCall(id: "c", name: "toy/add", stamp: stamp, payload: [9])),
      .cancelled(callID: "c"), .reply(token: 7, stamp: stamp, outcome: .ok(payload: [])),
      .reply(token: 7, stamp: stamp, outcome: .failed(error)), .wake(now: stamp),
      .clockReset(now: stamp),
    ]
    let batch = EventBatch(
      now: stamp, items: events.map { EventBatch.Item(vehicle: "ego", event: $0) },
      wantsStates: true)
    let read = try EventBatch(try LockstepRequest(decoding: batch.request.encoded()))
    #expect(read.items.map(\.event) == events)
    #expect(read.now == stamp && read.wantsStates)

    let outputs: [EncodedOutput] = [
      .publish(
        topic: "t", stamp: stamp, payload: [1], key: "k", ttlMS: 9,
        cause: Cause(topic: "c", source: "s", run: 1, sequence: 2)),
      .publish(topic: "t", stamp: stamp, payload: []),
      .call(name: "toy/add", payload: [1], timeoutMS: 5, token: 6), .cancelCall(token: 6),
      .reply(callID: "c", outcome: .failed(error)), .wake(at: stamp), .log(.warning, "x"),
      .count("n", -2), .degraded("why"), .degraded(nil),
      .setClock(now: stamp, rate: 0.5, isPaused: true, run: 8),
    ]
    let answer = BatchAnswer(
      results: [
        .success(outputs),
        .failure(Refusal(reason: "does_not_decode", message: "m", field: "f")),
      ], states: [BatchAnswer.State(vehicle: "ego", payload: nil)])
    let back = try BatchAnswer(try LockstepReply(decoding: answer.reply.encoded()))
    #expect("\(back.results)" == "\(answer.results)")
    #expect(back.states == answer.states)
  }
}

/// Hears what its stage says, and wants to say something itself each time.
private final class PublishingAttachment: NodeAttachment {
  let heard = Mutex<[String]>([])
  private let node = Mutex<(any NodeHandle)?>(nil)

  func start(_ node: any NodeHandle) throws(StageFailure) { self.node.withLock { $0 = node } }

  func didPublish(_ message: PublishedMessage) {
    heard.withLock { $0.append(message.topic) }
    node.withLock { $0 }?.publish(
      topic: "toy/out", stamp: message.stamp, payload: [0], key: nil, ttlMS: nil, cause: nil,
      vehicle: "ego")
  }
}
