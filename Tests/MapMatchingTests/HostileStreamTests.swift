import Foundation
import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

/// Hostile fixes: the matcher does not fail, and the state of a vehicle stays small.
@Suite struct HostileStreamTests {
  /// The number of fixes; `NAV_HOSTILE_FIXES=10000000` for the long run.
  private static let count =
    ProcessInfo.processInfo.environment["NAV_HOSTILE_FIXES"].flatMap { Int($0) } ?? 1_000_000

  /// A town of blocks of 80 m with one-ways, and a road on a bridge across it.
  private func network() throws -> MatchingNetwork {
    var map = TinyMap()
    var nodes: [[Int]] = []
    for row in 0..<12 {
      nodes.append((0..<12).map { map.node(Double($0) * 80, Double(row) * 80) })
    }
    for row in 0..<12 {
      for column in 0..<12 {
        if column < 11 {
          map.road(nodes[row][column], nodes[row][column + 1], oneWay: row % 3 == 1)
        }
        if row < 11 { map.road(nodes[row][column], nodes[row + 1][column]) }
      }
    }
    map.road(map.node(-300, 440), map.node(1200, 440), speedKmh: 120, layer: 1)
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  private struct HostileFixSource {
    var random: SplitMix64
    var now = Instant(seconds: 1_790_000_000)
    var east = 400.0
    var north = 400.0

    var serial = 0

    mutating func number(_ count: UInt64) -> UInt64 { random.next() % count }

    /// The next fix: a drive, changes between two roads, jumps, silences, times that repeat or
    /// decrease, and impossible numbers.
    mutating func fix() -> Fix {
      switch number(100) {
      case 0:
        east = Double(number(4_000)) - 1_500
        north = Double(number(4_000)) - 1_500
      case 1: now = now.advanced(bySeconds: Double(number(100_000)))
      case 2: now = now.advanced(bySeconds: -Double(number(1_000)))
      case 3...20:
        east += 80 * (number(2) == 0 ? 1 : -1)
      default:
        east += Double(number(60)) - 30
        north += Double(number(60)) - 30
      }
      now = now.advanced(bySeconds: [0, 0.001, 0.1, 1, 1, 1, 15, 60][Int(number(8))])
      var place = TinyMap.coordinate(east, north)
      if number(500) == 0 { place = Coordinate(latitudeDeg: .nan, longitudeDeg: 500) }
      if number(500) == 0 { place = Coordinate(latitudeDeg: 90, longitudeDeg: -180) }
      serial += 1
      func perhaps(_ values: [Double]) -> Double? {
        number(3) == 0 ? nil : values[Int(number(UInt64(values.count)))]
      }
      return Fix(
        place: place, time: number(200) == 0 ? nil : now,
        bearingDeg: perhaps([0, 90, 180, 270, 360, -1e300, .nan, .infinity]),
        speedMps: perhaps([0, 0.5, 8, 30, 400, -5, .nan, 1e300]),
        accuracyM: perhaps([0, 1, 5, 49, 51, 1e7, -1, .nan]),
        bearingAccuracyDeg: perhaps([0, 10, 360, .nan]), altitudeM: Double(serial))
    }
  }

  @Test(arguments: [1, 2] as [UInt64], Smoothing.Rule.allCases)
  func `a hostile stream causes no failure, and the state stays small, LOC-7`(
    seed: UInt64, rule: Smoothing.Rule
  ) throws {
    let network = try network()
    let tuning = Smoothing(rule).tuning(MatcherTuning())
    var matcher = OnlineMatcher(network: network, tuning: tuning)
    var foe = HostileFixSource(random: SplitMix64(seed: seed))
    var largest = 0
    var smoothed = 0
    var slowest = Duration.zero
    let count = Self.count / 2
    for number in 0..<count {
      let fix = foe.fix()
      let began = ContinuousClock.now
      var known: [Match] = []
      switch rule {
      case .agreed: known = matcher.smooth(fix)
      case .lag:
        let answer = matcher.match(fix)
        #expect(answer.match.fix.altitudeM == Double(number + 1))
        check(answer.match, on: network)
        known = answer.smoothed
      }
      slowest = max(slowest, ContinuousClock.now - began)
      for match in known {
        smoothed += 1
        // Each fix once, in its order.
        #expect(match.fix.altitudeM == Double(smoothed))
        check(match, on: network)
      }
      if number % 64 == 0 {
        let memory = matcher.memory
        largest = max(largest, 8 * (memory.integers.count + memory.numbers.count))
        var twin = OnlineMatcher(network: network, tuning: tuning)
        #expect(try twin.recall(memory))
        #expect(bits(twin.memory) == bits(memory))
        if number % 1024 == 0 { matcher = twin }
      }
    }
    let rest = matcher.finish()
    #expect(rest.map(\.fix.altitudeM) == (smoothed..<count).map { Double($0 + 1) })
    print(
      "hostile, \(rule): \(count) fixes, at most \(largest) bytes of a vehicle's state, \(slowest) a fix"
    )
    #expect(largest < 400_000)
    // The limit is high, because the machine is shared; a search without bounds takes longer.
    #expect(slowest < .seconds(5))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `after any hostile stream a drive is matched again, LOC-7, MM-4`(seed: UInt64) throws {
    let network = try network()
    var matcher = OnlineMatcher(network: network)
    var foe = HostileFixSource(random: SplitMix64(seed: 100 + seed))
    for _ in 0..<400 { _ = matcher.match(foe.fix()) }
    var drive = Drive(seed: seed)
    drive.now = foe.now.advanced(bySeconds: [1, 100_000, -100_000][Int(seed % 3)])
    drive.along([(80, 160), (800, 160)], speedMps: 12)
    let matches = matcher.match(all: drive.fixes)
    // Earlier fixes have any place and time; fixes that agree for 5 s are accepted.
    #expect(matches.dropFirst(12).allSatisfy { $0.place.map { $0.distanceM < 10 } ?? false })
  }

  /// Checks the ranges of a match.
  private func check(_ match: Match, on network: MatchingNetwork) {
    if let offRoad = match.offRoadProbability { #expect((0...1).contains(offRoad)) }
    guard let place = match.place else { return }
    #expect(place.coordinate.isValid && (0...1).contains(place.probability))
    #expect((0..<360).contains(place.bearingDeg) && place.uncertaintyM >= 0)
    let lengthM = network.graph.lengthM(place.position.edge)
    #expect(place.position.offsetM >= 0 && place.position.offsetM <= lengthM + 0.001)
    #expect(place.path.isEmpty || place.path.last == place.state)
  }

  private func bits(_ memory: MatcherSnapshot) -> ([Int64], [UInt64], [String]) {
    (memory.integers, memory.numbers.map(\.bitPattern), memory.texts)
  }
}
