import BusClient
import BusProtocol
import Messages
import NodeKit
import Stage
import Testing

@testable import Harness

/// What a node tells of what its stage is given, for replays.
@Suite struct JournalTests {
  @Test func `a journaled node tells each event before what it leads to, BUS-7`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["_journal/counting", "ego/toy/out"], waitingMS: 5_000))
    let node = try stack.start(
      CountingStage.self, "counting", environment: ["NAV_JOURNAL": "1"])
    defer { node.end() }
    outside.publish("ego/toy/in", [3])
    _ = outside.deliveries(1) { $0.leaf == "toy/in" || $0.leaf == "toy/out" }
    #expect(outside.callAndWait("toy/add", payload: [9, 9]) == .ok(payload: [18]))
    outside.publish("ego/toy/in", [4])
    var said: [String] = []
    var entries: [NodeJournal] = []
    _ = outside.deliveries(1) { delivery in
      if delivery.topic == "_journal/counting",
        let entry = try? NodeJournal(decoding: delivery.payload)
      {
        entries.append(entry)
        said.append(entry.event.rawValue)
      } else if delivery.leaf == "toy/out" {
        said.append("out")
      }
      return said.count { $0 == "out" } == 2
    }
    // The first message and what it led to were taken while it was waited for.
    #expect(said.suffix(4) == ["call", "out", "message", "out"], "\(said)")
    let call = try #require(entries.last { $0.event == .call })
    #expect(call.name == "toy/add" && call.payload == [9, 9] && call.stampNs != nil)
    let message = try #require(entries.last)
    #expect(message.topic == "toy/in" && message.source == "outside" && message.seq == 2)
    #expect(message.run == outside.configuration.run && message.payload == nil)
  }

  @Test func `a node that nobody records tells nothing, BUS-7`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    let node = try stack.start(CountingStage.self, "counting")
    defer { node.end() }
    #expect(outside.callAndWait("toy/add", payload: [9, 9]) == .ok(payload: [18]))
    #expect(
      outside.topicReports()?.contains { $0.name.hasPrefix("_journal/") && $0.messages > 0 }
        == false)
  }
}
