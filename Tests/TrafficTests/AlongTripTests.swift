import DrawnMaps
import Foundations
import RoadGraph
import Testing
import Traffic

/// Live speeds without an end count less on roads that are reached later.
@Suite struct AlongTripTests {
  private static let start = Instant(seconds: 1_000_000)

  private static func map() throws -> DrawnMap {
    try DrawnMap("a--b", ways: ["ab": "highway=secondary maxspeed=50"], cell: 500)
  }

  private struct Feed {
    var name: String
    var source = SpeedSource.live
    var mps: Double
    var ageS = 0.0
    var untilS: Double?
  }

  private func reports(
    _ map: DrawnMap, _ feeds: [Feed], delayS: Double? = nil
  ) throws -> TrafficReports {
    let segment = map.graph.reference(try map.edge("ab"))
    var reports = TrafficReports()
    for feed in feeds {
      let until = feed.untilS.map { Self.start.advanced(bySeconds: $0) }
      reports.set(
        FlowSnapshot(
          feed: feed.name, observed: Self.start.advanced(bySeconds: -feed.ageS),
          reports: [
            FlowReport(
              segment: segment,
              state: TrafficState(
                measuredSpeedMps: feed.mps, source: feed.source, until: until))
          ]))
    }
    if let delayS {
      reports.set(
        IncidentList(
          feed: "works", observed: Self.start,
          incidents: [
            Incident(id: "i", kind: "construction", segments: [segment], delayS: delayS)
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

  private func mps(_ state: TrafficState?, _ map: DrawnMap) throws -> Double {
    let free = map.graph.attributes(try map.edge("ab")).freeFlowMps(.car)
    return state?.speedMps(freeFlowMps: free, mode: .car) ?? free
  }

  @Test func `a live speed counts in full for a third of its horizon, then in ten steps, TR-10`() {
    let fading = TrafficAges().alongTrip(from: Self.start)
    func weight(_ minutes: Double) -> Double {
      fading.weight(at: Self.start.advanced(bySeconds: 60 * minutes))
    }
    #expect(weight(0) == 1 && weight(29.9) == 1)
    #expect(weight(30) == 0.95 && weight(36) == 0.85 && weight(89.9) == SpeedFading.weights[10])
    #expect(weight(90) == 0)
    #expect(fading.begin == Self.start.advanced(bySeconds: 1800))
    #expect(fading.end == Self.start.advanced(bySeconds: 5400))
    #expect(SpeedFading.weights.count == 12)
    #expect(SpeedFading.none.begin == nil && SpeedFading.none.isNone)
  }

  @Test func `fading along a trip is the same as growing older, TR-10`() throws {
    let map = try Self.map()
    let cases: [(feeds: [Feed], delayS: Double?)] = [
      ([Feed(name: "live", mps: 4)], nil),
      ([Feed(name: "live", mps: 4)], 30),
      ([Feed(name: "live", mps: 4), Feed(name: "p", source: .predicted, mps: 9)], nil),
      ([Feed(name: "live", mps: 4), Feed(name: "p", source: .predicted, mps: 9)], 30),
      ([Feed(name: "live", mps: 4), Feed(name: "p", source: .typical, mps: 9)], 30),
      ([Feed(name: "live", mps: 4), Feed(name: "o", mps: 7, ageS: 60, untilS: 9000)], nil),
      ([Feed(name: "live", mps: 0)], 30),
    ]
    for (feeds, delayS) in cases {
      let reports = try reports(map, feeds, delayS: delayS)
      let whole = try #require(try state(reports, map))
      #expect(whole.isOpenEnded)
      for step in 0..<10 {
        let aged = try #require(try state(reports, map, atS: 600 + 60 * Double(step) + 1))
        let faded = try #require(whole.faded(to: aged.weight))
        #expect(aged.weight == SpeedFading.weights[step + 1])
        #expect(abs(try mps(faded, map) - mps(aged, map)) < 1e-9)
        #expect(faded.isClosed == aged.isClosed)
      }
      // The state of 20 minutes later has no live speed at all.
      let rest = try state(reports, map, atS: 1201)
      let left = whole.faded(to: 0)
      #expect(abs(try mps(left, map) - mps(rest, map)) < 1e-9)
      #expect(left?.isClosed ?? false == rest?.isClosed ?? false)
      #expect(left == nil || left?.source == rest?.source)
    }
  }

  @Test func `a forecast closure below a live speed counts once that has faded, TR-10`() throws {
    let map = try Self.map()
    let reports = try reports(
      map, [Feed(name: "live", mps: 4), Feed(name: "p", source: .predicted, mps: 0)])
    let whole = try #require(try state(reports, map))
    #expect(whole.faded(to: 0.05)?.isClosed == false)
    #expect(whole.faded(to: 0)?.isClosed == true)
  }

  @Test func `values with an end and other sources do not fade along a trip, TR-10`() throws {
    let map = try Self.map()
    for feed in [
      Feed(name: "live", mps: 4, untilS: 90_000), Feed(name: "p", source: .predicted, mps: 4),
      Feed(name: "t", source: .typical, mps: 4),
    ] {
      let reports = try reports(map, [feed])
      let state = try #require(try state(reports, map))
      #expect(!state.isOpenEnded && state.faded(to: 0) == state)
      #expect(!reports.hasOpenEndedSpeed(at: Self.start))
    }
    let live = try reports(map, [Feed(name: "live", mps: 4)])
    #expect(live.hasOpenEndedSpeed(at: Self.start))
    #expect(!live.hasOpenEndedSpeed(at: Self.start.advanced(bySeconds: 1201)))
  }
}
