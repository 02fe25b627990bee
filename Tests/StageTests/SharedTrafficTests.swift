import Dispatch
import DrawnMaps
import EventTime
import RoadGraph
import Route
import Routing
import Synchronization
import Testing
import Traffic

@testable import RouterStage

@Suite struct SharedTrafficTests {
  private static let heard = Instant(seconds: 100)

  private static func board(_ map: DrawnMap, speedMps: Double, observedS: Double = 100) throws
    -> TrafficBoard
  {
    var board = TrafficBoard()
    let reports = try map.edges("bc").map {
      FlowReport(
        segment: map.graph.reference($0), state: TrafficState(measuredSpeedMps: speedMps))
    }
    board.set(FlowSnapshot(feed: "test", observed: Instant(seconds: observedS), reports: reports))
    return board
  }

  @Test func `vehicles that heard the same share one metric and its customization, TR-6`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    var engines: [RoutingEngine] = []
    for (number, vehicle) in ["car1", "car2", "car3"].enumerated() {
      _ = shared.desk.put(
        try Self.board(map, speedMps: vehicle == "car3" ? 4 : 3), of: vehicle, at: Self.heard)
      // Their clocks differ by seconds.
      let traffic = try #require(
        shared.traffic(of: vehicle, at: Instant(seconds: 120 - Double(number))))
      engines.append(shared.engines.engine(MetricKey(RouteRequest(waypoints: [])), traffic))
    }
    #expect(engines[0].metric === engines[1].metric)
    #expect(engines[0].customized === engines[1].customized)
    #expect(engines[0].metric !== engines[2].metric)
    #expect(shared.desk.sheet(of: "car1") === shared.desk.sheet(of: "car2"))
  }

  @Test func `traffic that begins to hold makes another view`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    var board = try Self.board(map, speedMps: 3)
    board.set(
      IncidentList(
        feed: "test", observed: Instant(seconds: 100),
        incidents: [
          Incident(
            id: "i", kind: "accident",
            segments: try map.edges("cd").map { map.graph.reference($0) }, isClosed: true,
            from: Instant(seconds: 200), until: Instant(seconds: 300))
        ]))
    _ = shared.desk.put(board, of: "ego", at: Self.heard)
    let names = try [150.0, 190, 200, 299, 300].map {
      try #require(shared.traffic(of: "ego", at: Instant(seconds: $0)))
    }
    #expect(names[0].name == names[1].name && names[2].name == names[3].name)
    #expect(Set(names.map(\.name)).count == 3)
    #expect(names.map { $0.view()?.incidents.count } == [0, 0, 1, 1, 0])
  }

  @Test func `what visitors ask for takes nothing from drivers`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    func metric(_ avoid: Set<Avoidance>, _ asker: Asker) -> RoadMetric {
      var request = RouteRequest(waypoints: [])
      request.avoid = avoid
      return shared.engines.metric(MetricKey(request), .none, for: asker)
    }
    let own = metric([], .driver)
    let engine = shared.engines.engine(own)
    let kinds = Avoidance.allCases
    for kind in kinds { _ = shared.engines.engine(metric([kind], .visitor)) }
    #expect(metric([], .visitor) === own)
    for kind in kinds { _ = shared.engines.engine(metric([kind, .tolls], .visitor)) }
    #expect(metric([], .driver) === own)
    #expect(shared.engines.engine(own).customized === engine.customized)
  }

  @Test func `of traffic that is past nothing is kept`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    weak var old: RoadMetric?
    for second in 0..<5 {
      _ = shared.desk.put(
        try Self.board(map, speedMps: Double(second + 2), observedS: Double(second)), of: "ego",
        at: Instant(seconds: Double(second)))
      let traffic = try #require(shared.traffic(of: "ego", at: Instant(seconds: 10)))
      let engine = shared.engines.engine(MetricKey(RouteRequest(waypoints: [])), traffic)
      if second == 0 { old = engine.metric }
    }
    #expect(old == nil)
  }

  @Test func `while new traffic is worked out what was new a moment ago answers, TR-6`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    let key = MetricKey(RouteRequest(waypoints: []))
    func hear(_ speedMps: Double, atS: Double) throws {
      _ = shared.desk.put(
        try Self.board(map, speedMps: speedMps, observedS: atS), of: "ego",
        at: Instant(seconds: atS))
    }
    func traffic(atS: Double) throws -> CountedTraffic {
      try #require(shared.traffic(of: "ego", at: Instant(seconds: atS)))
    }
    try hear(3, atS: 100)
    let old = shared.engines.engine(key, try traffic(atS: 101))
    try hear(4, atS: 102)
    // At the first moment half a second has not passed yet, at the second it has.
    let (soon, late) = (try traffic(atS: 102.4), try traffic(atS: 102.6))
    #expect(soon.allows(TrafficName(sheet: 1), until: nil))
    #expect(soon.allows(TrafficName(sheet: 1), until: Instant(seconds: 102.5)))
    // Something in it has ended since, or it was meant for another time.
    #expect(!soon.allows(TrafficName(sheet: 1), until: Instant(seconds: 102.3)))
    #expect(!soon.allows(TrafficName(sheet: 1, isForetold: true), until: nil))
    #expect(!soon.allows(TrafficName(sheet: 1, typicalSlot: 5), until: nil))
    #expect(!late.allows(TrafficName(sheet: 1), until: nil))
    // Who has waited for it takes it for a whole second.
    let waited = CountedTraffic.graceOfWaitingS
    #expect(late.allows(TrafficName(sheet: 1), until: nil, graceS: waited))
    #expect(try !traffic(atS: 103.1).allows(TrafficName(sheet: 1), until: nil, graceS: waited))
    // Somebody works on the new traffic, and comes to its reports when this one has his answer.
    let (begun, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    var slow = soon
    let view = soon.view
    slow.view = {
      begun.signal()
      _ = answered.wait(timeout: .now() + 30)
      return view()
    }
    let made = Mutex<RoutingEngine?>(nil)
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { [slow] in
      let engine = shared.engines.engine(key, slow)
      made.withLock { $0 = engine }
    }
    begun.wait()
    #expect(shared.engines.engine(key, soon).customized === old.customized)
    #expect(shared.engines.metric(key, soon) === old.metric)
    answered.signal()
    group.wait()
    let new = try #require(made.withLock { $0 })
    #expect(new.metric !== old.metric)
    // When it is done the newest answers.
    #expect(shared.engines.engine(key, soon).metric === new.metric)
    #expect(shared.engines.engine(key, late).metric === new.metric)
  }

  @Test func `departures between two changes share their traffic, RT-4 TR-7`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    var board = TrafficBoard()
    let reports = try map.edges("bc").map {
      FlowReport(
        segment: map.graph.reference($0),
        state: TrafficState(
          measuredSpeedMps: 3, source: .predicted, until: Instant(seconds: 90_000)))
    }
    board.set(FlowSnapshot(feed: "test", observed: Self.heard, reports: reports))
    let sheet = shared.desk.put(board, of: "ego", at: Self.heard)
    func engine(_ departureS: Double) -> RoutingEngine {
      shared.engines.engine(
        MetricKey(RouteRequest(waypoints: [])),
        sheet.counted(
          at: Instant(seconds: departureS), isForetold: true, index: shared.index,
          graph: shared.graph))
    }
    let first = engine(80_000)
    #expect(engine(80_000.000_001).metric === first.metric)
    #expect(engine(89_999).customized === first.customized)
    #expect(engine(90_000).metric !== first.metric)
    #expect(first.metric.traffic?.knows(try map.edge("bc")) == true)
    #expect(engine(90_000).metric.traffic?.knows(try map.edge("bc")) == false)
  }

  @Test func `vehicles that the same signs let through share one metric, RT-3`() throws {
    let map = try DrawnMap(
      "a--b--c--d",
      ways: [
        "ab": "highway=primary maxheight=3.5", "bc": "highway=primary maxheight=4",
        "cd": "highway=primary maxweight=7.5 hazmat=no",
      ])
    let shared = RouterShared(graph: map.graph)
    func metric(_ vehicle: VehicleSize) -> RoadMetric {
      var request = RouteRequest(waypoints: [], mode: .truck)
      request.vehicle = vehicle
      return shared.engines.metric(MetricKey(request), .none)
    }
    let plain = metric(VehicleSize())
    #expect(metric(VehicleSize(heightM: 3.5, widthM: 2.6, weightT: 7.5, axles: 3)) === plain)
    let high = metric(VehicleSize(heightM: 3.51))
    #expect(high !== plain)
    #expect(metric(VehicleSize(heightM: 4, lengthM: 18)) === high)
    #expect(metric(VehicleSize(heightM: 4.01)) !== high)
    let dangerous = metric(VehicleSize(carriesHazardousGoods: true))
    #expect(dangerous !== plain)
    #expect(metric(VehicleSize(heightM: 1, carriesHazardousGoods: true)) === dangerous)
  }

  @Test func `a shelf gives up the longest unused of those who ask alike`() {
    var shelf = Shelf<Int, Int>(drivers: 2, visitors: 1)
    for key in 1...3 { shelf.put(key, key, .driver) }
    #expect(shelf.entries.map(\.key) == [2, 3])
    #expect(shelf.take(.visitor) { $0.key == 2 } == 2)
    shelf.put(4, 4, .driver)
    #expect(shelf.entries.map(\.key) == [2, 4])
    for key in 5...9 { shelf.put(key, key, .visitor) }
    #expect(shelf.entries.map(\.key) == [2, 4, 9])
    // A visitor's becomes a driver's when a driver asks for it.
    #expect(shelf.take(.driver) { $0.key == 9 } == 9)
    #expect(shelf.entries.map(\.key) == [4, 9])
  }
}
