import DrawnRoutes
import Foundations
import Guidance
import RoadGraph
import Route
import Testing

/// Where a route begins that comes back over its first road.
@Suite struct RouteStartTests {
  /// A location on the first road, which faces against it.
  private func turned(_ eastM: Double, t: Double, speedMps: Double?) -> VehicleLocation {
    let at = place(eastM)
    let back = drawn("abcba").segments[3].reference
    return VehicleLocation(
      time: Instant(seconds: t),
      match: .init(
        place: at, bearingDeg: 270, segment: back, offsetM: 100 - eastM, probability: 0.9),
      raw: at, accuracyM: 5, speedMps: speedMps)
  }

  @Test(arguments: [nil, 0, 1])
  func `a vehicle at rest at the start is not taken for one at the end, PR-5, PR-7`(
    speedMps: Double?
  ) {
    let route = drawn("abcba")
    var drive = Following(route)
    let first = drive.sees(turned(10, t: 0, speedMps: speedMps)).progress.first
    #expect(abs((first?.travelledM ?? 0) - 10) < 0.01)
    for second in 1..<40 {
      let along = 10 + Double(second) * 9
      let index = Int(along / 100)
      drive.sees(on(route, index, along - Double(index) * 100, t: Double(second)))
    }
    #expect(drive.said.deviations.isEmpty)
    #expect(drive.said.progress.map(\.travelledM).allSatisfy { $0 > 9.99 })
  }

  @Test func `one who drives the way back already is there, PR-5`() {
    let route = drawn("abcba")
    var drive = Following(route)
    #expect(drive.sees(turned(60, t: 0, speedMps: 9)).progress.first?.travelledM == 340)
  }

  @Test func `one who leaves the wrong way has not arrived where a round trip ends, PR-5, PR-9`() {
    let route = drawn("abcba")
    var drive = Following(route)
    drive.sees(turned(10, t: 0, speedMps: 9))
    drive.sees(turned(1, t: 1, speedMps: 9))
    #expect(drive.said.progress.isEmpty)
    #expect(drive.said.arrivals == 0)
    #expect(drive.navigator.route != nil)
  }

  @Test func `an unsure place far along the route is not taken for where one begins, PR-5, PR-7`() {
    let route = drawn("abcba")
    var drive = Following(route)
    var unsure = turned(10, t: 0, speedMps: 9)
    unsure.match?.probability = 0.4
    #expect(drive.sees(unsure).progress.isEmpty)
    #expect(drive.sees(on(route, 0, 19, t: 1)).progress.first?.travelledM == 19)
  }

  @Test(arguments: [(0.5, nil), (0.9, 280.0)])
  func `where the route comes by again only a sure match is a leap ahead, PR-5, PR-7`(
    probability: Double, leap: Double?
  ) {
    let route = drawn("abcabd")
    var drive = Following(route)
    drive.sees(on(route, 0, 20, t: 0))
    var far = on(route, 2, 80, t: 1)
    far.match?.probability = probability
    let reported = drive.sees(far).progress.first
    #expect(reported?.isOnRoute == (leap != nil))
    #expect(reported?.travelledM == leap ?? 20)
    let next = drive.sees(on(route, 0, 40, t: 2)).progress.first
    #expect(next?.travelledM == (leap == nil ? 40 : 340))
  }

  @Test(arguments: [0.5, 0.9])
  func `where the route comes by again one match that faces back is no leap ahead, PR-5, PR-7`(
    probability: Double
  ) {
    let route = drawn("abcba")
    var drive = Following(route)
    drive.sees(on(route, 1, 20, t: 0))
    var back = on(route, 2, 80, t: 1)
    back.match?.probability = probability
    let reported = drive.sees(back).progress.first
    #expect(reported?.isOnRoute == false)
    #expect(reported?.travelledM == 120)
    let next = drive.sees(on(route, 1, 40, t: 2)).progress.first
    #expect(next?.travelledM == 140)
  }
}

/// What is told of leaving the route.
@Suite struct LeavingTests {
  private func away(_ t: Double, offRoute: Double?) -> VehicleLocation {
    var seen = elsewhere(160, t: t, probability: 0.5)
    seen.match?.offRouteProbability = offRoute
    return seen
  }

  @Test(arguments: [(0.97, 3), (0.55, 0), (nil, 0)] as [(Double?, Int)])
  func `pieces off the route that are unlikely each count by what they are together, PR-7`(
    offRoute: Double?, fixes: Int
  ) {
    let route = drawn("abcdefg")
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 0))
    for second in 1...3 { drive.sees(away(Double(second), offRoute: offRoute)) }
    let reported = drive.said.deviations.first
    #expect((reported?.evidence.fixes ?? 0) == fixes)
    #expect(reported?.evidence.probability == (fixes > 0 ? offRoute : nil))
  }
}
