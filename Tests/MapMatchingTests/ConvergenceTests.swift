import DrawnMaps
import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

/// Matches that are final as soon as all likely paths have converged (MM-8).
@Suite struct ConvergenceTests {
  /// Blocks of streets, some of them one-way, with a street 25 m from the middle one.
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

  /// A drive along streets and around corners, with a stop, an outlier and noise.
  private func drive(seed: UInt64) -> [Fix] {
    var drive = Drive(seed: seed, sigmaM: 9, hasSpeed: false)
    drive.along([(10, 0), (150, 0), (150, 300), (450, 300)], speedMps: 9)
    drive.stand(450, 300, seconds: 12)
    drive.add(TinyMap.coordinate(900, 900), bearingDeg: nil, speedMps: nil, 1)
    drive.along([(450, 300), (450, 450), (600, 450), (600, 150)], speedMps: 12)
    return drive.fixes
  }

  private func converged(fixes: Int = .max, timeS: Double = .infinity) -> MatcherTuning {
    Smoothing(.agreed, fixes: fixes, timeS: timeS).tuning(MatcherTuning())
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `converged matches are those of the whole trace, and most are early, MM-8`(
    seed: UInt64
  ) throws {
    let network = MatchingNetwork(graph: try blocks(seed: seed), mode: .car)
    let fixes = drive(seed: seed)
    var matcher = OnlineMatcher(network: network, tuning: converged())
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

  @Test func `no match waits longer than its limit, MM-8`() throws {
    // Two roads that meet again far away, and fixes in the middle between them.
    let map = try DrawnMap(
      """
       c-------------------------------------d
      a                                      1b
       e-------------------------------------f
      """, ways: ["ac": "", "cd": "", "db": "", "ae": "", "ef": "", "fb": ""], line: 8)
    var trace = DrawnTrace(on: map, accuracyM: 3)
    try trace.drive("a1", speedMps: 20)
    for (fixes, timeS, most) in [(40, 1e9, 40), (1_000, 25, 25), (7, 25, 7)] as [(Int, Double, Int)]
    {
      var matcher = OnlineMatcher(map, tuning: converged(fixes: fixes, timeS: timeS))
      var count = 0
      var longest = 0
      for (index, fix) in trace.fixes.enumerated() {
        count += matcher.smooth(fix).count
        longest = max(longest, index + 1 - count)
      }
      #expect(longest == most)
      #expect(count + matcher.finish().count == trace.fixes.count)
    }
  }

  /// A road of 3000 m, and the fixes of a drive on it.
  private func road(_ tags: String = "") throws -> (map: DrawnMap, fixes: [Fix]) {
    let map = try DrawnMap("a----------------------------1b", ways: ["ab": tags])
    var trace = DrawnTrace(on: map, accuracyM: 3, hasMotion: true)
    try trace.drive("a1", speedMps: 25, leftM: 2)
    return (map, trace.fixes)
  }

  @Test func `on a lone road each match is final at once, MM-8`() throws {
    let (map, fixes) = try road("highway=residential oneway=yes")
    var matcher = OnlineMatcher(map, tuning: converged())
    let waits = fixes.dropFirst(3).map { matcher.smooth($0).count }
    #expect(waits.count > 100)
    #expect(waits.dropFirst(3).allSatisfy { $0 == 1 })
  }

  @Test func `a fixed lag that is set is used, MM-8`() throws {
    let (map, fixes) = try road()
    let tuning = Smoothing(.lag, fixes: 12, timeS: 30).tuning(MatcherTuning())
    var matcher = OnlineMatcher(map, tuning: tuning)
    var count = 0
    for (index, fix) in fixes.enumerated() {
      count += matcher.smooth(fix).count
      #expect(count == max(0, index + 1 - 12))
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `a matcher that continues from its state has the same matches, BUS-1`(seed: UInt64) throws {
    let network = MatchingNetwork(graph: try blocks(seed: seed), mode: .car)
    let tuning = converged(fixes: 100, timeS: 100)
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

  @Test func `a matcher that waits for convergence estimates the error of its receiver, MM-8`()
    throws
  {
    // One fix every 10 s with an error of 5 m and without an accuracy.
    let map = try DrawnMap("a---------b", ways: ["ab": "highway=secondary"], cell: 1_000)
    var trace = DrawnTrace(on: map)
    try trace.drive("ab", speedMps: 10, everyS: 10)
    let fixes = trace.fixes.withErrors(seed: 3, sigmaM: 5)
    func sigmas(_ rule: Smoothing.Rule, stops: Bool = false) throws -> [Double] {
      let tuning = Smoothing(rule).tuning(MatcherTuning())
      var matcher = OnlineMatcher(map, tuning: tuning)
      var answers: [Match] = []
      for fix in fixes {
        if stops { matcher = try matcher.restarted() }
        answers += matcher.smooth(fix)
      }
      return (answers + matcher.finish()).compactMap { $0.place?.uncertaintyM }
    }
    let estimated = try sigmas(.agreed)
    #expect(estimated.count == fixes.count)
    #expect(estimated.prefix(12).allSatisfy { $0 == MatcherTuning().defaultSigmaM })
    #expect(estimated.suffix(60).allSatisfy { $0 > 8 && $0 < 15 })
    #expect(try sigmas(.agreed, stops: true) == estimated)
    // Matches after a fixed lag are too uncertain for an estimate.
    #expect(Set(try sigmas(.lag)) == [MatcherTuning().defaultSigmaM])
  }
}
