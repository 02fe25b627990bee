import DrawnMaps
import Foundations
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
      var reports = TrafficReports()
      reports.set(
        FlowSnapshot(
          feed: "f", observed: Self.morning,
          reports: [
            FlowReport(
              segment: reference,
              state: TrafficState(measuredSpeedMps: 3, source: source, until: until))
          ]))
      let view = reports.foretold.view(at: later, index: index, graph: map.graph)
      return view.state(of: try map.edge("ab")) != nil
    }
    #expect(try !known(.live, until: nil))
    #expect(try known(.predicted, until: nil))
    #expect(try known(.live, until: later.advanced(bySeconds: 60)))
    #expect(try !known(.predicted, until: Self.morning.advanced(bySeconds: 60)))
  }

  // MARK: Parts of edges

  /// The edge a to e has three nodes between; letters are 100 m apart.
  private static func street() throws -> DrawnMap {
    try DrawnMap(
      "f-abcde-g",
      ways: ["fa": "highway=tertiary", "abcde": "highway=tertiary", "eg": "highway=tertiary"])
  }

  private func placed(
    _ map: DrawnMap, _ profiles: String, _ rows: (Character, Character, String)...
  ) throws -> PlacedSpeeds {
    let way = try map.way("abcde")
    let lines = try rows.map { from, to, name in
      "\(way),\(try map.osmID(from)),\(try map.osmID(to)),\(name)"
    }
    return try TypicalSpeeds(csv: ([profiles] + lines).joined(separator: "\n")).placed(
      on: map.graph, index: SegmentIndex(map.graph))
  }

  /// The share of the free-flow speed at which an edge is typically driven; nil for none.
  private func share(
    _ placed: PlacedSpeeds, _ map: DrawnMap, _ edge: EdgeID, at moment: Instant = morning
  ) throws -> Double? {
    var view = TrafficView(edgeCount: map.graph.edgeCount, asOf: moment, observed: nil)
    placed.fill(&view, at: moment)
    let freeMps = map.graph.attributes(edge).freeFlowMps(.car)
    let share = view.state(of: edge)?.measuredSpeedMps.map { $0 / freeMps }
    // A trip that passes later sees the same.
    let later = placed.shares(from: moment, until: moment.advanced(bySeconds: 60))
    let state = later.value(of: edge, at: moment).state
    #expect(state == view.state(of: edge))
    return share
  }

  @Test func `a row between junctions slows its part of the edge, TR-7`() throws {
    let map = try Self.street()
    let (ae, ea) = (try map.edge("ae"), try map.edge("ea"))
    let one = try placed(map, "profile,in,50,24/7", ("b", "c", "in"))
    #expect(one.unused.isEmpty)
    // 100 of 400 m at half of the speed: 500 m at full speed.
    #expect(abs(try #require(try share(one, map, ae)) - 400.0 / 500) < 0.01)
    #expect(try share(one, map, ea) == nil)
    let two = try placed(
      map, "profile,in,50,24/7\nprofile,out,25,24/7", ("a", "b", "in"), ("c", "e", "out"))
    #expect(abs(try #require(try share(two, map, ae)) - 400.0 / 1100) < 0.01)
    // Of two profiles the first in the text counts, on their common part.
    let over = try placed(
      map, "profile,in,50,24/7\nprofile,out,25,24/7", ("b", "d", "out"), ("a", "c", "in"))
    #expect(abs(try #require(try share(over, map, ae)) - 400.0 / 900) < 0.01)
    // A part over a whole edge of another profile.
    let whole = try placed(
      map, "profile,in,50,24/7\nprofile,out,80,24/7", ("a", "e", "out"), ("b", "c", "in"))
    #expect(abs(try #require(try share(whole, map, ae)) - 400.0 / 575) < 0.01)
  }

  @Test func `parts change with the hours of their profiles, TR-7, TR-10`() throws {
    let map = try Self.street()
    let edge = try map.edge("ae")
    let placed = try self.placed(
      map, "profile,in,50,Mo-Fr 07:00-10:15\nprofile,out,50,Mo-Fr 09:00-11:00", ("a", "b", "in"),
      ("b", "c", "out"))
    // The clock of the drawn maps' meridian shows 08:00.
    let shares = placed.shares(
      from: Self.morning, until: Self.morning.advanced(bySeconds: 4 * 3600))
    #expect(shares.changing.contains(edge) && !shares.isConstant)
    func found(_ seconds: Double) -> (share: Double?, untilS: Double?) {
      let found = shares.value(of: edge, at: Self.morning.advanced(bySeconds: seconds))
      let freeMps = map.graph.attributes(edge).freeFlowMps(.car)
      return (
        found.state?.measuredSpeedMps.map { $0 / freeMps },
        found.until?.seconds(since: Self.morning)
      )
    }
    let expected: [(seconds: Double, share: Double, untilS: Double)] = [
      (0, 0.8, 3600), (3600, 400.0 / 600, 8100), (8100, 0.8, 10_800),
    ]
    for one in expected {
      let value = found(one.seconds)
      #expect(abs((value.share ?? 0) - one.share) < 0.01)
      #expect(value.untilS == one.untilS)
    }
    #expect(found(10_800).share == nil)
  }

  @Test func `rows of no road are counted and named with their lines, TR-7`() throws {
    let map = try Self.street()
    let way = try map.way("abcde")
    let csv = """
      profile,in,50,24/7
      \(way),\(try map.osmID("b")),\(try map.osmID("c")),in
      # of another map
      7,1,2,in
      \(way),\(try map.osmID("b")),5,in
      """
    let placed = try TypicalSpeeds(csv: csv).placed(on: map.graph, index: SegmentIndex(map.graph))
    #expect(placed.unknown == 2)
    #expect(placed.unused.map(\.line) == [4, 5])
    #expect(
      placed.unusedSentence
        == "2 rows refer to segments that are not in the map: line 4: 7,1,2; line 5: \(way),\(try map.osmID("b")),5"
    )
    let good = try self.placed(map, "profile,in,50,24/7", ("a", "b", "in"))
    #expect(good.unusedSentence == nil)
  }
}
