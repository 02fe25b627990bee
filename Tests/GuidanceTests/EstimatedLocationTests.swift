import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import Route
import Testing

/// What estimated locations may decide, and what not.
@Suite struct EstimatedLocationTests {
  private func estimated(_ route: Route, _ index: Int, _ offsetM: Double, t: Double)
    -> VehicleLocation
  {
    var sighting = on(route, index, offsetM, t: t)
    sighting.isEstimated = true
    sighting.raw = nil
    sighting.accuracyM = nil
    return sighting
  }

  @Test func `progress goes on with estimates, TU-4`() {
    let route = drawn("abcdefgh", maneuvers: [5])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 5))
    let reported = (1...40).flatMap { second in
      drive.sees(
        estimated(route, second / 10, Double(second % 10) * 10 + 5, t: 5 + Double(second)))
    }.progress
    #expect(reported.count == 40 && reported.allSatisfy(\.isEstimated))
    let travelled = reported.map(\.remainingM)
    #expect(zip(travelled, travelled.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test func `a fix behind the last estimate is no departure, and takes the place back, TU-4`() {
    let route = drawn("abcdefghij", maneuvers: [4])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 5))
    // A jam below ground: the estimate has left the tunnel and gone past a turn, the car has not.
    for second in 1...60 {
      drive.sees(estimated(route, min(8, 1 + second / 8), 10, t: 5 + Double(second)))
    }
    #expect(drive.said.contains { if case .maneuverDone = $0 { true } else { false } })
    var after: [NavigatorOutput] = []
    for second in 0..<20 {
      after += drive.sees(on(route, 2, 5 + Double(second), t: 70 + Double(second)))
    }
    #expect(after.deviations.isEmpty && after.requests.isEmpty)
    #expect(after.progress.count == 20)
    // The turn at 400 m lies ahead again.
    let next = after.compactMap { output -> Int? in
      if case .nextManeuver(let index, _, _) = output { index } else { nil }
    }
    #expect(next == [1])
  }

  @Test func `a fix far ahead of the last estimate is no departure, TU-4`() {
    let letters = String((0..<60).map { Character(Unicode.Scalar(UInt8(65 + $0))) })
    let route = drawn(letters)
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 5))
    for second in 1...120 {
      drive.sees(estimated(route, second / 12, 10, t: 5 + Double(second)))
    }
    var after: [NavigatorOutput] = []
    for second in 0..<5 { after += drive.sees(on(route, 40 + second, 5, t: 130 + Double(second))) }
    #expect(after.deviations.isEmpty && after.progress.count == 5)
  }

  @Test func `an estimate that leaps ahead tells no progress, and takes no maneuver, TU-4`() {
    let route = drawn("abcdefghijklmnop", maneuvers: [9])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 5))
    // 343 m before the destination, a second after the last fix.
    let leap = drive.sees(estimated(route, 11, 57, t: 6))
    #expect(leap.progress.allSatisfy { !$0.isOnRoute && $0.travelledM == 50 })
    #expect(!leap.contains { if case .maneuverDone = $0 { true } else { false } })
    // Estimates that follow the vehicle still count, also after a long gap and at a higher speed.
    #expect(drive.sees(estimated(route, 0, 75, t: 7)).progress.first?.isOnRoute == true)
    #expect(drive.sees(estimated(route, 5, 0, t: 37)).progress.first?.travelledM == 500)
    let fast = drive.sees(on(route, 6, 0, t: 40, speedMps: 30))
    #expect(fast.progress.first?.travelledM == 600)
    #expect(drive.sees(estimated(route, 7, 0, t: 46)).progress.first?.isOnRoute == true)
  }

  @Test func `nobody arrives by estimate, TU-4`() {
    let route = drawn("abc")
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 5))
    for second in 1...20 { drive.sees(estimated(route, 1, 99, t: 5 + Double(second))) }
    #expect(drive.said.arrivals == 0)
    drive.sees(on(route, 1, 95, t: 30))
    #expect(drive.said.arrivals == 1)
  }

  @Test func `an estimate on the route ends no verdict, TU-4`() {
    let route = drawn("abcdef")
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 5))
    for second in 0..<2 { drive.sees(elsewhere(120, t: 6 + Double(second))) }
    drive.sees(estimated(route, 1, 50, t: 8))
    drive.sees(elsewhere(150, t: 9))
    #expect(drive.said.deviations.count == 1)
  }

  private func drives(
    _ drive: inout Following, _ route: Route, fromM: Int, toM: Int, t: Double
  ) -> [NavigatorOutput] {
    stride(from: fromM, through: toM, by: 10).flatMap { metres in
      drive.sees(
        estimated(
          route, metres / 100, Double(metres % 100), t: t + Double(metres - fromM) / 10))
    }
  }

  @Test func `a stop is reached by the fix behind it, not by an estimate, MS-1, TU-4`() {
    let route = drawn("abcdefgh", stops: [3])
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 5))
    let reported = drives(&drive, route, fromM: 160, toM: 520, t: 6)
    #expect(reported.milestones.isEmpty && reported.progress.count == 37)
    #expect(reported.progress.last?.section == 1)
    let after = drive.sees(on(route, 5, 30, t: 43)).milestones
    #expect(after.map(\.waypoint) == [1])
    #expect(after.map(\.outcome) == [.reached])
  }

  @Test func `a stop that only an estimate went past is still to come, MS-1, TU-4`() {
    let route = drawn("abcdefgh", stops: [3])
    var drive = Following(route)
    drive.sees(on(route, 1, 50, t: 5))
    _ = drives(&drive, route, fromM: 160, toM: 520, t: 6)
    // A jam below ground: the car stands 100 m before the stop, and leaves the route there.
    drive.sees(on(route, 2, 0, t: 50))
    #expect(drive.said.milestones.isEmpty)
    let off = (1...3).flatMap { drive.sees(elsewhere(210, t: 50 + Double($0))) }
    #expect(off.requests.first?.request.waypoints.count == 3)
    #expect(drive.said.milestones.isEmpty)
  }

  @Test func `an estimate beside the route does not come near a stop, MS-2, TU-4`() {
    let route = drawn("abcdefgh", stops: [3])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 5))
    drive.sees(elsewhere(300, t: 6, northM: 10, isEstimated: true))
    drive.sees(elsewhere(330, t: 30, northM: 200))
    let after = drive.sees(on(route, 5, 30, t: 50)).milestones
    #expect(after.map(\.outcome) == [.missed])
    #expect((after.first?.distanceM ?? 0) > 100)
  }

  @Test func `off the route an estimate on it tells no progress, PR-1, TU-4`() {
    let route = drawn("abcdefgh", maneuvers: [3])
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 5))
    for second in 0..<3 { drive.sees(elsewhere(120, t: 6 + Double(second))) }
    #expect(drive.said.deviations.count == 1)
    let reported = drives(&drive, route, fromM: 160, toM: 520, t: 10)
    #expect(reported.isEmpty)
    #expect(drive.navigator.travelledM == 50)
    // The next fix on the route ends the verdict as ever.
    #expect(drive.sees(on(route, 1, 90, t: 60)).progress.map(\.isOnRoute) == [true])
  }

  @Test func `a place that was only estimated is taken back after a crash too, PR-11, TU-4`() {
    let route = drawn("abcdefgh", maneuvers: [3])
    var drive = Following(route)
    _ = drives(&drive, route, fromM: 160, toM: 520, t: 6)
    var back = Navigator()
    back.recall(drive.navigator.memory)
    #expect(back.travelledM == 520)
    let first = back.handle(.located(on(route, 0, 50, t: 50)))
    #expect(first.progress.last?.maneuvers.first?.index == 1)
    #expect(back.travelledM == 50)
  }
}
