import EventTime
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// One who stands for minutes, and whose receiver tells neither speed nor accuracy, and wanders (MM-11).
@Suite struct StationaryDetectorTests {
  /// A street, a crossing with another, and a street 25 m beside the first.
  private func network() throws -> MatchingNetwork {
    var map = TinyMap()
    let nodes = [map.node(0, 0), map.node(300, 0), map.node(600, 0)]
    map.line(nodes)
    map.line([map.node(300, -200), nodes[1], map.node(300, 200)])
    map.line([map.node(310, 25), map.node(600, 25)])
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  /// Drives east, stands for `seconds` at `eastM`, and drives on; the numbers of the fixes at the stand.
  ///
  /// Errors go together: each keeps `likeness` of the one before (AR(1)).
  private func drive(
    seed: UInt64, standsAt eastM: Double, seconds: Int, sigmaM: Double, likeness: Double = 0.95
  ) -> (fixes: [Fix], stand: Range<Int>) {
    var drive = Drive(hasSpeed: false)
    drive.along([(20, 0), (eastM, 0)], speedMps: 10)
    let first = drive.fixes.count
    drive.stand(eastM, 0, seconds: seconds)
    let end = drive.fixes.count
    drive.along([(eastM, 0), (580, 0)], speedMps: 10)
    var random = SplitMix64(seed: seed)
    var (east, north) = (sigmaM * random.gaussian(), sigmaM * random.gaussian())
    let news = sigmaM * (1 - likeness * likeness).squareRoot()
    let fixes = drive.fixes.map { fix in
      east = likeness * east + news * random.gaussian()
      north = likeness * north + news * random.gaussian()
      let plane = LocalPlane(origin: fix.place)
      return Fix(
        place: plane.coordinate(PlanePoint(eastM: east, northM: north)), time: fix.time)
    }
    return (fixes, first..<end)
  }

  /// Places of a vehicle, and how far the farthest of the fixes were from each other.
  private func widthM(_ fixes: ArraySlice<Fix>) -> Double {
    fixes.map { one in fixes.map { $0.place.distanceM(to: one.place) }.max() ?? 0 }.max() ?? 0
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `in a whole trace nothing moves one who stands, MM-11`(seed: UInt64) throws {
    let network = try network()
    // On a street, and at a crossing.
    let eastM = seed % 2 == 0 ? 200.0 : 296
    let (fixes, stand) = drive(seed: seed, standsAt: eastM, seconds: 300, sigmaM: 8)
    #expect(widthM(fixes[stand]) > 24)
    let trace = network.match(trace: fixes)
    // Who comes and who leaves is told from who stands by the fixes alone.
    let held = trace.matches[stand].dropFirst(10).dropLast(10).compactMap(\.place)
    #expect(held.count == 280)
    #expect(Set(held.map(\.coordinate)).count == 1)
    #expect(Set(held.map(\.bearingDeg)).count == 1)
    #expect(Set(held.map(\.state)).count == 1)
    // The middle of so many fixes is where it stands.
    let place = try #require(held.first)
    #expect(place.coordinate.distanceM(to: TinyMap.coordinate(eastM, 0)) < 12)
    #expect(trace.matches.map(\.fix) == fixes)
    // Each is as far from its fix as it is, and on one way with what comes before and after.
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
  func `a trace that begins and ends at a stand has both in one place, MM-11`(seed: UInt64) throws {
    let (fixes, stand) = drive(seed: seed, standsAt: 200, seconds: 300, sigmaM: 6)
    var parked = Array(fixes[stand.lowerBound...])
    // Those that tell no place within it are refused, and take nothing from the stand.
    for number in 10..<280 where number % 3 > 0 {
      parked[number].place = Coordinate(latitudeDeg: .nan, longitudeDeg: 9.5)
    }
    let matches = try network().match(trace: parked).matches
    #expect(matches[10].reason == .outlier)
    let places = Set(matches.prefix(290).compactMap(\.place?.coordinate))
    #expect(places.count == 1)
    let place = try #require(places.first)
    #expect(place.distanceM(to: TinyMap.coordinate(200, 0)) < 7)
    let backwards = Array(fixes[..<stand.upperBound])
    let ends = try network().match(trace: backwards).matches.suffix(290)
    #expect(Set(ends.compactMap(\.place?.coordinate)).count == 1)
  }

  @Test func `hardly any wander is so far that a stand is taken for two, MM-11`() throws {
    let network = try network()
    let torn = (100..<400 as Range<UInt64>).count { seed in
      let (fixes, stand) = drive(
        seed: seed, standsAt: seed % 2 == 0 ? 200 : 296, seconds: 300, sigmaM: 8)
      let held = network.match(trace: fixes).matches[stand].dropFirst(10).dropLast(10)
      return Set(held.compactMap(\.place?.coordinate)).count > 1
    }
    #expect(torn <= 10, "\(torn) of 300")
  }

  @Test func `a stand is a step when it begins and when it ends, MM-11`() throws {
    let (fixes, stand) = drive(seed: 7, standsAt: 200, seconds: 200, sigmaM: 3)
    let found = try #require(StationaryPeriod.all(in: fixes, slowestMps: 0.7).first)
    var matcher = OnlineMatcher(network: try network(), tuning: .wholeTrace)
    matcher.stationaryPeriods = [found]
    for fix in fixes[...found.fixes.upperBound] { matcher.take(fix) }
    let steps = matcher.trellis.steps.suffix(2)
    #expect(steps.map(\.fix.place) == [found.place, found.place])
    #expect(
      steps.map(\.fix.time)
        == [fixes[found.fixes.lowerBound].time, fixes[found.fixes.upperBound].time])
    #expect(found.fixes.count > stand.count - 20)
  }

  /// Whether a vehicle stands at the last of places a second apart.
  private func stands(_ places: [Coordinate]) -> Bool {
    var watch = StationaryDetector()
    var stands = false
    for (second, place) in places.enumerated() {
      let time = Instant(seconds: 1_790_000_000 + Double(second))
      stands = watch.take(Fix(place: place, time: time), at: time, slowestMps: 0.7)
    }
    return stands
  }

  @Test func `one fix elsewhere ends no stand, and two do, MM-11`() {
    let here = TinyMap.coordinate(0, 0)
    let there = TinyMap.coordinate(60, 0)
    let still = Array(repeating: here, count: 25)
    #expect(stands(still))
    #expect(!stands(Array(still.prefix(15))))
    #expect(!stands(still + [there]))
    #expect(stands(still + [there, here]))
    #expect(!stands(still + [there, there]))
    #expect(!stands(still + [there, there, here]))
    #expect(!stands(still + [there, there, here, here]))
  }

  @Test
  func `one who crawls does not stand, nor one who sets off from a place that is sure, MM-11`() {
    for seconds in 1...60 {
      #expect(!stands((0..<seconds).map { TinyMap.coordinate(Double($0), 0) }))
    }
    let still = (0..<60).map { TinyMap.coordinate(Double($0 % 2), 0) }
    #expect(stands(still + [TinyMap.coordinate(4, 0)]))
    #expect(!stands(still + [TinyMap.coordinate(9, 0)]))
  }

  @Test func `one who drives off and comes back within half a minute has been away, MM-11`() throws
  {
    var drive = Drive(hasSpeed: false)
    drive.stand(200, 0, seconds: 60)
    drive.along([(210, 0), (295, 0)], speedMps: 10)
    drive.along([(290, 0), (210, 0)], speedMps: 10)
    drive.stand(200, 0, seconds: 60)
    let stands = StationaryPeriod.all(in: drive.fixes, slowestMps: 0.7)
    #expect(stands.map(\.fixes) == [0...59, 77...136])
    let line = try network().match(trace: drive.fixes).shape
    #expect(line.contains { $0.distanceM(to: TinyMap.coordinate(295, 0)) < 10 })
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `answers that come as ways agree, and at once, hold after a minute, MM-11`(
    seed: UInt64
  ) throws {
    let network = try network()
    let (fixes, stand) = drive(seed: seed, standsAt: 200, seconds: 300, sigmaM: 5)
    for smoothing in [Smoothing(.agreed), Smoothing(.lag)] {
      var matcher = OnlineMatcher(network: network, tuning: smoothing.tuning(MatcherTuning()))
      var reported: [Match] = []
      var atOnce: [Match] = []
      for (number, fix) in fixes.enumerated() {
        // What is remembered of the stand holds behind a restart.
        if number == stand.lowerBound + 150 { matcher = try matcher.restarted() }
        let answer = matcher.match(fix)
        atOnce.append(answer.match)
        reported += answer.smoothed
      }
      reported += matcher.finish()
      for answers in [reported, atOnce] {
        #expect(answers.count == fixes.count)
        let held = answers[stand].dropFirst(80).dropLast(5).compactMap(\.place)
        #expect(held.count == 215)
        #expect(Set(held.map(\.coordinate)).count == 1)
        #expect(Set(held.map(\.bearingDeg)).count == 1)
        let end = try #require(answers.last?.place)
        #expect(end.coordinate.distanceM(to: TinyMap.coordinate(580, 0)) < 25)
      }
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `at once one who stays within four metres of where it stopped holds from there on, MM-11`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var drive = Drive(hasSpeed: false)
    drive.along([(20, 0), (200, 0)], speedMps: 10)
    let moving = drive.fixes.count
    for _ in 0..<60 {
      let (eastM, northM) = (2.8 * random.unit() - 1.4, 2.8 * random.unit() - 1.4)
      drive.add(TinyMap.coordinate(200 + eastM, northM), bearingDeg: nil, speedMps: nil, 1)
    }
    var matcher = OnlineMatcher(network: try network())
    let held = matcher.match(all: drive.fixes)[moving...].compactMap(\.place)
    #expect(held.count == 60)
    #expect(Set(held.map(\.coordinate)).count == 1)
    #expect(Set(held.map(\.bearingDeg)).count == 1)
  }

  @Test func `one who crawls for minutes gets on, MM-11`() throws {
    let network = try network()
    var drive = Drive(hasSpeed: false)
    drive.along([(20, 0), (260, 0)], speedMps: 1)
    for index in drive.fixes.indices { drive.fixes[index].accuracyM = nil }
    let trace = network.match(trace: drive.fixes)
    for (match, fix) in zip(trace.matches, drive.fixes) {
      let place = try #require(match.place)
      #expect(place.coordinate.distanceM(to: fix.place) < 5)
    }
  }

  @Test func `an outlier at a stand is one, and the stand goes on, MM-4, MM-11`() throws {
    let network = try network()
    var (fixes, stand) = drive(seed: 3, standsAt: 200, seconds: 120, sigmaM: 3)
    let number = stand.lowerBound + 60
    fixes[number].place = TinyMap.coordinate(200, 400)
    let matches = network.match(trace: fixes).matches
    #expect(matches[number].reason == .outlier)
    let held = matches[stand].dropFirst(10).dropLast(10).compactMap(\.place)
    #expect(held.count == 99)
    #expect(Set(held.map(\.coordinate)).count == 1)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `stands of a hostile trace come in order and share no fix, LOC-7, MM-11`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var time = 1_790_000_000.0
    let fixes = (0..<20_000).map { number -> Fix in
      // Clocks that stand, jump back and saw; places near a few, and none.
      switch Int(random.unit() * 40) {
      case 0: time -= random.unit() * 60
      case 1...10: break
      case 11: time += random.unit() * 100
      default: time += seed % 2 == 0 ? 1 : 0.01
      }
      let spot = Double(number / 300 % 5) * 25
      let wander = random.unit() < 0.02 ? 200.0 : 8
      var place = TinyMap.coordinate(
        spot + wander * random.gaussian(), wander * random.gaussian())
      if random.unit() < 0.01 { place.latitudeDeg = .nan }
      return Fix(
        place: place, time: random.unit() < 0.01 ? nil : Instant(seconds: time),
        speedMps: random.unit() < 0.002 ? 0 : nil)
    }
    let stands = StationaryPeriod.all(in: fixes, slowestMps: 0.7)
    #expect(stands.count > 1)
    #expect(stands.allSatisfy { $0.fixes.lowerBound >= 0 && $0.fixes.upperBound < fixes.count })
    #expect(stands.allSatisfy { $0.place.isValid && $0.spreadM.isFinite })
    #expect(
      zip(stands, stands.dropFirst()).allSatisfy { $0.fixes.upperBound < $1.fixes.lowerBound })
  }

  @Test func `stands are those of a minute among minutes of driving, MM-11`() {
    let (fixes, stand) = drive(seed: 5, standsAt: 200, seconds: 60, sigmaM: 2)
    let stands = StationaryPeriod.all(in: fixes, slowestMps: 0.7)
    #expect(stands.count == 1)
    #expect(abs((stands.first?.fixes.lowerBound ?? 0) - stand.lowerBound) <= 1)
    #expect(abs((stands.first?.fixes.upperBound ?? 0) - stand.upperBound) <= 1)
    // One who tells his speed is asked for it.
    let telling = fixes.map { fix in
      var fix = fix
      fix.speedMps = 3
      return fix
    }
    #expect(StationaryPeriod.all(in: telling, slowestMps: 0.7).isEmpty)
    #expect(StationaryPeriod.all(in: [], slowestMps: 0.7).isEmpty)
  }
}
