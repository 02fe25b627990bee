import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import RoadGraph
import Route
import Testing

/// A closed road ahead of which the only way out is to turn back at once.
@Suite struct TurningBackTests {
  /// Closed between i and j, 800 m from the start.
  private static var closed: Route {
    var route = drawn("abcdefghijklmnop", id: "r-1")
    route.spans[8].jamFactor = 10
    route.spans[8].durations.latestS += 7200
    route.durations.latestS += 7200
    return route
  }

  /// From between d and e back to c, and around.
  private static func back(_ letters: String = "edcqrstuvwxyp") -> Route {
    let stop = closed.waypoints[closed.waypoints.count - 1]
    var route = drawn(letters, id: "r-2", handle: "h-2")
    route.waypoints[route.waypoints.count - 1].original = stop.original
    return route
  }

  private static func better(_ route: Route) -> BetterRoute {
    BetterRoute(
      id: "b-1", routeID: "r-1", route: route, gainS: 6000, longerM: 1000, shapeChanged: true,
      avoidsClosure: true, thresholdS: 120)
  }

  private static func drive(_ adopt: BetterRoutePolicy.Adopt) -> Following {
    var settings = Navigator.Settings()
    settings.better.adopt = adopt
    var drive = Following(closed, settings: settings)
    drive.sees(on(closed, 3, 50, t: 10))
    return drive
  }

  // MARK: The check

  private func poller() -> RoutePoller {
    var settings = RoutePoller.Settings()
    settings.minTimeDifferenceS = 120
    var poller = RoutePoller(settings: settings)
    _ = poller.handle(.routeChanged(drawn("abcdefghijklmnop", id: "r-1")))
    _ = poller.handle(.routeChanged(Self.closed))
    return poller
  }

  private func moved(_ t: Double) -> RoutePoller.Event {
    .moved(
      RoutePoller.Place(
        routeID: "r-1", section: 0, travelledOnSectionM: 350, travelledM: 350,
        coordinate: place(350), bearingDeg: 90, speedMps: 10), at: Instant(seconds: t))
  }

  private func check(
    _ outputs: [RoutePoller.Output]
  ) throws -> (id: UInt64, request: RouteRequest) {
    for case .check(let id, let request, _, _) in outputs { return (id, request) }
    throw NavigatorProblem(code: "none", sentence: "No check in \(outputs).")
  }

  @Test func `where all routes ahead are closed, one that turns back is looked for, TR-8, DR-1`()
    throws
  {
    var poller = poller()
    let ahead = try check(poller.handle(moved(1)))
    #expect(ahead.request.waypoints[0].bearingDeg == 90)
    #expect(ahead.request.firstManeuverClearanceM > 0)
    var through = Self.closed
    through.id = "r-3"
    let again = try check(
      poller.handle(.answered(check: ahead.id, route: through, oldRemainingS: 8000)))
    #expect(again.id != ahead.id)
    #expect(again.request.waypoints[0].bearingDeg == nil)
    #expect(again.request.firstManeuverClearanceM == 0)
    let outputs = poller.handle(
      .answered(check: again.id, route: Self.back(), oldRemainingS: 8000))
    guard case .found(let better, _, let checks)? = outputs.first else {
      Issue.record("nothing found: \(outputs)")
      return
    }
    #expect(better.avoidsClosure && better.shapeChanged)
    #expect(checks == 2)
    // The next check looks ahead first.
    #expect(try check(poller.handle(moved(61))).request.waypoints[0].bearingDeg == 90)
  }

  @Test func `where every route is closed nothing is proposed, and not asked for ever, TR-8, DR-1`()
    throws
  {
    var poller = poller()
    var through = Self.closed
    through.id = "r-3"
    let ahead = try check(poller.handle(moved(1)))
    let again = try check(
      poller.handle(.answered(check: ahead.id, route: through, oldRemainingS: 7300)))
    let outputs = poller.handle(
      .answered(check: again.id, route: through, oldRemainingS: 7300))
    #expect(outputs.isEmpty)
    #expect(poller.handle(moved(2)).isEmpty)
    // A route ahead that is open is found by the first check.
    let next = try check(poller.handle(moved(61)))
    let found = poller.handle(
      .answered(check: next.id, route: drawn("deqrstp", id: "r-4"), oldRemainingS: 8000))
    #expect(found.contains { if case .found = $0 { true } else { false } })
  }

  // MARK: The proposal

  @Test func `a route that turns back is proposed until the closed road is reached, TR-8, DR-10`() {
    var drive = Self.drive(.ask)
    let outputs = drive.navigator.handle(
      .betterFound(Self.better(Self.back()), at: Instant(seconds: 11)))
    #expect(outputs.betterStates == [.proposed])
    var last: [NavigatorOutput] = []
    for second in 0..<50 {
      last = drive.sees(
        on(
          Self.closed, 3 + (second + 5) / 10, Double((second + 5) % 10) * 10,
          t: 11 + Double(second)))
      if last.betterStates.contains(.withdrawn) { break }
    }
    #expect(last.betterStates == [.withdrawn])
    #expect(abs((drive.navigator.travelledM ?? 0) - 800) <= 20)
  }

  @Test func `a route that turns back is taken at once where that is the policy, TR-8, DR-5`() {
    var drive = Self.drive(.auto)
    let outputs = drive.navigator.handle(
      .betterFound(Self.better(Self.back()), at: Instant(seconds: 11)))
    #expect(outputs.activated == ["r-2"])
    // For a minute the vehicle may look for a place to turn.
    for second in 1..<40 {
      drive.sees(
        on(
          Self.closed, 3 + (second + 5) / 10, Double((second + 5) % 10) * 10,
          t: 11 + Double(second)))
    }
    #expect(drive.said.deviations.isEmpty && drive.said.requests.isEmpty)
    // It turns, and comes back over the roads of the new route.
    let turned = (0..<5).flatMap {
      drive.sees(on(Self.back(), 0, 50 + Double($0) * 10, t: 55 + Double($0)))
    }
    #expect(turned.progress.count == 5 && turned.progress.allSatisfy(\.isOnRoute))
    #expect(drive.said.deviations.isEmpty)
  }

  @Test func `a vehicle that cannot turn for long gets a route from where it is, TR-8, PR-1`()
    throws
  {
    var drive = Self.drive(.auto)
    _ = drive.navigator.handle(
      .betterFound(Self.better(Self.back()), at: Instant(seconds: 11)))
    // 2 m/s: the closed road is far ahead.
    for second in 1..<80 {
      let metres = 350 + 2 * Double(second)
      drive.sees(
        on(
          Self.closed, Int(metres / 100), metres.truncatingRemainder(dividingBy: 100),
          t: 11 + Double(second), speedMps: 2))
    }
    let request = try #require(drive.said.requests.first?.request)
    #expect(drive.said.requests.count == 1)
    #expect(request.waypoints[0].bearingDeg == nil)
    #expect(request.firstManeuverClearanceM == 0)
  }

  @Test func `a vehicle that takes another road has left the route, TR-8, PR-1`() {
    var drive = Self.drive(.auto)
    _ = drive.navigator.handle(
      .betterFound(Self.better(Self.back()), at: Instant(seconds: 11)))
    for second in 1..<6 { drive.sees(elsewhere(400, t: 11 + Double(second))) }
    #expect(drive.said.deviations.count >= 1)
  }
}
