import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The estimate of independent errors, and the longer steps of a whole trace that has them (MM-13).
@Suite struct WhiteNoiseEstimatorTests {
  private let map: DrawnMap

  /// A road around two corners, with side streets to both sides every 100 m of its first leg.
  init() throws {
    map = try DrawnMap(
      """
              j-------z



       klmnopq
      abcdefghi
       rstuvwx
      """,
      ways: [
        "abcdefghijz": "", "kbr": "", "lcs": "", "mdt": "", "neu": "", "ofv": "", "pgw": "",
        "qhx": "",
      ], line: 150)
  }

  /// The estimate from fixes whose successive errors have a `correlation`.
  private func estimate(
    seed: UInt64, sigmaM: Double, correlation: Double = 0, everyS: Double = 1, speedMps: Double = 12
  ) throws -> WhiteNoiseEstimator {
    var noise = WhiteNoiseEstimator()
    for fix in try fixes(
      seed: seed, sigmaM: sigmaM, correlation: correlation, everyS: everyS, speedMps: speedMps)
    {
      if let time = fix.time { noise.update(fix.place, at: time) }
    }
    return noise
  }

  /// The fixes of a drive around the two corners, with places and times only.
  private func fixes(
    seed: UInt64, sigmaM: Double, correlation: Double = 0, everyS: Double = 1, speedMps: Double = 12
  ) throws -> [Fix] {
    var trace = DrawnTrace(on: map)
    try trace.drive("aijz", speedMps: speedMps, everyS: everyS)
    return trace.fixes.withErrors(seed: seed, sigmaM: sigmaM, correlation: correlation)
  }

  @Test(arguments: [3.0, 5, 10, 20], [0.1, 0.5, 1, 2])
  func `the estimate of white noise is near its sigma, at all rates, MM-13`(
    sigmaM: Double, everyS: Double
  ) throws {
    for seed in 0..<8 as Range<UInt64> {
      let noise = try estimate(seed: seed, sigmaM: sigmaM, everyS: everyS)
      #expect(
        noise.sigmaM > 0.7 * sigmaM && noise.sigmaM < 1.35 * sigmaM, "seed \(seed): \(noise.sigmaM)"
      )
    }
  }

  @Test func `irregular times are weighted by their intervals, MM-13`() throws {
    var random = SplitMix64(seed: 5)
    var noise = WhiteNoiseEstimator()
    var (eastM, time) = (0.0, Instant(seconds: 1_790_000_000))
    for index in 0..<400 {
      // Without noise a steady drive has an estimate of 0 at any intervals.
      noise.update(try map.coordinate("a", eastM: eastM), at: time)
      let elapsedS = index % 2 == 0 ? 0.2 : 0.2 + 1.6 * random.unit()
      eastM += 20 * elapsedS
      time = time.advanced(bySeconds: elapsedS)
    }
    #expect(noise.count == WhiteNoiseEstimator.memoryCount)
    #expect(noise.sigmaM < 0.1)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `correlated errors and turns are no white noise, MM-13`(seed: UInt64) throws {
    #expect(try estimate(seed: seed, sigmaM: 10, correlation: 0.9).sigmaM < 4)
    #expect(try estimate(seed: seed, sigmaM: 0).sigmaM < 1.5)
  }

  @Test func `few fixes, long intervals and repeated places do not change the estimate, MM-13`()
    throws
  {
    var noise = WhiteNoiseEstimator()
    let all = try fixes(seed: 3, sigmaM: 10)
    for (index, fix) in all.enumerated() {
      guard let time = fix.time else { continue }
      // Three successive fixes give one value.
      #expect((noise.sigmaM > 0) == (index >= WhiteNoiseEstimator.leastCount + 2))
      noise.update(fix.place, at: time)
    }
    #expect(try estimate(seed: 3, sigmaM: 10, everyS: 3).sigmaM == 0)
    let known = noise
    var now = Instant(seconds: 1_800_000_000)
    for _ in 0..<100 {
      noise.update(try map.coordinate("a"), at: now)
      now = now.advanced(bySeconds: 1)
    }
    #expect(noise.sigmaM == known.sigmaM)
  }

  @Test func `fixes before and after an interruption are not successive, MM-13`() throws {
    var noise = WhiteNoiseEstimator()
    var now = Instant(seconds: 1_790_000_000)
    for number in 0..<200 {
      if number % 5 == 0 { noise.interrupt() }
      // Each group of five starts a kilometre to the north of the one before.
      let (eastM, northM) = (Double(number % 5) * 10, Double(number / 5) * 1000)
      noise.update(try map.coordinate("a", eastM: eastM, northM: northM), at: now)
      now = now.advanced(bySeconds: 1)
    }
    #expect(noise.count == WhiteNoiseEstimator.memoryCount)
    #expect(noise.sigmaM < 0.1)
  }

  @Test func `a valid snapshot restores the estimate, an impossible one is refused, MM-13`() throws
  {
    let noise = try estimate(seed: 2, sigmaM: 7)
    var snapshot = MatcherSnapshot()
    snapshot.write(noise)
    var whole = snapshot
    #expect(try whole.readWhiteNoiseEstimator() == noise)
    for index in snapshot.numbers.indices {
      for value in [Double.nan, .infinity, -1000] {
        var changed = snapshot
        changed.numbers[index] = value
        #expect(throws: MatcherSnapshot.Damaged.self) { try changed.readWhiteNoiseEstimator() }
      }
    }
    for value in [-1, Int64(WhiteNoiseEstimator.memoryCount) + 1] {
      var changed = snapshot
      changed.integers[0] = value
      #expect(throws: MatcherSnapshot.Damaged.self) { try changed.readWhiteNoiseEstimator() }
    }
  }

  @Test func `after a reset the next fix does not follow the last one, MM-13`() throws {
    var matcher = OnlineMatcher(map, tuning: .wholeTrace)
    for fix in try fixes(seed: 1, sigmaM: 5) { _ = matcher.smooth(fix) }
    #expect(matcher.errors.white.before != nil)
    matcher.reset()
    #expect(matcher.errors.white.newest == nil)
    let known = matcher.errors.white.sigmaM
    #expect(known > 3)
    for fix in try fixes(seed: 1, sigmaM: 5).suffix(2) { _ = matcher.smooth(fix) }
    #expect(matcher.errors.white.sigmaM == known)
  }

  @Test func `white noise moves hardly any fix to the side streets, MM-13`() throws {
    let network = MatchingNetwork(map)
    var closeSteps = MatcherTuning.wholeTrace
    closeSteps.whiteStepSigmas = 0
    // Fixes in side streets and interruptions of the path, with longer steps and without.
    var (aside, before) = (0, 0)
    var (breaks, breaksBefore) = (0, 0)
    for seed in 0..<24 as Range<UInt64> {
      let fixes = try fixes(seed: seed, sigmaM: 12, speedMps: 8)
      func sideCount(_ matches: [Match]) -> Int { matches.count { map.way($0) != "abcdefghijz" } }
      let trace = network.match(trace: fixes)
      #expect(trace.matches.map(\.fix) == fixes)
      aside += sideCount(trace.matches)
      breaks += trace.lines.count - 1
      let close = network.match(trace: fixes, tuning: closeSteps)
      before += sideCount(close.matches)
      breaksBefore += close.lines.count - 1
      // The path that converges while the fixes arrive is the same.
      let tuning = Smoothing(.agreed).tuning(MatcherTuning())
      var matcher = OnlineMatcher(network: network, tuning: tuning)
      var converged: [Match] = []
      for fix in fixes { converged += matcher.smooth(fix) }
      converged += matcher.finish()
      #expect(converged.map(\.place?.state) == trace.matches.map(\.place?.state))
    }
    #expect(aside <= 8 && before > 4 * aside, "\(aside) of \(before)")
    #expect(breaks <= 6 && breaksBefore > 4 * breaks, "\(breaks) of \(breaksBefore)")
  }

  @Test func `only white noise makes steps longer, up to twice the sigma of a fix, MM-13`() throws {
    func stepM(_ sigmaM: Double, correlation: Double = 0) throws -> Double {
      var matcher = OnlineMatcher(map, tuning: .wholeTrace)
      let fixes = try fixes(seed: 4, sigmaM: sigmaM, correlation: correlation, speedMps: 4)
      for fix in fixes { matcher.record(fix, matcher.assess(fix, bridgesGap: false)) }
      return 2200 / Double(matcher.trellis.steps.count - 1)
    }
    let clean = try stepM(0)
    // At least 16 m: a step ends at the next fix after that.
    #expect(clean > 15.9 && clean < 21)
    #expect(try stepM(10, correlation: 0.95) < 21)
    #expect(try stepM(10) > 1.4 * clean)
    #expect(try stepM(60) < 45)
  }
}
