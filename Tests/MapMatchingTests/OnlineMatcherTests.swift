import DrawnMaps
import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

@Suite struct OnlineMatcherTests {
  /// A road of 1000 m to the east, with a road of 500 m to the north at its middle.
  private func tee() throws -> DrawnMap {
    try DrawnMap(
      """
                d
                |
           4    |       5
                |
                |
      a-1--2----b-------3-c
      """, ways: ["ab": "", "bc": "", "bd": ""], cell: 50, line: 100)
  }

  /// Two roads of 2000 m, `apartM` metres apart.
  private func parallelRoads(apartM: Double) throws -> DrawnMap {
    try DrawnMap(
      """
      c--45-6--------7----d
      a123---8------------b
      """, ways: ["ab": "", "cd": ""], cell: 100, line: apartM)
  }

  /// A trace of a receiver that reports everything.
  private func trace(on map: DrawnMap, hasMotion: Bool = true) -> DrawnTrace {
    DrawnTrace(on: map, accuracyM: 3, hasMotion: hasMotion)
  }

  @Test func `a drive along a road is matched to it with all that a match carries, MM-6`() throws {
    let map = try tee()
    var trace = trace(on: map)
    try trace.drive("13", speedMps: 10, leftM: 8)
    var matcher = OnlineMatcher(map)
    let matches = matcher.match(all: trace.fixes)
    for (match, fix) in zip(matches, trace.fixes) {
      let place = try #require(match.place)
      #expect(abs(place.distanceM - 8) < 0.1)
      #expect(abs(place.bearingDeg - 90) < 0.5)
      // Both segments are likely near their common node.
      if (50...450).contains(place.offsetM) { #expect(place.probability > 0.9) }
      #expect(!place.isWrongWay && !match.isTeleport)
      #expect(match.fix == fix)
    }
    let last = try #require(matches.last?.place)
    #expect(last.segment == (try map.segment("bc", "b", "c")))
    #expect(abs(last.offsetM - 400) < 0.5)
    let crossing = try #require(matches.first { map.way($0) == "bc" }?.place)
    #expect(map.letters(crossing.path) == "abc")
  }

  @Test func `roads farther than 50 m are never forced on a fix, MM-1`() throws {
    let map = try tee()
    var trace = trace(on: map)
    try trace.drive("12", speedMps: 10, leftM: 51)
    var matcher = OnlineMatcher(map)
    for match in matcher.match(all: trace.fixes) {
      #expect(match.place == nil)
      #expect(match.candidateCount == 0)
    }
  }

  @Test func `a fix without time gives no match, MM-2`() throws {
    let map = try tee()
    var matcher = OnlineMatcher(map)
    let answer = matcher.match(Fix(place: try map.coordinate("1")))
    #expect(answer.match.reason == .noTime)
  }

  /// The place of one fix between `a` and `b` that reports a bearing to the west.
  private func firstPlace(on map: DrawnMap, speedMps: Double) throws -> MatchedPlace {
    var matcher = OnlineMatcher(map)
    let fix = Fix(
      place: try map.coordinate("2"), time: DrawnTrace.start, bearingDeg: 270, speedMps: speedMps)
    return try #require(matcher.match(fix).match.place)
  }

  @Test func `a bearing decides at once which way a car goes, MM-3`() throws {
    let map = try tee()
    let place = try firstPlace(on: map, speedMps: 10)
    #expect(place.segment == (try map.segment("ab", "b", "a")))
    #expect(place.probability > 0.9)
  }

  @Test func `a bearing counts for nothing below 1 m/s, MM-3`() throws {
    #expect(try firstPlace(on: tee(), speedMps: 0.9).probability < 0.6)
  }

  @Test func `one outlier of 300 m does not move the matched road, MM-4`() throws {
    let map = try parallelRoads(apartM: 300)
    var trace = trace(on: map)
    try trace.drive("18", speedMps: 20)
    trace.fixes[15].place = try map.coordinate("5")
    var matcher = OnlineMatcher(map)
    let matches = matcher.match(all: trace.fixes)
    #expect(matches[15].reason == .outlier)
    #expect(
      matches.enumerated().filter { $0.offset != 15 }.allSatisfy { map.way($0.element) == "ab" })
    #expect(matches.allSatisfy { !$0.isTeleport })
  }

  @Test func `a jump that persists for 5 s restarts the match and is reported, MM-4`() throws {
    let map = try parallelRoads(apartM: 3000)
    var trace = trace(on: map)
    try trace.drive("13", speedMps: 20)
    let jumpsAt = trace.fixes.count
    try trace.drive("46", speedMps: 20)
    var matcher = OnlineMatcher(map)
    let matches = matcher.match(all: trace.fixes)
    let first = try #require(matches.firstIndex { $0.isTeleport })
    #expect(first == jumpsAt + 5)
    #expect(matches[jumpsAt..<first].allSatisfy { $0.reason == .outlier })
    #expect(matches[first...].allSatisfy { map.way($0) == "cd" })
    #expect(matches.count { $0.isTeleport } == 1)
  }

  @Test(arguments: [1, 10, 20, 50])
  func `a jump is accepted after 5 s at any rate, MM-4`(hz: Double) throws {
    let map = try parallelRoads(apartM: 3000)
    var trace = trace(on: map)
    try trace.drive("12", speedMps: 20, everyS: 1 / hz)
    let jumpsAt = trace.now
    try trace.drive("46", speedMps: 20, everyS: 1 / hz)
    var matcher = OnlineMatcher(map)
    let matches = matcher.match(all: trace.fixes)
    let first = try #require(matches.first { $0.isTeleport }?.fix.time)
    #expect(abs(first.seconds(since: jumpsAt) - 5) < 0.1)
    #expect(map.way(try #require(matches.last)) == "cd")
  }

  @Test func `a jump is accepted by the third fix at the soonest, at any interval, MM-4`() throws {
    let map = try parallelRoads(apartM: 3000)
    var trace = trace(on: map)
    try trace.drive("18", speedMps: 20, everyS: 6)
    let jumpsAt = trace.fixes.count
    try trace.drive("67", speedMps: 20, everyS: 6)
    var matcher = OnlineMatcher(map)
    let first = matcher.match(all: trace.fixes).firstIndex { $0.isTeleport }
    #expect(first == jumpsAt + 2)
  }

  @Test func `a trace continues after one fix with a date in the future, MM-4`() throws {
    let map = try parallelRoads(apartM: 3000)
    var trace = trace(on: map)
    try trace.drive("1b", speedMps: 20)
    trace.fixes[20].time = trace.now.advanced(bySeconds: 1e7)
    let matches = MatchingNetwork(map).match(trace: trace.fixes).matches
    #expect(matches.count > 60)
    #expect(matches.dropFirst(28).allSatisfy { map.way($0) == "ab" })
  }

  @Test func `no match has a reason, MM-5`() throws {
    let map = try tee()
    var matcher = OnlineMatcher(map)
    func reason(_ place: Coordinate, _ second: Double, accuracyM: Double = 5) -> NoMatchReason? {
      let time = DrawnTrace.start.advanced(bySeconds: second)
      return matcher.match(Fix(place: place, time: time, accuracyM: accuracyM)).match.reason
    }
    #expect(reason(try map.coordinate("2"), 0, accuracyM: 400) == .warmingUp)
    #expect(reason(try map.coordinate("4"), 1) == .offRoad)
    let east = try map.coordinate("5")
    #expect(reason(east, 20) == .offRoad)
    #expect(reason(east.moved(bearingDeg: 0, distanceM: 4_700), 21) == .outlier)
    matcher.reset()
    #expect(reason(east.moved(bearingDeg: 90, distanceM: 90_000), 22) == .noMapData)
  }

  /// A road of two ways, which may be one-way to the east.
  private func road(_ tags: String) throws -> DrawnMap {
    try DrawnMap("a-1-23----b-------4-c", ways: ["ab": tags, "bc": tags], cell: 50)
  }

  @Test func `against a one-way is the wrong way, on a two-way road nothing is, MM-7`() throws {
    for (tags, isOneWay) in [("highway=residential oneway=yes", true), ("", false)] {
      let map = try road(tags)
      var trace = trace(on: map)
      try trace.drive("42", speedMps: 12, leftM: -3)
      var matcher = OnlineMatcher(map)
      let places = matcher.match(all: trace.fixes).compactMap(\.place)
      #expect(places.count == trace.fixes.count)
      #expect(places.dropFirst(3).allSatisfy { $0.isWrongWay == isOneWay })
      #expect(places.dropFirst(3).allSatisfy { abs($0.bearingDeg - 270) < 1 })
      let last = try #require(places.last)
      #expect(last.segment == (try map.segment("ab", "b", "a")))
      #expect(abs(last.offsetM - 296) < 8)
    }
  }

  @Test func `along a one-way is not the wrong way, MM-7`() throws {
    let map = try road("highway=residential oneway=yes")
    for seed in 0..<20 as Range<UInt64> {
      var trace = DrawnTrace(on: map, accuracyM: 9, hasMotion: seed % 2 == 0)
      try trace.drive("14", speedMps: 12, leftM: 3)
      var matcher = OnlineMatcher(map)
      let matches = matcher.match(all: trace.fixes.withErrors(seed: seed, sigmaM: 6))
      #expect(matches.allSatisfy { $0.place?.isWrongWay == false })
    }
  }

  @Test func `one fix alone is not placed against a one-way, MM-7`() throws {
    let map = try road("highway=residential oneway=yes")
    var matcher = OnlineMatcher(map)
    let fix = Fix(
      place: try map.coordinate("3").moved(bearingDeg: 0, distanceM: 3), time: DrawnTrace.start)
    let place = try #require(matcher.match(fix).match.place)
    #expect(!place.isWrongWay && place.probability > 0.99)
  }

  @Test func `each fix is smoothed once, 5 fixes or 10 s later, MM-8`() throws {
    let map = try tee()
    for (intervalS, lag) in [(1.0, 5), (4.0, 3), (15.0, 1)] {
      var matcher = OnlineMatcher(map)
      var trace = trace(on: map)
      try trace.drive("ac", speedMps: 60 / intervalS, everyS: intervalS)
      var smoothed: [Match] = []
      for (index, fix) in trace.fixes.enumerated() {
        smoothed += matcher.match(fix).smoothed
        #expect(smoothed.count == max(0, index + 1 - lag))
      }
      smoothed += matcher.finish()
      #expect(smoothed.map(\.fix) == trace.fixes)
    }
  }

  @Test func `later fixes correct the smoothed match, MM-8`() throws {
    // Two roads that part slowly: only later fixes show which of them the vehicle took.
    let oneWay = "highway=residential oneway=yes"
    let map = try DrawnMap(
      """
            .---------c
      a-1---b
            '---------d
      """, ways: ["ab": oneWay, "bc": oneWay, "bd": oneWay], cell: 50, line: 40)
    var trace = trace(on: map)
    // An error of 4 m to the wrong side.
    try trace.drive("1bd", speedMps: 20, leftM: 4)
    var matcher = OnlineMatcher(map)
    let answers = trace.fixes.map { matcher.match($0) }
    let smoothed = answers.flatMap(\.smoothed) + matcher.finish()
    let immediateWrong = answers.count { map.way($0.match) == "bc" }
    let smoothedWrong = smoothed.count { map.way($0) == "bc" }
    #expect(immediateWrong > 0)
    #expect(smoothedWrong < immediateWrong)
  }

  @Test func `the mode determines the network, MM-10`() throws {
    // Cars must not use the northern street.
    let map = try DrawnMap(
      """
      c-------------------d
      a-1---2-------------b
      """, ways: ["ab": "", "cd": "highway=residential motor_vehicle=no"], cell: 50, line: 25)
    var trace = trace(on: map)
    try trace.drive("12", speedMps: 3, leftM: 23)
    for (mode, way) in [(TravelMode.car, "ab"), (.pedestrian, "cd"), (.bicycle, "cd")] {
      var matcher = OnlineMatcher(map, mode: mode)
      #expect(matcher.match(all: trace.fixes).allSatisfy { map.way($0) == way })
    }
  }

  @Test func `a car stays on the street next to a track that it may use, MM-10`() throws {
    let drawing = """
      c-------------------d
      a-1---------------2-b
      """
    let track = "highway=track motor_vehicle=yes"
    let map = try DrawnMap(drawing, ways: ["ab": "", "cd": track], cell: 50, line: 25)
    // An error of 16 m, as between houses: the track is nearer than the street.
    var trace = trace(on: map, hasMotion: false)
    try trace.drive("12", speedMps: 10, leftM: 16)
    var car = OnlineMatcher(map)
    #expect(car.match(all: trace.fixes).allSatisfy { map.way($0) == "ab" })
    var walker = OnlineMatcher(map, mode: .pedestrian)
    #expect(walker.match(all: trace.fixes).allSatisfy { map.way($0) == "cd" })
    // A car is on the track where there is no street.
    let alone = try DrawnMap(drawing, ways: ["ab": track], cell: 50, line: 25)
    var farmer = OnlineMatcher(alone)
    #expect(farmer.match(all: trace.fixes).allSatisfy { alone.way($0) == "ab" })
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `the place and the bearing of a stationary vehicle stay, MM-11`(seed: UInt64) throws {
    let map = try tee()
    var trace = DrawnTrace(on: map, accuracyM: 6, hasMotion: true)
    // It stops 10 m before the junction.
    try trace.drive("1b", speedMps: 13)
    let moving = trace.fixes.count
    trace.stop(at: try #require(trace.fixes.last).place, seconds: 60)
    var matcher = OnlineMatcher(map)
    let matches = matcher.match(all: trace.fixes.withErrors(seed: seed, sigmaM: 4))
    let held = matches[(moving - 1)...].compactMap(\.place)
    #expect(held.count == 61)
    let first = try #require(held.first)
    #expect(held.allSatisfy { $0.coordinate == first.coordinate })
    #expect(held.allSatisfy { $0.bearingDeg == first.bearingDeg })
    #expect(held.allSatisfy { $0.state == first.state })
  }
}
