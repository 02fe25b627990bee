import BusProtocol
import Foundations
import Messages
import Testing

@testable import Harness

@Suite struct WakeHeapTests {
  private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

  @Test func `the earliest comes first, and by name among equals`() {
    var heap = WakeHeap()
    for (name, second) in [("c", 5), ("a", 5), ("b", 3), ("d", 9)] as [(String, Int64)] {
      heap[name] = at(second)
    }
    let first = heap.first
    #expect(first == at(3))
    let due = heap.popDue(at: at(5), limit: 10)
    #expect(due == ["b", "a", "c"])
    #expect(heap.count == 1)
    let later = heap.popDue(at: at(5), limit: 10)
    #expect(later == [])
  }

  @Test func `a later wish replaces the earlier one, and none takes it back`() {
    var heap = WakeHeap()
    heap["a"] = at(1)
    heap["a"] = at(7)
    heap["b"] = at(4)
    let due = heap.popDue(at: at(6), limit: 10)
    #expect(due == ["b"])
    heap["a"] = nil
    let none = heap.first
    #expect(none == nil)
    heap["a"] = at(7)
    let later = heap.popDue(at: at(7), limit: 10)
    #expect(later == ["a"])
  }

  @Test func `wishes that change without coming due do not fill the memory`() {
    var heap = WakeHeap()
    for second in 0..<100_000 { heap["v\(second % 10)"] = at(Int64(1_000_000 - second)) }
    #expect(heap.count == 10)
    #expect(heap.entryCount <= 2 * 10 + 65)
    let some = heap.popDue(at: at(1_000_000), limit: 4)
    #expect(some.count == 4)
    let rest = heap.popDue(at: at(1_000_000), limit: 40)
    #expect(rest.count == 6)
  }

  @Test func `drawn wishes come as a sort would have them`() {
    var heap = WakeHeap()
    var wanted: [String: Instant] = [:]
    var random: UInt64 = 7
    for _ in 0..<20_000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let name = "v\(random >> 33 & 255)"
      let moment = random >> 50 & 7 == 0 ? nil : at(Int64(random >> 40 & 1023))
      heap[name] = moment
      wanted[name] = moment
    }
    let sorted = wanted.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    let due = heap.popDue(at: at(2_000), limit: .max)
    #expect(due == sorted)
  }
}

@Suite struct SnapshotSchedulerTests {
  @Test func `each changed vehicle has its turn once, in the order of the changes`() {
    var keeper = SnapshotScheduler(node: "n", program: "p")
    for name in ["b", "a", "b", "c"] { keeper.changed(name) }
    #expect(keeper.waiting == 3)
    let due = keeper.popDue(2)
    #expect(due == ["b", "a"])
    keeper.changed("b")
    let later = keeper.popDue(10)
    #expect(later == ["c", "b"])
    keeper.rest(from: .now)
    #expect(keeper.nextSave == MonotonicTime(nanoseconds: .max))
  }

  @Test func `only what is new is said, a deletion once`() {
    var keeper = SnapshotScheduler(node: "n", program: "p")
    let states: [[UInt8]?] = [nil, [1], [1], [2], nil, nil]
    let isNews = states.map { keeper.isNews($0, of: "a") }
    #expect(isNews == [false, true, false, true, true, false])
    keeper.restored("a", [3])
    let isStillNews = keeper.isNews([3], of: "a")
    #expect(!isStillNews)
  }

  @Test func `large states make the keeper rest longer`() {
    var keeper = SnapshotScheduler(node: "n", program: "p")
    let now = MonotonicTime.now
    for name in ["a", "b"] { keeper.changed(name) }
    let due = keeper.popDue(1)
    #expect(due == ["a"])
    _ = keeper.isNews(Array(repeating: 1, count: 2 * SnapshotScheduler.bytesPerSecond), of: "a")
    keeper.rest(from: now)
    #expect(keeper.nextSave.milliseconds(since: now) == 2_000)
    let later = keeper.popDue(1)
    #expect(later == ["b"])
  }

  @Test func `what was said at once has no turn any more`() {
    var keeper = SnapshotScheduler(node: "n", program: "p")
    keeper.changed("a")
    _ = keeper.isNews([1], of: "a")
    let due = keeper.popDue(10)
    #expect(due == [])
  }
}

@Suite struct NodeConditionTests {
  private let now = Instant(seconds: 100)

  @Test func `a node is degraded while it has a reason, and all reasons are reported in order`() {
    var condition = NodeCondition()
    #expect(condition.state == .starting && condition.since == nil)
    condition.enter(.ready, now: now)
    let changes = ["b", "b", "c"].map { condition.set("map", $0) } + [condition.set("bus", "a")]
    #expect(changes == [true, false, true, true])
    condition.enterReadyOrDegraded(now: now.advanced(bySeconds: 1))
    #expect(condition.state == .degraded && condition.summary == "a; c")
    #expect(condition.since == now.advanced(bySeconds: 1))
    let ends = ["map", "bus", "bus"].map { condition.set($0, nil) }
    #expect(ends == [true, true, false])
    condition.enterReadyOrDegraded(now: now.advanced(bySeconds: 2))
    #expect(condition.state == .ready && condition.summary == nil)
  }

  @Test func `a state that is entered again began when it was first entered`() {
    var condition = NodeCondition()
    condition.enter(.ready, now: now)
    condition.enter(.ready, now: now.advanced(bySeconds: 5))
    #expect(condition.since == now)
  }
}

@Suite struct ConductedClockTests {
  @Test func `time goes back only in a new run of the source of time`() {
    var clock = ConductedClock(start: Instant(seconds: 10))
    #expect(!clock.isKnown)
    let first = clock.set(now: Instant(seconds: 5), isPaused: false, run: 1)
    #expect(first.isFirst && !first.isReset && clock.now == Instant(seconds: 5))
    let earlier = clock.set(now: Instant(seconds: 4), isPaused: true, run: 1)
    #expect(!earlier.isFirst && !earlier.isReset && clock.now == Instant(seconds: 5))
    #expect(clock.isPaused)
    let other = clock.set(now: Instant(seconds: 2), isPaused: false, run: 2)
    #expect(!other.isFirst && other.isReset && clock.now == Instant(seconds: 2))
    clock.advance(to: Instant(seconds: 1))
    #expect(clock.now == Instant(seconds: 2))
  }
}
