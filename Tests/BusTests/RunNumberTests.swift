import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

/// Which of two runs of one name is heard, whatever their numbers.
@Suite struct RunNumberTests {
  private func frame(
    _ topic: String, _ sequence: UInt64, run: UInt64, isLatched: Bool = false, payload: UInt8 = 0x80
  ) -> Frame {
    Frame(
      topic: topic,
      header: Header(
        sequence: sequence, stampNS: 0, source: "node", run: run, schema: "test/1.0",
        isLatched: isLatched), payload: [payload])
  }

  private func register(_ drawn: inout BrokerCoreFixture, run: UInt64, as peer: String) {
    drawn.say(ControlMessage.Register(name: "node", run: run), as: peer)
    _ = drawn.sent()
  }

  private func passes(_ drawn: inout BrokerCoreFixture, _ frame: Frame) -> Bool {
    drawn.core.ingest(Message(frame.parts), now: drawn.now)
    return !drawn.published().isEmpty
  }

  @Test(arguments: ["ego/test/stream", "ego/test/state", "ego/test/event"])
  func `of two runs the registered one is heard, BUS-6`(topic: String) {
    var drawn = BrokerCoreFixture()
    register(&drawn, run: 1_000, as: "peer")
    #expect(passes(&drawn, frame(topic, 1, run: 1_000)))
    #expect(!passes(&drawn, frame(topic, 1, run: .max)))
    #expect(!passes(&drawn, frame(topic, 2, run: 1)))
    #expect(drawn.core.counters["stale_run"] == 2)
    #expect(passes(&drawn, frame(topic, 2, run: 1_000)))
    // A new process of the name, whose clock was set back.
    drawn.say(ControlMessage.Bye(), as: "peer")
    register(&drawn, run: 500, as: "other")
    #expect(passes(&drawn, frame(topic, 1, run: 500)))
    #expect(!passes(&drawn, frame(topic, 3, run: 1_000)))
    let kept = drawn.core.states.values(matching: topic)
    if topic.hasSuffix("state") { #expect(kept.map(\.header.run) == [500]) }
  }

  @Test func `a stranger that came first does not keep a node out`() {
    var drawn = BrokerCoreFixture()
    #expect(passes(&drawn, frame("ego/test/state", 1, run: .max)))
    #expect(!passes(&drawn, frame("ego/test/state", 1, run: 7)))
    register(&drawn, run: 7, as: "peer")
    #expect(passes(&drawn, frame("ego/test/state", 2, run: 7)))
    #expect(!passes(&drawn, frame("ego/test/state", 2, run: .max)))
  }

  @Test func `of two runs that nobody knows the later is heard, or the one that goes on`() {
    var drawn = BrokerCoreFixture()
    #expect(passes(&drawn, frame("ego/test/stream", 1, run: 5)))
    #expect(passes(&drawn, frame("ego/test/stream", 1, run: 6)))
    #expect(!passes(&drawn, frame("ego/test/stream", 2, run: 5)))
    drawn.tick(afterMS: BrokerCore.strangerSilenceMS + 1)
    #expect(passes(&drawn, frame("ego/test/stream", 3, run: 5)))
  }

  private func delivered(_ reception: inout Reception) -> [[UInt64]] {
    moveOut(&reception.outputs).compactMap {
      if case .deliver(let delivery) = $0 {
        [delivery.header.run, delivery.header.sequence]
      } else {
        nil
      }
    }
  }

  @Test(arguments: ["m", "e"]) func `a reader follows to a smaller run that comes live`(
    leaf: String
  ) {
    var reception = Reception(
      table: TopicTable([TopicTraits("e", .event), TopicTraits("m", .stream)]))
    _ = reception.subscribe(["v/\(leaf)"])
    let now = MonotonicTime(nanoseconds: 0)
    reception.live(frame("v/\(leaf)", 8, run: 9), now: now)
    reception.live(frame("v/\(leaf)", 1, run: 4), now: now)
    reception.live(frame("v/\(leaf)", 2, run: 4), now: now)
    #expect(delivered(&reception) == [[9, 8], [4, 1], [4, 2]])
    // What is given again is judged by its number.
    reception.live(frame("v/\(leaf)", 9, run: 3, isLatched: true), now: now)
    #expect(leaf == "m" || delivered(&reception).isEmpty)
  }

  @Test func `a reader asks the broker whose state is right, and believes it`() {
    var reception = Reception(table: TopicTable([TopicTraits("s", .state)]))
    _ = reception.subscribe(["v/s"])
    let now = MonotonicTime(nanoseconds: 0)
    reception.live(frame("v/s", 8, run: 9), now: now)
    #expect(delivered(&reception) == [[9, 8]])
    reception.live(frame("v/s", 1, run: 4), now: now)
    #expect(moveOut(&reception.outputs) == [.snapshot(patterns: ["v/s"])])
    reception.hold(["v/s"], token: 1, now: now)
    reception.item(frame("v/s", 1, run: 4, isLatched: true), token: 1, isHistory: false, now: now)
    reception.endSnapshot(1, now: now)
    #expect(delivered(&reception) == [[4, 1]])
    reception.live(frame("v/s", 2, run: 4), now: now)
    #expect(delivered(&reception) == [[4, 2]])
  }

  @Test(arguments: ["m", "e", "s"])
  func `one message with a number far ahead keeps no reader from its source`(leaf: String) {
    var reception = Reception(
      table: TopicTable([
        TopicTraits("e", .event), TopicTraits("m", .stream), TopicTraits("s", .state),
      ]))
    _ = reception.subscribe(["v/\(leaf)"])
    let now = MonotonicTime(nanoseconds: 0)
    reception.live(frame("v/\(leaf)", 5, run: 4), now: now)
    reception.live(frame("v/\(leaf)", .max, run: 4), now: now)
    for number: UInt64 in 6...12 { reception.live(frame("v/\(leaf)", number, run: 4), now: now) }
    let numbers = delivered(&reception).map { $0[1] }
    #expect(numbers.suffix(4) == [9, 10, 11, 12])
    // What comes a little late or twice stays out.
    for number: UInt64 in 6...12 { reception.live(frame("v/\(leaf)", number, run: 4), now: now) }
    #expect(delivered(&reception).isEmpty)
  }

  @Test func `numbers of a stack follow the monotonic clock`() {
    let second = MonotonicTime(nanoseconds: 1_000_000_000)
    #expect(RunNumber.number(epochUS: 5, at: second) == 1_000_005)
    #expect(RunNumber.number(epochUS: .min, at: second) == 1)
    let first = RunNumber.next()
    #expect(RunNumber.next() >= first)
  }
}

@Suite struct StateFileTests {
  private let frames = [
    Frame(
      topic: "ego/route/active",
      header: Header(
        sequence: 3, stampNS: 5, source: "navigator", run: 7, schema: "route/1.0", key: "k"),
      payload: [1, 2, 3]),
    Frame(
      topic: "_state/matcher",
      header: Header(sequence: 1, stampNS: 0, source: "matcher", run: 8, schema: ""),
      payload: []),
  ]

  @Test func `what is written is read again`() {
    #expect(StateFile.frames(StateFile.encoded(frames)) == frames)
    #expect(StateFile.frames(StateFile.encoded([])) == [])
  }

  @Test func `a damaged file is none`() {
    let bytes = StateFile.encoded(frames)
    for count in 0..<bytes.count { #expect(StateFile.frames(Array(bytes[..<count])) == nil) }
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1
      #expect(StateFile.frames(damaged) == nil, "byte \(index)")
    }
  }

  @Test func `a new broker has what the one before kept, until somebody says otherwise`() {
    var drawn = BrokerCoreFixture()
    drawn.core.restore(frames)
    #expect(drawn.core.states.values(matching: "ego/route/active").map(\.payload) == [[1, 2, 3]])
    #expect(drawn.published().isEmpty)
    drawn.core.changedStates = []
    drawn.publish("_node/a/status", 1, stampNS: 0, as: "a")
    drawn.publish("ego/test/state", 1, stampNS: 0, as: "a")
    drawn.publish("ego/test/stream", 1, stampNS: 0, as: "a")
    #expect(drawn.core.changedStates?.map(\.topic) == ["ego/test/state"])
  }
}
