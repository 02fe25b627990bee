import Foundations
import MessagePack
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

/// What a stranger can send is read to the last bit of its numbers.
@Suite struct `Hostile numbers` {
  private let now = MonotonicTime(nanoseconds: 5_000_000_000)

  private func header(_ sequence: UInt64, run: UInt64 = 1) -> Header {
    Header(sequence: sequence, stampNS: 0, source: "vandal", run: run, schema: "")
  }

  @Test(arguments: [UInt64.max, 1 << 63, (1 << 63) - 1] as [UInt64])
  func `history of any length is answered`(sinceMS: UInt64) {
    var core = BrokerCore(run: 1)
    let head = ControlMessage.History(token: 1, patterns: [""], sinceMs: sinceMS)
    core.control([[1], head.encoded()], now: now)
    #expect(core.outgoing.count == 1)
  }

  /// Whoever asks for everything a thousand times gets it once.
  @Test func `patterns that overlap give each value once`() {
    var core = BrokerCore(run: 1, table: TopicTable([TopicTraits("s", .state)]))
    for vehicle in ["a", "b"] {
      core.ingest(
        Message([Array("\(vehicle)/s".utf8), header(1).encoded(), [0x80]]), now: now)
    }
    core.outgoing = []
    let patterns = Array(repeating: "", count: 1_000) + ["a/", "a/s", "b/s", "b/", "c/"]
    let head = ControlMessage.Snapshot(token: 1, patterns: patterns)
    core.control([[1], head.encoded()], now: now)
    #expect(core.outgoing.count == 3)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `many patterns match as each one does`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func word() -> String { ["a", "ab", "b", "a-", "é"][Int.random(in: 0..<5, using: &random)] }
    var patterns = (0..<12).map { _ in
      [word(), word()].prefix(Int.random(in: 0...2, using: &random)).joined(separator: "/")
        + (Bool.random(using: &random) ? "/" : "")
    }.filter { !$0.isEmpty && $0 != "/" }
    patterns += (0..<Int.random(in: 0...2, using: &random)).map { _ in "*/\(word())" }
    let set = PatternSet(patterns)
    for _ in 0..<50 {
      let name = "\(word())/\(word())/\(word())"
      let short = "\(word())/\(word())"
      for name in [name, short] {
        #expect(
          set.matches(name) == patterns.contains { TopicName.matches($0, name) }, "\(patterns)")
      }
    }
  }

  @Test func `a reader survives the last number that there is`() {
    var reception = Reception(table: TopicTable([TopicTraits("e", .event)]))
    _ = reception.subscribe([""])
    for sequence: UInt64 in [1, .max - 1, .max, 2] {
      reception.live(
        Frame(topic: "v/e", header: header(sequence), payload: []), now: now)
    }
    for round: Int64 in 1...40 {
      let later = now.advanced(byMS: 400 * round)
      reception.tick(now: later)
      for case .refill(let refill) in reception.outputs { reception.endRefill(refill, now: later) }
      let delivered = reception.outputs.filter { if case .deliver = $0 { true } else { false } }
      reception.outputs = delivered
    }
    // All that came, 2 having come late; the rest is counted as lost.
    #expect(reception.counters["v/e"]?.received == 4)
    #expect(reception.counters["v/e"]?.lost == ReceptionCounters.mostLost)
  }

  @Test func `a count of lost messages stops in time`() {
    var reception = Reception(table: TopicTable())
    _ = reception.subscribe([""])
    for run: UInt64 in 1...3 {
      for sequence: UInt64 in [1, .max] {
        reception.live(
          Frame(topic: "v/s", header: header(sequence, run: run), payload: []), now: now)
      }
    }
    #expect(reception.counters["v/s"]?.lost == ReceptionCounters.mostLost)
    #expect(reception.counters["v/s"]?.gaps == 3)
  }
}
