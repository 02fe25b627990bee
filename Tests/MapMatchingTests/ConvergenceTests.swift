import EventTime
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

/// Answers that wait until all likely ways agree (MM-8).
@Suite struct ConvergenceTests {
  /// Blocks of streets, some of them one-way, with a street 25 m beside the middle one.
  private func blocks(seed: UInt64) throws -> RoadGraph {
    var random = SplitMix64(seed: seed)
    var map = TinyMap()
    let grid = (0..<25).map { map.node(Double($0 % 5) * 150, Double($0 / 5) * 150) }
    for y in 0..<5 {
      for x in 0..<5 {
        if x < 4 { map.road(grid[y * 5 + x], grid[y * 5 + x + 1], oneWay: random.unit() < 0.2) }
        if y < 4 { map.road(grid[y * 5 + x], grid[y * 5 + x + 5], oneWay: random.unit() < 0.2) }
      }
    }
    let (a, b) = (map.node(160, 325), map.node(440, 325))
    map.line([grid[11], a, b, grid[13]])
    return try map.graph()
  }

  /// A drive along streets and round corners, with a stand, an outlier and noise.
  private func drive(seed: UInt64) -> [Fix] {
    var drive = Drive(seed: seed, sigmaM: 9, hasSpeed: false)
    drive.along([(10, 0), (150, 0), (150, 300), (450, 300)], speedMps: 9)
    drive.stand(450, 300, seconds: 12)
    drive.add(TinyMap.coordinate(900, 900), bearingDeg: nil, speedMps: nil, 1)
    drive.along([(450, 300), (450, 450), (600, 450), (600, 150)], speedMps: 12)
    return drive.fixes
  }

  private func agreed(fixes: Int = .max, timeS: Double = .infinity) -> MatcherTuning {
    Smoothing(.agreed, fixes: fixes, timeS: timeS).tuning(MatcherTuning())
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `what ways agree on is what the whole trace tells, and most of it soon, MM-8`(
    seed: UInt64
  ) throws {
    let network = MatchingNetwork(graph: try blocks(seed: seed), mode: .car)
    let fixes = drive(seed: seed)
    var matcher = OnlineMatcher(network: network, tuning: agreed())
    var known: [Match] = []
    var lags: [Int] = []
    for (index, fix) in fixes.enumerated() {
      let reported = matcher.smooth(fix)
      lags += reported.indices.map { index - known.count - $0 }
      known += reported
    }
    known += matcher.finish()
    let whole = network.match(trace: fixes).matches
    #expect(known.map(\.fix) == fixes)
    for (one, other) in zip(known, whole) {
      #expect(one.place?.state == other.place?.state)
      #expect(one.place?.offsetM == other.place?.offsetM)
      #expect(one.place?.path == other.place?.path)
      #expect(one.reason == other.reason)
    }
    lags.sort()
    #expect(lags.count > fixes.count / 2)
    // White noise of 9 m makes a step of 36 m, and a block is 150 m long.
    #expect(lags[lags.count / 2] <= 20, "median \(lags[lags.count / 2])")
  }

  @Test func `no answer waits longer than it may, MM-8`() throws {
    // Two roads that meet again far away: nothing tells which is driven.
    var map = TinyMap()
    let (a, b) = (map.node(0, 0), map.node(4_000, 0))
    let (c, d) = (map.node(60, 8), map.node(3_940, 8))
    map.line([a, c, d, b])
    map.line([a, map.node(60, -8), map.node(3_940, -8), b])
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    var drive = Drive(hasSpeed: false)
    drive.along([(0, 0), (3_900, 0)], speedMps: 20)
    for (fixes, timeS, most) in [(40, 1e9, 40), (1_000, 25, 25), (7, 25, 7)] as [(Int, Double, Int)]
    {
      var matcher = OnlineMatcher(network: network, tuning: agreed(fixes: fixes, timeS: timeS))
      var count = 0
      var longest = 0
      for (index, fix) in drive.fixes.enumerated() {
        count += matcher.smooth(fix).count
        longest = max(longest, index + 1 - count)
      }
      #expect(longest == most)
      #expect(count + matcher.finish().count == drive.fixes.count)
    }
  }

  @Test func `on a lone road the answer comes with the fix, MM-8`() throws {
    var map = TinyMap()
    map.road(map.node(0, 0), map.node(3_000, 0), oneWay: true)
    var matcher = OnlineMatcher(
      network: MatchingNetwork(graph: try map.graph(), mode: .car), tuning: agreed())
    var drive = Drive()
    drive.along([(20, 2), (2_900, 2)], speedMps: 25)
    let waits = drive.fixes.dropFirst(3).map { matcher.smooth($0).count }
    #expect(waits.dropFirst(3).allSatisfy { $0 == 1 })
  }

  @Test func `a lag of one's own is kept, MM-8`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(3_000, 0)])
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    let tuning = Smoothing(.lag, fixes: 12, timeS: 30).tuning(MatcherTuning())
    var matcher = OnlineMatcher(network: network, tuning: tuning)
    var drive = Drive()
    drive.along([(20, 2), (2_900, 2)], speedMps: 25)
    var count = 0
    for (index, fix) in drive.fixes.enumerated() {
      count += matcher.smooth(fix).count
      #expect(count == max(0, index + 1 - 12))
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `one that goes on from memory answers as one that never stopped, BUS-1`(seed: UInt64) throws
  {
    let network = MatchingNetwork(graph: try blocks(seed: seed), mode: .car)
    let tuning = agreed(fixes: 100, timeS: 100)
    func answers(stopsEvery count: Int?) throws -> [Match] {
      var matcher = OnlineMatcher(network: network, tuning: tuning)
      var answers: [Match] = []
      for (index, fix) in drive(seed: seed).enumerated() {
        if let count, index % count == count - 1 { matcher = try matcher.restarted() }
        answers += matcher.smooth(fix)
      }
      return answers + matcher.finish()
    }
    let whole = try answers(stopsEvery: nil)
    for count in [1, 5] { #expect(try answers(stopsEvery: count) == whole) }
  }

  /// Ten kilometres of a road, a fix each 10 s that errs by 5 m and tells nothing of it.
  private func sparse() throws -> (network: MatchingNetwork, fixes: [Fix]) {
    var map = TinyMap()
    map.line((0...100).map { map.node(Double($0) * 100, 0) })
    var drive = Drive(seed: 3, sigmaM: 5, hasSpeed: false)
    drive.along([(10, 0), (9990, 0)], speedMps: 10, intervalS: 10)
    var fixes = drive.fixes
    for index in fixes.indices { fixes[index].accuracyM = nil }
    return (MatchingNetwork(graph: try map.graph(), mode: .car), fixes)
  }

  @Test func `one that waits until ways agree learns what its receiver errs, MM-8`() throws {
    let (network, fixes) = try sparse()
    func sigmas(_ rule: Smoothing.Rule, stops: Bool = false) throws -> [Double] {
      let tuning = Smoothing(rule).tuning(MatcherTuning())
      var matcher = OnlineMatcher(network: network, tuning: tuning)
      var answers: [Match] = []
      for fix in fixes {
        if stops { matcher = try matcher.restarted() }
        answers += matcher.smooth(fix)
      }
      return (answers + matcher.finish()).compactMap { $0.place?.uncertaintyM }
    }
    let learnt = try sigmas(.agreed)
    #expect(learnt.count == fixes.count)
    #expect(learnt.prefix(12).allSatisfy { $0 == MatcherTuning().defaultSigmaM })
    #expect(learnt.suffix(60).allSatisfy { $0 > 8 && $0 < 15 })
    #expect(try sigmas(.agreed, stops: true) == learnt)
    // What is said after a fixed lag is not sure enough to learn from.
    #expect(Set(try sigmas(.lag)) == [MatcherTuning().defaultSigmaM])
  }
}
