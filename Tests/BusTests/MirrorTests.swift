import MessagePack
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol

/// Calls once more, as events on `_svc/`.
@Suite struct MirrorTests {
  private func core() -> BrokerCoreFixture {
    var drawn = BrokerCoreFixture()
    drawn.register("server", serves: ["test/add", "_lockstep/server"])
    drawn.register("caller")
    _ = drawn.sent()
    return drawn
  }

  private func fields(_ frame: Frame) throws -> [String: MessagePackValue] {
    guard case .map(let entries) = try MessagePackValue(decoding: frame.payload) else { return [:] }
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
  }

  @Test func `request and reply are mirrored, among the data and with their payloads`() throws {
    var drawn = core()
    drawn.subscribe("_svc/")
    drawn.publish("ego/test/picture", 1, stampNS: 500, as: "camera")
    drawn.call("test/add", id: "1", payload: [0x81], as: "caller")
    drawn.publish("ego/test/picture", 2, stampNS: 600, as: "camera")
    drawn.pass(ms: 20)
    drawn.reply("1", payload: [0x82], as: "server")
    let frames = drawn.published()
    #expect(
      frames.map(\.topic) == [
        "ego/test/picture", "_svc/test/add", "ego/test/picture", "_svc/test/add",
      ])
    #expect(frames.map(\.header.stampNS) == [500, 500, 600, 600])
    #expect(frames[1].header.source == "nav-bus" && frames[1].header.run == 7)
    #expect([frames[1].header.sequence, frames[3].header.sequence] == [1, 2])
    #expect(frames[1].header.id == "1" && frames[1].header.schema == "svc/1.0")
    let request = try fields(frames[1])
    #expect(request["phase"] == .string("request") && request["payload"] == .bytes([0x81]))
    #expect(request["source"] == .string("caller") && request["server"] == .string("server"))
    #expect(request["vehicle"] == .string("ego"))
    let reply = try fields(frames[3])
    #expect(reply["phase"] == .string("reply") && reply["payload"] == .bytes([0x82]))
    #expect(reply["ok"] == .bool(true) && reply["took_ms"] == .double(20))
  }

  @Test func `each end of a call is mirrored once: refusals, deadlines, deaths`() throws {
    var drawn = core()
    drawn.subscribe("_svc/test/add")
    drawn.subscribe("_svc/no/thing")
    drawn.call("no/thing", id: "a", as: "caller")
    drawn.call("test/add", id: "b", timeoutMS: 100, as: "caller")
    drawn.pass(ms: 200)
    drawn.reply("b", as: "server")
    drawn.call("test/add", id: "b", as: "caller")  // gets the stored reply
    drawn.call("test/add", id: "c", as: "caller")
    drawn.say(ControlMessage.Bye(), as: "caller")
    drawn.register("caller")
    drawn.call("test/add", id: "d", as: "caller")
    drawn.say(ControlMessage.Bye(), as: "server")
    let reported = try drawn.published().map { frame in
      let fields = try fields(frame)
      return "\(frame.header.id ?? "") \(fields["code"] ?? fields["phase"] ?? .null)"
    }
    let expected: [(String, String)] = [
      ("a", "request"), ("a", "no_such_service"), ("b", "request"), ("b", "timeout"),
      ("c", "request"), ("c", "cancelled"), ("d", "request"), ("d", "server_restarted"),
    ]
    #expect(reported == expected.map { "\($0) \(MessagePackValue.string($1))" })
  }

  @Test func `nothing is mirrored while nobody is there for it`() {
    var drawn = core()
    func count(_ drawn: inout BrokerCoreFixture, _ id: String, _ name: String = "test/add") -> Int {
      drawn.call(name, id: id, as: "caller")
      return drawn.published().count
    }
    #expect(count(&drawn, "1") == 0)
    drawn.subscribe("")
    drawn.subscribe("ego/")
    drawn.subscribe("_svc/other/")
    #expect(count(&drawn, "2") == 0)
    drawn.subscribe("_")
    drawn.subscribe("_svc/test/add")
    #expect(count(&drawn, "3") == 1)
    drawn.unsubscribe("_")
    #expect(count(&drawn, "4") == 1)
    drawn.unsubscribe("_svc/test/add")
    #expect(count(&drawn, "5") == 0)
    drawn.core.taps.append(DiscardingTap())
    #expect(count(&drawn, "6") == 1)
    #expect(count(&drawn, "7", "_lockstep/server") == 0)
  }

  @Test func `a node that carries calls itself writes their mirrors, once it has declared so`() {
    var drawn = core()
    drawn.core.taps.append(DiscardingTap())
    let mirrors = TopicTraits("_svc/<service>/<call>", .event)
    drawn.say(
      ControlMessage.Register(name: "conductor", run: 9, publishes: [mirrors]), as: "conductor")
    _ = drawn.sent()
    drawn.publish("_svc/test/add", 1, stampNS: 5, as: "conductor")
    drawn.publish("_bus/topics", 1, stampNS: 5, as: "conductor")
    drawn.publish("_svc/test/add", 2, stampNS: 5, as: "caller")
    #expect(drawn.published().map(\.header.source) == ["conductor"])
    #expect(drawn.core.counters["reserved_topic"] == 2)
  }

  @Test func `nobody else writes a mirror, and invented names do not fill the broker`() {
    var drawn = core()
    drawn.core.taps.append(DiscardingTap())
    drawn.publish("_svc/test/add", 99, stampNS: 0, as: "liar")
    #expect(drawn.published().isEmpty && drawn.core.counters["reserved_topic"] == 1)
    for number in 0..<5_000 { drawn.call("made/up\(number)", id: "\(number)", as: "caller") }
    #expect(drawn.published().count == 2 * CallMirrors.maximumTopics)
    drawn.call("Not A Name/", id: "x", as: "caller")
    #expect(drawn.published().isEmpty)
  }

  @Test func `a reader of the bus hears both ends of a call`() throws {
    let pair = try CallPair(serving: "test/add")
    defer { pair.end() }
    let (server, caller) = (pair.server, pair.caller)
    try #require(caller.subscribe(["_svc/"], waitingMS: 5_000))
    let thread = OSThread("server") {
      if let call = server.nextCall() { server.reply(to: call.id, .ok(payload: [2])) }
    }
    #expect(caller.callAndWait("test/add", payload: [1], id: "same") == .ok(payload: [2]))
    thread.join()
    #expect(caller.messages(2).map(\.header.sequence) == [1, 2])
  }
}

/// A recording that keeps nothing.
private final class DiscardingTap: BrokerTap {
  func start(latched: [Frame], topics: [TopicReport], brokerRun: UInt64, wallNS: Int64) {}
  func record(
    _ topic: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
    _ payload: UnsafeRawBufferPointer, wallNS: Int64
  ) {}
  func end(_ figures: Broker.Figures, topics: [TopicReport]) {}
}
