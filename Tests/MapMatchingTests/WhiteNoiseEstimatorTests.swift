import EventTime
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// Errors that have nothing in common with those of the fixes before and after, and what they let a whole trace do (MM-13).
@Suite struct WhiteNoiseEstimatorTests {
  /// What is seen of fixes whose errors keep `likeness` of the ones before.
  private func seen(
    seed: UInt64, sigmaM: Double, likeness: Double = 0, intervalS: Double = 1, speedMps: Double = 12
  ) -> WhiteNoiseEstimator {
    var noise = WhiteNoiseEstimator()
    for fix in fixes(
      seed: seed, sigmaM: sigmaM, likeness: likeness, intervalS: intervalS, speedMps: speedMps)
    {
      if let time = fix.time { noise.note(fix.place, at: time) }
    }
    return noise
  }

  /// A drive round two corners that tells places and times alone.
  private func fixes(
    seed: UInt64, sigmaM: Double, likeness: Double = 0, intervalS: Double = 1, speedMps: Double = 12
  ) -> [Fix] {
    var drive = Drive(hasSpeed: false)
    drive.along(
      [(10, 0), (800, 0), (800, 600), (1600, 600)], speedMps: speedMps, intervalS: intervalS)
    return Drive.erring(drive.fixes, seed: seed, sigmaM: sigmaM, likeness: likeness)
  }

  @Test(arguments: [3.0, 5, 10, 20], [0.1, 0.5, 1, 2])
  func `white noise is seen as it was drawn, at all rates, MM-13`(
    sigmaM: Double, intervalS: Double
  ) {
    for seed in 0..<8 as Range<UInt64> {
      let noise = seen(seed: seed, sigmaM: sigmaM, intervalS: intervalS)
      #expect(
        noise.sigmaM > 0.7 * sigmaM && noise.sigmaM < 1.35 * sigmaM, "seed \(seed): \(noise.sigmaM)"
      )
    }
  }

  @Test func `uneven times are weighed as they are, MM-13`() {
    var random = SplitMix64(seed: 5)
    var noise = WhiteNoiseEstimator()
    var (eastM, time) = (0.0, Instant(seconds: 1_790_000_000))
    for index in 0..<400 {
      // Without noise a steady drive shows none, however uneven the fixes come.
      noise.note(TinyMap.coordinate(eastM, 0), at: time)
      let elapsedS = index % 2 == 0 ? 0.2 : 0.2 + 1.6 * random.unit()
      eastM += 20 * elapsedS
      time = time.advanced(bySeconds: elapsedS)
    }
    #expect(noise.count == WhiteNoiseEstimator.memoryCount)
    #expect(noise.sigmaM < 0.1)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `errors that go together are none, nor is a vehicle that turns, MM-13`(seed: UInt64) {
    #expect(seen(seed: seed, sigmaM: 10, likeness: 0.9).sigmaM < 4)
    #expect(seen(seed: seed, sigmaM: 0).sigmaM < 1.5)
  }

  @Test func `too few fixes, fixes far apart and places reported again say nothing, MM-13`() {
    var noise = WhiteNoiseEstimator()
    let all = fixes(seed: 3, sigmaM: 10)
    for (index, fix) in all.enumerated() {
      guard let time = fix.time else { continue }
      // Three fixes in a row are one word.
      #expect((noise.sigmaM > 0) == (index >= WhiteNoiseEstimator.leastCount + 2))
      noise.note(fix.place, at: time)
    }
    #expect(seen(seed: 3, sigmaM: 10, intervalS: 3).sigmaM == 0)
    let known = noise
    var now = Instant(seconds: 1_800_000_000)
    for _ in 0..<100 {
      noise.note(TinyMap.coordinate(0, 0), at: now)
      now = now.advanced(bySeconds: 1)
    }
    #expect(noise.sigmaM == known.sigmaM)
  }

  @Test func `fixes on both sides of an interruption are no neighbours, MM-13`() {
    var noise = WhiteNoiseEstimator()
    var now = Instant(seconds: 1_790_000_000)
    for number in 0..<200 {
      if number % 5 == 0 { noise.interrupt() }
      // Each five begin a kilometre aside.
      noise.note(
        TinyMap.coordinate(Double(number % 5) * 10, Double(number / 5) * 1000), at: now)
      now = now.advanced(bySeconds: 1)
    }
    #expect(noise.count == WhiteNoiseEstimator.memoryCount)
    #expect(noise.sigmaM < 0.1)
  }

  @Test func `a memory of it that cannot be is refused, and one that can is the same, MM-13`()
    throws
  {
    let noise = seen(seed: 2, sigmaM: 7)
    var tape = MatcherSnapshot()
    tape.write(noise)
    var whole = tape
    #expect(try whole.readWhiteNoiseEstimator() == noise)
    for index in tape.numbers.indices {
      for value in [Double.nan, .infinity, -1000] {
        var changed = tape
        changed.numbers[index] = value
        #expect(throws: MatcherSnapshot.Damaged.self) { try changed.readWhiteNoiseEstimator() }
      }
    }
    for value in [-1, Int64(WhiteNoiseEstimator.memoryCount) + 1] {
      var changed = tape
      changed.integers[0] = value
      #expect(throws: MatcherSnapshot.Damaged.self) { try changed.readWhiteNoiseEstimator() }
    }
  }

  @Test func `a matcher that forgets a drive takes no fix of the next as its neighbour, MM-13`()
    throws
  {
    let network = MatchingNetwork(graph: try streets(), mode: .car)
    var matcher = OnlineMatcher(network: network, tuning: .wholeTrace)
    for fix in fixes(seed: 1, sigmaM: 5) { _ = matcher.smooth(fix) }
    #expect(matcher.whiteNoise.before != nil)
    matcher.reset()
    #expect(matcher.whiteNoise.newest == nil)
    let known = matcher.whiteNoise.sigmaM
    #expect(known > 3)
    for fix in fixes(seed: 1, sigmaM: 5).suffix(2) { _ = matcher.smooth(fix) }
    #expect(matcher.whiteNoise.sigmaM == known)
  }

  /// A way round two corners, with side streets to both sides every 100 m of its first stretch.
  private func streets() throws -> RoadGraph {
    var map = TinyMap()
    let corners = [map.node(0, 0), map.node(800, 0), map.node(800, 600), map.node(1600, 600)]
    var main = [corners[0]]
    for number in 1..<8 {
      let crossing = map.node(Double(number) * 100, 0)
      main.append(crossing)
      map.road(crossing, map.node(Double(number) * 100, 150))
      map.road(crossing, map.node(Double(number) * 100, -150))
    }
    map.line(main + corners.dropFirst())
    return try map.graph()
  }

  @Test func `white noise takes hardly any vehicle into the side streets it passes, MM-13`()
    throws
  {
    let network = MatchingNetwork(graph: try streets(), mode: .car)
    var closeSteps = MatcherTuning.wholeTrace
    closeSteps.whiteStepSigmas = 0
    // Fixes in side streets and ways that break off there, with the steps of white noise and without.
    var (aside, before) = (0, 0)
    var (breaks, breaksBefore) = (0, 0)
    for seed in 0..<24 as Range<UInt64> {
      let fixes = fixes(seed: seed, sigmaM: 12, speedMps: 8)
      // The side streets are drawn first, and all else is the way driven.
      func sideCount(_ matches: [Match]) -> Int {
        matches.filter { match in match.road.map { $0 < 14 } ?? true }.count
      }
      let trace = network.match(trace: fixes)
      #expect(trace.matches.map(\.fix) == fixes)
      aside += sideCount(trace.matches)
      breaks += trace.lines.count - 1
      let close = network.match(trace: fixes, tuning: closeSteps)
      before += sideCount(close.matches)
      breaksBefore += close.lines.count - 1
      // The way agreed on as the fixes come is the same.
      let tuning = Smoothing(.agreed).tuning(MatcherTuning())
      var matcher = OnlineMatcher(network: network, tuning: tuning)
      var agreed: [Match] = []
      for fix in fixes { agreed += matcher.smooth(fix) }
      agreed += matcher.finish()
      #expect(agreed.map(\.place?.state) == trace.matches.map(\.place?.state))
    }
    #expect(aside <= 8 && before > 4 * aside, "\(aside) of \(before)")
    #expect(breaks <= 6 && breaksBefore > 4 * breaks, "\(breaks) of \(breaksBefore)")
  }

  @Test func `steps grow with white noise alone, up to twice what a fix is believed, MM-13`() throws
  {
    let network = MatchingNetwork(graph: try streets(), mode: .car)
    func stepM(_ sigmaM: Double, likeness: Double = 0) -> Double {
      var matcher = OnlineMatcher(network: network, tuning: .wholeTrace)
      let fixes = fixes(seed: 4, sigmaM: sigmaM, likeness: likeness, speedMps: 4)
      for fix in fixes { matcher.record(fix, matcher.assess(fix, bridgesGap: false)) }
      return 2200 / Double(matcher.trellis.steps.count)
    }
    let clean = stepM(0)
    // 16 m and what is driven until the next fix.
    #expect(clean > 16 && clean < 21)
    #expect(stepM(10, likeness: 0.95) < 21)
    #expect(stepM(10) > 1.4 * clean)
    #expect(stepM(60) < 45)
  }
}
