import DrawnMaps
import EventTime
import RoadGraph
import Testing

@testable import Traffic

@Suite struct TypicalSpeedsTests {
  /// Monday, 5 January 2026, 08:00 by the clocks of the drawn maps' meridian.
  static let morning = Instant(seconds: 1_767_607_200)

  private static func map() throws -> DrawnMap {
    try DrawnMap("a--b--c", ways: ["ab": "highway=tertiary", "bc": "highway=tertiary"])
  }

  private static func text(_ map: DrawnMap) throws -> String {
    let reference = map.graph.reference(try map.edge("ab"))
    return """
      # typical speeds
      profile,in,40,Mo-Fr 07:00-09:00
      profile,in,80,Mo-Fr 06:00-20:00
      \(reference.way),\(reference.from),\(reference.to),in
      """
  }

  @Test func `the first hours that hold decide, by the clock of the place, TR-7`() throws {
    let map = try Self.map()
    let placed = try TypicalSpeeds(csv: Self.text(map)).placed(
      on: map.graph, index: SegmentIndex(map.graph))
    #expect(placed.unknown == 0)
    let edge = try map.edge("ab")
    let freeMps = map.graph.attributes(edge).freeFlowMps(.car)
    func share(_ moment: Instant) -> Double? {
      var view = TrafficView(edgeCount: map.graph.edgeCount, asOf: moment, observed: nil)
      placed.fill(&view, at: moment)
      return view.state(of: edge)?.measuredSpeedMps.map { $0 / freeMps }
    }
    #expect(try abs(#require(share(Self.morning)) - 0.4) < 1e-9)
    #expect(try abs(#require(share(Self.morning.advanced(bySeconds: 7200))) - 0.8) < 1e-9)
    #expect(share(Self.morning.advanced(bySeconds: 14 * 3600)) == nil)
    #expect(share(Self.morning.advanced(bySeconds: 5 * 86_400)) == nil)
  }

  @Test func `what is typical says so, until the quarter ends, and yields to what is known, TR-7`()
    throws
  {
    let map = try Self.map()
    let placed = try TypicalSpeeds(csv: Self.text(map)).placed(
      on: map.graph, index: SegmentIndex(map.graph))
    let edge = try map.edge("ab")
    let moment = Self.morning.advanced(bySeconds: 100)
    var view = TrafficView(edgeCount: map.graph.edgeCount, asOf: moment, observed: nil)
    placed.fill(&view, at: moment)
    #expect(view.state(of: edge)?.source == .typical)
    #expect(view.state(of: edge)?.until == Self.morning.advanced(bySeconds: 900))
    var live = TrafficView(edgeCount: map.graph.edgeCount, asOf: moment, observed: moment)
    live.set(TrafficState(measuredSpeedMps: 3), on: edge)
    placed.fill(&live, at: moment)
    #expect(live.state(of: edge)?.source == .live)
  }

  @Test(arguments: [Instant(nanoseconds: .max), Instant(nanoseconds: .min)])
  func `the last quarter of all ends with the clock, TR-7`(moment: Instant) throws {
    let map = try Self.map()
    let reference = map.graph.reference(try map.edge("ab"))
    let placed = try TypicalSpeeds(
      csv: "profile,in,40,24/7\n\(reference.way),\(reference.from),\(reference.to),in"
    ).placed(on: map.graph, index: SegmentIndex(map.graph))
    var view = TrafficView(edgeCount: map.graph.edgeCount, asOf: moment, observed: nil)
    placed.fill(&view, at: moment)
    let until = try #require(view.state(of: try map.edge("ab"))?.until)
    #expect(until >= moment && until.seconds(since: moment) <= PlacedSpeeds.slotS)
  }

  @Test(arguments: [
    ("profile,in,40", 1), ("profile,in,0,Mo-Fr 07:00-09:00", 1), ("profile,in,40,Mo-Xy", 1),
    ("\n1,2,3,out", 2), ("profile,in,40,24/7\n1,2,x,in", 2),
    // Hours that hold when no quarter begins.
    ("profile,in,40,24/7\nprofile,in,60,Mo-Fr 07:05-07:10", 2),
    ("profile,in,60,Mo-Fr 07:00-09:00,12:46-13:00", 1), ("profile,in,60,23:50-24:00", 1),
    ("profile,in,60,24/7; 12:01-12:14 off", 1), ("profile,in,60,12:20", 1),
  ])
  func `a line that is none is named, TR-7`(text: String, line: Int) {
    #expect {
      _ = try TypicalSpeeds(csv: text)
    } throws: { error in
      (error as? TypicalSpeedsFault)?.line == line
    }
  }

  @Test(arguments: [
    "Mo-Fr 07:05-07:20", "07:00-07:05", "23:50-00:05", "22:00-06:00", "sunrise-sunset", "24/7",
    "07:10+", "Mo-Fr", "06:55-07:01",
  ])
  func `hours in which a quarter begins are taken, TR-7`(hours: String) throws {
    let map = try Self.map()
    let reference = map.graph.reference(try map.edge("ab"))
    let placed = try TypicalSpeeds(
      csv: "profile,in,40,\(hours)\n\(reference.way),\(reference.from),\(reference.to),in"
    ).placed(on: map.graph, index: SegmentIndex(map.graph))
    // At some quarter of the day they hold.
    let isHeld = try (0..<96).contains { quarter in
      let moment = Self.morning.advanced(bySeconds: Double(900 * quarter))
      var view = TrafficView(edgeCount: map.graph.edgeCount, asOf: moment, observed: nil)
      placed.fill(&view, at: moment)
      return view.state(of: try map.edge("ab")) != nil
    }
    #expect(isHeld)
  }

  @Test func `what is foretold for later counts later, what was measured now does not, TR-7`()
    throws
  {
    let map = try Self.map()
    let index = SegmentIndex(map.graph)
    let reference = map.graph.reference(try map.edge("ab"))
    let later = Self.morning.advanced(bySeconds: 86_400)
    func known(_ source: SpeedSource, until: Instant?) throws -> Bool {
      var board = TrafficBoard()
      board.set(
        FlowSnapshot(
          feed: "f", observed: Self.morning,
          reports: [
            FlowReport(
              segment: reference,
              state: TrafficState(measuredSpeedMps: 3, source: source, until: until))
          ]))
      let view = board.foretold.view(at: later, index: index, graph: map.graph)
      return view.state(of: try map.edge("ab")) != nil
    }
    #expect(try !known(.live, until: nil))
    #expect(try known(.predicted, until: nil))
    #expect(try known(.live, until: later.advanced(bySeconds: 60)))
    #expect(try !known(.predicted, until: Self.morning.advanced(bySeconds: 60)))
  }
}
