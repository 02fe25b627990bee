import DrawnRoutes
import Foundations
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
        prices(from: 6, Array(repeating: (100, 30, 20), count: 13)),
        trafficTime: Instant(seconds: 600),
        at: Instant(seconds: 700)))
    // The route comes again with its new times; no progress does.
    let published = said.compactMap { output -> (Route?, ActivationReason)? in
      if case .activate(let route, let reason, _, _) = output { (route, reason) } else { nil }
    }
    #expect(said.count == 1)
    #expect(published.first?.1 == .traffic)
    #expect(
      published.first?.0?.spans.dropFirst(6).allSatisfy { $0.durations.latestS == 30 } == true)
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
        prices(from: 0, [(100, 1000, 990)]),
        trafficTime: Instant(seconds: 0), at: Instant(seconds: 700)))
    #expect((crawl(&drive, route, 700..<701).progress.last?.remainingS ?? 0) < 130)
  }

  @Test func `the span under way is priced by its rest, TR-3`() throws {
    let route = drawn("abcd", secondsPerSegment: 10)
    var track = RouteTrack(route, travelledM: 175, seenM: 175)
    // A quarter of the second span is left, and is delayed by 12.5 s: the whole would be by 50.
    _ = try track.reprice(prices(from: 1, [(25, 15, 12.5), (100, 20, 10)]))
    #expect(track.latestS(fromM: 175, toM: 300) == 35)
    #expect(track.latestS(fromM: 100, toM: 200) == 60)
    #expect(track.latestS(fromM: 0, toM: 100) == 10)
    // At its very end there is nothing to go by.
    _ = try track.reprice(prices(from: 1, [(0, 0, 0), (100, 20, 10)]))
    #expect(track.latestS(fromM: 100, toM: 300) == 80)
  }

  @Test func `without traffic there is no delay, and an answer moves no time, TR-9, PR-2`() throws {
    // Of a span of two segments the first takes four fifths of the time.
    var route = drawn("abcd", secondsPerSegment: 10)
    route.segments[0].durationS = 40
    route.segments[1].durationS = 10
    route.segments[2].durationS = 10
    route.spans[0].segments = 0..<2
    route.spans[0].lengthM = 200
    route.spans[0].durations = Durations(freeFlowS: 50, trafficS: 50, latestS: 50)
    route.spans.remove(at: 1)
    route.sections[0].spans = 0..<2
    var track = RouteTrack(route, travelledM: 150, seenM: 150)
    #expect(track.latestS(fromM: 0, toM: 100) == 40)
    let before = track.latestS(fromM: 150, toM: 300)
    #expect(before == 15)
    // The router times the rest a little otherwise, and finds no delay.
    _ = try track.reprice(prices(from: 0, [(50, 4, 0), (100, 10, 0)]))
    #expect(track.latestS(fromM: 150, toM: 300) == before)
    for travelledM in stride(from: 150.0, to: 300, by: 7) {
      let delayS =
        track.latestS(fromM: travelledM, toM: 300) - track.freeFlowS(fromM: travelledM, toM: 300)
      #expect(abs(delayS) < 1e-9)
    }
  }

  @Test func `an application sets the traffic, and the next progress shows it, TR-9`() throws {
    let route = drawn("abcdefghijklmnopqrst", secondsPerSegment: 10)
    var drive = Following(route)
    _ = crawl(&drive, route, 0..<10)
    func set(_ routeID: String, _ prices: SpanTraffic) -> [NavigatorOutput] {
      let command = NavigatorCommand.setTraffic(
        routeID: routeID, prices, trafficTime: Instant(seconds: 9))
      return drive.navigator.handle(.command(command, call: "c", at: Instant(seconds: 10)))
    }
    func code(_ outputs: [NavigatorOutput]) -> String? {
      for case .answer(_, .failure(let problem)) in outputs { return problem.code }
      return nil
    }
    let jam = prices(from: 5, [(100, 100, 90)])
    #expect(code(set("r-0", jam)) == "other_route")
    #expect(code(set("r-1", prices(from: 30, [(100, 1, 0)]))) == "invalid")
    #expect(set("r-1", jam).contains(.answer(call: "c", .success(.done))))
    let after = try #require(crawl(&drive, route, 10..<11).progress.last)
    #expect(after.sections.last?.delayS == 90)
    #expect(after.trafficTime == Instant(seconds: 9))
  }

  @Test
  func
    `the route comes with new traffic at most each 30 s, and only where it looks different, TR-3`()
  {
    let route = drawn("abcdefghijklmnopqrst", secondsPerSegment: 10)
    var drive = Following(route)
    _ = crawl(&drive, route, 0..<10)
    func published(_ delayS: Double, at t: Double) -> Int {
      let command = NavigatorCommand.setTraffic(
        routeID: "r-1", prices(from: 5, [(100, 10 + delayS, delayS)]),
        trafficTime: Instant(seconds: t))
      return drive.navigator.handle(.command(command, call: "c", at: Instant(seconds: t)))
        .count { if case .activate(_, .traffic, _, _) = $0 { true } else { false } }
    }
    #expect(published(0, at: 10) == 0)
    #expect(published(90, at: 11) == 1)
    #expect(published(60, at: 40) == 0)
    #expect(published(90, at: 41) == 1)
    #expect(published(90, at: 80) == 0)
  }

  @Test func `new traffic that had to wait comes when the pause is over, TR-3, RN-3`() {
    let route = drawn("abcdefghijklmnopqrst", secondsPerSegment: 10)
    var drive = Following(route)
    _ = crawl(&drive, route, 0..<10)
    func set(_ delayS: Double, at t: Double) {
      _ = drive.navigator.handle(
        .command(
          .setTraffic(
            routeID: "r-1", prices(from: 5, [(100, 10 + delayS, delayS)]),
            trafficTime: Instant(seconds: t)), call: "c", at: Instant(seconds: t)))
    }
    func published(_ seconds: Range<Int>) -> [Double] {
      crawl(&drive, route, seconds).compactMap {
        if case .activate(let route?, .traffic, _, _) = $0 {
          route.spans[5].durations.latestS
        } else {
          nil
        }
      }
    }
    set(90, at: 10)
    set(200, at: 15)
    #expect(published(15..<40) == [])
    #expect(published(40..<80) == [210])
  }

  @Test func `changed traffic is asked for where the rest of the route uses the road, TR-4`() {
    let route = drawn("abcdefghijklmnopqrst")
    let way = route.segments[12].reference.way
    #expect(route.segments.count { $0.reference.way == way } == 1)
    var drive = Following(route)
    func asks(_ ways: Set<Int64>, _ seconds: Range<Int>) -> Int {
      _ = drive.navigator.handle(.trafficChanged(ways: ways))
      let asked = questions(crawl(&drive, route, seconds))
      for question in asked {
        _ = drive.navigator.handle(
          .notPriced(token: question.token, NavigatorProblem(code: "timeout", sentence: "Late.")))
      }
      return asked.count
    }
    #expect(asks([-1], 0..<10) == 0)
    #expect(asks([way, -1], 10..<20) == 1)
    #expect(asks([], 20..<30) == 1)
    // Behind the vehicle it does not matter any more.
    #expect(asks([-1], 30..<150) == 0)
    #expect(asks([route.segments[0].reference.way], 150..<160) == 0)
  }

  static let wrong = [
    prices(from: -1, [(100, 10, 0)]),
    prices(from: .max, [(100, 10, 0), (100, 10, 0)]),
    prices(from: .min, []),
    prices(from: 2, [(100, 10, 0), (100, 10, 0)]),
    prices(from: 0, [(100, .nan, 0)]),
    prices(from: 0, [(100, .infinity, 0)]),
    prices(from: 0, [(100, -1, 0)]),
    prices(from: 0, [(-100, 10, 0)]),
    prices(from: 0, [(.nan, 10, 0)]),
    prices(from: 0, [(100, 10, .nan)]),
  ]

  @Test(arguments: wrong)
  func `prices that are not of the route are reported and not taken, TR-3`(
    prices: SpanTraffic
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

  private func book(_ pieces: [Int], until: Double? = nil) -> IncidentIndex {
    var book = IncidentIndex()
    book.set(
      [
        RoadIncident(
          id: "i-1", kind: "construction", text: "Road works",
          segments: pieces.map { route.segments[$0].reference },
          until: until.map { Instant(seconds: $0) })
      ], of: "feed")
    return book
  }

  @Test func `incidents on the route are reported by place, section and span, TR-5`() {
    var list = IncidentsAhead()
    let reported = list.moved(
      on: route, travelledM: 0, book([4, 5]), at: Instant(seconds: 0))
    #expect(reported?.map(\.startM) == [400])
    #expect(reported?.map(\.endM) == [600])
    #expect(reported?.map(\.section) == [1])
    #expect(reported?.map(\.spans) == [[4, 5]])
    #expect(reported?.map(\.feed) == ["feed"])
  }

  @Test func `the list is reported on change only, and what is passed leaves it, TR-5`() {
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

  @Test func `one incident on two stretches of the route is reported twice, TR-5`() {
    var list = IncidentsAhead()
    let reported = list.moved(on: route, travelledM: 0, book([1, 5]), at: Instant(seconds: 0))
    #expect(reported?.map(\.startM) == [100, 500])
  }

  @Test func `feeds and ids with a slash are reported apart, TR-5`() {
    var list = IncidentsAhead()
    var book = IncidentIndex()
    for (feed, id, piece) in [("a", "b/c", 2), ("a/b", "c", 3)] {
      book.set(
        [
          RoadIncident(
            id: id, kind: "accident", text: nil, segments: [route.segments[piece].reference])
        ], of: feed)
    }
    let reported = list.moved(on: route, travelledM: 0, book, at: Instant(seconds: 0))
    #expect(reported?.map(\.feed) == ["a", "a/b"])
    #expect(reported?.map(\.startM) == [200, 300])
    #expect(reported?.map(\.endM) == [300, 400])
  }

  @Test func `nothing is reported where there is nothing, and another feed is heard, TR-5`() {
    var list = IncidentsAhead()
    #expect(list.moved(on: route, travelledM: 0, IncidentIndex(), at: Instant(seconds: 0)) == nil)
    #expect(list.moved(on: nil, travelledM: 0, IncidentIndex(), at: Instant(seconds: 0)) == nil)
    list.changed()
    #expect(list.moved(on: route, travelledM: 0, book([3]), at: Instant(seconds: 1))?.count == 1)
  }
}

/// Prices of spans from one on: metres left, seconds for them and what of these is delay.
private func prices(
  from first: Int, _ entries: [(lengthM: Double, latestS: Double, delayS: Double)]
) -> SpanTraffic {
  SpanTraffic(
    firstSpan: first,
    entries: entries.map {
      SpanTraffic.Entry(lengthM: $0.lengthM, latestS: $0.latestS, delayS: $0.delayS)
    })
}
