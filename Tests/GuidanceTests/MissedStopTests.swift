import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import RoadGraph
import Route
import Testing

@Suite struct MissedStopTests {
  /// Stops at 200 and 500 m of 900.
  private let route = drawn("abcdefghij", stops: [2, 5])

  private func drive(_ policy: Navigator.MissedStopPolicy? = nil, rerouting: Bool = false)
    -> Following
  {
    var settings = Navigator.Settings()
    if let policy { settings.onMissed = policy }
    settings.reroute.mode = rerouting ? .automatic : .off
    return Following(route, settings: settings)
  }

  /// Leaves the route at 120 m, comes back to it at 320 m by a way `northM` beside it.
  private func detour(_ drive: inout Following, northM: Double) -> [NavigatorOutput] {
    var outputs: [NavigatorOutput] = []
    for second in 0..<12 {
      outputs += drive.sees(on(route, 0, Double(second) * 9, t: Double(second)))
    }
    for second in 12..<32 {
      outputs += drive.sees(
        elsewhere(Double(second) * 10, t: Double(second), northM: northM))
    }
    for second in 32..<36 {
      outputs += drive.sees(on(route, 3, Double(second - 30) * 10, t: Double(second)))
    }
    return outputs
  }

  @Test func `a way past a stop misses it, once, MS-2`() {
    var drive = drive()
    let outputs = detour(&drive, northM: 80)
    #expect(outputs.milestones.map(\.outcome) == [.missed])
    #expect(outputs.milestones.map(\.waypoint) == [1])
    #expect(abs((outputs.milestones.first?.distanceM ?? 0) - 80) < 1)
  }

  @Test func `a way that comes within 50 m of a stop reaches it, MS-2, MS-1`() {
    var drive = drive()
    #expect(detour(&drive, northM: 45).milestones.map(\.outcome) == [.reached])
  }

  @Test func `a leap over a stop misses it, whatever the distance says, MS-2`() {
    var drive = drive()
    drive.sees(on(route, 0, 0, t: 0))
    var leap = on(route, 8, 0, t: 400)
    leap.match?.isTeleport = true
    let outputs = drive.sees(leap)
    #expect(outputs.milestones.map(\.outcome) == [.missed, .missed])
    #expect(outputs.milestones.map(\.waypoint) == [1, 2])
  }

  /// A cross: to a stop 100 m beyond the crossing `c` and back, then on over it to the right.
  private let cross = drawn("abcdefedcxyz", stops: [5])

  private func path(_ letters: String) -> [SegmentReference] {
    drawn(letters).segments.map(\.reference)
  }

  private func cross(_ index: Int, _ offsetM: Double, t: Double, _ letters: String)
    -> VehicleLocation
  {
    var sighting = on(cross, index, offsetM, t: t)
    sighting.match?.path = path(letters)
    return sighting
  }

  @Test func `who stays on the road of the later section has missed the stop, once, MS-2`() {
    var settings = Navigator.Settings()
    settings.onMissed = .ask
    var drive = Following(cross, settings: settings)
    drive.sees(cross(0, 50, t: 0, "ab"))
    drive.sees(cross(1, 80, t: 10, "abc"))
    // Straight on at the crossing: the road of the last section, which is within reach of the place.
    var outputs = drive.sees(cross(8, 20, t: 15, "bcx"))
    outputs += drive.sees(cross(8, 60, t: 18, "cx"))
    #expect(outputs.milestones.isEmpty)
    #expect(outputs.reroutes.isEmpty)
    let third = drive.sees(cross(8, 95, t: 21, "cx"))
    #expect(third.milestones.map(\.outcome) == [.missed])
    #expect(third.progress.last?.section == 1)
    #expect(third.reroutes == [.started])
    let later = drive.sees(cross(9, 50, t: 25, "cxy"))
    #expect(later.milestones.isEmpty)
    #expect(later.progress.last?.travelledM == 950)
  }

  @Test func `one match on the later section gives up no stop, MS-2, PR-5`() {
    var drive = Following(cross)
    drive.sees(cross(1, 80, t: 10, "abc"))
    drive.sees(cross(8, 20, t: 15, "bcx"))
    let back = drive.sees(cross(2, 60, t: 18, "bcd"))
    #expect(back.progress.last?.section == 0)
    #expect(back.milestones.isEmpty)
  }

  @Test func `a way to the later section over another road is a deviation, MS-2, PR-7`() {
    var drive = Following(cross)
    drive.sees(cross(1, 80, t: 10, "abc"))
    var outputs = drive.sees(elsewhere(300, t: 15))
    for second in 0..<3 {
      outputs += drive.sees(cross(10, 20 + Double(second) * 20, t: 18 + Double(second) * 3, "yz"))
    }
    #expect(outputs.milestones.isEmpty)
    #expect(!outputs.deviations.isEmpty)
  }

  @Test func `asked by default, a way back to the stop is proposed, MS-4`() throws {
    var drive = drive()
    let outputs = detour(&drive, northM: 80)
    #expect(outputs.reroutes == [.started])
    let asked = try #require(outputs.requests.first)
    // From here to the stop that was missed, then to what is left.
    #expect(
      asked.request.waypoints.dropFirst().map(\.place) == [place(200), place(500), place(900)])
    let back = drawn("dedcdefghij", stops: [3, 6], id: "r-2")
    let proposed = drive.navigator.handle(
      .routed(token: asked.token, .success(back), at: Instant(seconds: 37)))
    #expect(proposed.reroutes == [.proposed])
    // Going on along the route is no answer.
    #expect(drive.sees(on(route, 3, 70, t: 38)).reroutes.isEmpty)
    let accepted = drive.navigator.handle(
      .command(.acceptReroute, call: "c", at: Instant(seconds: 39)))
    #expect(accepted.reroutes == [.completed])
    #expect(drive.navigator.route?.id == "r-2")
    for case .reroute(let report) in outputs + proposed + accepted {
      #expect(report.reason == .missedStop)
    }
  }

  @Test func `refused or left alone, the proposal ends and the route goes on, MS-4`() throws {
    for isRefused in [true, false] {
      var drive = drive()
      let token = try #require(detour(&drive, northM: 80).requests.first?.token)
      _ = drive.navigator.handle(
        .routed(token: token, .success(drawn("dcbc", id: "r-2")), at: Instant(seconds: 37)))
      let end =
        isRefused
        ? drive.navigator.handle(.command(.rejectReroute, call: "c", at: Instant(seconds: 40)))
        : drive.sees(on(route, 4, 10, t: 98))
      #expect(end.reroutes == [isRefused ? .rejected : .cancelled])
      #expect(drive.navigator.route?.id == "r-1")
      // To refuse the way back is not to refuse all rerouting.
      #expect(drive.sees(on(route, 4, 20, t: 99)).progress.count == 1)
    }
  }

  @Test func `where it is taken at once, the way back becomes the route, MS-4`() throws {
    var drive = drive(.reroute)
    let token = try #require(detour(&drive, northM: 80).requests.first?.token)
    let outputs = drive.navigator.handle(
      .routed(token: token, .success(drawn("dcbc", id: "r-2")), at: Instant(seconds: 37)))
    #expect(outputs.reroutes == [.completed])
    #expect(drive.navigator.route?.id == "r-2")
  }

  @Test func `where it is ignored nothing is asked for, MS-4`() {
    var drive = drive(.ignore)
    let outputs = detour(&drive, northM: 80)
    #expect(outputs.milestones.map(\.outcome) == [.missed])
    #expect(outputs.requests.isEmpty)
  }

  @Test func `leaving the route voids the way back, MS-4, PR-8`() throws {
    var settings = Navigator.Settings()
    settings.reroute.mode = .automatic
    var drive = Following(route, settings: settings)
    // Starts beyond the first stop: missed, and a way back is asked for.
    let token = try #require(drive.sees(on(route, 3, 0, t: 0)).requests.first?.token)
    _ = drive.navigator.handle(
      .routed(token: token, .success(drawn("dcbc", id: "r-2")), at: Instant(seconds: 1)))
    var outputs: [NavigatorOutput] = []
    for second in 2..<6 { outputs += drive.sees(elsewhere(330, t: Double(second))) }
    #expect(outputs.reroutes == [.cancelled, .started])
    #expect(outputs.requests.count == 1)
  }
}

@Suite struct CoincidentStopTests {
  /// Two stops at 300 m, the destination at 900 m.
  private func twice() -> Route {
    var route = drawn("abcdefghij", stops: [3, 4])
    route.waypoints[2].matched = place(300)
    route.waypoints[2].offsetM = 300
    return route
  }

  private func milestones(skips: Bool) -> [MilestoneTracker.Milestone] {
    var settings = Navigator.Settings()
    settings.skipsCoincidentStops = skips
    let route = twice()
    var drive = Following(route, settings: settings)
    for second in 0..<90 {
      drive.sees(on(route, second / 10, Double(second % 10) * 10, t: Double(second)))
    }
    return drive.said.milestones
  }

  @Test func `two stops at one place are reported one after the other, PR-12`() {
    #expect(milestones(skips: false).map(\.waypoint) == [1, 2, 3])
  }

  @Test func `of stops at one place the second is skipped where that is wanted, PR-12`() {
    let reported = milestones(skips: true)
    #expect(reported.map(\.waypoint) == [1, 3])
    #expect(reported.allSatisfy { $0.outcome == .reached })
  }

  @Test(arguments: [(true, [1, 4], [0, 1, 4]), (false, [1, 2], [0, 1, 2, 3, 4])])
  func `of stops at one place the second is not driven to either, where that is wanted, PR-12`(
    skips: Bool, next: [Int], done: [Int]
  ) {
    var route = drawn("abcdef", stops: [2, 2], maneuvers: [2, 2, 2, 2])
    // Arrive; depart and arrive where one is; depart.
    route.sections[1].maneuvers = 2..<4
    var settings = Navigator.Settings()
    settings.skipsCoincidentStops = skips
    var drive = Following(route, settings: settings)
    let progress = drive.sees(on(route, 0, 50, t: 5)).progress
    #expect(progress.last?.maneuvers.map(\.index) == next)
    drive.sees(on(route, 1, 95, t: 15))
    drive.sees(on(route, 2, 20, t: 22))
    let reported = drive.said.compactMap {
      if case .maneuverDone(let index, _) = $0 { index } else { nil }
    }
    #expect(reported == done)
  }

  private var twoStops: Route {
    // Two stops 8 m from each other: arrive; depart and arrive at the second; depart.
    var route = drawn("abcdef", stops: [2, 2], maneuvers: [2, 2, 2, 2])
    route.waypoints[2].offsetM = 208
    route.waypoints[2].matched = place(208)
    route.sections[1].lengthM = 8
    route.sections[1].maneuvers = 2..<4
    route.sections[2].startM = 208
    route.sections[2].lengthM = 292
    for index in 3...4 { route.maneuvers[index].offsetM = 208 }
    return route
  }

  @Test(arguments: [
    (50.0, true, [0, 1, 4]), (50, false, [0, 1, 2, 3, 4]), (202, true, [0, 1, 2, 4]),
    (202, false, [0, 1, 3, 4]),
  ])
  func `a successor skips stops by its own settings, and tells the rest once, PR-12, PR-10`(
    atM: Double, skips: Bool, done: [Int]
  ) {
    let route = twoStops
    var settings = Navigator.Settings()
    settings.skipsCoincidentStops = !skips
    var drive = Following(route, settings: settings)
    for metres in stride(from: 20, through: atM, by: 10) {
      drive.sees(
        on(route, Int(metres) / 100, metres.truncatingRemainder(dividingBy: 100), t: metres / 10))
    }
    drive.sees(on(route, Int(atM) / 100, atM.truncatingRemainder(dividingBy: 100), t: 21))
    settings.skipsCoincidentStops = skips
    var next = Navigator(settings: settings)
    next.goOn(from: drive.navigator)
    drive.navigator = next
    for metres in stride(from: atM, through: 300, by: 10) {
      drive.sees(
        on(route, Int(metres) / 100, metres.truncatingRemainder(dividingBy: 100), t: metres / 5))
    }
    let reported = drive.said.compactMap {
      if case .maneuverDone(let index, _) = $0 { index } else { nil }
    }
    #expect(reported == done)
  }
}
