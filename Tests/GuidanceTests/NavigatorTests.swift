import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import RoadGraph
import Route
import Testing

/// A navigator that follows `route`, and what it has said.
struct Following {
  var navigator: Navigator
  var said: [NavigatorOutput] = []

  init(_ route: Route, settings: Navigator.Settings = Navigator.Settings()) {
    navigator = Navigator(settings: settings)
    said = navigator.handle(.command(.setRoute(route), call: "c", at: Instant(seconds: 0)))
  }

  @discardableResult mutating func sees(_ sighting: VehicleLocation) -> [NavigatorOutput] {
    let outputs = navigator.handle(.located(sighting))
    said += outputs
    return outputs
  }
}

extension [NavigatorOutput] {
  var progress: [Progress] {
    compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
  }
  var deviations: [Deviation] {
    compactMap { if case .deviation(let deviation) = $0 { deviation } else { nil } }
  }
  var requests: [(token: UInt64, request: RouteRequest)] {
    compactMap {
      if case .requestRoute(let token, let request, _, _, _) = $0 { (token, request) } else { nil }
    }
  }
  var reroutes: [RerouteReport.State] {
    compactMap { if case .reroute(let report) = $0 { report.state } else { nil } }
  }
  var milestones: [MilestoneTracker.Milestone] {
    compactMap { if case .milestone(let milestone, _) = $0 { milestone } else { nil } }
  }
  var arrivals: Int { count { if case .arrived = $0 { true } else { false } } }
  var betterStates: [BetterRouteState] {
    compactMap { if case .better(_, let state, _) = $0 { state } else { nil } }
  }
}

@Suite struct ProgressTests {
  @Test func `each location on the route gives one progress, PR-1`() {
    let route = drawn("abcdefgh")
    var drive = Following(route)
    for second in 0..<50 {
      let outputs = drive.sees(on(route, second / 10, Double(second % 10) * 10, t: Double(second)))
      #expect(outputs.progress.count == 1)
      #expect(outputs.progress.first?.isOnRoute == true)
      #expect(outputs.progress.first?.travelledM == Double(second) * 10)
    }
  }

  @Test func `without a route nothing is said of progress, PR-1`() {
    let route = drawn("abc")
    var navigator = Navigator()
    #expect(navigator.handle(.located(on(route, 0, 10, t: 0))).progress.isEmpty)
  }

  @Test func `an unmatched location near the route holds the last place, PR-1`() {
    let route = drawn("abcd")
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 0))
    let blind = VehicleLocation(time: Instant(seconds: 1), match: nil, raw: place(60, north: 10))
    let progress = drive.sees(blind).progress
    #expect(progress.first?.isOnRoute == false)
    #expect(progress.first?.travelledM == 50)
  }

  @Test func `sections are cumulative and the last leads to the destination, PR-2`() {
    let route = drawn("abcdefg", stops: [2, 4])
    var drive = Following(route)
    let progress = drive.sees(on(route, 2, 30, t: 0)).progress.first
    #expect(progress?.sections.map(\.section) == [1, 2])
    #expect(progress?.sections.map(\.remainingM) == [170, 370])
    #expect(progress?.sections.map(\.remainingS) == [17, 37])
    #expect(progress?.travelledOnSectionM == 30)
  }

  @Test func `the next maneuver and the one after it are given, PR-3`() {
    let route = drawn("abcdefg", maneuvers: [2, 4])
    var drive = Following(route)
    #expect(drive.sees(on(route, 0, 50, t: 0)).progress.first?.maneuvers.map(\.index) == [1, 2])
    let later = drive.sees(on(route, 2, 50, t: 10)).progress.first?.maneuvers
    #expect(later?.map(\.index) == [2, 3])
    #expect(later?.map(\.remainingM) == [150, 350])
    #expect(drive.sees(on(route, 5, 50, t: 40)).progress.first?.maneuvers.map(\.index) == [3])
  }

  @Test func `traversed and remaining shape meet at the location, PR-4`() {
    let route = drawn("abcdefg")
    var drive = Following(route)
    let progress = drive.sees(on(route, 3, 25, t: 0)).progress.first
    #expect(progress?.shapeIndex == 3)
    #expect(abs((progress?.shapeFraction ?? 0) - 0.25) < 1e-9)
    #expect(progress.map { $0.travelledM + $0.remainingM } == route.lengthM)
  }

  @Test func `a road driven twice counts once at a time, PR-5`() {
    let route = drawn("abcabcd")
    var drive = Following(route)
    var places: [Double] = []
    for second in 0..<60 {
      let outputs = drive.sees(on(route, second / 10, Double(second % 10) * 10, t: Double(second)))
      places += outputs.progress.map(\.travelledM)
    }
    // The last of the sixty fixes comes after the arrival.
    #expect(places == (0..<59).map { Double($0) * 10 })
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `remaining distance never grows, whatever the noise along the road, PR-5`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let route = drawn("abcdefabcdxyz", maneuvers: [3, 6, 9])
    var drive = Following(route)
    var last = Double.infinity
    var maneuver = 0
    for second in 0..<115 {
      let noise = Double.random(in: -12...12, using: &random)
      let along = min(1199, max(0, Double(second) * 10 + noise))
      let index = Int(along / 100)
      let outputs = drive.sees(on(route, index, along - Double(index) * 100, t: Double(second)))
      for progress in outputs.progress {
        #expect(progress.remainingM <= last)
        last = progress.remainingM
        let next = progress.maneuvers.first?.index ?? .max
        #expect(next >= maneuver)
        maneuver = next
      }
    }
    #expect(last < 80)
  }

  @Test func `a restarted track goes on at its place, PR-11`() {
    let route = drawn("abcabcd")
    let track = RouteTrack(route, travelledM: 430, seenM: 430)
    #expect(track.segment == 4)
    let fit = track.fit(
      .init(
        place: place(440), bearingDeg: 90, segment: route.segments[4].reference, offsetM: 40,
        probability: 1), secondsSinceLast: 1, speedMps: 10)
    #expect(fit == .on(travelledM: 440, segment: 4))
  }
}

@Suite struct DeviationTests {
  @Test
  func `three sure fixes off the route are a deviation, and each after them, PR-6, PR-7, BUS-10`() {
    let route = drawn("abcdefg")
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    #expect(drive.sees(elsewhere(160, t: 1)).deviations.isEmpty)
    #expect(drive.sees(elsewhere(170, t: 2)).deviations.isEmpty)
    let third = drive.sees(elsewhere(180, t: 3)).deviations.first
    #expect(third?.isFirst == true)
    #expect(third?.travelledOnSectionM == 150)
    #expect(third?.evidence.fixes == 3)
    // BUS-10: what was begun because of it carries the same evidence.
    let begun = drive.said.compactMap {
      if case .reroute(let report) = $0 { report } else { nil }
    }
    #expect(begun.map(\.state) == [.started])
    #expect(begun.first?.evidence == third?.evidence)
    #expect(begun.first?.sure == third?.location.time)
    #expect(third?.lastPlace.map { abs($0.longitudeDeg - place(150).longitudeDeg) < 1e-9 } == true)
    #expect(drive.sees(elsewhere(190, t: 4)).deviations.first?.isFirst == false)
  }

  @Test func `two fixes suffice when they lie more than 5 s apart, PR-7`() {
    let route = drawn("abcdefg")
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    #expect(drive.sees(elsewhere(160, t: 15)).deviations.isEmpty)
    #expect(drive.sees(elsewhere(300, t: 30)).deviations.count == 1)
  }

  @Test func `weak, unsure and estimated locations are no evidence, PR-7`() {
    let route = drawn("abcdefg")
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    for second in 1...10 {
      let t = Double(second * 3)
      #expect(drive.sees(elsewhere(160, t: t, probability: 0.5)).deviations.isEmpty)
      #expect(drive.sees(elsewhere(160, t: t + 1, accuracyM: 30)).deviations.isEmpty)
      #expect(drive.sees(elsewhere(160, t: t + 2, isEstimated: true)).deviations.isEmpty)
    }
  }

  @Test func `unmatched fixes count only far from the route, PR-7`() {
    let route = drawn("abcdefg")
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    func blind(_ north: Double, _ t: Double) -> VehicleLocation {
      VehicleLocation(
        time: Instant(seconds: t), match: nil, raw: place(160, north: north), accuracyM: 5)
    }
    for second in 1...5 { #expect(drive.sees(blind(40, Double(second))).deviations.isEmpty) }
    for second in 6...7 { #expect(drive.sees(blind(70, Double(second))).deviations.isEmpty) }
    #expect(drive.sees(blind(70, 8)).deviations.first?.evidence.rule == .unmatchedFar)
  }

  @Test func `a vehicle that never was on the route deviates with no last place, PR-6`() {
    let route = drawn("abcdefg")
    var drive = Following(route)
    let deviations = (1...3).flatMap { drive.sees(elsewhere(0, t: Double($0))).deviations }
    #expect(deviations.count == 1)
    #expect(deviations.first?.lastPlace == nil)
  }
}

@Suite struct RerouteTests {
  private func leave(_ drive: inout Following, from second: Int = 1) -> [NavigatorOutput] {
    (0..<3).flatMap { drive.sees(elsewhere(160, t: Double(second + $0))) }
  }

  @Test func `leaving asks for a way to the stops left, in the same mode, PR-8`() {
    var route = drawn("abcdefg", stops: [3])
    route.request.mode = .truck
    route.request.avoid = [.tolls]
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    let outputs = leave(&drive)
    #expect(outputs.reroutes == [.started])
    let request = outputs.requests.first?.request
    #expect(request?.mode == .truck)
    #expect(request?.avoid == [.tolls])
    #expect(request?.waypoints.dropFirst().map(\.place) == [place(300), place(600)])
    #expect(request?.firstManeuverClearanceM == 80)
  }

  @Test func `one request at a time, and the answer becomes the route, PR-8`() {
    let route = drawn("abcdefg")
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    let token = leave(&drive).requests[0].token
    for second in 4..<20 {
      #expect(drive.sees(elsewhere(160 + Double(second) * 20, t: Double(second))).requests.isEmpty)
    }
    let new = drawn("mnopq", id: "r-2")
    let outputs = drive.navigator.handle(
      .routed(token: token, .success(new), at: Instant(seconds: 20)))
    #expect(outputs.reroutes == [.completed])
    #expect(drive.navigator.route?.id == "r-2")
  }

  @Test func `failures double the pause up to 64 s, and 50 m must lie between, PR-8`() {
    let route = drawn("abcdefg")
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    var times: [Double] = []
    for second in 1..<400 {
      let t = Double(second)
      for request in drive.sees(elsewhere(160 + t * 20, t: t)).requests {
        times.append(t)
        let failure = NavigatorProblem(code: "no_route_found", sentence: "No.")
        _ = drive.navigator.handle(
          .routed(token: request.token, .failure(failure), at: Instant(seconds: t)))
      }
    }
    let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(pauses == [10, 20, 40, 64, 64, 64, 64, 64])
    var still = Following(route)
    still.sees(on(route, 1, 50, t: 0))
    let failure = NavigatorProblem(code: "no_route_found", sentence: "No.")
    let first = leave(&still).requests[0].token
    _ = still.navigator.handle(.routed(token: first, .failure(failure), at: Instant(seconds: 4)))
    for second in 5..<200 {
      #expect(still.sees(elsewhere(160, t: Double(second))).requests.isEmpty)
    }
  }

  @Test func `back on the route the answer is dropped, PR-8`() {
    let route = drawn("abcdefg")
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    let token = leave(&drive).requests[0].token
    #expect(drive.sees(on(route, 2, 50, t: 8)).reroutes == [.dropped])
    let late = drive.navigator.handle(
      .routed(token: token, .success(drawn("mn", id: "r-2")), at: Instant(seconds: 9)))
    #expect(late.isEmpty)
    #expect(drive.navigator.route?.id == "r-1")
  }

  @Test func `asked first, the driver accepts or rejects, PR-8, PR-10`() {
    var settings = Navigator.Settings()
    settings.reroute = ReroutePolicy(mode: .ask)
    let route = drawn("abcdefg")
    var drive = Following(route, settings: settings)
    drive.sees(on(route, 1, 50, t: 0))
    let token = leave(&drive).requests[0].token
    let answer = drive.navigator.handle(
      .routed(token: token, .success(drawn("mnop", id: "r-2")), at: Instant(seconds: 4)))
    #expect(answer.reroutes == [.proposed])
    #expect(drive.navigator.route?.id == "r-1")
    var other = drive
    _ = drive.navigator.handle(
      .command(.acceptReroute, call: "a", at: Instant(seconds: 5)))
    #expect(drive.navigator.route?.id == "r-2")
    let rejected = other.navigator.handle(
      .command(.rejectReroute, call: "a", at: Instant(seconds: 5)))
    #expect(rejected.reroutes == [.rejected])
    #expect(other.sees(elsewhere(900, t: 60)).requests.isEmpty)
  }

  @Test func `off, kept or cancelled, no route is asked for, PR-8, PR-10`() {
    let route = drawn("abcdefg")
    for command in [
      NavigatorCommand.setRerouting(.off, nil), .keepRoute,
    ] {
      var drive = Following(route)
      drive.sees(on(route, 1, 50, t: 0))
      _ = drive.navigator.handle(.command(command, call: "a", at: Instant(seconds: 0)))
      #expect(leave(&drive).requests.isEmpty)
    }
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    let token = leave(&drive).requests[0].token
    let cancelled = drive.navigator.handle(
      .command(.cancelReroute, call: "a", at: Instant(seconds: 4)))
    #expect(cancelled.contains(.cancelRequest(token: token)))
    #expect(cancelled.reroutes == [.cancelled])
  }
}
