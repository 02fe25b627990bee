import DrawnRoutes
import EventTime
import Guidance
import RoadAhead
import RoadGraph
import Route
import Testing

@Suite struct TrafficTests {
  private func questions(
    _ outputs: [NavigatorOutput]
  ) -> [(token: UInt64, section: Int, metres: Double)] {
    outputs.compactMap {
      if case .requestTraffic(let token, _, let section, let metres) = $0 {
        (token, section, metres)
      } else {
        nil
      }
    }
  }

  /// A slow drive: a metre a second.
  private func crawl(_ drive: inout Following, _ route: Route, _ seconds: Range<Int>)
    -> [NavigatorOutput]
  {
    seconds.flatMap {
      drive.sees(on(route, $0 / 100, Double($0 % 100), t: Double($0), speedMps: 1))
    }
  }

  @Test func `traffic on the route is asked for every 10 min, while it is followed, TR-4`() {
    let route = drawn("abcdefghijklmnopqrst", stops: [3])
    var drive = Following(route)
    let asked = questions(crawl(&drive, route, 0..<1300))
    #expect(asked.count == 1)
    // An answer opens the way for the next question, ten minutes later.
    _ = drive.navigator.handle(
      .notPriced(token: asked[0].token, NavigatorProblem(code: "timeout", sentence: "Late.")))
    let again = questions(crawl(&drive, route, 1300..<1400))
    #expect(again.count == 1)
    #expect(again.first?.section == 1)
    #expect(again.first.map { $0.metres } == 1000)
  }

  @Test func `without a handle, off the route or with no interval nothing is asked, TR-4`() {
    let bare = drawn("abcdefghijklmnopqrst", handle: nil)
    var drive = Following(bare)
    #expect(questions(crawl(&drive, bare, 0..<1300)).isEmpty)
    let route = drawn("abcdefghijklmnopqrst")
    var settings = Navigator.Settings()
    settings.trafficIntervalS = 0
    var never = Following(route, settings: settings)
    #expect(questions(crawl(&never, route, 0..<1300)).isEmpty)
  }

  @Test func `new times show in the next progress, distances do not change, TR-3`() throws {
    let route = drawn("abcdefghijklmnopqrst", secondsPerSegment: 10)
    var drive = Following(route)
    let before = try #require(crawl(&drive, route, 0..<700).progress.last)
    let token = try #require(questions(drive.said).first?.token)
    let said = drive.navigator.handle(
      .priced(
        token: token, routeID: "r-1",
        SpanPrices(
          firstSpan: 6, latestS: Array(repeating: 30, count: 13),
          leftM: Array(repeating: 100, count: 13)), trafficTime: Instant(seconds: 600),
        at: Instant(seconds: 700)))
    // The answer itself says nothing.
    #expect(said.isEmpty)
    let after = try #require(crawl(&drive, route, 700..<701).progress.last)
    #expect(before.remainingM - after.remainingM == 1)
    #expect(before.remainingS > 119 && before.remainingS < 122)
    #expect(after.remainingS == 360)
    #expect(after.sections.last?.delayS == 240)
    #expect(before.trafficTime == nil)
    #expect(after.trafficTime == Instant(seconds: 600))
  }

  @Test func `an answer for another route changes nothing, TR-3`() throws {
    let route = drawn("abcdefghijklmnopqrst")
    var drive = Following(route)
    _ = crawl(&drive, route, 0..<700)
    let token = try #require(questions(drive.said).first?.token)
    _ = drive.navigator.handle(
      .priced(
        token: token, routeID: "r-0",
        SpanPrices(firstSpan: 0, latestS: [1000], leftM: [100]),
        trafficTime: Instant(seconds: 0), at: Instant(seconds: 700)))
    #expect((crawl(&drive, route, 700..<701).progress.last?.remainingS ?? 0) < 130)
  }

  @Test func `the span under way is priced by its rest, TR-3`() throws {
    let route = drawn("abcd", secondsPerSegment: 10)
    var track = RouteTrack(route, travelledM: 175, seenM: 175)
    // A quarter of the second span is left, and takes 15 s: the whole would take 60.
    try track.reprice(SpanPrices(firstSpan: 1, latestS: [15, 20], leftM: [25, 100]))
    #expect(track.latestS(fromM: 175, toM: 300) == 35)
    #expect(track.latestS(fromM: 100, toM: 200) == 60)
    #expect(track.latestS(fromM: 0, toM: 100) == 10)
    // At its very end there is nothing to go by.
    try track.reprice(SpanPrices(firstSpan: 1, latestS: [0, 20], leftM: [0, 100]))
    #expect(track.latestS(fromM: 100, toM: 300) == 30)
  }

  static let wrong = [
    SpanPrices(firstSpan: -1, latestS: [10], leftM: [100]),
    SpanPrices(firstSpan: .max, latestS: [10, 10], leftM: [100, 100]),
    SpanPrices(firstSpan: .min, latestS: [], leftM: []),
    SpanPrices(firstSpan: 2, latestS: [10, 10], leftM: [100, 100]),
    SpanPrices(firstSpan: 0, latestS: [10, 10], leftM: [100]),
    SpanPrices(firstSpan: 0, latestS: [.nan], leftM: [100]),
    SpanPrices(firstSpan: 0, latestS: [.infinity], leftM: [100]),
    SpanPrices(firstSpan: 0, latestS: [-1], leftM: [100]),
    SpanPrices(firstSpan: 0, latestS: [10], leftM: [-100]),
    SpanPrices(firstSpan: 0, latestS: [10], leftM: [.nan]),
  ]

  @Test(arguments: wrong)
  func `prices that are not of the route are told of and not taken, TR-3`(
    prices: SpanPrices
  ) throws {
    let route = drawn("abcd")
    var settings = Navigator.Settings()
    settings.trafficIntervalS = 10
    var drive = Following(route, settings: settings)
    _ = crawl(&drive, route, 0..<20)
    let token = try #require(questions(drive.said).first?.token)
    let said = drive.navigator.handle(
      .priced(
        token: token, routeID: "r-1", prices, trafficTime: Instant(seconds: 10),
        at: Instant(seconds: 20)))
    #expect(said.contains { if case .problem(_, "traffic", "r-1") = $0 { true } else { false } })
    let progress = try #require(crawl(&drive, route, 20..<21).progress.last)
    #expect(progress.remainingS == 28)
    #expect(progress.trafficTime == nil)
  }

  @Test func `after a crash the next question comes ten minutes after the last, TR-4, PR-11`() {
    let route = drawn("abcdefghijklmnopqrst")
    var drive = Following(route)
    _ = crawl(&drive, route, 0..<300)
    var again = drive
    again.navigator = Navigator()
    again.navigator.recall(drive.navigator.memory)
    #expect(questions(crawl(&again, route, 300..<599)).isEmpty)
    #expect(questions(crawl(&again, route, 599..<605)).count == 1)
  }
}

@Suite struct IncidentTests {
  private let route = drawn("abcdefgh", stops: [3])

  private func book(_ pieces: [Int], until: Double? = nil) -> IncidentBook {
    var book = IncidentBook()
    book.set(
      [
        RoadIncident(
          id: "i-1", kind: "construction", text: "Road works",
          segments: pieces.map { route.segments[$0].reference },
          until: until.map { Instant(seconds: $0) })
      ], of: "feed")
    return book
  }

  @Test func `incidents on the route are told by place, section and span, TR-5`() {
    var list = IncidentsAhead()
    let told = list.moved(
      on: route, travelledM: 0, book([4, 5]), at: Instant(seconds: 0))
    #expect(told?.map(\.startM) == [400])
    #expect(told?.map(\.endM) == [600])
    #expect(told?.map(\.section) == [1])
    #expect(told?.map(\.spans) == [[4, 5]])
    #expect(told?.map(\.feed) == ["feed"])
  }

  @Test func `the list is told on change only, and what is passed leaves it, TR-5`() {
    var list = IncidentsAhead()
    let book = book([2])
    #expect(list.moved(on: route, travelledM: 0, book, at: Instant(seconds: 0))?.count == 1)
    #expect(list.moved(on: route, travelledM: 250, book, at: Instant(seconds: 1)) == nil)
    #expect(list.moved(on: route, travelledM: 301, book, at: Instant(seconds: 2)) == [])
    #expect(list.moved(on: route, travelledM: 302, book, at: Instant(seconds: 3)) == nil)
  }

  @Test func `an incident that has ended leaves the list, TR-5`() {
    var list = IncidentsAhead()
    let book = book([5], until: 60)
    #expect(list.moved(on: route, travelledM: 0, book, at: Instant(seconds: 0))?.count == 1)
    #expect(list.moved(on: route, travelledM: 10, book, at: Instant(seconds: 60)) == [])
  }

  @Test func `one incident on two stretches of the route is told twice, TR-5`() {
    var list = IncidentsAhead()
    let told = list.moved(on: route, travelledM: 0, book([1, 5]), at: Instant(seconds: 0))
    #expect(told?.map(\.startM) == [100, 500])
  }

  @Test func `feeds and ids with a slash are told apart, TR-5`() {
    var list = IncidentsAhead()
    var book = IncidentBook()
    for (feed, id, piece) in [("a", "b/c", 2), ("a/b", "c", 3)] {
      book.set(
        [
          RoadIncident(
            id: id, kind: "accident", text: nil, segments: [route.segments[piece].reference])
        ], of: feed)
    }
    let told = list.moved(on: route, travelledM: 0, book, at: Instant(seconds: 0))
    #expect(told?.map(\.feed) == ["a", "a/b"])
    #expect(told?.map(\.startM) == [200, 300])
    #expect(told?.map(\.endM) == [300, 400])
  }

  @Test func `nothing is told where there is nothing, and another feed is heard, TR-5`() {
    var list = IncidentsAhead()
    #expect(list.moved(on: route, travelledM: 0, IncidentBook(), at: Instant(seconds: 0)) == nil)
    #expect(list.moved(on: nil, travelledM: 0, IncidentBook(), at: Instant(seconds: 0)) == nil)
    list.changed()
    #expect(list.moved(on: route, travelledM: 0, book([3]), at: Instant(seconds: 1))?.count == 1)
  }
}
