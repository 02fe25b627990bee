import BusClient
import BusProtocol
import Testing
import ZMQ

@Suite struct RecoveryTests {
  @Test func `after a new broker all topics flow again and states are reported anew, BUS-6`() throws
  {
    let address = try freshAddress()
    let first = try TestBroker(address)
    let writer = try client("writer", at: address)
    let reader = try client("reader", at: address)
    defer {
      writer.close()
      reader.close()
    }
    try #require(writer.waitForBroker(timeoutMS: 5_000))
    #expect(reader.subscribe(["ego/"], waitingMS: 5_000))
    _ = writer.publish(publication("ego/test/state", 1))
    for number in 1...3 { _ = writer.publish(publication("ego/test/event", number)) }
    #expect(reader.messages(4).count == 4)
    first.end()
    // While there is no broker, a stream is refused, and what must not be lost is kept.
    #expect(eventually { writer.publish(publication("ego/test/stream", 1)) != .sent })
    _ = writer.publish(publication("ego/test/event", 4))

    let second = try TestBroker(address)
    defer { second.end() }
    try #require(eventually { writer.brokerRun == second.run && reader.brokerRun == second.run })
    #expect(reader.subscribe(["ego/test/never"], waitingMS: 5_000))
    _ = writer.publish(publication("ego/test/event", 5))
    var events: [Int64] = []
    #expect(
      eventually {
        events += reader.messages(1, withinMS: 1).filter { $0.leaf == "test/event" }
          .map(\.header.stampNS)
        return events.count >= 2
      })
    #expect(events == [4, 5])
    let late = try client("late", at: address)
    defer { late.close() }
    #expect(late.subscribe(["ego/test/state"], waitingMS: 5_000))
    #expect(late.messages(1).map(\.header.stampNS) == [1])
  }

  @Test func `what a process said before its restart outlives the broker, too, BUS-6`() throws {
    let address = try freshAddress()
    let first = try TestBroker(address)
    let killed = try client("writer", at: address, run: 1)
    try #require(killed.waitForBroker(timeoutMS: 5_000))
    let other = try client("other", at: address)
    defer { other.close() }
    #expect(other.subscribe(["*/test/state"], waitingMS: 5_000))
    for key in ["a", "b"] { _ = killed.publish(publication("ego/test/state", 1, key: key)) }
    _ = other.publish(publication("car/test/state", 2))
    #expect(other.messages(3).count == 3)
    killed.close()

    let writer = try client("writer", at: address, run: 2)
    defer { writer.close() }
    try #require(writer.waitForBroker(timeoutMS: 5_000))
    #expect(writer.reclaimStates(["*/test/state"], waitingMS: 5_000))
    _ = writer.publish(publication("ego/test/state", 3, key: "b"))
    // What is another's it has not taken for its own.
    let kept = writer.keptMessages(of: nil).states
    #expect(kept.map(\.topic) == ["ego/test/state", "ego/test/state"])
    first.end()

    let second = try TestBroker(address)
    defer { second.end() }
    try #require(eventually { writer.brokerRun == second.run })
    let reader = try client("reader", at: address)
    defer { reader.close() }
    #expect(reader.subscribe(["ego/test/state"], waitingMS: 5_000))
    let heard = reader.messages(2).sorted { ($0.header.key ?? "") < ($1.header.key ?? "") }
    #expect(heard.map(\.header.stampNS) == [1, 3])
    #expect(heard.map(\.header.run) == [1, 2])
  }

  @Test func `who reads a topic of every vehicle is reported its last values, BUS-3`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let writer = try client("writer", at: broker.address)
    let early = try client("early", at: broker.address)
    let late = try client("late", at: broker.address)
    defer { for client in [writer, early, late] { client.close() } }
    try #require(writer.waitForBroker(timeoutMS: 5_000))
    #expect(early.subscribe([""], waitingMS: 5_000))
    for vehicle in ["car1", "car2"] {
      _ = writer.publish(publication("\(vehicle)/test/state", 1))
      _ = writer.publish(publication("\(vehicle)/test/event", 2))
    }
    #expect(eventually { early.receptions["car2/test/event"]?.received == 1 })
    #expect(late.subscribe(["*/test/state", "*/test/event"], sinceMS: 60_000, waitingMS: 5_000))
    #expect(
      Set(late.messages(4).map(\.topic))
        == ["car1/test/state", "car2/test/state", "car1/test/event", "car2/test/event"])
  }

  @Test func `an event that was cut off is given again, in order and once, BUS-3`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let reader = try client("reader", at: broker.address)
    defer { reader.close() }
    #expect(reader.subscribe(["ego/test/event"], waitingMS: 5_000))
    let raw = try RawPublisher(broker.address, source: "raw")
    try raw.send("ego/test/event", 1)
    #expect(reader.messages(1).map(\.header.sequence) == [1])
    reader.unsubscribe(["ego/test/event"])
    #expect(eventually { reader.topicReports()?.first?.readers.isEmpty == true })
    for number: UInt64 in 2...9 { try raw.send("ego/test/event", number) }
    #expect(eventually { reader.topicReports()?.first?.messages == 9 })
    #expect(reader.subscribe(["ego/test/event"], waitingMS: 5_000))
    try raw.send("ego/test/event", 10)
    #expect(reader.messages(9).map(\.header.sequence) == Array(2...10))
    let counters = reader.receptions["ego/test/event"]
    #expect(counters?.refilled == 8)
    #expect(counters?.lost == 0)
    #expect(reader.next() == nil)
  }

  @Test func `what nobody has any more is counted as lost, and the rest goes on, BUS-4`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let reader = try client("reader", at: broker.address)
    defer { reader.close() }
    #expect(reader.subscribe(["ego/"], waitingMS: 5_000))
    let raw = try RawPublisher(broker.address, source: "raw")
    for number: UInt64 in [1, 2, 5, 6] {
      try raw.send("ego/test/event", number)
      try raw.send("ego/test/stream", number)
    }
    #expect(
      reader.messages(8).filter { $0.leaf == "test/event" }.map(\.header.sequence) == [1, 2, 5, 6])
    for topic in ["ego/test/event", "ego/test/stream"] {
      #expect(reader.receptions[topic]?.gaps == 1)
      #expect(reader.receptions[topic]?.lost == 2)
    }
  }

  @Test func `a source that comes back is no gap`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let reader = try client("reader", at: broker.address)
    defer { reader.close() }
    #expect(reader.subscribe(["ego/"], waitingMS: 5_000))
    let before = try RawPublisher(broker.address, source: "raw", run: 1)
    for number: UInt64 in 7...9 { try before.send("ego/test/stream", number) }
    #expect(reader.messages(3).count == 3)
    let after = try RawPublisher(broker.address, source: "raw", run: 2)
    try after.send("ego/test/stream", 1)
    #expect(reader.messages(1).count == 1)
    try before.send("ego/test/stream", 10)
    #expect(eventually { (reader.topicReports()?.first?.refused ?? 0) == 1 })
    #expect(reader.receptions["ego/test/stream"]?.gaps == 0)
    #expect(reader.receptions["ego/test/stream"]?.restarts == 1)
  }

  @Test func `a plain SUB socket gets the last values, flagged, BUS-2`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let writer = try client("writer", at: broker.address)
    defer { writer.close() }
    try #require(writer.waitForBroker(timeoutMS: 5_000))
    _ = writer.publish(publication("ego/test/state", 1))
    try #require(eventually { writer.topicReports()?.first?.messages == 1 })
    for prefix in ["ego/test/state", "ego/", "eg", ""] {
      let plain = try Socket(.subscribe, in: try Context())
      try plain.connect(broker.address.egress)
      try plain.subscribe(prefix)
      var items = [PollItem(readable: plain)]
      #expect(try poll(&items, timeoutMS: 5_000), "nothing for \"\(prefix)\"")
      let frame = try Frame(try #require(try plain.receive()))
      #expect(frame.topic == "ego/test/state")
      #expect(frame.header.isLatched)
    }
  }

  @Test func `brokers come and go, and nothing but the outage is lost, BUS-6`() throws {
    let address = try freshAddress()
    var broker = try TestBroker(address)
    let writer = try client("writer", at: address)
    let reader = try client("reader", at: address)
    defer {
      writer.close()
      reader.close()
    }
    let names = (0..<100).map { "car\($0)/test/event" }
    #expect(reader.subscribe(names, waitingMS: 10_000))
    try #require(writer.waitForBroker(timeoutMS: 5_000))
    for round in 1...5 {
      for name in names { _ = writer.publish(publication(name, round)) }
      #expect(reader.messages(names.count).count == names.count)
      broker.end()
      broker = try TestBroker(address)
    }
    broker.end()
    for name in names {
      #expect(reader.receptions[name]?.received == 5)
      #expect(reader.receptions[name]?.lost == 0)
    }
  }

  @Test func `a second broker on the same address is refused by name`() throws {
    let address = try freshAddress()
    let first = try TestBroker(address)
    defer { first.end() }
    #expect(throws: TestBroker.Unbound.self) { try TestBroker(address) }
    let reader = try client("reader", at: address)
    defer { reader.close() }
    #expect(reader.waitForBroker(timeoutMS: 5_000))
  }
}

/// An outsider who knows nothing but the frame layout.
struct RawPublisher: ~Copyable {
  private let socket: Socket
  private let source: String
  private let run: UInt64

  init(_ address: BusAddress, source: String, run: UInt64 = 1) throws {
    let socket = try Socket(.push, in: try Context())
    try socket.connect(address.ingest)
    self.socket = socket
    self.source = source
    self.run = run
  }

  func send(_ topic: String, _ sequence: UInt64) throws {
    let header = Header(
      sequence: sequence, stampNS: Int64(sequence), source: source, run: run, schema: "test/1.0")
    try socket.send(Frame(topic: topic, header: header, payload: [0x80]).parts)
  }

  func send(parts: [[UInt8]]) throws { try socket.send(parts) }
}
