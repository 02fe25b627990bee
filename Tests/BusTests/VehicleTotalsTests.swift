import Testing

@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

/// What a node of a fleet counts is told for all vehicles together.
@Suite struct VehicleTotalsTests {
  private func frame(_ topic: String, _ sequence: UInt64) -> Message {
    let header = Header(
      sequence: sequence, stampNS: 5, source: "raw", run: 1, schema: "t/1.0",
      deliveryClass: .stream)
    return Message([Array(topic.utf8), header.encoded(), [1]])
  }

  @Test func `what was received adds up over vehicles, and losses are reported once, BUS-4 BUS-8`()
  {
    var reception = Reception(table: TopicTable())
    _ = reception.subscribe(["*/test/stream", "_x/"])
    let now = MonotonicTime(nanoseconds: 0)
    for sequence: UInt64 in [1, 2, 5] { reception.live(frame("a/test/stream", sequence), now: now) }
    for sequence: UInt64 in [1, 4] { reception.live(frame("b/test/stream", sequence), now: now) }
    reception.live(frame("_x/y", 1), now: now)
    let totals = reception.countersByLeaf
    #expect(Set(totals.keys) == ["test/stream", "_x/y"])
    #expect(totals["test/stream"]?.received == 5)
    #expect(totals["test/stream"]?.gaps == 2)
    #expect(totals["test/stream"]?.lost == 4)
    #expect(reception.drainLosses().map(\.topic) == ["a/test/stream", "b/test/stream"])
    #expect(reception.drainLosses().isEmpty)
    reception.live(frame("b/test/stream", 6), now: now)
    let new = reception.drainLosses()
    #expect(new.map(\.topic) == ["b/test/stream"])
    #expect(new.map(\.lost) == [1])
  }

  @Test func `what was published adds up over vehicles, BUS-8`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let writer = try client("writer", at: broker.address)
    defer { writer.close() }
    #expect(writer.waitForBroker(timeoutMS: 5_000))
    for topic in ["a/test/stream", "b/test/stream", "a/test/stream", "a/test/event"] {
      _ = writer.publish(
        Publication(topic: topic, stampNS: 1, schema: "t/1.0", payload: [1]))
    }
    let totals = writer.publicationsByLeaf
    #expect(totals["test/stream"]?.sent == 3)
    #expect(totals["test/stream"]?.lastSequence == 2)
    #expect(totals["test/event"]?.sent == 1)
    #expect(writer.lastSequence(of: "a/test/stream") == 2)
    #expect(writer.lastSequence(of: "c/test/stream") == nil)
  }
}
