import Synchronization
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

/// What a node publishes by thousands goes together, and in its order; what it publishes by the
/// piece goes at once.
@Suite struct SendBatchTests {
  /// A batch whose last turns had `perTurn` messages each millisecond.
  private func gathering(perTurn: Int) -> SendBatch {
    var gathering = SendBatch()
    for turn in 1...200 as ClosedRange<Int64> {
      gathering.beginTurn()
      for _ in 0..<perTurn { _ = gathering.next() }
      gathering.endTurn(at: MonotonicTime(nanoseconds: turn * 1_000_000))
    }
    return gathering
  }

  /// Whether a message of a batch may wait.
  private func waits(_ gathering: inout SendBatch) -> Bool { gathering.next() != nil }

  /// Whether all go after messages that came at these nanoseconds.
  private func go(after momentsNS: [Int64]) -> [Bool] {
    var many = gathering(perTurn: 5)
    many.beginTurn()
    return momentsNS.map { many.append(Message(), line: 0, nowNS: $0) }
  }

  @Test func `only who publishes thousands a second lets them wait, and only within a turn`() {
    var few = gathering(perTurn: 3)
    few.beginTurn()
    let fewWait = waits(&few)
    #expect(!fewWait)
    var many = gathering(perTurn: 5)
    let waitsOutside = waits(&many)
    #expect(!waitsOutside)
    many.beginTurn()
    let waitsWithin = waits(&many)
    #expect(waitsWithin)
  }

  @Test func `thirty-two go, or what a millisecond has brought, or when the clock was set back`() {
    #expect(go(after: Array(repeating: 1_000, count: 32)) == (1...32).map { $0 == 32 })
    #expect(go(after: [5_000_000, 5_999_999, 6_000_000]) == [false, false, true])
    #expect(go(after: [6_000_000, 2_000_000]) == [false, true])
  }

  @Test func `who has let all go begins anew`() {
    var many = gathering(perTurn: 5)
    many.beginTurn()
    _ = many.append(Message(), line: 0, nowNS: 1_000_000)
    many.removeFirst()
    let count = many.entries.count
    let goes = many.append(Message(), line: 0, nowNS: 5_000_000)
    #expect(count == 0)
    #expect(!goes)
  }

  @Test func `nothing is lost, doubled or overtaken by what does not wait, BUS-3`() throws {
    let pair = try MessagePair()
    defer { pair.end() }
    let (reader, writer) = (pair.reader, pair.writer)
    let topics = ["a", "b", "c"].map { "\($0)/test/stream" } + ["a/test/state", "a/test/event"]
    try #require(reader.subscribe(topics, waitingMS: 10_000))
    var sent: [String] = []
    var heard: [String] = []
    for turn in 1...400 {
      writer.beginTurn()
      for number in 1...50 {
        // A state and an event in each turn, in the midst of streams.
        let topic = number == 20 ? topics[3] : number == 40 ? topics[4] : topics[number % 3]
        #expect(writer.publish(publication(topic, turn * 100 + number)) == .sent)
        sent.append("\(topic) \(turn * 100 + number)")
      }
      #expect(writer.endTurn() == 0)
      heard += reader.messages(50).map { "\($0.topic) \($0.header.stampNS)" }
    }
    #expect(heard == sent)
    let lost = reader.receptions.values.reduce(0) { $0 + $1.lost + $1.duplicates + $1.queueDrops }
    #expect(lost == 0)
    #expect(writer.publications["a/test/stream"]?.refused == 0)
  }

  @Test func `what waited and found no broker is counted as refused, BUS-4`() throws {
    let writer = try client("writer", at: try freshAddress())
    defer { writer.close() }
    var refused = 0
    var sent = 0
    for turn in 1...400 {
      writer.beginTurn()
      for number in 1...50 {
        let result = writer.publish(publication("a/test/stream", turn * 100 + number))
        if result == .sent { sent += 1 } else { refused += 1 }
      }
      let late = writer.endTurn()
      sent -= late
      refused += late
    }
    let counters = try #require(writer.publications["a/test/stream"])
    #expect(sent == 0)
    #expect(counters.sent == 0)
    #expect(counters.refused == UInt64(refused))
    #expect(counters.lastSequence == 20_000)
  }

  @Test func `a burst is held back, not lost, while the broker stands still, BUS-4`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let tap = BlockingTap()
    broker.broker.start(tap)
    var configuration = BusClient.Configuration(
      address: broker.address, name: "writer", table: TestBroker.table)
    configuration.rateLimits = MessageRate.Limits(dense: 0, flood: .max)
    configuration.roomPatienceMS = 20_000
    let writer = try BusClient(configuration)
    defer { writer.close() }
    try #require(writer.waitForBroker(timeoutMS: 10_000))
    tap.stands = true
    // The broker goes on when nothing more finds room.
    let release = OSThread("release") {
      var last: UInt64 = 0
      _ = eventually(withinMS: 20_000) {
        let sent = writer.publications["a/test/stream"]?.sent ?? 0
        defer { last = sent }
        var nothing: [PollItem] = []
        _ = try? poll(&nothing, timeoutMS: 50)
        return sent >= 20_000 && sent == last
      }
      tap.stands = false
    }
    var refused = 0
    for turn in 1...600 {
      writer.beginTurn()
      for number in 1...100 {
        _ = writer.publish(publication("a/test/stream", turn * 100 + number))
      }
      refused += writer.endTurn()
    }
    release.join()
    #expect(refused == 0)
    #expect(writer.publications["a/test/stream"]?.sent == 60_000)
    #expect(eventually { tap.count == 60_000 })
  }

  @Test func `room is waited for once, and not again at once where that was in vain`() {
    var patience = BackPressureTimeout(longestMS: 500)
    var tries = 0
    let isThere = patience.waits {
      tries += 1
      return tries == 3
    }
    #expect(isThere)
    #expect(tries == 3)
    #expect(!patience.waits { false })
    let isAskedAgain = patience.waits {
      tries += 1
      return true
    }
    #expect(!isAskedAgain)
    #expect(tries == 3)
  }
}

/// Holds its broker up.
private final class BlockingTap: BrokerTap {
  private let state = Synchronization.Mutex<(stands: Bool, count: Int)>((false, 0))

  var stands: Bool {
    get { state.withLock { $0.stands } }
    set { state.withLock { $0.stands = newValue } }
  }
  var count: Int { state.withLock { $0.count } }

  func start(latched: [Frame], topics: [TopicReport], brokerRun: UInt64, wallNS: Int64) {}

  func record(
    _ topic: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
    _ payload: UnsafeRawBufferPointer, wallNS: Int64
  ) {
    guard topic.elementsEqual("a/test/stream".utf8) else { return }
    _ = eventually(withinMS: 20_000) { !stands }
    state.withLock { $0.count += 1 }
  }

  func end(_ figures: Broker.Figures, topics: [TopicReport]) {}
}
