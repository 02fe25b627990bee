import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import RoadGraph
import Route
import Testing

/// 900 m of which a ferry goes from 300 m to 600 m.
private func ferried(
  _ letters: String = "abcdefghij", stops: [Int] = [], id: String = "r-1", boardM: Double = 300,
  lengthM: Double = 300
) -> Route {
  var route = drawn(letters, stops: stops, id: id)
  route.addedStops = [
    AddedStop(
      kind: .ferry, name: "Isle Ferry", place: place(boardM), offsetM: boardM, lengthM: lengthM,
      section: 0, shapeIndex: Int(boardM / 100))
  ]
  return route
}

extension Following {
  /// Drives along its route, 10 m a second.
  @discardableResult fileprivate mutating func drives(
    _ route: Route, _ fromM: Int, through toM: Int
  ) -> [NavigatorOutput] {
    stride(from: fromM, through: toM, by: 10).flatMap {
      sees(on(route, $0 / 100, Double($0 % 100), t: Double($0) / 10))
    }
  }

  /// Drives beside it, by a road that it does not use.
  @discardableResult fileprivate mutating func drivesBeside(
    _ fromM: Int, through toM: Int, northM: Double = 80
  ) -> [NavigatorOutput] {
    stride(from: fromM, through: toM, by: 10).flatMap { eastM in
      // It drives there and does not leap.
      let awayM = Double.minimum(northM, 2.5 * Double(eastM - fromM + 10))
      return sees(elsewhere(Double(eastM), t: Double(eastM) / 10, northM: awayM))
    }
  }
}

extension [NavigatorOutput] {
  fileprivate var verdicts: [String] {
    milestones.map { "\($0.outcome) \($0.stop)" }
  }
}

@Suite struct AddedStopTests {
  private let route = ferried()

  private func drive(_ route: Route? = nil) -> Following {
    var settings = Navigator.Settings()
    settings.reroute.mode = .off
    return Following(route ?? self.route, settings: settings)
  }

  @Test func `a ferry is reached when it is boarded, once, and has no waypoint, MS-1`() throws {
    var drive = drive()
    #expect(drive.drives(route, 0, through: 290).milestones.isEmpty)
    let aboard = drive.drives(route, 300, through: 310).milestones
    #expect(aboard.map(\.outcome) == [.reached])
    #expect(aboard.map(\.stop) == [.added(0)])
    #expect(aboard.first?.waypoint == nil)
    #expect(try #require(aboard.first?.distanceM) < 1)
    drive.drives(route, 320, through: 890)
    #expect(drive.said.verdicts == ["reached added(0)", "reached waypoint(1)"])
  }

  @Test func `who turns away at the quay has not reached it, MS-1`() {
    var drive = drive()
    drive.drives(route, 0, through: 290)
    drive.drivesBeside(300, through: 350, northM: 200)
    #expect(drive.said.milestones.isEmpty)
  }

  @Test func `stops and ferries are reported in the order of their places, MS-1`() {
    let stops = ferried(stops: [2, 7])
    var drive = drive(stops)
    drive.sees(on(stops, 0, 50, t: 0))
    // Without a location from before the first stop until past the second.
    drive.sees(on(stops, 7, 50, t: 70))
    let order = ["reached waypoint(1)", "reached added(0)", "reached waypoint(2)"]
    #expect(drive.said.verdicts == order)
  }

  @Test
  func `a way by another road misses the ferry, and none is asked for back to it, MS-1, MS-4`() {
    for policy in Navigator.MissedStopPolicy.allCases {
      var drive = drive()
      drive.navigator.settings.onMissed = policy
      drive.drives(route, 0, through: 100)
      drive.drivesBeside(110, through: 640)
      #expect(drive.said.milestones.isEmpty)
      let back = drive.drives(route, 650, through: 700)
      #expect(back.verdicts == ["missed added(0)"])
      #expect(abs((back.milestones.first?.distanceM ?? 0) - 80) < 1)
      #expect(drive.said.requests.isEmpty)
      drive.drives(route, 710, through: 890)
      #expect(drive.said.verdicts == ["missed added(0)", "reached waypoint(1)"])
    }
  }

  @Test func `whoever is seen aboard has boarded, wherever he was before, MS-1`() {
    for start in [400, nil] as [Int?] {
      var drive = drive()
      if start == nil {
        drive.drives(route, 0, through: 100)
        drive.drivesBeside(110, through: 390)
      }
      drive.drives(route, 400, through: 420)
      #expect(drive.said.verdicts == ["reached added(0)"])
    }
  }

  @Test func `a route that is joined beyond the crossing misses it, once, MS-1, MS-2`() {
    var drive = drive()
    drive.drives(route, 650, through: 700)
    #expect(drive.said.verdicts == ["missed added(0)"])
    #expect(drive.said.milestones.first?.distanceM == nil)
  }

  @Test func `an arrival by another road leaves the ferry missed, before the destination, MS-1`() {
    var drive = drive()
    drive.drives(route, 0, through: 100)
    drive.drivesBeside(110, through: 800)
    drive.drives(route, 885, through: 885)
    #expect(drive.said.verdicts == ["missed added(0)", "reached waypoint(1)"])
  }

  @Test func `at the end of a short crossing the arrival has boarded it, MS-1`() {
    let short = ferried("abcde", boardM: 390, lengthM: 10)
    var drive = drive(short)
    drive.drives(short, 0, through: 385)
    #expect(drive.said.verdicts == ["reached added(0)", "reached waypoint(1)"])
  }

  @Test func `an estimate boards nothing, MS-1, TU-4`() {
    var drive = drive()
    drive.drives(route, 0, through: 290)
    var guessed = on(route, 3, 50, t: 35)
    guessed.isEstimated = true
    #expect(drive.sees(guessed).milestones.isEmpty)
    #expect(drive.drives(route, 360, through: 360).verdicts == ["reached added(0)"])
  }

  // MARK: Other routes

  @Test func `the ferry of a route that is replaced is neither missed nor reached, MS-1`() throws {
    var drive = Following(route)
    drive.drives(route, 0, through: 100)
    let asked = try #require(drive.drivesBeside(110, through: 150).requests.first)
    // No waypoint of the question is the ferry.
    #expect(asked.request.waypoints.dropFirst().map(\.place) == [place(900)])
    let around = drawn("uvwxyz", id: "r-2")
    _ = drive.navigator.handle(
      .routed(token: asked.token, .success(around), at: Instant(seconds: 16)))
    for second in 20..<70 {
      drive.sees(on(around, (second - 20) / 10, Double(second % 10) * 10, t: Double(second)))
    }
    #expect(drive.said.verdicts == ["reached waypoint(1)"])
    for case .milestone(_, let reported) in drive.said { #expect(reported.id == "r-2") }
  }

  @Test func `a new route has ferries of its own, MS-1`() throws {
    var drive = Following(drawn("abcdefghij"))
    drive.drives(drawn("abcdefghij"), 0, through: 100)
    let asked = try #require(drive.drivesBeside(110, through: 150).requests.first)
    let new = ferried("uvwxyz", id: "r-2", boardM: 200, lengthM: 200)
    _ = drive.navigator.handle(.routed(token: asked.token, .success(new), at: Instant(seconds: 16)))
    #expect(drive.said.milestones.isEmpty)
    for second in 20..<70 {
      drive.sees(on(new, (second - 20) / 10, Double(second % 10) * 10, t: Double(second)))
    }
    #expect(drive.said.verdicts == ["reached added(0)", "reached waypoint(1)"])
  }

  @Test(arguments: [(300.0, 0), (200, 1)])
  func `a better route that is taken aboard does not board the same ferry again, MS-1, DR-5`(
    boardM: Double, again: Int
  ) {
    var settings = Navigator.Settings()
    settings.better.adopt = .auto
    var drive = Following(route, settings: settings)
    drive.drives(route, 0, through: 320)
    #expect(drive.said.verdicts == ["reached added(0)"])
    // Computed from a place before the quay; its metres count from there, 100 m on.
    var better = ferried("bcdefghxj", id: "r-2", boardM: boardM - 100).leading(toStopsOf: route)
    better.addedStops[0].place = place(boardM)
    let found = BetterRoute(
      id: "b-1", routeID: "r-1", route: better, gainS: 900, longerM: 0, shapeChanged: true)
    let outputs = drive.navigator.handle(.betterFound(found, at: Instant(seconds: 32.5)))
    #expect(drive.navigator.route?.id == "r-2")
    let later = drive.sees(on(route, 3, 30, t: 33))
    #expect((outputs + later).verdicts == Array(repeating: "reached added(0)", count: again))
  }

  // MARK: Crashes and successors

  @Test(arguments: [290, 300, 400, 650])
  func `a crash repeats no ferry and forgets none, MS-1, PR-11`(atM: Int) {
    var drive = drive()
    drive.drives(route, 0, through: atM)
    var again = self.drive()
    again.navigator = Navigator(settings: drive.navigator.settings)
    again.navigator.recall(drive.navigator.memory)
    again.said = drive.said
    again.drives(route, atM + 10, through: 890)
    #expect(again.said.verdicts == ["reached added(0)", "reached waypoint(1)"])
  }

  @Test(arguments: [290, 310])
  func `a successor repeats no ferry and forgets none, MS-1`(atM: Int) {
    var drive = drive()
    drive.drives(route, 0, through: atM)
    var next = Navigator(settings: drive.navigator.settings)
    next.goOn(from: drive.navigator)
    drive.navigator = next
    drive.drives(route, atM + 10, through: 890)
    #expect(drive.said.verdicts == ["reached added(0)", "reached waypoint(1)"])
  }

  @Test(arguments: [true, false])
  func `a stop at the quay stands for the ferry where that is wanted, MS-1, PR-12`(skips: Bool) {
    let quay = ferried(stops: [3])
    var settings = Navigator.Settings()
    settings.skipsCoincidentStops = skips
    var drive = Following(quay, settings: settings)
    drive.drives(quay, 0, through: 890)
    let ferry = skips ? [] : ["reached added(0)"]
    #expect(drive.said.verdicts == ["reached waypoint(1)"] + ferry + ["reached waypoint(2)"])
  }
}
