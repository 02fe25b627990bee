import DrawnMaps
import Foundations
import RoadGraph
import Testing
import Traffic

/// Flow, closures and incidents on pieces of edges.
@Suite struct EdgePiecesTests {
  private static let now = Instant(seconds: 1000)

  /// The edge a to e has three nodes between; letters are 100 m apart.
  private static func map() throws -> DrawnMap {
    try DrawnMap(
      "f-abcde-g",
      ways: [
        "fa": "highway=secondary", "abcde": "highway=secondary maxspeed=50",
        "eg": "highway=secondary",
      ])
  }

  private func segment(_ map: DrawnMap, _ from: Character, _ to: Character) throws
    -> SegmentReference
  {
    SegmentReference(way: try map.way("abcde"), from: try map.osmID(from), to: try map.osmID(to))
  }

  private func view(
    _ map: DrawnMap, _ rows: [(Character, Character, Double)], incidents: [Incident] = []
  ) throws -> TrafficView {
    var traffic = TrafficReports()
    let reports = try rows.map { from, to, mps in
      FlowReport(
        segment: try segment(map, from, to), state: TrafficState(measuredSpeedMps: mps))
    }
    if !reports.isEmpty {
      traffic.set(FlowSnapshot(feed: "f", observed: Self.now, reports: reports))
    }
    if !incidents.isEmpty {
      traffic.set(IncidentList(feed: "i", observed: Self.now, incidents: incidents))
    }
    return traffic.view(at: Self.now, index: SegmentIndex(map.graph), graph: map.graph)
  }

  /// Seconds that a car takes for an edge.
  private func seconds(_ view: TrafficView, _ map: DrawnMap, _ edge: EdgeID) -> Double {
    let free = map.graph.attributes(edge).freeFlowMps(.car)
    let mps = view.state(of: edge)?.speedMps(freeFlowMps: free, mode: .car) ?? free
    return map.graph.lengthM(edge) / mps
  }

  @Test func `times of pieces add, and the rest keeps its own speed, TR-1`() throws {
    let map = try Self.map()
    let edge = try map.edge("ae")
    let free = map.graph.attributes(edge).freeFlowMps(.car)
    let one = try view(map, [("b", "c", 1)])
    #expect(abs(seconds(one, map, edge) - (100 + 300 / free)) < 0.2)
    #expect(one.state(of: try map.edge("ea")) == nil)
    let two = try view(map, [("b", "c", 1), ("c", "e", 2)])
    #expect(abs(seconds(two, map, edge) - (100 + 100 + 100 / free)) < 0.2)
    let all = try view(map, [("a", "b", 1), ("b", "c", 2), ("c", "d", 4), ("d", "e", 5)])
    #expect(abs(seconds(all, map, edge) - (100 + 50 + 25 + 20)) < 0.2)
    // A later piece lies over an earlier one, and over the whole edge.
    let over = try view(map, [("a", "e", 5), ("a", "c", 1), ("b", "c", 2)])
    #expect(abs(seconds(over, map, edge) - (100 + 50 + 40)) < 0.2)
    // The whole edge over its pieces.
    let whole = try view(map, [("a", "c", 1), ("a", "e", 5)])
    #expect(abs(seconds(whole, map, edge) - 80) < 0.2)
  }

  @Test func `a slow vehicle keeps its own speed on the rest`() throws {
    let map = try Self.map()
    let state = try #require(try view(map, [("b", "d", 5)]).state(of: try map.edge("ae")))
    #expect(abs(400 / state.speedMps(freeFlowMps: 10, mode: .scooter) - (40 + 20)) < 0.1)
    #expect(abs(400 / state.speedMps(freeFlowMps: 4, mode: .truck) - 100) < 0.1)
  }

  @Test func `a closed piece closes its edge in its direction`() throws {
    let map = try Self.map()
    let closed = try view(map, [("c", "d", 0)])
    #expect(closed.state(of: try map.edge("ae"))?.isClosed == true)
    #expect(closed.state(of: try map.edge("ea")) == nil)
    let works = Incident(
      id: "w", kind: "road_closed", segments: [try segment(map, "d", "c")], isClosed: true)
    let incident = try view(map, [], incidents: [works])
    #expect(incident.state(of: try map.edge("ea"))?.isClosed == true)
    #expect(incident.state(of: try map.edge("ae")) == nil)
    #expect(incident.incidents(on: try map.edge("ea")) == [0])
  }

  @Test func `a row whose piece runs over a junction lies on all its edges`() throws {
    let map = try DrawnMap(
      "abcde\n  |\n  x", ways: ["abcde": "highway=secondary", "cx": "highway=secondary"])
    var traffic = TrafficReports()
    let segment = SegmentReference(
      way: try map.way("abcde"), from: try map.osmID("b"), to: try map.osmID("d"))
    traffic.set(
      FlowSnapshot(
        feed: "f", observed: Self.now,
        reports: [FlowReport(segment: segment, state: TrafficState(measuredSpeedMps: 1))]))
    let view = traffic.view(at: Self.now, index: SegmentIndex(map.graph), graph: map.graph)
    for letters in ["ac", "ce"] {
      let edge = try map.edge(letters)
      let free = map.graph.attributes(edge).freeFlowMps(.car)
      #expect(abs(seconds(view, map, edge) - (100 + 100 / free)) < 0.2)
    }
  }

  @Test func `a delay is counted once, where no flow speaks of the road, TR-1`() throws {
    let map = try Self.map()
    let (ae, ea) = (try map.edge("ae"), try map.edge("ea"))
    let free = map.graph.attributes(ae).freeFlowMps(.car)
    func incident(_ segments: [SegmentReference], delayS: Double = 600) -> Incident {
      Incident(id: "i", kind: "accident", segments: segments, delayS: delayS)
    }
    let whole = try segment(map, "a", "e")
    let silent = try view(map, [], incidents: [incident([whole])])
    #expect(abs(seconds(silent, map, ae) - (600 + 400 / free)) < 0.2)
    #expect(try #require(silent.state(of: ae)).jamFactor(freeFlowMps: free) > 9)
    #expect(silent.state(of: ae)?.isClosed == false)
    let flow = try view(map, [("a", "e", 5)], incidents: [incident([whole])])
    #expect(abs(seconds(flow, map, ae) - 80) < 0.2)
    // Flow of another piece of the edge does not speak of it.
    let beside = try view(
      map, [("a", "b", 5)], incidents: [incident([try segment(map, "c", "e")])])
    #expect(abs(seconds(beside, map, ae) - (20 + 300 / free + 600)) < 0.3)
    let under = try view(
      map, [("c", "d", 5)], incidents: [incident([try segment(map, "c", "d")])])
    #expect(abs(seconds(under, map, ae) - (20 + 300 / free)) < 0.2)
    // Each direction has the whole of it, several pieces have their share by length.
    let both = try view(map, [], incidents: [incident([whole, try segment(map, "e", "a")])])
    for edge in [ae, ea] { #expect(abs(seconds(both, map, edge) - (600 + 400 / free)) < 0.2) }
    let next = map.graph.reference(try map.edge("eg"))
    let spread = try view(map, [], incidents: [incident([whole, next])])
    let eg = try map.edge("eg")
    let plain = try view(map, [])
    let more = [ae, eg].map { seconds(spread, map, $0) - seconds(plain, map, $0) }
    #expect(abs(more[0] - 400) < 2 && abs(more[1] - 200) < 2)
    #expect(abs(more[0] + more[1] - 600) < 0.1)
  }

  @Test func `what cannot be placed is counted and named, TR-1`() throws {
    let map = try Self.map()
    let good = try segment(map, "b", "c")
    let bad = SegmentReference(way: 7, from: 1, to: 2)
    let flow = FlowSnapshot(
      feed: "f", observed: Self.now,
      reports: [good, bad, good.reversed].map {
        FlowReport(segment: $0, state: TrafficState(measuredSpeedMps: 5))
      })
    let index = SegmentIndex(map.graph)
    let check = FeedCheck(flow, index: index, graph: map.graph)
    #expect(check.unplaced == 1)
    #expect(check.unplacedNames == ["way 7 from 1 to 2"])
    let list = IncidentList(
      feed: "i", observed: Self.now,
      incidents: [
        Incident(id: "1", kind: "accident", segments: [bad, good]),
        Incident(id: "2", kind: "accident", segments: [bad]),
        Incident(id: "3", kind: "accident", latitudeDeg: 1, longitudeDeg: 2),
        Incident(id: "4", kind: "accident"),
      ])
    let incidents = FeedCheck(list, index: index, graph: map.graph)
    #expect(incidents.unplaced == 3)
    #expect(
      incidents.unplacedNames == [
        "2: none of its 1 segments is in the map", "3: no road within 50 m of 1.0, 2.0",
        "4: it has neither segments nor a place",
      ])
  }

  @Test func `a row of a speed table holds for its own piece, TR-1`() throws {
    let map = try Self.map()
    func id(_ letter: Character) throws -> Int64 { try map.osmID(letter) }
    let csv = try """
    \(id("b")),\(id("c")),0
    \(id("a")),\(id("e")),36
    1,2,50
    \(id("b")),\(id("d")),50
    \(id("e")),\(id("d")),18
    3,4,50
    """
    let found = try SpeedTable(csv: csv).reports(on: map.graph)
    #expect(found.reports.count == 3)
    #expect(found.unused.map(\.line) == [3, 4, 6])
    let sentence = try #require(SpeedTable.sentence(unused: found.unused))
    #expect(
      sentence
        == "3 rows refer to segments that are not in the map: line 3: 1,2; line 4: 98,100; line 6: 3,4"
    )
    var traffic = TrafficReports()
    traffic.set(FlowSnapshot(feed: "speeds", observed: Self.now, reports: found.reports))
    let view = traffic.view(at: Self.now, index: SegmentIndex(map.graph), graph: map.graph)
    #expect(view.state(of: try map.edge("ae"))?.isClosed == true)
    let back = try map.edge("ea")
    let free = map.graph.attributes(back).freeFlowMps(.car)
    #expect(view.state(of: back)?.isClosed == false)
    #expect(abs(seconds(view, map, back) - (20 + 300 / free)) < 0.2)
  }

  @Test func `a way that closes a circle is taken the short way round`() throws {
    let map = try DrawnMap(
      "ab\ndc-x", ways: ["abcda": "highway=secondary", "cx": "highway=secondary"])
    let index = SegmentIndex(map.graph)
    let nodes = WayNodes(try map.way("abcda"), index: index, graph: map.graph)
    for (from, to) in [("a", "b"), ("b", "a"), ("d", "a"), ("b", "c")] as [(Character, Character)] {
      let parts = nodes.parts(from: try map.osmID(from), to: try map.osmID(to))
      #expect(abs(parts.reduce(0) { $0 + $1.lengthM } - 100) < 1)
    }
  }
}
