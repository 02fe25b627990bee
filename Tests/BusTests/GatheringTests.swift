import Testing

@testable import Bus

/// What a node publishes by thousands goes together, and in its order; what it publishes by the
/// piece goes at once.
@Suite struct GatheringTests {
  /// A gathering whose last turns had `perTurn` messages each millisecond.
  private func gathering(perTurn: Int) -> Gathering {
    var gathering = Gathering()
    for turn in 1...200 as ClosedRange<Int64> {
      gathering.begin()
      for _ in 0..<perTurn { _ = gathering.next() }
      gathering.end(at: MonotonicTime(nanoseconds: turn * 1_000_000))
    }
    return gathering
  }

  /// Whether a message of a gathering may wait.
  private func waits(_ gathering: inout Gathering) -> Bool { gathering.next() != nil }

  /// Whether all go after messages that came at these nanoseconds.
  private func go(after momentsNS: [Int64]) -> [Bool] {
    var many = gathering(perTurn: 5)
    many.begin()
    return momentsNS.map { many.append(Message(), line: 0, nowNS: $0) }
  }

  @Test func `only who publishes thousands a second lets them wait, and only within a turn`() {
    var few = gathering(perTurn: 3)
    few.begin()
    let fewWait = waits(&few)
    #expect(!fewWait)
    var many = gathering(perTurn: 5)
    let waitsOutside = waits(&many)
    #expect(!waitsOutside)
    many.begin()
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
    many.begin()
    _ = many.append(Message(), line: 0, nowNS: 1_000_000)
    many.clear()
    let count = many.entries.count
    let goes = many.append(Message(), line: 0, nowNS: 5_000_000)
    #expect(count == 0)
    #expect(!goes)
  }

  @Test func `nothing is lost, doubled or overtaken by what does not wait, BUS-3`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    let reader = try client("reader", at: broker.address)
    let writer = try client("writer", at: broker.address)
    defer {
      reader.close()
      writer.close()
    }
    try #require(writer.waitForBroker(timeoutMS: 10_000))
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
}
