import DrawnMaps
import EventTime
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

  private func flows(_ outputs: [StageOutput]) throws -> [TrafficFlow] {
    try outputs.compactMap { output in
      guard case .publish("traffic/flow", _, let payload, let key, _, _) = output else {
        return nil
      }
      #expect(key == "scenario")
      return try TrafficFlow(decoding: payload)
    }
  }

  private func wake(_ outputs: [StageOutput]) -> Double? {
    for case .wake(let at) in outputs { return at.seconds }
    return nil
  }

  @Test func `a scenario is played in stack time, the whole of it with each change, TR-1`() throws {
    let map = try Self.map()
    var stage = TrafficStage(
      vehicle: "ego",
      shared: TrafficShared(graph: map.graph, scenario: Self.scenario(), beginsWithRoute: false))
    let start = try stage.handle(.wake(now: Instant(seconds: 100)))
    #expect(try flows(start).map(\.flow.way.count) == [0])
    #expect(wake(start) == 110)
    let jam = try stage.handle(.wake(now: Instant(seconds: 110)))
    let flow = try #require(try flows(jam).first)
    #expect(flow.flow.way.count == 2)
    #expect(Set(flow.flow.jamFactor) == [80])
    #expect(flow.flow.untilS.allSatisfy { $0 == 50 })
    #expect(wake(jam) == 160)
    let over = try stage.handle(.wake(now: Instant(seconds: 160)))
    #expect(try flows(over).map(\.flow.way.count) == [0])
    #expect(wake(over) == nil)
  }

  @Test func `nothing is said twice, and the clock set anew plays it again`() throws {
    let map = try Self.map()
    var stage = TrafficStage(
      vehicle: "ego",
      shared: TrafficShared(graph: map.graph, scenario: Self.scenario(), beginsWithRoute: false))
    _ = try stage.handle(.wake(now: Instant(seconds: 100)))
    _ = try stage.handle(.wake(now: Instant(seconds: 110)))
    #expect(try flows(try stage.handle(.wake(now: Instant(seconds: 120)))).isEmpty)
    let again = try stage.handle(.clockReset(now: Instant(seconds: 200)))
    #expect(try flows(again).map(\.flow.way.count) == [0])
    #expect(wake(again) == 210)
  }

  @Test func `a wrong scenario file is refused with its place`() throws {
    #expect(throws: StageFailure.self) { _ = try ScenarioFile.read("/nowhere/scenario.json") }
  }
}
