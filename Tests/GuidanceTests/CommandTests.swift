import DrawnRoutes
import EventTime
import Geodesy
import Guidance
import Route
import Testing

@Suite struct CommandTests {
  private func tell(
    _ drive: inout Following, _ command: NavigatorCommand, t: Double
  ) -> [NavigatorOutput] {
    drive.navigator.handle(.command(command, call: "c", at: Instant(seconds: t)))
  }

  private func problem(_ outputs: [NavigatorOutput]) -> String? {
    for case .answer(_, .failure(let problem)) in outputs { return problem.code }
    return nil
  }

  @Test func `held, guidance says nothing, and goes on where the vehicle is then, PR-10`() {
    let route = drawn("abcdefg")
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 0))
    let held = tell(&drive, .pause, t: 1)
    #expect(held.first == .activate(route, .refresh, replaces: "r-1", isPaused: true))
    #expect(drive.sees(on(route, 1, 50, t: 10)).progress.isEmpty)
    let goesOn = tell(&drive, .resume, t: 11)
    #expect(goesOn.first == .activate(route, .refresh, replaces: "r-1", isPaused: false))
    #expect(drive.sees(on(route, 2, 50, t: 20)).progress.first?.travelledM == 250)
  }

  @Test func `a skipped stop is left out of the rest, PR-10`() {
    let route = drawn("abcdefg", stops: [2, 4])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 0))
    let request = tell(&drive, .skipWaypoint(nil), t: 1).requests.first?.request
    #expect(request?.waypoints.dropFirst().map(\.place) == [place(400), place(600)])
    #expect(problem(tell(&drive, .skipWaypoint(3), t: 2)) == "invalid")
  }

  @Test func `an added stop comes at its place among those left, PR-10`() {
    let route = drawn("abcdefg", stops: [2, 4])
    var drive = Following(route)
    drive.sees(on(route, 2, 50, t: 0))
    let request = tell(&drive, .addWaypoint(Waypoint(place: place(500)), at: 1), t: 1)
      .requests.first?.request
    #expect(
      request?.waypoints.dropFirst().map(\.place) == [place(400), place(500), place(600)])
  }

  @Test func `stopped, the route is cleared and what was asked for is given up, PR-10`() {
    let route = drawn("abcdefg", stops: [2])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 0))
    let token = tell(&drive, .skipWaypoint(nil), t: 1).requests[0].token
    let outputs = tell(&drive, .stop, t: 2)
    #expect(outputs.contains(.cancelRequest(token: token)))
    #expect(problem(outputs) == "cancelled")
    #expect(outputs.contains(.activate(nil, .cleared, replaces: "r-1", isPaused: false)))
    #expect(drive.navigator.route == nil)
  }

  @Test func `without a route, commands about one are refused by name, PR-10`() {
    var navigator = Navigator()
    for command in [NavigatorCommand.pause, .skipWaypoint(nil), .acceptBetter(id: nil)] {
      let outputs = navigator.handle(
        .command(command, call: "c", at: Instant(seconds: 0)))
      #expect(["no_active_route", "no_proposal"].contains(problem(outputs)))
    }
  }
}
