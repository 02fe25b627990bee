import DrawnRoutes
import Foundations
import Guidance
import RoadAhead
import Route
import Testing

@Suite struct SpeedTests {
  private func at(_ t: Double) -> Instant { Instant(seconds: t) }

  private func watch(low: Double = 0, high: Double = 0, hold: Double = 0) -> SpeedLimitMonitor {
    var tuning = SpeedLimitMonitor.Tuning()
    tuning.lowOffsetMps = low
    tuning.highOffsetMps = high
    tuning.holdS = hold
    return SpeedLimitMonitor(tuning: tuning)
  }

  @Test func `limit 27 with offsets 2 and 4 and boundary 25 warns above 31, EV-3`() {
    var watch = watch(low: 2, high: 4)
    #expect(watch.moved(speedMps: 31, limitMps: 27, at: at(0)) == nil)
    #expect(watch.moved(speedMps: 31.1, limitMps: 27, at: at(1)) == .exceeded)
    #expect(watch.moved(speedMps: 35, limitMps: 27, at: at(2)) == nil)
    #expect(watch.moved(speedMps: 29.1, limitMps: 27, at: at(3)) == nil)
    #expect(watch.moved(speedMps: 29, limitMps: 27, at: at(4)) == .restored)
    #expect(watch.moved(speedMps: 22, limitMps: 20, at: at(5)) == nil)
    #expect(watch.moved(speedMps: 22.1, limitMps: 20, at: at(6)) == .exceeded)
  }

  @Test func `a speed is warned of when it has been too high for the hold time, EV-3`() {
    var watch = watch(hold: 3)
    #expect(watch.moved(speedMps: 21, limitMps: 20, at: at(0)) == nil)
    #expect(watch.moved(speedMps: 21, limitMps: 20, at: at(2)) == nil)
    // A moment below begins it anew.
    #expect(watch.moved(speedMps: 20, limitMps: 20, at: at(2.5)) == nil)
    #expect(watch.moved(speedMps: 21, limitMps: 20, at: at(3)) == nil)
    #expect(watch.moved(speedMps: 21, limitMps: 20, at: at(5.9)) == nil)
    #expect(watch.moved(speedMps: 21, limitMps: 20, at: at(6)) == .exceeded)
  }

  @Test func `an offset below the limit warns before it, and ends where it began, EV-3`() {
    var watch = watch(low: -2)
    #expect(watch.moved(speedMps: 18, limitMps: 20, at: at(0)) == nil)
    #expect(watch.moved(speedMps: 18.1, limitMps: 20, at: at(1)) == .exceeded)
    #expect(watch.moved(speedMps: 18.1, limitMps: 20, at: at(2)) == nil)
    #expect(watch.moved(speedMps: 18, limitMps: 20, at: at(3)) == .restored)
  }

  @Test func `without other wishes one may be 5 km an hour or 5 % too fast, for 3 s, EV-3`() {
    var slow = SpeedLimitMonitor()
    #expect(
      (0..<60).allSatisfy {
        slow.moved(speedMps: 54 / 3.6, limitMps: 50 / 3.6, at: at(Double($0))) == nil
      })
    #expect(slow.moved(speedMps: 56 / 3.6, limitMps: 50 / 3.6, at: at(60)) == nil)
    #expect(slow.moved(speedMps: 56 / 3.6, limitMps: 50 / 3.6, at: at(63)) == .exceeded)
    #expect(slow.moved(speedMps: 53 / 3.6, limitMps: 50 / 3.6, at: at(64)) == nil)
    #expect(slow.moved(speedMps: 52 / 3.6, limitMps: 50 / 3.6, at: at(65)) == .restored)
    var fast = SpeedLimitMonitor()
    #expect(
      (0..<60).allSatisfy {
        fast.moved(speedMps: 136 / 3.6, limitMps: 130 / 3.6, at: at(Double($0))) == nil
      })
    #expect(fast.moved(speedMps: 137 / 3.6, limitMps: 130 / 3.6, at: at(60)) == nil)
    #expect(fast.moved(speedMps: 137 / 3.6, limitMps: 130 / 3.6, at: at(63)) == .exceeded)
  }

  @Test(arguments: [(45.0, 1.0, 0), (49, 1, 0), (62, 1, 1), (45, 15, 0), (70, 15, 1)])
  func `places that err warn only of what they support, EV-3`(
    kmh: Double, everyS: Double, warnings: Int
  ) {
    var watch = SpeedLimitMonitor()
    let errorsM = [3.0, -2, 0, 4, -4, 1, -3, 2]
    var reported = 0
    for step in 0..<Int(300 / everyS) {
      let t = Double(step) * everyS
      let there = place(kmh / 3.6 * t + errorsM[step % 8], north: errorsM[(step + 3) % 8])
      if watch.moved(to: there, accuracyM: nil, limitMps: 50 / 3.6, at: at(t)) == .exceeded {
        reported += 1
      }
    }
    #expect(reported == warnings)
  }

  @Test func `places under a higher limit are none of a lower one, EV-3`() {
    var watch = SpeedLimitMonitor()
    for t in 0..<60 {
      #expect(
        watch.moved(
          to: place(27 * Double(t)), accuracyM: 4, limitMps: 100 / 3.6, at: at(Double(t))) == nil)
    }
    for t in 60..<120 {
      let there = place(27 * 60 + 12 * Double(t - 60))
      #expect(watch.moved(to: there, accuracyM: 4, limitMps: 50 / 3.6, at: at(Double(t))) == nil)
    }
  }

  @Test func `where no limit holds it is restored, where none is known it ends in silence, EV-3`() {
    var free = watch()
    #expect(free.moved(speedMps: 30, limitMps: 20, at: at(0)) == .exceeded)
    #expect(free.moved(speedMps: 30, limitMps: .infinity, at: at(1)) == .restored)
    var unknown = watch()
    #expect(unknown.moved(speedMps: 30, limitMps: 20, at: at(0)) == .exceeded)
    #expect(unknown.moved(speedMps: 30, limitMps: nil, at: at(1)) == nil)
    #expect(!unknown.isExceeded)
  }
}

@Suite struct TrackingTests {
  private func seen(
    _ t: Double, road: RoadFacts, situation: RoadSituation = RoadSituation(),
    limits: SpeedLimits? = nil, speedMps: Double = 10
  ) -> VehicleLocation {
    var sighting = on(drawn("abcdefgh"), 0, t, t: t, speedMps: speedMps)
    sighting.road = road
    sighting.situation = situation
    sighting.limits = limits
    return sighting
  }

  private func roads(_ outputs: [NavigatorOutput]) -> Int {
    outputs.count { if case .road = $0 { true } else { false } }
  }

  @Test func `without a route the road is reported, on change only, EV-1, PR-1`() {
    var navigator = Navigator()
    let road = RoadFacts(name: "High Street")
    #expect(roads(navigator.handle(.located(seen(0, road: road)))) == 1)
    #expect(roads(navigator.handle(.located(seen(1, road: road)))) == 0)
    var other = RoadSituation()
    other.isDivided = true
    #expect(roads(navigator.handle(.located(seen(2, road: road, situation: other)))) == 1)
    other.laneCount = 2
    #expect(roads(navigator.handle(.located(seen(3, road: road, situation: other)))) == 1)
    let country = RoadFacts(name: "High Street", country: "LI")
    #expect(roads(navigator.handle(.located(seen(4, road: country, situation: other)))) == 1)
    #expect(roads(navigator.handle(.located(seen(5, road: country, situation: other)))) == 0)
  }

  @Test func `without a route the limit is reported, and a speed above it once, EV-2, EV-3, PR-1`()
  {
    var settings = Navigator.Settings()
    settings.speed.holdS = 0
    var navigator = Navigator(settings: settings)
    var states: [SpeedState] = []
    for second in 0..<6 {
      let limits = SpeedLimits(
        regularMps: 13.9, conditionalMps: second >= 4 ? 8.3 : nil,
        reason: second >= 4 ? .time : nil)
      let sighting = seen(
        Double(second), road: RoadFacts(), limits: limits, speedMps: second == 2 ? 15.5 : 12)
      for case .speed(let state) in navigator.handle(.located(sighting)) { states.append(state) }
    }
    #expect(states.map(\.warning) == [nil, .exceeded, .restored, .exceeded])
    #expect(states.map(\.limits.effectiveMps) == [13.9, 13.9, 13.9, 8.3])
    #expect(states.last?.limits.reason == .time)
  }

  @Test func `an unmatched location changes nothing of the road, EV-1`() {
    var navigator = Navigator()
    _ = navigator.handle(.located(seen(0, road: RoadFacts(name: "A"))))
    let blind = VehicleLocation(time: Instant(seconds: 1), match: nil, raw: place(5, north: 400))
    #expect(navigator.handle(.located(blind)).isEmpty)
  }

  @Test func `off every road the last road and its limit end, EV-1, EV-2`() {
    var navigator = Navigator()
    let road = RoadFacts(name: "A", speedLimitMps: 8)
    _ = navigator.handle(.located(seen(0, road: road, speedMps: 12)))
    let outputs = (1...8).flatMap { second in
      navigator.handle(
        .located(
          VehicleLocation(
            time: Instant(seconds: Double(second)), match: nil, raw: place(5, north: 400))))
    }
    let ends = outputs.filter { if case .road(nil, nil, nil) = $0 { true } else { false } }
    #expect(ends.count == 1)
    let limits = outputs.compactMap { if case .speed(let state) = $0 { state.limits } else { nil } }
    #expect(limits.map(\.effectiveMps) == [nil])
    #expect(roads(navigator.handle(.located(seen(9, road: road)))) == 1)
  }

  @Test func `a crash does not warn of the same speeding again, EV-3, BUS-6`() {
    var navigator = Navigator()
    let fast = seen(0, road: RoadFacts(speedLimitMps: 8), speedMps: 12)
    _ = navigator.handle(.located(fast))
    var again = Navigator()
    again.recall(navigator.memory)
    let warnings = again.handle(.located(fast)).compactMap {
      if case .speed(let state) = $0 { state.warning } else { nil }
    }
    #expect(warnings.isEmpty)
  }

  @Test func `progress tells the limit that applies now, EV-2`() {
    let route = drawn("abcdefgh")
    var drive = Following(route)
    var sighting = on(route, 1, 10, t: 0)
    sighting.limits = SpeedLimits(regularMps: 13.9, conditionalMps: 8.3, reason: .school)
    #expect(drive.sees(sighting).progress.first?.speedLimitMps == 8.3)
  }
}
