import DrawnMaps
import Foundations
import Geodesy
import MapMaking
import Messages
import RoadGraph
import Stage
import Testing
import Traffic

@testable import TrafficStage

@Suite struct TrafficStageTests {
  static func map() throws -> DrawnMap {
    try DrawnMap(
      "a--b--c",
      ways: ["ab": "highway=secondary name=Mill Lane", "bc": "highway=secondary name=High Street"])
  }

  static func scenario() -> TrafficScenario {
    TrafficScenario(
      feed: "scenario",
      events: [
        ScenarioEvent(
          atS: 10, untilS: 60, place: ScenarioPlace(street: "Mill Lane"), jamFactor: 8,
          incident: Incident(id: "event-0", kind: "accident", text: "Accident"))
      ])
  }

  private func flows(_ outputs: [EncodedOutput]) throws -> [TrafficFlow] {
    try outputs.compactMap { output in
      guard case .publish("traffic/flow", _, let payload, let key, _, _) = output else {
        return nil
      }
      #expect(key == "scenario")
      return try TrafficFlow(decoding: payload)
    }
  }

  private func wake(_ outputs: [EncodedOutput]) -> Double? {
    for case .wake(let at) in outputs { return at.seconds }
    return nil
  }

  @Test func `a scenario is played in stack time, the whole of it with each change, TR-1`() throws {
    let map = try Self.map()
    var stage = TrafficStage(
      vehicle: "ego",
      shared: TrafficShared(graph: map.graph, scenario: Self.scenario(), beginsWithRoute: false))
    let start = try stage.receive(.wake(now: Instant(seconds: 100)))
    #expect(try flows(start).map(\.flow.way.count) == [0])
    #expect(wake(start) == 110)
    let jam = try stage.receive(.wake(now: Instant(seconds: 110)))
    let flow = try #require(try flows(jam).first)
    #expect(flow.flow.way.count == 2)
    #expect(Set(flow.flow.jamFactor) == [80])
    #expect(flow.flow.untilS.allSatisfy { $0 == 50 })
    #expect(wake(jam) == 160)
    let over = try stage.receive(.wake(now: Instant(seconds: 160)))
    #expect(try flows(over).map(\.flow.way.count) == [0])
    #expect(wake(over) == nil)
  }

  @Test func `nothing is said twice, and the clock set anew plays it again`() throws {
    let map = try Self.map()
    var stage = TrafficStage(
      vehicle: "ego",
      shared: TrafficShared(graph: map.graph, scenario: Self.scenario(), beginsWithRoute: false))
    _ = try stage.receive(.wake(now: Instant(seconds: 100)))
    _ = try stage.receive(.wake(now: Instant(seconds: 110)))
    #expect(try flows(try stage.receive(.wake(now: Instant(seconds: 120)))).isEmpty)
    let again = try stage.receive(.clockReset(now: Instant(seconds: 200)))
    #expect(try flows(again).map(\.flow.way.count) == [0])
    #expect(wake(again) == 210)
  }

  @Test(arguments: [(8.0, true), (3.0, false)])
  func `a successor publishes its scenario if it is another one, TR-1, BUS-6`(
    jamFactor: Double, isSame: Bool
  ) throws {
    let map = try Self.map()
    func stage(_ scenario: TrafficScenario) -> TrafficStage {
      TrafficStage(
        vehicle: "ego",
        shared: TrafficShared(graph: map.graph, scenario: scenario, beginsWithRoute: false))
    }
    var first = stage(Self.scenario())
    _ = try first.receive(.wake(now: Instant(seconds: 100)))
    _ = try first.receive(.wake(now: Instant(seconds: 110)))
    var scenario = Self.scenario()
    scenario.events[0].jamFactor = jamFactor
    var successor = stage(scenario)
    try successor.takeOver(try #require(first.handOverState))
    let flows = try flows(try successor.receive(.wake(now: Instant(seconds: 111))))
    #expect(flows.map { Set($0.flow.jamFactor) } == (isSame ? [] : [[Int64(jamFactor * 10)]]))
  }

  @Test func `a successor replaces the messages of a scenario that it does not have, TR-1, BUS-6`()
    throws
  {
    let map = try Self.map()
    func stage(_ scenario: TrafficScenario) -> TrafficStage {
      TrafficStage(
        vehicle: "ego",
        shared: TrafficShared(graph: map.graph, scenario: scenario, beginsWithRoute: false))
    }
    var first = stage(Self.scenario())
    _ = try first.receive(.wake(now: Instant(seconds: 100)))
    _ = try first.receive(.wake(now: Instant(seconds: 110)))
    let state = try #require(first.handOverState)
    for feed in ["scenario", "other"] {
      var successor = stage(TrafficScenario(feed: feed, events: []))
      try successor.takeOver(state)
      let cleared = try flows(try successor.receive(.wake(now: Instant(seconds: 111))))
      #expect(cleared.map(\.flow.way.count) == [0], "\(feed)")
      #expect(try flows(try successor.receive(.wake(now: Instant(seconds: 112)))).isEmpty)
    }
  }

  @Test func `a wrong scenario file is refused with its place`() throws {
    #expect(throws: StageFailure.self) { _ = try ScenarioFile.read("/nowhere/scenario.json") }
  }

  @Test func `what a scenario says holds until it says otherwise, delays of incidents too`() throws
  {
    let map = try Self.map()
    let scenario = TrafficScenario(
      feed: "scenario",
      events: [
        ScenarioEvent(
          atS: 0, place: ScenarioPlace(street: "Mill Lane"), speedMps: 5,
          incident: Incident(id: "event-0", kind: "accident", delayS: 90))
      ])
    var stage = TrafficStage(
      vehicle: "ego",
      shared: TrafficShared(graph: map.graph, scenario: scenario, beginsWithRoute: false))
    let outputs = try stage.receive(.wake(now: Instant(seconds: 100)))
    let flow = try #require(try flows(outputs).first)
    #expect(flow.flow.untilS == [0, 0])
    #expect(try #require(flow.untilNs) > Instant(seconds: 100 + 300 * 86_400).nanoseconds)
    let list = try outputs.compactMap { output -> TrafficIncidents? in
      guard case .publish("traffic/incidents", _, let payload, _, _, _) = output else { return nil }
      return try TrafficIncidents(decoding: payload)
    }
    #expect(list.first?.incidents.first?.delayS == 90)
  }

  @Test func `events of no road are counted, and named in one line`() throws {
    let map = try Self.map()
    let lost = (0..<12).map { _ in
      ScenarioEvent(atS: 0, place: ScenarioPlace(street: "Nowhere"), jamFactor: 5)
    }
    let shared = TrafficShared(
      graph: map.graph,
      scenario: TrafficScenario(feed: "scenario", events: Self.scenario().events + lost),
      beginsWithRoute: false)
    #expect(shared.unplaced == 12)
    #expect(
      shared.problems == [
        "12 of 13 events of the scenario lie on no road of the map: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …"
      ])
  }

  @Test func `a scenario of ten thousand events starts in a second`() throws {
    let graph = try Self.town()
    let around = try #require(graph.boundingBox)
    let events = (0..<10_000).map { number in
      let south = around.southDeg + Double(number % 100) * 1e-4
      let west = around.westDeg + Double(number / 100) * 1e-4
      let box = BoundingBox(
        southDeg: south, westDeg: west, northDeg: south + 1e-3, eastDeg: west + 1e-3)
      let place =
        number % 2 == 0
        ? ScenarioPlace(box: box) : ScenarioPlace(street: "Street \(number % 40)")
      return ScenarioEvent(
        atS: Double(number), untilS: Double(number + 60), place: place, jamFactor: 5)
    }
    let clock = ContinuousClock()
    var shared: TrafficShared?
    let seconds = clock.measure {
      shared = TrafficShared(
        graph: graph, scenario: TrafficScenario(feed: "scenario", events: events),
        beginsWithRoute: false)
    }
    #expect(seconds < .seconds(5))
    #expect(try #require(shared).pieces.count == 10_000)
  }

  /// Forty streets crossing forty.
  private static func town() throws -> RoadGraph {
    var data = OSMData()
    func id(_ row: Int, _ column: Int) -> Int64 { Int64(1000 * row + column + 1) }
    for row in 0..<40 {
      for column in 0..<40 {
        data.nodes.append(
          OSMNode(
            id: id(row, column), latitudeE7: Int32(470_000_000 + row * 10_000),
            longitudeE7: Int32(column * 10_000)))
      }
    }
    for row in 0..<40 {
      let tags = OSMTags([
        .init(key: "highway", value: "residential"), .init(key: "name", value: "Street \(row)"),
      ])
      data.ways.append(OSMWay(id: Int64(row + 1), nodes: (0..<40).map { id(row, $0) }, tags: tags))
      data.ways.append(
        OSMWay(id: Int64(row + 101), nodes: (0..<40).map { id($0, row) }, tags: tags))
    }
    return try GraphMaker.make(data).graph()
  }
}
