import Synchronization
import Testing

@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

@Suite struct DeliveryTests {
  @Test func `a thousand one-shot publishers are all heard, BUS-4`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let reader = try client("reader", at: broker.address)
    defer { reader.close() }
    #expect(reader.subscribe(["ego/test/many"], waitingMS: 5_000))
    for number in 1...1_000 {
      let results = try OneShotPublisher.publish(
        [publication("ego/test/many", number)], to: broker.address, source: "tool.\(number)")
      #expect(results == [.sent])
    }
    let sources = Set(reader.messages(1_000).map(\.header.source))
    #expect(sources.count == 1_000)
  }

  @Test func `a late joiner gets five hundred states before anything live, BUS-3`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let writer = try client("writer", at: broker.address)
    defer { writer.close() }
    try #require(writer.waitForBroker(timeoutMS: 5_000))
    for key in 0..<500 {
      for number in [1, 2] {
        #expect(
          writer.publish(publication("ego/test/state", number, key: "k\(key)")) == .sent)
      }
    }
    try #require(
      eventually { (reports(writer, "ego/test/state")?.messages ?? 0) == 1_000 })
    let reader = try client("reader", at: broker.address)
    defer { reader.close() }
    try #require(reader.waitForBroker(timeoutMS: 5_000))
    reader.subscribe(["ego/"])
    for number in 1...100 { _ = writer.publish(publication("ego/test/stream", number)) }
    for key in 0..<500 {
      _ = writer.publish(publication("ego/test/state", 3, key: "k\(key)"))
    }
    var last: [String: Int64] = [:]
    var statesBeforeLive = 0
    var isLive = false
    var agedBackwards: [String] = []
    let isComplete = eventually {
      for delivery in reader.messages(1, withinMS: 1) {
        guard let key = delivery.header.key else {
          isLive = true
          continue
        }
        if !isLive { statesBeforeLive += last[key] == nil ? 1 : 0 }
        if delivery.header.stampNS <= last[key] ?? 0 { agedBackwards.append(key) }
        last[key] = delivery.header.stampNS
      }
      return last.count == 500 && last.values.allSatisfy { $0 == 3 }
    }
    #expect(isComplete)
    #expect(agedBackwards.isEmpty)
    #expect(statesBeforeLive == 500)
  }

  private func reports(_ client: BusClient, _ topic: String) -> TopicReport? {
    client.topicReports()?.first { $0.name == topic }
  }

  @Test func `a deleted key is not given to a late joiner as a value`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let writer = try client("writer", at: broker.address)
    defer { writer.close() }
    try #require(writer.waitForBroker(timeoutMS: 5_000))
    _ = writer.publish(publication("ego/test/state", 1, key: "a"))
    var deletion = publication("ego/test/state", 2, key: "a")
    deletion.payload = []
    _ = writer.publish(deletion)
    try #require(eventually { reports(writer, "ego/test/state")?.messages == 2 })
    let reader = try client("reader", at: broker.address)
    defer { reader.close() }
    #expect(reader.subscribe(["ego/test/state"], waitingMS: 5_000))
    let values = reader.messages(2, withinMS: 100)
    #expect(values.map(\.payload) == [[]])
  }

  @Test func `three thousand names are all heard, and none that only begins like one`() throws {
    let pair = try MessagePair()
    defer { pair.end() }
    let (reader, writer) = (pair.reader, pair.writer)
    let names = (0..<3_000).map { "car\($0)/test/many" }
    #expect(reader.subscribe(names, waitingMS: 20_000))
    for name in names {
      _ = writer.publish(publication("\(name)/more", 1), waitingUpToMS: 1_000)
      _ = writer.publish(publication(name, 1), waitingUpToMS: 1_000)
    }
    #expect(Set(reader.messages(3_000, withinMS: 20_000).map(\.topic)) == Set(names))
  }

  @Test func `no old event is given to a late joiner unless it asks, BUS-3`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let writer = try client("writer", at: broker.address)
    defer { writer.close() }
    try #require(writer.waitForBroker(timeoutMS: 5_000))
    for number in 1...5 { _ = writer.publish(publication("ego/test/event", number)) }
    try #require(eventually { reports(writer, "ego/test/event")?.messages == 5 })
    let late = try client("late", at: broker.address)
    let asking = try client("asking", at: broker.address)
    defer {
      late.close()
      asking.close()
    }
    #expect(late.subscribe(["ego/test/event"], waitingMS: 5_000))
    #expect(asking.subscribe(["ego/test/event"], sinceMS: 20_000, waitingMS: 5_000))
    _ = writer.publish(publication("ego/test/event", 6))
    #expect(late.messages(1).map(\.header.sequence) == [6])
    #expect(asking.messages(6).map(\.header.sequence) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `events that were asked for before a broker was there are asked for again, BUS-3`()
    throws
  {
    let address = try freshAddress()
    try address.makeDirectory()
    let asking = try client("asking", at: address)
    defer { asking.close() }
    asking.subscribe(["ego/test/event"], sinceMS: 20_000)
    try #require(eventually { asking.commands.withLock { $0.isEmpty } })
    let broker = try Socket(.router, in: try Context())
    try broker.bind(address.control)
    var heard: [ControlMessage] = []
    func hears(_ operation: ControlMessage.Operation) -> Bool {
      while let parts = try? broker.receive(), parts.count > 1 {
        guard let head = try? ControlMessage(decoding: parts[1]) else { continue }
        if case .register(let node) = head {
          let welcome = ControlMessage.Welcome(token: node.token, run: 7)
          try? broker.send([parts[0], welcome.encoded()])
        }
        heard.append(head)
      }
      return heard.contains { $0.operation == operation }
    }
    #expect(eventually { hears(.history) })
    let questions = heard.compactMap { message -> ControlMessage.History? in
      guard case .history(let question) = message else { return nil }
      return question
    }
    #expect(questions.last?.patterns == ["ego/test/event"])
    #expect((questions.last?.sinceMs ?? 0) >= 20_000)
    let first = heard.firstIndex { $0.operation == .register } ?? .max
    #expect(first < heard.lastIndex { $0.operation == .history } ?? 0)
  }

  @Test func `a slow reader keeps the newest picture, and the drops are counted, BUS-4`() throws {
    let pair = try MessagePair()
    defer { pair.end() }
    let (reader, writer) = (pair.reader, pair.writer)
    #expect(reader.subscribe(["ego/test/picture"], waitingMS: 5_000))
    for number in 1...50 { _ = writer.publish(publication("ego/test/picture", number)) }
    #expect(eventually { reader.receptions["ego/test/picture"]?.received == 50 })
    #expect(eventually { reader.receptions["ego/test/picture"]?.queueDrops == 49 })
    #expect(reader.messages(1).map(\.header.sequence) == [50])
  }

  @Test func `a message over its topic's size is refused by the publisher and by the broker`()
    throws
  {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let writer = try client("writer", at: broker.address)
    let careless = try client("careless", at: broker.address, table: TopicTable())
    defer {
      writer.close()
      careless.close()
    }
    try #require(writer.waitForBroker(timeoutMS: 5_000) && careless.waitForBroker(timeoutMS: 5_000))
    var big = publication("ego/test/stream", 1)
    big.payload = [UInt8](repeating: 0, count: 1_025)
    #expect(writer.publish(big) == .refused(.tooLarge))
    #expect(careless.publish(big) == .sent)
    #expect(eventually { reports(writer, "ego/test/stream")?.oversize == 1 })
    #expect(reports(writer, "ego/test/stream")?.messages == 0)
  }

  @Test func `a second writer is refused, and both are reported`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let first = try client("first", at: broker.address)
    let second = try client("second", at: broker.address)
    defer {
      first.close()
      second.close()
    }
    try #require(first.waitForBroker(timeoutMS: 5_000) && second.waitForBroker(timeoutMS: 5_000))
    _ = first.publish(publication("ego/test/state", 1))
    try #require(eventually { reports(first, "ego/test/state")?.messages == 1 })
    _ = second.publish(publication("ego/test/state", 2))
    let notice = BusEvent.refused(
      topic: "ego/test/state", writer: "second", owner: "first", code: "second_writer")
    #expect(first.next(waitingMS: 5_000) == notice)
    #expect(second.next(waitingMS: 5_000) == notice)
    first.close()
    try #require(
      eventually { second.nodeReports()?.contains { $0.name == "first" && $0.isAlive } == false })
    _ = second.publish(publication("ego/test/state", 3))
    #expect(eventually { reports(second, "ego/test/state")?.messages == 2 })
  }

  @Test func `a node takes its topic from a stranger who came first`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let node = try client("node", at: broker.address)
    defer { node.close() }
    try #require(node.waitForBroker(timeoutMS: 5_000))
    let stranger = try RawPublisher(broker.address, source: "stranger")
    try stranger.send("ego/test/event", 1)
    try #require(eventually { reports(node, "ego/test/event")?.messages == 1 })
    _ = node.publish(publication("ego/test/event", 1))
    try #require(eventually { reports(node, "ego/test/event")?.messages == 2 })
    try stranger.send("ego/test/event", 2)
    #expect(eventually { reports(node, "ego/test/event")?.refused == 1 })
    #expect(reports(node, "ego/test/event")?.messages == 2)
  }

  @Test func `a name that is on the bus is not given twice`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let first = try client("twin", at: broker.address, run: 1)
    try #require(first.waitForBroker(timeoutMS: 5_000))
    let second = try client("twin", at: broker.address, run: 2)
    defer {
      first.close()
      second.close()
    }
    guard case .rejected(let code, _)? = second.next(waitingMS: 5_000) else {
      Issue.record("the second twin was let in")
      return
    }
    #expect(code == "name_taken")
    #expect(!second.isConnected)
    first.close()
    #expect(second.waitForBroker(timeoutMS: 5_000))
  }
}
