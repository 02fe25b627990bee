import DrawnMaps
import EventTime
import RoadGraph
import Route
import Routing
import Testing
import Traffic

@testable import RouterStage

@Suite struct SharedTrafficTests {
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
        try Self.board(map, speedMps: vehicle == "car3" ? 4 : 3), of: vehicle)
      // Their clocks differ by seconds.
      let traffic = try #require(
        shared.traffic(of: vehicle, at: Instant(seconds: 120 - Double(number))))
      let metric = shared.metric(
        MetricKey(RouteRequest(waypoints: [])), traffic: traffic.view, trafficName: traffic.name)
      engines.append(shared.engine(metric))
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
    _ = shared.desk.put(board, of: "ego")
    let names = try [150.0, 190, 200, 299, 300].map {
      try #require(shared.traffic(of: "ego", at: Instant(seconds: $0)))
    }
    #expect(names[0].name == names[1].name && names[2].name == names[3].name)
    #expect(Set(names.map(\.name)).count == 3)
    #expect(names.map(\.view.incidents.count) == [0, 0, 1, 1, 0])
  }

  @Test func `what visitors ask for takes nothing from drivers`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    func metric(_ avoid: Set<Avoidance>, _ asker: Asker) -> RoadMetric {
      var request = RouteRequest(waypoints: [])
      request.avoid = avoid
      return shared.metric(MetricKey(request), traffic: nil, trafficName: .none, for: asker)
    }
    let own = metric([], .driver)
    let engine = shared.engine(own)
    let kinds = Avoidance.allCases
    for kind in kinds { _ = shared.engine(metric([kind], .visitor)) }
    #expect(metric([], .visitor) === own)
    for kind in kinds { _ = shared.engine(metric([kind, .tolls], .visitor)) }
    #expect(metric([], .driver) === own)
    #expect(shared.engine(own).customized === engine.customized)
  }

  @Test func `of traffic that is past nothing is kept`() throws {
    let map = try RouterStageTests.town()
    let shared = RouterShared(graph: map.graph)
    weak var old: RoadMetric?
    for second in 0..<5 {
      _ = shared.desk.put(
        try Self.board(map, speedMps: Double(second + 2), observedS: Double(second)), of: "ego")
      let traffic = try #require(shared.traffic(of: "ego", at: Instant(seconds: 10)))
      let metric = shared.metric(
        MetricKey(RouteRequest(waypoints: [])), traffic: traffic.view, trafficName: traffic.name)
      _ = shared.engine(metric)
      if second == 0 { old = metric }
    }
    #expect(old == nil)
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
