import Testing

@testable import BusClient
@testable import BusProtocol

@Suite struct TopicFilterTests {
  private let names = [
    "ego/location/raw", "car00001/location/raw", "car00001/location/raw/more", "raw/location",
    "_node/x/status", "_clock", "_location/raw", "ego/route/active", "location/raw",
  ]

  @Test(
    arguments: [
      ["*/location/raw"], ["ego/"], ["_clock", "*/route/active"], [""], ["ego/location/raw"],
      ["a/b", "c/d", "e/f", "g/h", "_clock", "ego/route/active"], ["*/raw"], [],
    ])
  func `a filter takes what one of its patterns takes, BUS-8`(patterns: [String]) {
    var filter = TopicFilter()
    let isNew = patterns.map { filter.insert($0) }
    let isNewAgain = patterns.map { filter.insert($0) }
    #expect(isNew.allSatisfy { $0 } && !isNewAgain.contains(true))
    for name in names {
      #expect(
        filter.accepts(name) == patterns.contains { TopicName.matches($0, name) }, "\(name)")
    }
    #expect(Set(filter.patterns) == Set(patterns))
    #expect(patterns.allSatisfy { filter.remove($0) })
    #expect(!patterns.contains { filter.remove($0) })
    #expect(filter.patterns.isEmpty)
    #expect(names.allSatisfy { !filter.accepts($0) })
  }

  @Test func `one topic of every vehicle is no system topic and no longer one, BUS-8`() {
    #expect(TopicName.matches("*/location/raw", "car7/location/raw"))
    #expect(!TopicName.matches("*/location/raw", "car7/location/raw/x"))
    #expect(!TopicName.matches("*/location/raw", "_x/location/raw"))
    #expect(!TopicName.matches("*/location/raw", "car7/old/location/raw"))
  }

  @Test func `who lets go of one vehicle still hears the other, BUS-8`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let reader = try client("reader", at: broker.address)
    defer { reader.close() }
    let writer = try client("writer", at: broker.address)
    defer { writer.close() }
    #expect(writer.waitForBroker(timeoutMS: 5_000))
    #expect(reader.subscribe(["a/", "b/"], waitingMS: 5_000))
    // Both are asked of libzmq in the same words.
    reader.unsubscribe(["a/", "c/"])
    #expect(reader.subscribe(["_mark"], waitingMS: 5_000))
    for topic in ["a/test/stream", "b/test/stream"] {
      _ = writer.publish(
        Publication(topic: topic, stampNS: 1, schema: "t/1.0", payload: [1]))
    }
    guard case .message(let delivery)? = reader.next(waitingMS: 5_000) else {
      Issue.record("b is not heard any more")
      return
    }
    #expect(delivery.topic == "b/test/stream")
  }

  @Test func `a reader of one topic of all vehicles is given these alone, BUS-8`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let reader = try client("reader", at: broker.address)
    defer { reader.close() }
    let writer = try client("writer", at: broker.address)
    defer { writer.close() }
    #expect(writer.waitForBroker(timeoutMS: 5_000))
    #expect(reader.subscribe(["*/test/stream"], waitingMS: 5_000))
    for vehicle in ["a", "b", "a"] {
      for leaf in ["test/event", "test/stream"] {
        _ = writer.publish(
          Publication(topic: "\(vehicle)/\(leaf)", stampNS: 1, schema: "t/1.0", payload: [1]))
      }
    }
    var topics: [String] = []
    while topics.count < 3, case .message(let delivery)? = reader.next(waitingMS: 5_000) {
      topics.append(delivery.topic)
    }
    #expect(topics == ["a/test/stream", "b/test/stream", "a/test/stream"])
    #expect(Set(reader.receptions.keys) == ["a/test/stream", "b/test/stream"])
  }
}
