import DrawnMaps
import Foundations
import RoadGraph
import Route
import Routing
import Synchronization
import Testing
import Traffic

@testable import RouterStage

/// What answers while the newest traffic is still being worked out, TR-6.
@Suite struct RecentTrafficTests {
  /// A router that hears of traffic at moments.
  private struct Bench {
    let map: DrawnMap
    let shared: RouterShared
    let key = MetricKey(RouteRequest(waypoints: []))

    init() throws {
      map = try RouterStageTests.town()
      shared = RouterShared(graph: map.graph)
    }

    func ingest(_ speedMps: Double, atS: Double) throws {
      _ = shared.snapshots.put(
        try SharedTrafficTests.traffic(map, speedMps: speedMps, observedS: atS), of: "ego",
        at: Instant(seconds: atS))
    }

    func traffic(atS: Double) throws -> RequestTraffic {
      try #require(shared.traffic(of: "ego", at: Instant(seconds: atS)))
    }

    /// Prices for those who avoid tolls; who makes them comes to the reports and stays there until
    /// `gate` is open.
    func keepBusy(
      _ traffic: RequestTraffic, in store: EngineCache, until gate: Gate
    ) throws -> TestThread {
      var request = RouteRequest(waypoints: [])
      request.avoid = [.tolls]
      let (key, begun, view) = (MetricKey(request), Gate(), traffic.view)
      var slow = traffic
      slow.view = {
        begun.open()
        try? gate.pass()
        return view()
      }
      let worker = TestThread { [slow] in _ = store.engine(key, slow) }
      try begun.pass()
      return worker
    }
  }

  @Test func `while new traffic is worked out what was new a moment ago answers, TR-6`() throws {
    let bench = try Bench()
    let (shared, key) = (bench.shared, bench.key)
    try bench.ingest(3, atS: 100)
    let old = shared.engines.engine(key, try bench.traffic(atS: 101))
    try bench.ingest(4, atS: 102)
    // At the first moment half a second has not passed yet, at the second it has.
    let (soon, late) = (try bench.traffic(atS: 102.4), try bench.traffic(atS: 102.6))
    func isAllowed(
      _ other: TrafficKey, _ traffic: RequestTraffic, until: Double? = nil,
      graceS: Double = RequestTraffic.graceS
    ) -> Bool {
      traffic.pastS(of: other, until: until.map { Instant(seconds: $0) }, graceS: graceS) != nil
    }
    #expect(isAllowed(TrafficKey(snapshot: 1), soon))
    #expect(isAllowed(TrafficKey(snapshot: 1), soon, until: 102.5))
    // Something in it has ended since or has not begun, or it was meant for another time.
    #expect(!isAllowed(TrafficKey(snapshot: 1), soon, until: 102.3))
    #expect(!isAllowed(TrafficKey(snapshot: 1, since: Instant(seconds: 102.5)), soon))
    #expect(!isAllowed(TrafficKey(snapshot: 1, includesForecast: true), soon))
    #expect(!isAllowed(TrafficKey(snapshot: 1, typicalSlot: 5), soon))
    #expect(!isAllowed(TrafficKey(snapshot: 1), late))
    // Who has waited for it takes it for a whole second.
    let waited = RequestTraffic.graceOfWaitingS
    #expect(isAllowed(TrafficKey(snapshot: 1), late, graceS: waited))
    #expect(try !isAllowed(TrafficKey(snapshot: 1), bench.traffic(atS: 103.1), graceS: waited))
    // Somebody works on the new traffic, and comes to its reports when this one has his answer.
    let (begun, answered) = (Gate(), Gate())
    defer { answered.open() }
    var slow = soon
    let view = soon.view
    slow.view = {
      begun.open()
      try? answered.pass()
      return view()
    }
    let made = Mutex<RoutingEngine?>(nil)
    let worker = TestThread { [slow] in
      let engine = shared.engines.engine(key, slow)
      made.withLock { $0 = engine }
    }
    try begun.pass()
    let customized = try #require(old.customized)
    #expect(customized === shared.engines.engine(key, soon).customized)
    #expect(shared.engines.metric(key, soon) === old.metric)
    answered.open()
    try worker.join()
    let new = try #require(made.withLock { $0 })
    #expect(new.metric !== old.metric)
    // When it is done the newest answers.
    #expect(shared.engines.engine(key, soon).metric === new.metric)
    #expect(shared.engines.engine(key, late).metric === new.metric)
  }

  @Test func `of what was new a moment ago the newest answers, whichever was used last, TR-6`()
    throws
  {
    let bench = try Bench()
    let (shared, key) = (bench.shared, bench.key)
    try bench.ingest(3, atS: 100)
    let first = try bench.traffic(atS: 101)
    _ = shared.engines.engine(key, first)
    try bench.ingest(4, atS: 101.8)
    let second = try bench.traffic(atS: 101.9)
    let newer = shared.engines.engine(key, second)
    let older = shared.engines.engine(key, first)
    #expect(newer.metric !== older.metric)
    try bench.ingest(5, atS: 102)
    let gate = Gate()
    defer { gate.open() }
    let now = try bench.traffic(atS: 102.1)
    let worker = try bench.keepBusy(now, in: shared.engines, until: gate)
    #expect(shared.engines.engine(key, now).metric === newer.metric)
    gate.open()
    try worker.join()
  }

  @Test func `where questions crowd none of them works out the newest for itself, TR-6`() throws {
    let bench = try Bench()
    let (graph, key) = (bench.map.graph, bench.key)
    let put = Mutex<[@Sendable () -> Void]>([])
    let store = EngineCache(
      graph: graph, headings: HeadingTable(graph), states: RoadStates(graph),
      tuning: RoutingTuning(), snapshots: bench.shared.snapshots,
      singleFlight: SingleFlight(later: { work in put.withLock { $0.append(work) } }))
    try bench.ingest(3, atS: 100)
    let first = store.engine(key, try bench.traffic(atS: 101))
    // One after the other each gets the newest.
    try bench.ingest(4, atS: 102)
    let second = store.engine(key, try bench.traffic(atS: 102.1))
    #expect(second.metric !== first.metric)
    // One comes while another works.
    try bench.ingest(5, atS: 103)
    let third = try bench.traffic(atS: 103.1)
    let gate = Gate()
    defer { gate.open() }
    let busy = try bench.keepBusy(third, in: store, until: gate)
    #expect(store.engine(key, third).metric === second.metric)
    gate.open()
    try busy.join()
    // From now on the work is put by, once, and nobody waits.
    #expect(put.withLock { $0.isEmpty })
    #expect(store.engine(key, third).metric === second.metric)
    #expect(store.metric(key, third) === second.metric)
    #expect(put.withLock { $0.count } == 1)
    // What is older than half a second does not do, crowd or none.
    let late = try bench.traffic(atS: 103.6)
    #expect(store.engine(key, late).metric !== second.metric)
    let newest = store.engine(key, third)
    // What was put by finds that it is done; the next one works alone again.
    for work in put.withLock({ $0 }) { work() }
    #expect(store.engine(key, third).metric === newest.metric)
    try bench.ingest(6, atS: 104)
    #expect(store.engine(key, try bench.traffic(atS: 104.1)).metric !== newest.metric)
    #expect(put.withLock { $0.count } == 1)
  }

  @Test func `what is worked out beside the questions answers the next one, TR-6`() throws {
    let bench = try Bench()
    let (graph, key) = (bench.map.graph, bench.key)
    let put = Mutex<[@Sendable () -> Void]>([])
    let store = EngineCache(
      graph: graph, headings: HeadingTable(graph), states: RoadStates(graph),
      tuning: RoutingTuning(), snapshots: bench.shared.snapshots,
      singleFlight: SingleFlight(later: { work in put.withLock { $0.append(work) } }))
    try bench.ingest(3, atS: 100)
    let old = store.engine(key, try bench.traffic(atS: 101))
    func speed(_ engine: RoutingEngine) throws -> Double? {
      engine.metric.traffic?.state(of: try bench.map.edge("bc"))?.measuredSpeedMps
    }
    try bench.ingest(4, atS: 102)
    let gate = Gate()
    defer { gate.open() }
    let busy = try bench.keepBusy(bench.traffic(atS: 102.1), in: store, until: gate)
    #expect(store.engine(key, try bench.traffic(atS: 102.1)).metric === old.metric)
    gate.open()
    try busy.join()
    // The work that is put by comes to the reports, and another query with it.
    let (begun, answered) = (Gate(), Gate())
    defer { answered.open() }
    var slow = try bench.traffic(atS: 102.2)
    let view = slow.view
    slow.view = {
      begun.open()
      try? answered.pass()
      return view()
    }
    #expect(store.engine(key, slow).metric === old.metric)
    let work = try #require(put.withLock { $0.popLast() })
    let beside = TestThread { work() }
    try begun.pass()
    #expect(store.engine(key, try bench.traffic(atS: 102.3)).metric === old.metric)
    #expect(put.withLock { $0.isEmpty })
    answered.open()
    try beside.join()
    // So the crowd goes on: what has been made answers the next one, and what is newer is put by.
    try bench.ingest(5, atS: 102.4)
    #expect(try speed(store.engine(key, bench.traffic(atS: 102.4))) == 4)
    let more = try #require(put.withLock { $0.popLast() })
    more()
    // Nobody came in the middle of that: the next one works himself.
    try bench.ingest(6, atS: 102.5)
    #expect(try speed(store.engine(key, bench.traffic(atS: 102.5))) == 6)
    #expect(put.withLock { $0.isEmpty })
  }

  @Test func `while one waits traffic grows older, TR-6`() throws {
    let bench = try Bench()
    let (graph, key) = (bench.map.graph, bench.key)
    // A clock by which who waits waits for two tenths of a second.
    let asks = Gate()
    let looks = Mutex(0)
    let store = EngineCache(
      graph: graph, headings: HeadingTable(graph), states: RoadStates(graph),
      tuning: RoutingTuning(), snapshots: bench.shared.snapshots,
      singleFlight: SingleFlight(secondsNow: {
        asks.open()
        return looks.withLock { count in
          defer { count += 1 }
          return 0.2 * Double(count)
        }
      }))
    try bench.ingest(3, atS: 100)
    let old = store.engine(key, try bench.traffic(atS: 101))
    try bench.ingest(4, atS: 102)
    let gate = Gate()
    defer { gate.open() }
    // A tenth of a second is left of the second within which new traffic has to count.
    let late = try bench.traffic(atS: 102.9)
    let busy = try bench.keepBusy(late, in: store, until: gate)
    let given = Mutex<RoutingEngine?>(nil)
    let requester = TestThread {
      let engine = store.engine(key, late)
      given.withLock { $0 = engine }
    }
    try asks.pass()
    gate.open()
    try requester.join()
    try busy.join()
    let engine = try #require(given.withLock { $0 })
    #expect(engine.metric !== old.metric)
    #expect(engine.metric.traffic?.state(of: try bench.map.edge("bc"))?.measuredSpeedMps == 4)
  }

  @Test(arguments: [10_000.0, 1000, 103.5])
  func `a stamp far ahead makes nothing recent, and a clock set back neither, TR-6`(
    aheadS: Double
  ) throws {
    let bench = try Bench()
    try bench.ingest(3, atS: 100)
    try bench.ingest(4, atS: aheadS)
    #expect(try bench.traffic(atS: 102).recent.isEmpty)
    #expect(bench.shared.snapshots.recent(of: "ego", at: Instant(seconds: 102)).isEmpty)
    // Going on from there, the ends that lie ahead are forgotten.
    try bench.ingest(5, atS: 102)
    #expect(try bench.traffic(atS: 102.1).recent.map(\.key) == [2])
    #expect(try bench.traffic(atS: aheadS).recent[1] == nil)
  }

  @Test func `clocks that differ a little do no harm, TR-6`() throws {
    let bench = try Bench()
    try bench.ingest(3, atS: 100)
    try bench.ingest(4, atS: 102)
    // Who asks a moment before the stamp of what has come already may have what was there.
    #expect(try abs(#require(try bench.traffic(atS: 101.9).recent[1]) - 0.1) < 1e-6)
  }

  @Test func `while a view is made nobody waits who needs another one, TR-6`() throws {
    let bench = try Bench()
    try bench.ingest(3, atS: 100)
    let sheet = try #require(bench.shared.snapshots.snapshot(of: "ego"))
    let (index, graph) = (bench.shared.index, bench.shared.graph)
    let known = sheet.counted(
      at: Instant(seconds: 101), includesForecast: true, index: index, graph: graph)
    _ = known.view()
    let (begun, gate) = (Gate(), Gate())
    defer { gate.open() }
    let counts = Mutex(0)
    let slow = sheet.counted(at: Instant(seconds: 101)) { reports, moment in
      counts.withLock { $0 += 1 }
      begun.open()
      try? gate.pass()
      return reports.view(at: moment, index: index, graph: graph)
    }
    let makers = (0..<2).map { _ in TestThread { _ = slow.view() } }
    try begun.pass()
    // Were they to wait, they would for as long as a minute.
    let begin = ContinuousClock.now
    #expect(known.view() != nil)
    #expect(sheet.counted(at: Instant(seconds: 102), index: index, graph: graph).name == slow.name)
    #expect(ContinuousClock.now - begin < .seconds(30))
    gate.open()
    for maker in makers { try maker.join() }
    // Both had the one that was made.
    #expect(counts.withLock { $0 } == 1)
  }
}
