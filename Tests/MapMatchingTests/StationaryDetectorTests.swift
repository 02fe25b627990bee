import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// Vehicles that are stationary for minutes, with receivers that report no speed and no accuracy,
/// and whose places wander (MM-11).
@Suite struct StationaryDetectorTests {
  /// A street, a crossing with another, and a street 25 m from the first.
  private static let drawing = """
                                  d
                                  |
                                  |
                                  |
                                  |e----------------------------f
    a-1-----------------2---------b---------------------------3-c
                                  |
                                  |
                                  |
                                  |
                                  g
    """

  private let map: DrawnMap

  init() throws {
    map = try DrawnMap(
      Self.drawing, ways: ["abc": "", "dbg": "", "ef": ""], cell: 10, line: 25)
  }

  /// Drives east, stops for `seconds` at a point, and drives on.
  ///
  /// Successive errors are correlated (AR(1)). `stop` has the indices of the fixes at the stop.
  private func drive(
    seed: UInt64, stopsAt point: Character, seconds: Int, sigmaM: Double, correlation: Double = 0.95
  ) throws -> (fixes: [Fix], stop: Range<Int>) {
    var trace = DrawnTrace(on: map)
    try trace.drive("1\(point)", speedMps: 10)
    let first = trace.fixes.count
    trace.stop(at: try map.coordinate(point), seconds: seconds)
    let end = trace.fixes.count
    try trace.drive("\(point)3", speedMps: 10)
    return (
      trace.fixes.withErrors(seed: seed, sigmaM: sigmaM, correlation: correlation), first..<end
    )
  }

  /// The greatest distance of two fixes from each other.
  private func widthM(_ fixes: ArraySlice<Fix>) -> Double {
    fixes.map { one in fixes.map { $0.place.distanceM(to: one.place) }.max() ?? 0 }.max() ?? 0
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `in a whole trace a stationary vehicle does not move, MM-11`(seed: UInt64) throws {
    let network = MatchingNetwork(map)
    // On a street, and at a crossing.
    let point: Character = seed % 2 == 0 ? "2" : "b"
    let (fixes, stop) = try drive(seed: seed, stopsAt: point, seconds: 300, sigmaM: 8)
    #expect(widthM(fixes[stop]) > 24)
    let trace = network.match(trace: fixes)
    // Only the fixes show when the vehicle arrives and when it leaves.
    let held = trace.matches[stop].dropFirst(10).dropLast(10).compactMap(\.place)
    #expect(held.count == 280)
    #expect(Set(held.map(\.coordinate)).count == 1)
    #expect(Set(held.map(\.bearingDeg)).count == 1)
    #expect(Set(held.map(\.state)).count == 1)
    // The mean of all these fixes is near the vehicle.
    let place = try #require(held.first)
    #expect(place.coordinate.distanceM(to: try map.coordinate(point)) < 12)
    #expect(trace.matches.map(\.fix) == fixes)
    // Each reports its true distance from its fix, and its path continues the one before.
    for match in trace.matches {
      let place = try #require(match.place)
      #expect(abs(place.distanceM - place.coordinate.distanceM(to: match.fix.place)) < 0.1)
    }
    for (before, after) in zip(trace.matches, trace.matches.dropFirst()) {
      #expect(before.place?.state == after.place?.path.first)
    }
    #expect(trace.lines.count == 1)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `a trace that starts or ends with a stop has the stop at one place, MM-11`(seed: UInt64)
    throws
  {
    let (fixes, stop) = try drive(seed: seed, stopsAt: "2", seconds: 300, sigmaM: 6)
    var parked = Array(fixes[stop.lowerBound...])
    // Fixes without a place are refused, and do not end the stop.
    for number in 10..<280 where number % 3 > 0 {
      parked[number].place.latitudeDeg = .nan
    }
    let matches = MatchingNetwork(map).match(trace: parked).matches
    #expect(matches[10].reason == .outlier)
    let places = Set(matches.prefix(290).compactMap(\.place?.coordinate))
    #expect(places.count == 1)
    let place = try #require(places.first)
    #expect(place.distanceM(to: try map.coordinate("2")) < 7)
    let arrival = Array(fixes[..<stop.upperBound])
    let ends = MatchingNetwork(map).match(trace: arrival).matches.suffix(290)
    #expect(Set(ends.compactMap(\.place?.coordinate)).count == 1)
  }

  @Test func `hardly any drift divides a stop into two, MM-11`() throws {
    let network = MatchingNetwork(map)
    let divided = try (100..<400 as Range<UInt64>).count { seed in
      let (fixes, stop) = try drive(
        seed: seed, stopsAt: seed % 2 == 0 ? "2" : "b", seconds: 300, sigmaM: 8)
      let held = network.match(trace: fixes).matches[stop].dropFirst(10).dropLast(10)
      return Set(held.compactMap(\.place?.coordinate)).count > 1
    }
    #expect(divided <= 10, "\(divided) of 300")
  }

  @Test func `a stop is a step when it begins and when it ends, MM-11`() throws {
    let (fixes, stop) = try drive(seed: 7, stopsAt: "2", seconds: 200, sigmaM: 3)
    let found = try #require(StationaryPeriod.all(in: fixes, slowestMps: 0.7).first)
    var matcher = OnlineMatcher(map, tuning: .wholeTrace)
    matcher.wholeTrace.stationaryPeriods = [found]
    for fix in fixes[...found.fixes.upperBound] { matcher.process(fix) }
    let steps = matcher.trellis.steps.suffix(2)
    #expect(steps.map(\.fix.place) == [found.place, found.place])
    #expect(
      steps.map(\.fix.time)
        == [fixes[found.fixes.lowerBound].time, fixes[found.fixes.upperBound].time])
    #expect(found.fixes.count > stop.count - 20)
  }

  /// Whether a vehicle is stationary at the last of some places, with one fix per second.
  private func isStationary(_ places: [Coordinate]) -> Bool {
    var detector = StationaryDetector()
    var isStationary = false
    for (second, place) in places.enumerated() {
      let time = Instant(seconds: 1_790_000_000 + Double(second))
      isStationary = detector.process(Fix(place: place, time: time), at: time, slowestMps: 0.7)
    }
    return isStationary
  }

  @Test func `one fix elsewhere does not end a stop, two fixes do, MM-11`() throws {
    let here = try map.coordinate("a")
    let there = try map.coordinate("a", eastM: 60)
    let still = Array(repeating: here, count: 25)
    #expect(isStationary(still))
    #expect(!isStationary(Array(still.prefix(15))))
    #expect(!isStationary(still + [there]))
    #expect(isStationary(still + [there, here]))
    #expect(!isStationary(still + [there, there]))
    #expect(!isStationary(still + [there, there, here]))
    #expect(!isStationary(still + [there, there, here, here]))
  }

  @Test func `a vehicle that crawls or starts from a precise place is not stationary, MM-11`()
    throws
  {
    for seconds in 1...60 {
      let places = try (0..<seconds).map { try map.coordinate("a", eastM: Double($0)) }
      #expect(!isStationary(places))
    }
    let still = try (0..<60).map { try map.coordinate("a", eastM: Double($0 % 2)) }
    #expect(isStationary(still + [try map.coordinate("a", eastM: 4)]))
    #expect(!isStationary(still + [try map.coordinate("a", eastM: 9)]))
  }

  @Test func `a vehicle that leaves and returns within half a minute has two stops, MM-11`() throws
  {
    var trace = DrawnTrace(on: map, accuracyM: 3)
    let place = try map.coordinate("2")
    trace.stop(at: place, seconds: 59)
    try trace.drive("2b2", speedMps: 10)
    trace.stop(at: place, seconds: 59)
    let stops = StationaryPeriod.all(in: trace.fixes, slowestMps: 0.7)
    // It drives 100 m away and 100 m back at 10 m/s.
    #expect(stops.map(\.fixes) == [0...59, 79...138])
    let line = MatchingNetwork(map).match(trace: trace.fixes).shape
    let end = try map.coordinate("b")
    #expect(line.contains { $0.distanceM(to: end) < 10 })
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `converged and immediate matches of a stop stay after a minute, MM-11`(
    seed: UInt64
  ) throws {
    let (fixes, stop) = try drive(seed: seed, stopsAt: "2", seconds: 300, sigmaM: 5)
    for smoothing in [Smoothing(.agreed), Smoothing(.lag)] {
      var matcher = OnlineMatcher(map, tuning: smoothing.tuning(MatcherTuning()))
      var smoothed: [Match] = []
      var immediate: [Match] = []
      for (number, fix) in fixes.enumerated() {
        // The state of the stop survives a restart.
        if number == stop.lowerBound + 150 { matcher = try matcher.restarted() }
        let answer = matcher.match(fix)
        immediate.append(answer.match)
        smoothed += answer.smoothed
      }
      smoothed += matcher.finish()
      for answers in [smoothed, immediate] {
        #expect(answers.count == fixes.count)
        let held = answers[stop].dropFirst(80).dropLast(5).compactMap(\.place)
        #expect(held.count == 215)
        #expect(Set(held.map(\.coordinate)).count == 1)
        #expect(Set(held.map(\.bearingDeg)).count == 1)
        let end = try #require(answers.last?.place)
        #expect(end.coordinate.distanceM(to: try map.coordinate("3")) < 25)
      }
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `the immediate match of a vehicle within four metres of its stop stays, MM-11`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var trace = DrawnTrace(on: map, accuracyM: 3)
    try trace.drive("12", speedMps: 10)
    let moving = trace.fixes.count
    for _ in 0..<60 {
      let (eastM, northM) = (2.8 * random.unit() - 1.4, 2.8 * random.unit() - 1.4)
      trace.stop(at: try map.coordinate("2", eastM: eastM, northM: northM), seconds: 1)
    }
    var matcher = OnlineMatcher(map)
    let held = matcher.match(all: trace.fixes)[moving...].compactMap(\.place)
    #expect(held.count == 60)
    #expect(Set(held.map(\.coordinate)).count == 1)
    #expect(Set(held.map(\.bearingDeg)).count == 1)
  }

  @Test func `a vehicle that crawls for minutes moves on, MM-11`() throws {
    var crawl = DrawnTrace(on: map)
    try crawl.drive("1b", speedMps: 1)
    let trace = MatchingNetwork(map).match(trace: crawl.fixes)
    for (match, fix) in zip(trace.matches, crawl.fixes) {
      let place = try #require(match.place)
      #expect(place.coordinate.distanceM(to: fix.place) < 5)
    }
  }

  @Test func `an outlier during a stop is refused, and the stop continues, MM-4, MM-11`() throws {
    var (fixes, stop) = try drive(seed: 3, stopsAt: "2", seconds: 120, sigmaM: 3)
    let number = stop.lowerBound + 60
    fixes[number].place = try map.coordinate("2", eastM: 0, northM: 400)
    let matches = MatchingNetwork(map).match(trace: fixes).matches
    #expect(matches[number].reason == .outlier)
    let held = matches[stop].dropFirst(10).dropLast(10).compactMap(\.place)
    #expect(held.count == 99)
    #expect(Set(held.map(\.coordinate)).count == 1)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `stops of a hostile trace are in order and share no fix, LOC-7, MM-11`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var time = 1_790_000_000.0
    let fixes = try (0..<20_000).map { number -> Fix in
      // Clocks that stop, jump back and jump to and fro; places near a few, and none.
      switch Int(random.unit() * 40) {
      case 0: time -= random.unit() * 60
      case 1...10: break
      case 11: time += random.unit() * 100
      default: time += seed % 2 == 0 ? 1 : 0.01
      }
      let spot = Double(number / 300 % 5) * 25
      let wander = random.unit() < 0.02 ? 200.0 : 8
      let eastM = spot + wander * random.gaussian()
      var place = try map.coordinate("a", eastM: eastM, northM: wander * random.gaussian())
      if random.unit() < 0.01 { place.latitudeDeg = .nan }
      return Fix(
        place: place, time: random.unit() < 0.01 ? nil : Instant(seconds: time),
        speedMps: random.unit() < 0.002 ? 0 : nil)
    }
    let stops = StationaryPeriod.all(in: fixes, slowestMps: 0.7)
    #expect(stops.count > 1)
    #expect(stops.allSatisfy { $0.fixes.lowerBound >= 0 && $0.fixes.upperBound < fixes.count })
    #expect(stops.allSatisfy { $0.place.isValid && $0.spreadM.isFinite })
    #expect(
      zip(stops, stops.dropFirst()).allSatisfy { $0.fixes.upperBound < $1.fixes.lowerBound })
  }

  @Test func `a stop of a minute is found in minutes of driving, MM-11`() throws {
    let (fixes, stop) = try drive(seed: 5, stopsAt: "2", seconds: 60, sigmaM: 2)
    let stops = StationaryPeriod.all(in: fixes, slowestMps: 0.7)
    #expect(stops.count == 1)
    #expect(abs((stops.first?.fixes.lowerBound ?? 0) - stop.lowerBound) <= 1)
    #expect(abs((stops.first?.fixes.upperBound ?? 0) - stop.upperBound) <= 1)
    // A reported speed decides alone.
    let withSpeed = fixes.map { fix in
      var fix = fix
      fix.speedMps = 3
      return fix
    }
    #expect(StationaryPeriod.all(in: withSpeed, slowestMps: 0.7).isEmpty)
    #expect(StationaryPeriod.all(in: [], slowestMps: 0.7).isEmpty)
  }
}
