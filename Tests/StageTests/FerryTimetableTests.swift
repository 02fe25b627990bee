import DrawnMaps
import Foundations
import Messages
import Route
import RouteWire
import Stage
import Testing

@testable import RouterStage

/// Ferries at the time at which they are reached.
@Suite struct FerryTimetableTests {
  private typealias Bench = RouterStageTests.Bench

  /// A ferry of 10 minutes, reached after four minutes, and where asked for a road of 40 minutes.
  private static func strait(_ timetable: String, hasBridge: Bool = true) throws -> Bench {
    var ways = [
      ("ab", "highway=secondary name=Quay maxspeed=50"),
      ("bc", "route=ferry name=Strait duration=00:10 \(timetable)"),
      ("cd", "highway=secondary name=Pier maxspeed=50"),
    ]
    if hasBridge { ways.append(("aefd", "highway=secondary name=Bridge maxspeed=50")) }
    return Bench(
      try DrawnMap(
        """
        a--b--c--d
        |        |
        |        |
        |        |
        |        |
        |        |
        |        |
        |        |
        |        |
        |        |
        |        |
        e--------f
        """, ways: ways, cell: 1000))
  }

  private static func names(_ route: Route) -> Set<String> { Set(route.spans.map(\.road.name)) }

  /// Monday, 07:00 by the clocks of the place.
  private static let seven = RouterRulesTests.morning.seconds - 3600

  @Test func `a ferry counts if it operates when it is reached, TR-10, RT-21`() throws {
    let hours = "opening_hours=Mo-Fr 07:00-09:00"
    for (offsetS, name, takesS) in [
      // At the pier long before it opens, 21 and 6 minutes before, and within the hours.
      (-3600.0, "Bridge", 2480.0), (-1500, "Strait", 2340), (-600, "Strait", 1440),
      (600, "Strait", 1080), (7200 - 300, "Strait", 1080), (7200 - 180, "Bridge", 2480),
    ] {
      var bench = try Self.strait(hours)
      let route = try Route(wire: bench.route("ad", atS: Self.seven + offsetS))
      #expect(Self.names(route).contains(name), "\(offsetS)")
      #expect(route.violations.isEmpty, "\(offsetS)")
      #expect(abs(route.durations.latestS - takesS) < 60, "\(offsetS) \(route.durations.latestS)")
      let ask = RouteTrafficRequest(
        handle: try #require(route.handle), section: 0, travelledOnSectionM: 0)
      guard
        case .ok(let payload) = try bench.call(
          "route/traffic", ask.encoded(), atS: Self.seven + offsetS)
      else { throw CallError(code: "internal", message: "no price") }
      let restS = try RouteTrafficReply(decoding: payload).body.durationLatestS
      #expect(abs(restS - route.durations.latestS) < 0.1, "\(offsetS)")
    }
  }

  @Test func `the wait is that of the timetable when it is reached, TR-10`() throws {
    let table =
      "interval=10 interval:conditional=40 @ (19:00-06:00) duration:conditional=00:15 @ (Oct-Mar)"
    func takesS(_ offsetS: Double) throws -> Double {
      var bench = try Self.strait(table, hasBridge: false)
      return try Route(wire: bench.route("ad", atS: Self.seven + offsetS)).durations.latestS
    }
    // January: 15 minutes of crossing.
    let (day, night) = (try takesS(3600), try takesS(14 * 3600))
    #expect(abs(day - (240 + 300 + 900 + 240)) < 20)
    #expect(abs(night - day - 900) < 1)
    // Reached two minutes before seven in the evening: one waits five minutes as by day.
    #expect(abs(try takesS(12 * 3600 - 360) - day) < 1)
    // Reached five minutes before six: the intervals of the day begin before the mean wait of the night is over.
    #expect(abs(try takesS(23 * 3600 - 240 - 300) - (day + 300)) < 20)
    let summer = try DrawnMap(
      "a--b--c--d",
      ways: [
        "ab": "", "cd": "",
        "bc": "route=ferry duration=00:10 duration:conditional=00:15 @ (Oct-Mar)",
      ],
      cell: 1000)
    var bench = Bench(summer)
    let january = try bench.route("ad", atS: Self.seven).durationLatestS
    let july = try bench.route("ad", atS: Self.seven + 181 * 86_400).durationLatestS
    #expect(abs(january - july - 300) < 1)
  }

  @Test
  func `the last ferry of the day takes a vehicle that arrives within the hours, TR-10, RT-21`()
    throws
  {
    var bench = try Self.strait("interval=01:00 opening_hours=07:00-19:00", hasBridge: false)
    // At the pier ten minutes before the end: the wait is ten minutes, not half an hour.
    let route = try Route(wire: bench.route("ad", atS: Self.seven + 12 * 3600 - 240 - 600))
    #expect(abs(route.durations.latestS - (240 + 600 + 600 + 240)) < 20)
    #expect(route.violations.isEmpty)
  }

  @Test func `the only way is a ferry out of hours: a violation says so, TR-10, RT-21, RT-7`()
    throws
  {
    var bench = try Self.strait("opening_hours=Apr-Sep 08:00-18:00", hasBridge: false)
    let route = try Route(wire: bench.route("ad", atS: Self.seven))
    #expect(Self.names(route).contains("Strait"))
    #expect(route.violations.map(\.kind) == [.blockedRoad])
    var open = try Self.strait("opening_hours=Jan 08:00-18:00", hasBridge: false)
    let other = try Route(wire: open.route("ad", atS: Self.seven + 7200))
    #expect(other.violations.isEmpty)
  }
}
