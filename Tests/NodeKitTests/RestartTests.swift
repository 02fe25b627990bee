import BusClient
import BusProtocol
import Testing

/// What is left of a node that was restarted when the broker is, too.
@Suite struct RestartTests {
  @Test func `a restarted node's state outlives the broker that had it, BUS-6`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let writer = try stack.client("writer")
    defer { writer.close() }
    let reader = try stack.client("reader")
    defer { reader.close() }
    #expect(reader.subscribe(["ego/toy/out"], waitingMS: 5_000))
    let first = try stack.start(CountingStage.self, "counting")
    writer.publish("ego/toy/in", [3])
    #expect(reader.deliveries(1) { $0.leaf == "toy/out" }.map(\.payload) == [[3]])
    first.end()
    // It takes its state back, and has nothing new to say of it.
    let second = try stack.start(CountingStage.self, "counting")
    try stack.restartBroker()
    #expect(
      eventually { reader.topicReports()?.contains { $0.name == "_state/counting" } == true })
    second.end()

    let third = try stack.start(CountingStage.self, "counting")
    defer { third.end() }
    #expect(reader.subscribe(["ego/toy/never"], waitingMS: 5_000))
    writer.publish("ego/toy/in", [4])
    #expect(reader.deliveries(1) { $0.leaf == "toy/out" }.map(\.payload) == [[7]])
  }
}
