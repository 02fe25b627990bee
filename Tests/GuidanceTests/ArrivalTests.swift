import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import RoadGraph
import Route
import Testing

@Suite struct ArrivalTests {
  @Test func `within 20 m of the destination guidance stops, PR-9, MS-3`() {
    let route = drawn("abcd")
    var drive = Following(route)
    #expect(drive.sees(on(route, 2, 79, t: 0)).arrivals == 0)
    let outputs = drive.sees(on(route, 2, 81, t: 1))
    #expect(outputs.arrivals == 1)
    #expect(outputs.milestones.map(\.outcome) == [.reached])
    #expect(drive.navigator.route == nil)
    #expect(drive.sees(on(route, 2, 90, t: 2)).progress.isEmpty)
  }

  @Test(arguments: [(TravelMode.pedestrian, 15.0), (.bicycle, 15), (.car, 20), (.truck, 20)])
  func `how near is there goes by the mode, PR-9`(mode: TravelMode, radiusM: Double) {
    var route = drawn("abcd")
    route.request.mode = mode
    var drive = Following(route)
    #expect(drive.sees(on(route, 2, 100 - radiusM - 1, t: 0)).arrivals == 0)
    #expect(drive.sees(on(route, 2, 100 - radiusM + 1, t: 1)).arrivals == 1)
  }

  @Test func `sparse fixes that jump over the destination arrive between them, PR-9`() {
    let route = drawn("abcd")
    var drive = Following(route)
    drive.sees(on(route, 2, 20, t: 0))
    let beyond = VehicleLocation(
      time: Instant(seconds: 15),
      match: .init(
        place: place(450), bearingDeg: 90, segment: SegmentReference(way: 5, from: 1, to: 2),
        offsetM: 50, probability: 0.9, path: [route.segments[2].reference]), raw: place(450))
    #expect(drive.sees(beyond).arrivals == 1)
  }

  @Test func `standing within 50 m for 10 s arrives, PR-9`() {
    let route = drawn("abcd")
    var drive = Following(route)
    var arrived: Double?
    for second in 0..<20 where arrived == nil {
      let outputs = drive.sees(on(route, 2, 60, t: Double(second), speedMps: 0))
      if outputs.arrivals == 1 { arrived = Double(second) }
    }
    #expect(arrived == 10)
  }

  /// A fix off all roads.
  private func yard(_ eastM: Double, north northM: Double, t: Double) -> VehicleLocation {
    VehicleLocation(
      time: Instant(seconds: t), match: nil, raw: place(eastM, north: northM), accuracyM: 5,
      speedMps: 0)
  }

  @Test func `standing on the place that was asked for arrives, off the route too, PR-9`() {
    var route = drawn("abcd")
    route.waypoints[1].original.place = place(300, north: 90)
    route.waypoints[1].distanceM = 90
    var drive = Following(route)
    drive.sees(on(route, 2, 20, t: 0))
    for second in 1...10 {
      #expect(drive.sees(yard(290, north: 85, t: Double(second))).arrivals == 0)
    }
    #expect(drive.sees(yard(290, north: 85, t: 11)).arrivals == 1)
    #expect(drive.said.deviations.isEmpty)
  }

  @Test func `nobody arrives at the place with a stop still before him, PR-9`() {
    let route = drawn("abcba", stops: [2])
    var drive = Following(route)
    for second in 0...200 {
      drive.sees(yard(10, north: 10, t: Double(second)))
    }
    #expect(drive.said.arrivals == 0)
  }

  @Test func `whoever is not seen any more on the last stretch has arrived after a minute, PR-9`() {
    let route = drawn("abcd")
    var drive = Following(route)
    drive.sees(on(route, 1, 60, t: 0))
    #expect(drive.navigator.nextDeadline == Instant(seconds: 60))
    #expect(drive.navigator.handle(.tick(at: Instant(seconds: 59))).arrivals == 0)
    #expect(drive.navigator.handle(.tick(at: Instant(seconds: 60))).arrivals == 1)
  }

  @Test func `silence far from the end is no arrival, PR-9`() {
    let route = drawn("abcdefgh")
    var drive = Following(route)
    drive.sees(on(route, 1, 60, t: 0))
    #expect(drive.navigator.nextDeadline == nil)
    #expect(drive.navigator.handle(.tick(at: Instant(seconds: 900))).arrivals == 0)
  }

  @Test func `driving past 50 m away does not arrive, PR-9`() {
    let route = drawn("abcd")
    var drive = Following(route)
    for second in 0..<20 {
      #expect(drive.sees(on(route, 2, 60, t: Double(second), speedMps: 8)).arrivals == 0)
    }
  }

  @Test func `an off-road destination is led to by the raw fix after arrival, OR-2`() {
    let route = drawn("abcd", offRoad: place(300, north: -500))
    var drive = Following(route)
    #expect(
      !drive.sees(on(route, 1, 0, t: 0)).contains {
        if case .offRoad = $0 { true } else { false }
      })
    drive.sees(on(route, 2, 95, t: 1))
    let walk = VehicleLocation(time: Instant(seconds: 2), match: nil, raw: place(300))
    guard case .offRoad(let progress, _)? = drive.sees(walk).last else {
      Issue.record("no off-road progress")
      return
    }
    #expect(abs(progress.remainingM - 500) < 0.1)
    #expect(abs(progress.bearingDeg - 180) < 0.01)
    let end = VehicleLocation(time: Instant(seconds: 3), match: nil, raw: place(300, north: -490))
    #expect(
      drive.sees(end).contains { if case .arrivedOffRoad = $0 { true } else { false } })
    #expect(drive.sees(walk).isEmpty)
  }

  @Test func `a crash on the last metres off the road leads on there, and arrives once, PR-11`() {
    let route = drawn("abcd", offRoad: place(300, north: -500))
    var drive = Following(route)
    for second in 0..<30 {
      drive.sees(on(route, second / 10, Double(second % 10) * 10, t: Double(second)))
    }
    #expect(drive.said.contains { if case .arrived = $0 { true } else { false } })
    #expect(drive.navigator.memory.hasArrived)
    var again = Following(route)
    again.navigator = Navigator()
    again.navigator.recall(drive.navigator.memory)
    again.said = []
    // A match on the last road is no second arrival.
    again.sees(on(route, 2, 95, t: 30))
    let walk = VehicleLocation(time: Instant(seconds: 31), match: nil, raw: place(300, north: -100))
    again.sees(walk)
    let end = VehicleLocation(time: Instant(seconds: 32), match: nil, raw: place(300, north: -495))
    again.sees(end)
    #expect(again.said.progress.isEmpty)
    #expect(!again.said.contains { if case .arrived = $0 { true } else { false } })
    #expect(again.said.count { if case .offRoad = $0 { true } else { false } } == 3)
    #expect(again.said.count { if case .arrivedOffRoad = $0 { true } else { false } } == 1)
    #expect(again.navigator.route == nil)
  }
}

@Suite struct MilestoneTests {
  @Test func `each stop is reached once, the first waypoint never, MS-1`() {
    let route = drawn("abcdefg", stops: [2, 4])
    var drive = Following(route)
    for second in 0..<60 {
      drive.sees(on(route, second / 10, Double(second % 10) * 10, t: Double(second)))
    }
    #expect(drive.said.milestones.map(\.waypoint) == [1, 2, 3])
    #expect(drive.said.milestones.allSatisfy { $0.outcome == .reached })
  }

  @Test func `starting on a later section misses the earlier stops, once, MS-2`() {
    let route = drawn("abcdefghij", stops: [2, 4])
    var drive = Following(route)
    drive.sees(on(route, 6, 0, t: 0))
    drive.sees(on(route, 6, 10, t: 1))
    #expect(drive.said.milestones.map(\.waypoint) == [1, 2])
    #expect(drive.said.milestones.allSatisfy { $0.outcome == .missed })
  }

  @Test func `pass-throughs are reported only when asked for, MS-1`() {
    var route = drawn("abcdefg", stops: [2])
    route.waypoints[1].original.kind = .passThrough
    var settings = Navigator.Settings()
    for asked in [false, true] {
      settings.reportsPassThrough = asked
      var drive = Following(route, settings: settings)
      for second in 0..<40 {
        drive.sees(on(route, second / 10, Double(second % 10) * 10, t: Double(second)))
      }
      #expect(drive.said.milestones.count == (asked ? 1 : 0))
    }
  }
}
