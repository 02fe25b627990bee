import DrawnRoutes
import Foundations
import Guidance
import Route
import Testing

/// Rests at stops and the time of arrival, PR-15.
@Suite struct RestTests {
  /// Stops at 200 and 400 m of 600, with rests of 900 and 60 s.
  private var route: Route {
    var route = drawn("abcdefg", stops: [2, 4])
    route.waypoints[1].original.restS = 900
    route.waypoints[2].original.restS = 60
    return route
  }

  @Test func `rests ahead are part of the time to what comes after them, PR-15`() throws {
    var drive = Following(route)
    let progress = try #require(drive.sees(on(route, 0, 0, t: 0)).progress.last)
    #expect(progress.sections.map(\.restS) == [0, 900, 960])
    #expect(progress.sections.map(\.remainingS) == [20, 940, 1020])
    #expect(progress.remainingS == 1020)
    #expect(progress.sections.map(\.delayS) == [0, 0, 0])
  }

  @Test func `a rest runs down while the vehicle stands at its stop, PR-15`() throws {
    var drive = Following(route)
    drive.sees(on(route, 1, 0, t: 0))
    drive.sees(on(route, 1, 95, t: 10))
    let resting = try #require(
      drive.sees(on(route, 1, 99, t: 310, speedMps: 0)).progress.last)
    // 300 s of it are over; the stop itself is not behind its own rest.
    #expect(resting.sections.map(\.restS) == [0, 600, 660])
    let late = try #require(
      drive.sees(on(route, 1, 99, t: 2000, speedMps: 0)).progress.last)
    #expect(late.sections.map(\.restS) == [0, 0, 60])
  }

  @Test func `who drives on early rests no longer, PR-15`() throws {
    var drive = Following(route)
    drive.sees(on(route, 1, 95, t: 10))
    let left = try #require(drive.sees(on(route, 2, 60, t: 20)).progress.last)
    #expect(left.sections.map(\.restS) == [0, 60])
  }

  @Test func `a rest goes on after a crash, and on the next route of the trip, PR-15, PR-11`()
    throws
  {
    var drive = Following(route)
    drive.sees(on(route, 1, 95, t: 10))
    var next = Navigator(settings: drive.navigator.settings)
    next.recall(drive.navigator.memory)
    let resting = try #require(
      next.handle(.located(on(route, 2, 0, t: 310, speedMps: 0))).progress.last)
    #expect(resting.sections.map(\.restS) == [600, 660])
    let better = BetterRoute(
      id: "b-1", routeID: "r-1",
      route: drawn("cdxyg", stops: [2], id: "r-2", handle: nil).leading(toStopsOf: route),
      gainS: 900, longerM: 0, shapeChanged: true)
    _ = next.handle(.betterFound(better, at: Instant(seconds: 311)))
    _ = next.handle(.command(.acceptBetter(id: nil), call: "c", at: Instant(seconds: 312)))
    let route = try #require(next.route)
    let after = try #require(
      next.handle(.located(on(route, 0, 1, t: 410, speedMps: 0))).progress.last)
    #expect(after.sections.map(\.restS) == [500, 560])
  }
}
