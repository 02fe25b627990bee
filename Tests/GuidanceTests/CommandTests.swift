import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import Route
import Testing

@Suite struct CommandTests {
  private func send(
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
    let held = send(&drive, .pause, t: 1)
    #expect(held.first == .activate(route, .refresh, replaces: "r-1", isPaused: true))
    #expect(drive.sees(on(route, 1, 50, t: 10)).progress.isEmpty)
    let goesOn = send(&drive, .resume, t: 11)
    #expect(goesOn.first == .activate(route, .refresh, replaces: "r-1", isPaused: false))
    #expect(drive.sees(on(route, 2, 50, t: 20)).progress.first?.travelledM == 250)
  }

  @Test func `a skipped stop is left out of the rest, PR-10`() {
    let route = drawn("abcdefg", stops: [2, 4])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 0))
    let request = send(&drive, .skipWaypoint(.next), t: 1).requests.first?.request
    #expect(request?.waypoints.dropFirst().map(\.place) == [place(400), place(600)])
    #expect(problem(send(&drive, .skipWaypoint(.waypoint(3)), t: 2)) == "no_waypoint")
  }

  @Test func `an added stop comes at its place among those left, PR-10`() {
    let route = drawn("abcdefg", stops: [2, 4])
    var drive = Following(route)
    drive.sees(on(route, 2, 50, t: 0))
    let request = send(&drive, .addWaypoint(Waypoint(place: place(500)), at: 1), t: 1)
      .requests.first?.request
    #expect(
      request?.waypoints.dropFirst().map(\.place) == [place(400), place(500), place(600)])
  }

  @Test func `stops left are driven in another order, PR-10, MS-5`() {
    let route = drawn("abcdefghi", stops: [2, 4, 6])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 0))
    let all = send(&drive, .orderWaypoints([3, 1]), t: 1).requests.first?.request
    #expect(all?.waypoints.map(\.userIndex) == [nil, 3, 1, 2, 4])
    #expect(all?.waypoints.dropFirst().map(\.place) == [600, 200, 400, 800].map { place($0) })
    for second in 1...6 { drive.sees(on(route, second / 2, 50, t: Double(2 + second))) }
    // The first stop has been reached: it is none of those left.
    let rest = send(&drive, .orderWaypoints([4, 3]), t: 10)
    #expect(rest.requests.first?.request.waypoints.map(\.userIndex) == [nil, 4, 3, 2])
    #expect(problem(send(&drive, .orderWaypoints([1]), t: 11)) == "no_waypoint")
    #expect(problem(send(&drive, .orderWaypoints([3, 3]), t: 11)) == "invalid")
    #expect(problem(send(&drive, .orderWaypoints([]), t: 11)) == "invalid")
  }

  @Test func `stopped, the route is cleared and what was asked for is given up, PR-10`() {
    let route = drawn("abcdefg", stops: [2])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 0))
    let token = send(&drive, .skipWaypoint(.next), t: 1).requests[0].token
    let outputs = send(&drive, .stop, t: 2)
    #expect(outputs.contains(.cancelRequest(token: token)))
    #expect(problem(outputs) == "cancelled")
    #expect(outputs.contains(.activate(nil, .cleared, replaces: "r-1", isPaused: false)))
    #expect(drive.navigator.route == nil)
  }

  @Test func `without a route, commands about one are refused by name, PR-10`() {
    var navigator = Navigator()
    for command in [NavigatorCommand.pause, .skipWaypoint(.next), .acceptBetter(id: nil)] {
      let outputs = navigator.handle(
        .command(command, call: "c", at: Instant(seconds: 0)))
      #expect(["no_route", "no_proposal"].contains(problem(outputs)))
    }
  }

  @Test(arguments: [
    (NavigatorCommand.pause, "no_route"), (.resume, "no_route"), (.keepRoute, "no_route"),
    (.skipWaypoint(.next), "no_route"),
    (.addWaypoint(Waypoint(place: place(50)), at: 0), "no_route"),
    (.orderWaypoints([1]), "no_route"), (.cancelReroute, "no_reroute"),
    (.acceptReroute, "no_proposal"),
    (.rejectReroute, "no_proposal"), (.acceptBetter(id: nil), "no_proposal"),
    (.rejectBetter(id: "b-1"), "no_proposal"),
    (
      .setTraffic(
        routeID: "r-1", SpanTraffic(firstSpan: 0, entries: []), trafficTime: Instant(seconds: 0)),
      "no_route"
    ),
  ])
  func `without a route each command fails with the code of the contract, PR-10`(
    command: NavigatorCommand, code: String
  ) {
    var navigator = Navigator()
    let outputs = navigator.handle(.command(command, call: "c", at: Instant(seconds: 0)))
    #expect(problem(outputs) == code)
  }

  @Test func `a stop is skipped by its place in the list of the user, PR-10, MS-5`() {
    var route = drawn("abcdefg", stops: [2, 4])
    route.waypoints[1].userIndex = 5
    route.waypoints[2].userIndex = 2
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 0))
    let request = send(&drive, .skipWaypoint(.userIndex(2)), t: 1).requests.first?.request
    #expect(request?.waypoints.dropFirst().map(\.place) == [place(200), place(600)])
    #expect(problem(send(&drive, .skipWaypoint(.userIndex(4)), t: 2)) == "no_waypoint")
  }

  @Test func `an added stop gets the next place in the list of the user, PR-10, MS-5`() throws {
    let route = drawn("abcdefg", stops: [2])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 0))
    let asked = try #require(
      send(&drive, .addWaypoint(Waypoint(place: place(500)), at: 1), t: 1).requests.first)
    #expect(asked.request.waypoints.map(\.userIndex) == [nil, 1, 3, 2])
    let outputs = drive.navigator.handle(
      .routed(
        token: asked.token, .success(drawn("abcdefg", stops: [2, 5], id: "r-2")),
        at: Instant(seconds: 2)))
    let answers = outputs.compactMap { output -> CommandAnswer? in
      if case .answer(_, .success(let answer)) = output { answer } else { nil }
    }
    #expect(answers == [.added(routeID: "r-2", userIndex: 3)])
    // A place that another stop has is refused by name.
    let twice = send(
      &drive, .addWaypoint(Waypoint(place: place(500), userIndex: 1), at: 0), t: 3)
    #expect(problem(twice) == "invalid")
  }

  @Test func `a start from here without a location fails after 30 s, PR-10`() {
    var navigator = Navigator()
    let request = RouteRequest(waypoints: [Waypoint(place: place(500))])
    let waiting = navigator.handle(
      .command(.start(request, fromHere: true), call: "c", at: Instant(seconds: 10)))
    #expect(waiting == [.wake(at: Instant(seconds: 40))])
    #expect(navigator.handle(.tick(at: Instant(seconds: 39))).isEmpty)
    #expect(problem(navigator.handle(.tick(at: Instant(seconds: 40)))) == "no_location")
    // What comes then starts nothing any more.
    let route = drawn("abc")
    #expect(navigator.handle(.located(on(route, 0, 0, t: 41))).requests.isEmpty)
  }

  @Test func `a start before the stack has a time waits for the first location, PR-10`() {
    var navigator = Navigator()
    let request = RouteRequest(waypoints: [Waypoint(place: place(500))])
    let waiting = navigator.handle(
      .command(.start(request, fromHere: true), call: "c", at: Instant(nanoseconds: 0)))
    #expect(waiting.isEmpty)
    #expect(navigator.handle(.tick(at: Instant(seconds: 1_790_000_000))).isEmpty)
    let route = drawn("abc")
    let first = navigator.handle(.located(on(route, 0, 0, t: 1_790_000_001)))
    #expect(first.requests.count == 1)
  }

  @Test
  func `a start names its calculation, and further routes are published until it changes, RT-5`()
    throws
  {
    let route = drawn("abcdefg")
    var navigator = Navigator()
    _ = navigator.handle(.located(on(route, 0, 50, t: 0)))
    var request = RouteRequest(waypoints: [Waypoint(place: place(500))], alternatives: 1)
    request.avoid = [.tolls]
    let asked = navigator.handle(
      .command(
        .start(request, fromHere: true, requestID: "q-1"), call: "c", at: Instant(seconds: 0)))
    guard case .requestRoute(let token, let sent, _, _, let requestID)? = asked.first else {
      Issue.record("no route was asked for")
      return
    }
    #expect(requestID == "q-1")
    #expect(sent.alternatives == 1 && sent.avoid == [.tolls])
    let other = drawn("axyg", id: "r-1-1")
    let started = navigator.handle(
      .routed(token: token, .success(route), alternatives: [other], at: Instant(seconds: 1)))
    #expect(started.contains(.alternatives([other])))
    let ended = navigator.handle(.command(.stop, call: "d", at: Instant(seconds: 2)))
    #expect(ended.contains(.alternatives([])))
  }
}
