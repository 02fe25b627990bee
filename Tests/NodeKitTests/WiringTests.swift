import BusClient
import BusProtocol
import Foundations
import Messages
import NodeKit
import Stage
import Testing

@testable import Harness

/// A node whose topics and calls have other names on the bus.
@Suite struct WiringTests {
  @Test func `a wired node reads, says, serves and names causes by the names on the bus, BUS-1`()
    throws
  {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["ego/toy/", "ego/second/", "_node/"], waitingMS: 5_000))
    let wire = Wiring([
      "toy/in": "second/in", "toy/out": "second/out", "toy/add": "second/add",
      "toy/slow": "second/slow",
      "guidance/milestone": "second/milestone",
    ])
    let plain = try stack.start(CountingStage.self, "counting")
    defer { plain.end() }
    let wired = try stack.start(
      CountingStage.self, "wired", environment: ["NAV_WIRE": wire.text])
    defer { wired.end() }
    outside.publish("ego/toy/in", [1])
    outside.publish("ego/second/in", [7])
    let said = outside.deliveries(3) {
      $0.leaf.hasSuffix("/out") || $0.leaf.hasSuffix("/milestone")
    }
    #expect(Set(said.map(\.topic)) == ["ego/toy/out", "ego/second/out", "ego/second/milestone"])
    for delivery in said where delivery.leaf.hasPrefix("second/") {
      #expect(delivery.header.cause?.topic == "second/in")
      #expect(delivery.header.source == "wired" && delivery.payload == [7])
    }
    // An event keeps its class and its schema under the other name.
    let milestone = try #require(said.first { $0.leaf == "second/milestone" })
    #expect(milestone.header.schema == Contract.schema(ofTopic: "guidance/milestone"))
    #expect(
      outside.topicReports()?.first { $0.name == "ego/second/milestone" }?.deliveryClass == .event)
    #expect(outside.callAndWait("second/add", payload: [2, 3]) == .ok(payload: [5]))
    let reports = try #require(outside.nodeReports())
    let report = try #require(reports.first { $0.name == "wired" })
    #expect(report.publishes.contains("second/out") && !report.publishes.contains("toy/out"))
    #expect(report.serves.contains("second/add") && !report.serves.contains("toy/add"))
    let status = try #require(
      outside.status { $0.node == "wired" && $0.subscriptions["second/in"]?.received == 1 })
    #expect(status.publications["second/out"]?.sent == 1)
  }

  @Test func `who calls by another name is answered under it, BUS-1`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["ego/toy/"], waitingMS: 5_000))
    let server = try stack.start(
      CountingStage.self, "counting", environment: ["NAV_WIRE": "toy/add=second/add"])
    defer { server.end() }
    let asking = try stack.start(
      CallingStage.self, "asking", environment: ["NAV_WIRE": "toy/add=second/add"])
    defer { asking.end() }
    let ticking = try stack.start(ClockStage.self, "ticking")
    defer { ticking.end() }
    let answer = try #require(outside.deliveries(1) { $0.leaf == "toy/answer" }.first)
    #expect(answer.payload == [2, 1])
    #expect(answer.header.cause?.topic == "_svc/second/add")
  }

  @Test func `words that are no wiring are refused by their place, BUS-1`() throws {
    #expect(Wiring(text: "a/b=c/d,e/f=g/h") == Wiring(["e/f": "g/h", "a/b": "c/d"]))
    #expect(Wiring(["e/f": "g/h", "a/b": "c/d"]).text == "a/b=c/d,e/f=g/h")
    for wrong in ["a/b", "a/b=", "=c", "a=b=c", "a=b,a=c"] { #expect(Wiring(text: wrong) == nil) }
    do throws(StageFailure) {
      _ = try NodeEnvironment(
        ["NAV_BUS": "ipc:///tmp/none/bus", "NAV_WIRE": "a/b"], program: "toy")
      Issue.record("it was taken")
    } catch {
      #expect(error.message.contains("NAV_WIRE") && error.message.contains("a/b"))
    }
  }
}
