import Foundations
import MessagePack
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

@Suite struct TailTests {
  private static let table = TopicTable([
    TopicTraits("e", .event), TopicTraits("s", .state), TopicTraits("m", .stream),
  ])

  private func frame(_ topic: String, _ sequence: UInt64, run: UInt64 = 1) -> Frame {
    Frame(
      topic: topic,
      header: Header(sequence: sequence, stampNS: 0, source: "src", run: run, schema: ""),
      payload: [])
  }

  private func tail(_ topic: String, _ last: UInt64, run: UInt64 = 1) -> Tail {
    Tail(Origin(topic: topic, source: "src", run: run, sequence: last))
  }

  @Test func `a lost last message is counted, or asked for where it is an event, BUS-4`() {
    var reception = Reception(table: Self.table)
    _ = reception.subscribe(["v/"])
    let now = MonotonicTime(nanoseconds: 0)
    for topic in ["v/e", "v/s", "v/m"] {
      reception.live(frame(topic, 1), now: now)
      let isMissing = reception.record(tail(topic, 3), round: 1)
      #expect(isMissing)
    }
    reception.tick(now: now)
    #expect(reception.counters.values.allSatisfy { $0.lost == 0 }, "they may be under way")
    _ = moveOut(&reception.outputs)
    reception.settle(1)
    reception.tick(now: now)
    #expect(reception.counters["v/m"]?.lost == 2)
    #expect(reception.counters["v/s"]?.lost == 2)
    let refill = Reception.Refill(topic: "v/e", source: "src", run: 1, from: 2, to: 3)
    let outputs = moveOut(&reception.outputs)
    #expect(outputs.contains(.refill(refill)))
    #expect(outputs.contains(.snapshot(patterns: ["v/s"])))
    for sequence: UInt64 in [2, 3] {
      reception.item(frame("v/e", sequence), token: 9, isHistory: false, now: now)
    }
    reception.endRefill(refill, now: now)
    let events = reception.counters["v/e"]
    #expect(events?.received == 3 && events?.refilled == 2 && events?.lost == 0)
  }

  @Test func `what comes before its echo is not lost, nor what was reported after it`() {
    var reception = Reception(table: Self.table)
    _ = reception.subscribe(["v/"])
    let now = MonotonicTime(nanoseconds: 0)
    reception.live(frame("v/m", 1), now: now)
    let isMissing1 = reception.record(tail("v/m", 1), round: 1)
    let isMissing2 = reception.record(tail("v/m", 2), round: 1)
    #expect(!isMissing1 && isMissing2)
    reception.live(frame("v/m", 2), now: now)
    let isMissing3 = reception.record(tail("v/m", 3), round: 2)
    #expect(isMissing3)
    reception.settle(1)
    reception.tick(now: now)
    #expect(reception.counters["v/m"]?.lost == 0)
    reception.settle(2)
    reception.tick(now: now)
    #expect(reception.counters["v/m"]?.lost == 1)
    let isMissingUnheard = reception.record(tail("v/unheard", 5), round: 3)
    #expect(!isMissingUnheard)
  }

  @Test func `a source that restarts while we listen has its first messages counted, BUS-4`() {
    var reception = Reception(table: Self.table)
    _ = reception.subscribe(["v/"])
    let now = MonotonicTime(nanoseconds: 0)
    for topic in ["v/s", "v/m"] {
      reception.live(frame(topic, 9, run: 1), now: now)
      reception.live(frame(topic, 3, run: 2), now: now)
      #expect(reception.counters[topic]?.lost == 2)
      #expect(reception.counters[topic]?.restarts == 1)
    }
    // Of this run nothing came at all.
    let isMissing = reception.record(tail("v/m", 4, run: 3), round: 1)
    #expect(isMissing)
    reception.settle(1)
    reception.tick(now: now)
    #expect(reception.counters["v/m"]?.lost == 6)
  }

  @Test func `a topic is reported once when it falls silent, and again after it has spoken`() {
    var core = BrokerCore(run: 1)
    func publish(_ sequence: UInt64, atMS ms: Int64) {
      core.ingest(
        Message(frame("v/m", sequence).parts), now: MonotonicTime(nanoseconds: ms * 1_000_000))
    }
    func reported(atMS ms: Int64) -> Int {
      for at in stride(from: lastTick, through: ms, by: 100) {
        core.tick(now: MonotonicTime(nanoseconds: at * 1_000_000))
      }
      lastTick = ms
      return Int(core.quiet.end)
    }
    var lastTick: Int64 = 0
    for number in 0..<10 { publish(UInt64(number + 1), atMS: Int64(number) * 100) }
    #expect(reported(atMS: 1_900) == 0)
    #expect(reported(atMS: 3_000) == 1)
    publish(11, atMS: 3_000)
    #expect(reported(atMS: 3_500) == 1)
    #expect(reported(atMS: 10_000) == 2)
    #expect(core.topics.first?.tail?.sequence == 11)
  }

  @Test func `the end of a stream that a reader missed shows in its counters, BUS-4`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let reader = try client("reader", at: broker.address)
    defer { reader.close() }
    let topics = ["ego/test/event", "ego/test/stream"]
    #expect(reader.subscribe(topics, waitingMS: 5_000))
    let raw = try RawPublisher(broker.address, source: "raw")
    for topic in topics { try raw.send(topic, 1) }
    #expect(reader.messages(2).count == 2)
    reader.unsubscribe(topics)
    #expect(eventually { reader.topicReports()?.allSatisfy { $0.readers.isEmpty } == true })
    for topic in topics { for number: UInt64 in 2...4 { try raw.send(topic, number) } }
    #expect(eventually { reader.topicReports()?.allSatisfy { $0.messages == 4 } == true })
    #expect(reader.subscribe(topics, waitingMS: 5_000))
    #expect(reader.messages(3).map(\.header.sequence) == [2, 3, 4])
    #expect(eventually { reader.receptions["ego/test/stream"]?.lost == 3 })
    #expect(reader.receptions["ego/test/event"]?.lost == 0)
    #expect(reader.receptions["ego/test/event"]?.refilled == 3)
  }
}

@Suite struct SubscriptionCostTests {
  private func core(states: Int) -> BrokerCore {
    var core = BrokerCore(run: 1, table: TopicTable([TopicTraits("s", .state)]))
    for number in 0..<states {
      let header = Header(sequence: 1, stampNS: 0, source: "src", run: 1, schema: "")
      core.ingest(
        Message(Frame(topic: "car\(number)/s", header: header, payload: []).parts),
        now: MonotonicTime(nanoseconds: 0))
    }
    core.outgoing = []
    return core
  }

  @Test func `a reader that subscribes without end makes nobody hear the states as often`() {
    var core = core(states: 100)
    for _ in 0..<10_000 {
      core.subscription([[1] + Array("car".utf8)], lane: EgressSet.plainNumber)
    }
    #expect(moveOut(&core.outgoing).count == 100)
    core.tick(now: MonotonicTime(nanoseconds: 1_000_000_000))
    // Whoever came meanwhile has waited, and is not forgotten.
    #expect(moveOut(&core.outgoing).count == 100)
    core.tick(now: MonotonicTime(nanoseconds: 2_000_000_000))
    #expect(core.outgoing.isEmpty)
  }

  @Test func `no more values than a window holds are published again at once, none is left out`() {
    let count = LatchedResends.valuesInWindow * 5 / 2
    var core = core(states: count)
    core.subscription([[1]], lane: EgressSet.plainNumber)
    #expect(moveOut(&core.outgoing).count == LatchedResends.valuesInWindow)
    var all = LatchedResends.valuesInWindow
    for second: Int64 in 1...3 {
      core.tick(now: MonotonicTime(nanoseconds: second * 1_000_000_000))
      all += moveOut(&core.outgoing).count
    }
    #expect(all == count)
  }

  @Test func `names are found by what they begin with, in order`() {
    var random = SplitMix64(seed: 5)
    var names = SortedNames()
    var all: Set<String> = []
    for _ in 0..<6_000 {
      let name = "car\(Int.random(in: 0..<5_000, using: &random))/s"
      if all.insert(name).inserted { names.insert(name) }
    }
    for prefix in ["", "car", "car1", "car49", "car499/", "car5000", "d", "b"] {
      #expect(names.names(withPrefix: prefix) == all.filter { $0.hasPrefix(prefix) }.sorted())
    }
  }
}
