import DrawnMaps
import Foundations
import Geodesy
import RoadGraph
import Testing
import Traffic

@Suite struct TrafficReportsTests {
  @Test func `a speed counts before a jam factor, and a jam factor slows the usual speed, TR-1`() {
    let jam = TrafficState(measuredJamFactor: 8)
    #expect(abs(jam.speedMps(freeFlowMps: 20, mode: .car) - 4) < 1e-9)
    let both = TrafficState(measuredSpeedMps: 7, measuredJamFactor: 8)
    #expect(both.speedMps(freeFlowMps: 20, mode: .car) == 7)
    #expect(TrafficState(measuredSpeedMps: 30).speedMps(freeFlowMps: 20, mode: .truck) == 20)
    #expect(TrafficState(measuredJamFactor: 10).isClosed)
    #expect(TrafficState(measuredSpeedMps: 0).isClosed)
    #expect(!jam.isClosed)
    #expect(TrafficState(measuredSpeedMps: 5).jamFactor(freeFlowMps: 20) == 7.5)
    #expect(TrafficState(measuredSpeedMps: 25).jamFactor(freeFlowMps: 20) == 0)
  }

  @Test func `the next change is the nearest end or beginning ahead, TR-7`() {
    var reports = TrafficReports()
    let segment = SegmentReference(way: 1, from: 2, to: 3)
    reports.set(
      FlowSnapshot(
        feed: "a", observed: Instant(seconds: 10), until: Instant(seconds: 100),
        reports: [
          FlowReport(
            segment: segment, state: TrafficState(measuredJamFactor: 5, until: Instant(seconds: 50))
          )
        ]))
    reports.set(
      IncidentList(
        feed: "a", observed: Instant(seconds: 20),
        incidents: [Incident(id: "i", kind: "event", from: Instant(seconds: 30))]))
    #expect(reports.nextChange(after: Instant(seconds: 0)) == Instant(seconds: 30))
    #expect(reports.nextChange(after: Instant(seconds: 30)) == Instant(seconds: 50))
    #expect(reports.nextChange(after: Instant(seconds: 50)) == Instant(seconds: 100))
    #expect(reports.nextChange(after: Instant(seconds: 100)) == nil)
    reports.removeFlow(feed: "a")
    reports.removeIncidents(feed: "a")
    #expect(reports.isEmpty)
  }

  @Test func `a view is as new as the newest of what it holds, RT-7`() throws {
    let map = try DrawnMap("a--b--c", ways: ["ab": "highway=tertiary", "bc": "highway=tertiary"])
    let index = SegmentIndex(map.graph)
    func report(_ letters: String, untilS: Double? = nil) throws -> FlowReport {
      FlowReport(
        segment: map.graph.reference(try map.edge(letters)),
        state: TrafficState(measuredJamFactor: 5, until: untilS.map { Instant(seconds: $0) }))
    }
    let elsewhere = FlowReport(
      segment: SegmentReference(way: 1, from: 2, to: 3), state: TrafficState(measuredJamFactor: 5))
    var reports = TrafficReports()
    func observed(atS: Double) -> Double? {
      reports.view(at: Instant(seconds: atS), index: index, graph: map.graph).observed?.seconds
    }
    reports.set(
      FlowSnapshot(
        feed: "late", observed: Instant(seconds: 100), until: Instant(seconds: 150),
        reports: [try report("bc")]))
    #expect(observed(atS: 120) == 100)
    #expect(observed(atS: 150) == nil)
    reports.set(
      FlowSnapshot(feed: "early", observed: Instant(seconds: 10), reports: [try report("ab")]))
    #expect(observed(atS: 120) == 100)
    #expect(observed(atS: 150) == 10)
    reports.set(
      FlowSnapshot(
        feed: "over", observed: Instant(seconds: 110), reports: [try report("bc", untilS: 115)]))
    reports.set(
      FlowSnapshot(feed: "elsewhere", observed: Instant(seconds: 111), reports: [elsewhere]))
    #expect(observed(atS: 150) == 10)
    let segments = [map.graph.reference(try map.edge("ab"))]
    reports.set(
      IncidentList(
        feed: "works", observed: Instant(seconds: 112),
        incidents: [
          Incident(id: "1", kind: "works", segments: segments, until: Instant(seconds: 200)),
          Incident(id: "2", kind: "works", segments: [elsewhere.segment]),
        ]))
    #expect(observed(atS: 150) == 112)
    #expect(observed(atS: 200) == 10)
  }

  @Test func `an incident holds from its beginning to before its end, TR-1`() {
    let incident = Incident(
      id: "i", kind: "event", from: Instant(seconds: 10), until: Instant(seconds: 20))
    #expect(!incident.holds(at: Instant(seconds: 9.9)))
    #expect(incident.holds(at: Instant(seconds: 10)))
    #expect(!incident.holds(at: Instant(seconds: 20)))
  }

  @Test func `a speed table is read as OSRM reads it, TR-1`() throws {
    let table = try SpeedTable(csv: "# note\n1,2,50\n\n3, 4,30.5,1.2\r\n")
    #expect(table.rows.map(\.speedKmh) == [50, 30.5])
    #expect(throws: SpeedTableFault(line: 2, text: "1,x,50")) {
      _ = try SpeedTable(csv: "1,2,3\n1,x,50")
    }
  }
}
