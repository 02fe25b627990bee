import DrawnMaps
import Foundations
import RoadGraph
import Testing
import Traffic

/// Which value counts: by what it rests on, how old it is, and whether it can be.
@Suite struct SpeedFadingTests {
  private static let start = Instant(seconds: 1_000_000)

  private static func map() throws -> DrawnMap {
    try DrawnMap(
      "a--b--c",
      ways: ["ab": "highway=secondary maxspeed=50", "bc": "highway=secondary maxspeed=50"])
  }

  private func reports(
    _ map: DrawnMap, _ flows: [(feed: String, mps: Double, source: SpeedSource, ageS: Double)],
    until: Instant? = nil
  ) throws -> TrafficReports {
    var reports = TrafficReports()
    let segment = map.graph.reference(try map.edge("ab"))
    for flow in flows {
      reports.set(
        FlowSnapshot(
          feed: flow.feed, observed: Self.start.advanced(bySeconds: -flow.ageS), until: until,
          reports: [
            FlowReport(
              segment: segment,
              state: TrafficState(measuredSpeedMps: flow.mps, source: flow.source))
          ]))
    }
    return reports
  }

  private func state(
    _ reports: TrafficReports, _ map: DrawnMap, atS seconds: Double = 0
  ) throws -> TrafficState? {
    reports.view(
      at: Self.start.advanced(bySeconds: seconds), index: SegmentIndex(map.graph), graph: map.graph
    ).state(of: try map.edge("ab"))
  }

  private func speed(
    _ reports: TrafficReports, _ map: DrawnMap, atS seconds: Double = 0
  ) throws -> Double? {
    let free = map.graph.attributes(try map.edge("ab")).freeFlowMps(.car)
    return try state(reports, map, atS: seconds)?.speedMps(freeFlowMps: free, mode: .car)
  }

  @Test func `a live speed holds for ten minutes and fades in ten more, TR-10`() {
    let fading = TrafficAges().fading(.live, observed: Self.start)
    func weight(_ seconds: Double) -> Double {
      fading.weight(at: Self.start.advanced(bySeconds: seconds))
    }
    #expect(weight(-60) == 1 && weight(599.9) == 1)
    #expect(abs(weight(600) - 0.95) < 1e-9)
    #expect(abs(weight(900) - 0.45) < 1e-9)
    #expect(abs(weight(1199) - 0.05) < 1e-9)
    #expect(weight(1200) == 0 && weight(1e9) == 0)
    #expect(SpeedFading.none.weight(at: Instant(nanoseconds: .max)) == 1)
    // Without a time to fade in it ends at once.
    var ages = TrafficAges()
    (ages.liveHoldS, ages.liveFadeS) = (0, 0)
    #expect(ages.fading(.live, observed: Self.start).weight(at: Self.start) == 0)
  }

  @Test func `the weight is the same all through the period around a moment`() {
    let fading = TrafficAges().fading(.live, observed: Self.start)
    for second in stride(from: 0.0, through: 1500, by: 7) {
      let moment = Self.start.advanced(bySeconds: second)
      let period = fading.period(around: moment)
      if let since = period.since {
        #expect(since <= moment && fading.weight(at: since) == fading.weight(at: moment))
      }
      if let until = period.until {
        #expect(until > moment)
        let last = Instant(nanoseconds: until.nanoseconds - 1)
        #expect(fading.weight(at: last) == fading.weight(at: moment))
        #expect(fading.weight(at: until) < fading.weight(at: moment))
      }
    }
  }

  @Test func `a dead feed goes over to free flow, and a closure of it opens, TR-10`() throws {
    let map = try Self.map()
    let jam = try reports(map, [("live", 2, .live, 0)])
    let free = map.graph.attributes(try map.edge("ab")).freeFlowMps(.car)
    #expect(try speed(jam, map, atS: 599) == 2)
    #expect(abs(try #require(try speed(jam, map, atS: 900)) - (0.45 * 2 + 0.55 * free)) < 1e-9)
    #expect(try speed(jam, map, atS: 1200) == nil)
    let closed = try reports(map, [("live", 0, .live, 0)])
    #expect(try state(closed, map, atS: 1199)?.isClosed == true)
    #expect(try state(closed, map, atS: 1200) == nil)
    // A value whose feed says until when it holds does not fade.
    let timed = try reports(
      map, [("live", 2, .live, 0)], until: Self.start.advanced(bySeconds: 7200))
    #expect(try speed(timed, map, atS: 7199) == 2)
    #expect(try speed(timed, map, atS: 7200) == nil)
  }

  @Test func `a view of a reports changes where its periods say so`() throws {
    let map = try Self.map()
    let jam = try reports(map, [("live", 2, .live, 0)])
    var moment = Self.start
    var changes: [Double] = []
    while let next = jam.nextChange(after: moment), changes.count < 20 {
      changes.append(next.seconds(since: Self.start))
      moment = next
    }
    #expect(changes == [600, 660, 720, 780, 840, 900, 960, 1020, 1080, 1140, 1200])
  }

  @Test func `measured counts before forecast before typical before free flow, TR-7`() throws {
    let map = try Self.map()
    let all: [(feed: String, mps: Double, source: SpeedSource, ageS: Double)] = [
      ("a", 2, .live, 300), ("b", 5, .predicted, 200), ("c", 8, .typical, 100),
      ("d", 11, .freeFlow, 0),
    ]
    for count in 1...4 {
      #expect(try speed(reports(map, Array(all.suffix(count))), map) == all[4 - count].mps)
    }
    // What fades goes over to the next kind, and not to free flow.
    let two = try reports(map, [all[0], all[1]])
    let mixed = try #require(try speed(two, map, atS: 600))
    #expect(abs(mixed - (0.45 * 2 + 0.55 * 5)) < 1e-9)
    #expect(try speed(two, map, atS: 900) == 5)
  }

  @Test func `of two measured values the newer counts, of equal moments the last name`() throws {
    let map = try Self.map()
    #expect(try speed(reports(map, [("a", 2, .live, 0), ("b", 9, .live, 60)]), map) == 2)
    #expect(try speed(reports(map, [("a", 2, .live, 60), ("b", 9, .live, 60)]), map) == 9)
  }

  @Test func `speeds are clipped to what can be driven there, TR-1`() throws {
    let map = try Self.map()
    let road = map.graph.attributes(try map.edge("ab"))
    let bound = 1.5 * max(50 / 3.6, road.freeFlowMps(.car))
    #expect(abs(SpeedBound.mps(road) - bound) < 1e-9)
    #expect(abs(try #require(try speed(reports(map, [("a", 60, .live, 0)]), map)) - bound) < 1e-9)
    let flow = try #require(try reports(map, [("a", 60, .live, 0)]).flows["a"])
    let check = FeedCheck(flow, index: SegmentIndex(map.graph), graph: map.graph)
    #expect(check.clipped == 1 && check.unplaced == 0)
    #expect(check.clippedNames == ["way 1001 from 97 to 98: 60 m/s to 21"])
  }

  @Test func `what is typical is what a live speed fades to`() throws {
    let map = try Self.map()
    let reference = map.graph.reference(try map.edge("ab"))
    let placed = try TypicalSpeeds(
      csv: "profile,p,50,24/7\n\(reference.way),\(reference.from),\(reference.to),p"
    ).placed(on: map.graph, index: SegmentIndex(map.graph))
    let moment = Self.start.advanced(bySeconds: 900)
    var view = try reports(map, [("a", 2, .live, 0)]).view(
      at: moment, index: SegmentIndex(map.graph), graph: map.graph)
    placed.fill(&view, at: moment)
    let free = map.graph.attributes(try map.edge("ab")).freeFlowMps(.car)
    let speed = try #require(view.state(of: try map.edge("ab")))
      .speedMps(freeFlowMps: free, mode: .car)
    #expect(abs(speed - (0.45 * 2 + 0.55 * free / 2)) < 1e-9)
  }
}
