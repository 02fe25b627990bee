import DrawnRoutes
import Foundations
import Guidance
import RoadAhead
import RoadGraph
import Route
import Testing

/// What a navigator that comes back after a crash goes on with, PR-11.
@Suite struct RestoreTests {
  private func again(_ drive: Following) -> Navigator {
    var navigator = Navigator(settings: drive.navigator.settings)
    navigator.recall(drive.navigator.memory)
    return navigator
  }

  private func shown(_ outputs: [NavigatorOutput]) -> [Int?] {
    outputs.compactMap {
      if case .lanes(let maneuver, _, _) = $0 { Optional(maneuver) } else { nil }
    }
  }

  private var withLanes: Route {
    var route = drawn("abcdefghijkl", maneuvers: [6])
    route.maneuvers[1].lanes = [Lane(directions: ["left"], recommendation: .recommended)]
    return route
  }

  @Test(arguments: [(10.0, 300.0), (30, 1300)])
  func `lanes are shown from the distance of the announcement, until it is done, EV-6`(
    limitMps: Double, aheadM: Double
  ) {
    var route = drawn(String("abcdefghijklmnopqrstuvwxyz"), maneuvers: [20])
    route.maneuvers[1].lanes = [Lane(directions: ["left"], recommendation: .recommended)]
    var drive = Following(route)
    var from: Double?
    var until: Double?
    for metre in stride(from: 0.0, to: 2200, by: 10) {
      var sighting = on(
        route, Int(metre) / 100, metre.truncatingRemainder(dividingBy: 100), t: metre, speedMps: 10)
      sighting.limits = SpeedLimits(regularMps: limitMps)
      switch shown(drive.sees(sighting)) {
      case [1]: from = metre
      case [nil]: until = metre
      default: break
      }
    }
    #expect(from == 2000 - aheadM)
    #expect(until == 2000)
  }

  @Test func `at speed lanes are shown 18 s before, EV-6`() {
    let route = withLanes
    var drive = Following(route)
    // 25 m/s for 18 s are 450 m; the limit alone would show them from 300 m on.
    #expect(shown(drive.sees(on(route, 1, 40, t: 0, speedMps: 25))).isEmpty)
    #expect(shown(drive.sees(on(route, 1, 60, t: 1, speedMps: 25))) == [1])
  }

  @Test func `lanes that were shown before a crash are taken back, and not shown twice, PR-11`() {
    let route = withLanes
    var drive = Following(route)
    #expect(shown(drive.sees(on(route, 4, 0, t: 0))) == [1])
    var back = again(drive)
    #expect(shown(back.handle(.located(on(route, 5, 0, t: 1)))).isEmpty)
    #expect(shown(back.handle(.located(on(route, 6, 50, t: 2)))) == [nil])
  }

  @Test func `a better route that was proposed before a crash can be accepted, or expires, PR-11`()
    throws
  {
    let route = drawn("abcdefghijkl", secondsPerSegment: 100)
    let other = drawn("abcdxyzl", id: "r-2", handle: nil, secondsPerSegment: 100)
      .leading(toStopsOf: route)
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 0))
    let found = BetterRoute(
      id: "b-1", routeID: "r-1", route: other, gainS: 400, longerM: 0, shapeChanged: true)
    let reported = drive.navigator.handle(.betterFound(found, at: Instant(seconds: 1)))
    #expect(reported.contains { if case .better(_, .proposed, _) = $0 { true } else { false } })
    var back = again(drive)
    let accepted = back.handle(
      .command(.acceptBetter(id: "b-1"), call: "c", at: Instant(seconds: 2)))
    #expect(accepted.contains { if case .activate(_, .better, _, _) = $0 { true } else { false } })
    var late = again(drive)
    let expired = late.handle(.tick(at: Instant(seconds: 62)))
    #expect(expired.contains { if case .better(_, .expired, _) = $0 { true } else { false } })
  }

  @Test func `a new way that was proposed before a crash can be accepted, PR-11`() throws {
    let route = drawn("abcdefghij")
    var settings = Navigator.Settings()
    settings.reroute = ReroutePolicy(mode: .ask)
    var drive = Following(route, settings: settings)
    drive.sees(on(route, 0, 50, t: 0))
    let asked = (1...3).flatMap { drive.sees(elsewhere(60, t: Double($0))) }
    let token = try #require(asked.requests.first?.token)
    _ = drive.navigator.handle(
      .routed(token: token, .success(drawn("xyzj", id: "r-2")), at: Instant(seconds: 4)))
    var back = again(drive)
    _ = back.handle(.command(.acceptReroute, call: "c", at: Instant(seconds: 5)))
    #expect(back.route?.id == "r-2")
  }

  @Test func `incidents shown before a crash that are over are taken back, TR-5, PR-11`() {
    let route = drawn("abcdefghij")
    var book = IncidentIndex()
    book.set(
      [RoadIncident(id: "i", kind: "accident", text: nil, segments: [route.segments[5].reference])],
      of: "f")
    var before = IncidentsAhead()
    let first = before.moved(on: route, travelledM: 0, book, at: Instant(seconds: 0))
    #expect(first?.count == 1)
    #expect(before.isShowing)
    var back = IncidentsAhead()
    back.recallShown()
    // Nothing is known of any feed any more.
    #expect(
      back.moved(on: route, travelledM: 10, IncidentIndex(), at: Instant(seconds: 1))?.isEmpty
        == true)
    #expect(back.moved(on: route, travelledM: 20, IncidentIndex(), at: Instant(seconds: 2)) == nil)
    // Where nothing was shown, nothing is to be taken back.
    var fresh = IncidentsAhead()
    #expect(fresh.moved(on: route, travelledM: 10, IncidentIndex(), at: Instant(seconds: 1)) == nil)
  }
}
