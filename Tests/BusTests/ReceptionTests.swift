import Foundations
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol

@Suite struct ReceptionTests {
  private static let table = TopicTable([
    TopicTraits("e", .event), TopicTraits("s", .state), TopicTraits("m", .stream),
  ])

  private func frame(
    _ topic: String, _ sequence: UInt64, run: UInt64 = 1, key: String? = nil, latched: Bool = false
  ) -> Frame {
    Frame(
      topic: topic,
      header: Header(
        sequence: sequence, stampNS: 0, source: "src", run: run, schema: "", key: key,
        isLatched: latched), payload: [])
  }

  private func delivered(_ reception: inout Reception) -> [UInt64] {
    moveOut(&reception.outputs).compactMap {
      if case .deliver(let delivery) = $0 { delivery.header.sequence } else { nil }
    }
  }

  /// The oracle: whatever is dropped, doubled or delayed on the way, the ring has it all.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `events come complete, in order and once through a lossy egress, BUS-3`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var reception = Reception(table: Self.table)
    _ = reception.subscribe(["v/e"])
    var ring = EventRing()
    var now = MonotonicTime(nanoseconds: 0)
    var got: [UInt64] = []
    var delayed: [Frame] = []
    var questions: [Reception.Refill] = []
    for sequence: UInt64 in 1...300 {
      now = now.advanced(byMS: 10)
      let frame = frame("v/e", sequence)
      ring.keep(frame.topic, frame.header, frame.payload, now: now)
      // The first and the last arrive: the one is the baseline, the other shows what is missing.
      let isCertain = sequence == 1 || sequence == 300
      switch isCertain ? 9 : UInt8.random(in: 0...9, using: &random) {
      case 0...2: break
      case 3: delayed.append(frame)
      case 4:
        reception.live(frame, now: now)
        reception.live(frame, now: now)
      default: reception.live(frame, now: now)
      }
      if Bool.random(using: &random), let late = delayed.popLast() {
        reception.live(late, now: now)
      }
      reception.tick(now: now)
      for output in moveOut(&reception.outputs) {
        switch output {
        case .deliver(let delivery): got.append(delivery.header.sequence)
        case .refill(let refill): questions.append(refill)
        default: Issue.record("unexpected \(output)")
        }
      }
      if Bool.random(using: &random) { reply(&questions, &reception, ring, now) }
    }
    for _ in 0..<200 {
      now = now.advanced(byMS: 100)
      reply(&questions, &reception, ring, now)
      reception.tick(now: now)
      for output in moveOut(&reception.outputs) {
        switch output {
        case .deliver(let delivery): got.append(delivery.header.sequence)
        case .refill(let refill): questions.append(refill)
        default: break
        }
      }
    }
    #expect(got == Array(1...300))
    #expect(reception.counters["v/e"]?.lost == 0)
  }

  private func reply(
    _ questions: inout [Reception.Refill], _ reception: inout Reception, _ ring: EventRing,
    _ now: MonotonicTime
  ) {
    for refill in moveOut(&questions) {
      let stream = EventRing.Stream(topic: refill.topic, source: refill.source, run: refill.run)
      for frame in ring.events(of: stream, from: refill.from, to: refill.to).frames {
        reception.item(frame, token: 1, isHistory: false, now: now)
      }
      reception.endRefill(refill, now: now)
    }
  }

  @Test func `what is reported again to a new broker is no news to a reader that has just come`() {
    var reception = Reception(table: Self.table)
    _ = reception.subscribe(["v/e"])
    let now = MonotonicTime(nanoseconds: 0)
    reception.live(frame("v/e", 4, latched: true), now: now)
    reception.live(frame("v/e", 5, latched: true), now: now)
    #expect(delivered(&reception) == [5])
    reception.live(frame("v/e", 6), now: now)
    #expect(delivered(&reception) == [6])
  }

  @Test func `a source that restarted while we listened has its numbers counted from one`() {
    var reception = Reception(table: Self.table)
    _ = reception.subscribe(["v/e"])
    let now = MonotonicTime(nanoseconds: 0)
    reception.live(frame("v/e", 9, run: 1), now: now)
    reception.live(frame("v/e", 3, run: 2), now: now)
    let outputs = moveOut(&reception.outputs)
    #expect(
      outputs.last
        == .refill(Reception.Refill(topic: "v/e", source: "src", run: 2, from: 1, to: 2)))
    reception.live(frame("v/e", 10, run: 1), now: now)
    #expect(reception.counters["v/e"]?.late == 1)
  }

  @Test func `a state is never older after newer, and a gap asks for the snapshot again`() {
    var reception = Reception(table: Self.table)
    _ = reception.subscribe(["v/s"])
    let now = MonotonicTime(nanoseconds: 0)
    reception.live(frame("v/s", 5, key: "a"), now: now)
    reception.live(frame("v/s", 3, key: "a", latched: true), now: now)
    reception.live(frame("v/s", 4, key: "b", latched: true), now: now)
    #expect(delivered(&reception) == [5, 4])
    reception.live(frame("v/s", 8, key: "a"), now: now)
    #expect(moveOut(&reception.outputs).contains(.snapshot(patterns: ["v/s"])))
    #expect(reception.counters["v/s"]?.lost == 2)
  }

  @Test func `a snapshot that does not come holds nothing back for ever`() {
    var reception = Reception(table: Self.table)
    _ = reception.subscribe(["v/"])
    reception.hold(["v/"], token: 1, now: MonotonicTime(nanoseconds: 0))
    reception.live(frame("v/m", 1), now: MonotonicTime(nanoseconds: 0))
    #expect(delivered(&reception).isEmpty)
    reception.tick(now: MonotonicTime(nanoseconds: 4_000_000_000))
    #expect(delivered(&reception) == [1])
    #expect(reception.unanswered == 1)
  }

  @Test func `the ring forgets by age and by size, and says what is missing`() {
    var ring = EventRing(maximumBytes: 3_000, lifetimeMS: 1_000)
    let stream = EventRing.Stream(topic: "v/e", source: "src", run: 1)
    for sequence: UInt64 in 1...20 {
      let frame = frame("v/e", sequence)
      ring.keep(
        "v/e", frame.header, [], now: MonotonicTime(nanoseconds: Int64(sequence) * 1_000_000))
    }
    let (frames, missing) = ring.events(of: stream, from: 1, to: 20)
    #expect(frames.map(\.header.sequence) == Array(10...20))
    #expect(missing == [1...9])
    ring.forget(now: MonotonicTime(nanoseconds: 1_019_500_000))
    #expect(ring.events(of: stream, from: 18, to: 22).frames.count == 2)
    #expect(ring.events(of: stream, from: 18, to: 22).missing == [18...18, 21...22])
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `what is due comes in the order of its time`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var heap = DeadlineHeap<Int64>()
    let times = (0..<200).map { _ in Int64.random(in: 0...50, using: &random) }
    for time in times { heap.insert(time, at: MonotonicTime(nanoseconds: time)) }
    var popped: [Int64] = []
    while let time = heap.popDue(MonotonicTime(nanoseconds: 40)) { popped.append(time) }
    #expect(popped == times.filter { $0 <= 40 }.sorted())
  }
}
