import Glibc
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

/// Nodes and broker send a message in one part; outsiders send and read three.
@Suite struct SinglePartFrameTests {
  private static let header = Header(
    sequence: 1, stampNS: 5, source: "raw", run: 1, schema: "test/1.0", deliveryClass: .stream
  ).encoded()

  private func joined(
    _ topic: [UInt8], header: [UInt8], headerBytes: Int? = nil, _ payload: [UInt8]
  )
    -> [UInt8]
  {
    let length = UInt32(headerBytes ?? header.count).bigEndian
    return topic.withUnsafeBytes { TopicHash(of: $0).bytes } + topic + [0]
      + withUnsafeBytes(of: length) { Array($0) } + header + payload
  }

  @Test func `one part is the same message as three, whichever way it goes`() throws {
    for payload in [[], [UInt8](repeating: 7, count: 5), [UInt8](repeating: 9, count: 100_000)] {
      let topic = Array("ego/test/stream".utf8)
      let one = Message([joined(topic, header: Self.header, payload)])
      let three = Message([topic, Self.header, payload])
      #expect(one == three)
      #expect(one.partCount == Message.parts)
      var written = [UInt8](
        repeating: 0xee, count: joined(topic, header: Self.header, payload).count)
      let form = SinglePartFrame(topicBytes: topic.count, headerBytes: Self.header.count)
      #expect(form.byteCount(payload: payload.count) == written.count)
      written.withUnsafeMutableBytes { place in
        guard let start = place.baseAddress else { return }
        form.write(
          TopicHash(of: three.topic), topic: three.topic, header: three.header,
          payload: three.payload, to: start)
      }
      #expect(written == joined(topic, header: Self.header, payload))
    }
  }

  @Test(arguments: [
    "", "t", "ego/test/stream", "ego/test/stream\u{0}", "ego/test/stream\u{0}\u{0}\u{0}\u{0}",
    String(repeating: "a", count: 300) + "\u{0}\u{0}\u{0}\u{0}\u{0}",
  ])
  func `what is neither is counted, BUS-5`(text: String) {
    var core = BrokerCore(run: 1)
    core.ingest(Message([Array(text.utf8)]), now: MonotonicTime(nanoseconds: 0))
    #expect(core.counters == ["malformed_part_count": 1])
  }

  @Test(arguments: [1, 1_000, Int(UInt32.max)])
  func `a header longer than the message is none, BUS-5`(beyond: Int) {
    var core = BrokerCore(run: 1)
    let bytes = joined(
      Array("ego/a".utf8), header: Self.header,
      headerBytes: min(Self.header.count + beyond, Int(UInt32.max)),
      [])
    core.ingest(Message([bytes]), now: MonotonicTime(nanoseconds: 0))
    #expect(core.counters == ["malformed_part_count": 1])
  }

  @Test func `a header of more than 64 KiB is refused by its publisher and by the broker`() throws {
    var core = BrokerCore(run: 1)
    let topic = Array("ego/a".utf8)
    core.ingest(
      Message([topic, Self.header + [UInt8](repeating: 0, count: 65_536), []]),
      now: MonotonicTime(nanoseconds: 0))
    #expect(core.counters == ["malformed_header": 1])
    let address = try freshAddress()
    let broker = try TestBroker(address)
    defer { broker.end() }
    let writer = try client("writer", at: address)
    defer { writer.close() }
    #expect(writer.waitForBroker(timeoutMS: 5_000))
    let long = Publication(
      topic: "ego/test/state", stampNS: 1, schema: "test/1.0", payload: [0x80],
      key: String(repeating: "k", count: 70_000))
    #expect(writer.publish(long) == .refused(.tooLarge))
  }

  @Test func `plain sockets and nodes hear each other, each in his own form, BUS-2`() throws {
    let address = try freshAddress()
    let broker = try TestBroker(address)
    defer { broker.end() }
    let plain = try Socket(.subscribe, in: try Context())
    try plain.connect(address.egress)
    try plain.subscribe("ego/test/many")
    let node = try client("node", at: address)
    defer { node.close() }
    #expect(node.subscribe(["ego/"], waitingMS: 5_000))
    let raw = try RawPublisher(address, source: "raw")
    func hearsPlain() -> [[UInt8]]? {
      var items = [PollItem(readable: plain)]
      guard (try? poll(&items, timeoutMS: 20)) == true else { return nil }
      return try? plain.receive()
    }
    // Until the subscription is in place nothing is heard.
    try #require(
      eventually {
        _ = node.publish(publication("ego/test/many", 1))
        return hearsPlain()?.count == 3
      })
    while hearsPlain() != nil {}
    while node.next(waitingMS: 50) != nil {}
    try raw.send("ego/test/many", 7)
    #expect(eventually { hearsPlain()?.first == Array("ego/test/many".utf8) })
    #expect(node.messages(1).map(\.header.source) == ["raw"])
    // In one part from an outsider, too.
    let push = try Socket(.push, in: try Context())
    try push.connect(address.ingest)
    let header = Header(
      sequence: 8, stampNS: 5, source: "raw", run: 1, schema: "test/1.0", deliveryClass: .event)
    try push.send([joined(Array("ego/test/many".utf8), header: header.encoded(), [0xc0])])
    #expect(eventually { hearsPlain()?.last == [0xc0] })
  }

  @Test func `a message is taken apart only where somebody may want it`() {
    var readers = PlainSubscriptions()
    func mayWant(_ topic: String) -> Bool {
      Array(topic.utf8).withUnsafeBytes { readers.mayWant($0) }
    }
    #expect(!mayWant("ego/a"))
    readers.record(Array("ego/".utf8), begins: true)
    #expect(mayWant("ego/a"))
    #expect(!mayWant("car/a"))
    readers.record([], begins: true)
    #expect(mayWant("car/a"))
    readers.record([], begins: false)
    #expect(!mayWant("car/a"))
    for number in 0..<100 { readers.record(Array("x\(number)".utf8), begins: true) }
    #expect(mayWant("car/a"))
  }
}
