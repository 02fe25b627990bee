import DrawnMaps
import Foundations
import RoadGraph
import Route
import Routing
import Testing
import Traffic

@testable import RouterStage

@Suite struct SharedTrafficTests {
  private static let heard = Instant(seconds: 100)

  static func traffic(_ map: DrawnMap, speedMps: Double, observedS: Double = 100) throws
    -> TrafficReports
  {
    var traffic = TrafficReports()
    let reports = try map.edges("bc").map {
      FlowReport(
        segment: map.graph.reference($0), state: TrafficState(measuredSpeedMps: speedMps))
    }
    traffic.set(FlowSnapshot(feed: "test", observed: Instant(seconds: observedS), reports: reports))
    return traffic
  }

  @Test func `vehicles that heard the same share one metric and its customization, TR-6`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    var engines: [RoutingEngine] = []
    for (number, vehicle) in ["car1", "car2", "car3"].enumerated() {
      _ = shared.snapshots.put(
        try Self.traffic(map, speedMps: vehicle == "car3" ? 4 : 3), of: vehicle, at: Self.heard)
      // Their clocks differ by seconds.
      let traffic = try #require(
        shared.traffic(of: vehicle, at: Instant(seconds: 120 - Double(number))))
      engines.append(shared.engines.engine(MetricKey(RouteRequest(waypoints: [])), traffic))
    }
    #expect(engines[0].metric === engines[1].metric)
    let customized = try engines.map { try #require($0.customized) }
    #expect(customized[0] === customized[1])
    #expect(engines[0].metric !== engines[2].metric)
    #expect(customized[2] !== customized[0])
    #expect(shared.snapshots.snapshot(of: "car1") === shared.snapshots.snapshot(of: "car2"))
  }

  @Test func `traffic that begins to hold makes another view`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    var traffic = try Self.traffic(map, speedMps: 3)
    traffic.set(
      IncidentList(
        feed: "test", observed: Instant(seconds: 100),
        incidents: [
          Incident(
            id: "i", kind: "accident",
            segments: try map.edges("cd").map { map.graph.reference($0) }, isClosed: true,
            from: Instant(seconds: 200), until: Instant(seconds: 300))
        ]))
    _ = shared.snapshots.put(traffic, of: "ego", at: Self.heard)
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
    func engine(_ avoid: Set<Avoidance>, _ requester: RequestOrigin) -> RoutingEngine {
      var request = RouteRequest(waypoints: [])
      request.avoid = avoid
      return shared.engines.engine(MetricKey(request), .none, for: requester)
    }
    let own = engine([], .driver)
    let kinds = Avoidance.allCases
    weak let visitors = engine([.tolls], .visitor).customized
    #expect(visitors != nil)
    for kind in kinds { _ = engine([kind], .visitor) }
    // Places are few: what was not asked for again is given up.
    #expect(visitors == nil)
    #expect(engine([], .visitor).metric === own.metric)
    for kind in kinds { _ = engine([kind, .tolls], .visitor) }
    #expect(engine([], .driver).metric === own.metric)
    let customized = try #require(own.customized)
    #expect(customized === engine([], .driver).customized)
  }

  @Test func `of traffic that is past nothing is kept`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    weak var old: RoadMetric?
    weak var before: RoadMetric?
    for second in 0..<5 {
      _ = shared.snapshots.put(
        try Self.traffic(map, speedMps: Double(second + 2), observedS: Double(second)), of: "ego",
        at: Instant(seconds: Double(second)))
      let traffic = try #require(shared.traffic(of: "ego", at: Instant(seconds: 10)))
      let engine = shared.engines.engine(MetricKey(RouteRequest(waypoints: [])), traffic)
      if second == 0 { old = engine.metric }
      if second == 3 { before = engine.metric }
      // What is new is kept until something newer is made.
      let again = shared.engines.engine(MetricKey(RouteRequest(waypoints: [])), traffic)
      #expect(again.metric === engine.metric)
    }
    #expect(old == nil && before == nil)
  }

  @Test func `departures between two changes share their traffic, RT-4 TR-7`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    var traffic = TrafficReports()
    let reports = try map.edges("bc").map {
      FlowReport(
        segment: map.graph.reference($0),
        state: TrafficState(
          measuredSpeedMps: 3, source: .predicted, until: Instant(seconds: 90_000)))
    }
    traffic.set(FlowSnapshot(feed: "test", observed: Self.heard, reports: reports))
    let sheet = shared.snapshots.put(traffic, of: "ego", at: Self.heard)
    func engine(_ departureS: Double) -> RoutingEngine {
      shared.engines.engine(
        MetricKey(RouteRequest(waypoints: [])),
        sheet.counted(
          at: Instant(seconds: departureS), includesForecast: true, index: shared.index,
          graph: shared.graph))
    }
    let first = engine(80_000)
    #expect(engine(80_000.000_001).metric === first.metric)
    let customized = try #require(first.customized)
    #expect(customized === engine(89_999).customized)
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
    var shelf = PartitionedLRUCache<Int, Int>(drivers: 2, visitors: 1)
    for key in 1...3 { shelf.put(key, key, .driver) }
    #expect(shelf.entries.map(\.key) == [2, 3])
    #expect(shelf.use(.visitor) { $0.key == 2 } == 2)
    shelf.put(4, 4, .driver)
    #expect(shelf.entries.map(\.key) == [2, 4])
    for key in 5...9 { shelf.put(key, key, .visitor) }
    #expect(shelf.entries.map(\.key) == [2, 4, 9])
    // By rank the least is taken, whoever was used last.
    #expect(shelf.use(.driver, leastBy: { $0.key == 9 ? nil : Double(-$0.key) }) == 4)
    #expect(shelf.use(.driver, leastBy: { _ in nil }) == nil)
    // A visitor's becomes a driver's when a driver asks for it.
    #expect(shelf.use(.driver) { $0.key == 9 } == 9)
    #expect(shelf.entries.map(\.key) == [4, 9])
  }
}
