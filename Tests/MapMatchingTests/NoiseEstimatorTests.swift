import DrawnMaps
import Foundations
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The sigma of fixes that report no accuracy, from the residuals of matched fixes.
@Suite struct NoiseEstimatorTests {
  private let tuning = MatcherTuning.wholeTrace

  /// Residuals across a road to the north, with a correlation of `correlation` from fix to fix.
  private func error(
    sigmaM: Double, correlation: Double = 0, count: Int = 128, everyS: Double = 10, seed: UInt64 = 1
  ) -> NoiseEstimator {
    var random = SplitMix64(seed: seed)
    var error = NoiseEstimator()
    var eastM = sigmaM * random.gaussian()
    for _ in 0..<count {
      error.update(NoiseEstimator.Residual(eastM: eastM, northM: 0), elapsedS: everyS)
      eastM =
        correlation * eastM + (1 - correlation * correlation).squareRoot() * sigmaM
        * random.gaussian()
    }
    return error
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `independent errors of 5 m give a sigma of twice that`(seed: UInt64) {
    let sigmaM = error(sigmaM: 5, seed: seed).sigmaM(tuning)
    #expect(sigmaM > 8.5 && sigmaM < 13.5)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `correlated errors leave the default sigma`(seed: UInt64) {
    let correlated = error(sigmaM: 6, correlation: 0.75, seed: seed)
    #expect(correlated.likeness > 0.5)
    #expect(correlated.sigmaM(tuning) == tuning.defaultSigmaM)
  }

  @Test func `large errors, few fixes and short intervals leave the default sigma`() {
    #expect(error(sigmaM: 10).sigmaM(tuning) == tuning.defaultSigmaM)
    #expect(error(sigmaM: 5, count: 16).sigmaM(tuning) == tuning.defaultSigmaM)
    #expect(error(sigmaM: 5, everyS: 1).sigmaM(tuning) == tuning.defaultSigmaM)
    #expect(NoiseEstimator().sigmaM(tuning) == tuning.defaultSigmaM)
  }

  @Test func `old errors of a receiver count less and less`() {
    var error = error(sigmaM: 9, count: 1_000)
    #expect(error.sigmaM(tuning) > 16)
    var random = SplitMix64(seed: 5)
    for _ in 0..<1_000 {
      error.update(NoiseEstimator.Residual(eastM: 3 * random.gaussian(), northM: 0), elapsedS: 10)
    }
    #expect(error.sigmaM(tuning) < 9)
  }

  /// The uncertainties of the matches of a trace with one fix every 10 s and errors of 5 m.
  private func uncertainties(count: Int, accuracyM: Double? = nil) throws -> Set<Double> {
    let map = try DrawnMap("a---------b", ways: ["ab": "highway=secondary"], cell: 1_000)
    let network = MatchingNetwork(map)
    var drive = DrawnTrace(on: map, accuracyM: accuracyM)
    try drive.drive("ab", speedMps: 10, everyS: 10)
    let fixes = Array(drive.fixes.withErrors(seed: 3, sigmaM: 5).prefix(count))
    let trace = network.match(trace: fixes)
    // Each fix is matched once, also those that were used for the estimate.
    #expect(trace.matches.map(\.fix) == fixes)
    // The explanation of a match has the same sigma as the match.
    let explained = try #require(network.explain(trace: fixes, wanted: 10..<11).first)
    let sigmas = Set(trace.matches.compactMap { $0.place?.uncertaintyM })
    #expect(Set(explained.candidates.compactMap { $0.place?.uncertaintyM }) == sigmas)
    return sigmas
  }

  @Test func `a whole trace is matched with the error that its own fixes show`() throws {
    let found = try uncertainties(count: 99)
    #expect(found.count == 1)
    let sigmaM = try #require(found.first)
    #expect(sigmaM > 8 && sigmaM < 14)
    #expect(try uncertainties(count: 16) == [tuning.defaultSigmaM])
    // A reported accuracy has priority over the estimate.
    let reported = try uncertainties(count: 99, accuracyM: 7.5)
    #expect(reported.count == 1 && abs((reported.first ?? 0) - 2 * 7.5 / 1.51) < 1e-9)
  }

  @Test func `a whole trace updates its estimate while it is matched, once per fix, MM-13`() throws
  {
    let map = try DrawnMap("a---------b", ways: ["ab": "highway=secondary"], cell: 3_000)
    var trace = DrawnTrace(on: map)
    try trace.drive("ab", speedMps: 20, everyS: 15)
    let fixes = trace.fixes.withErrors(seed: 3, sigmaM: 5)
    var matcher = OnlineMatcher(map, tuning: tuning)
    var sigmasM: [Double] = []
    for fix in fixes {
      matcher.process(fix)
      matcher.learnFromConvergedSteps()
      sigmasM.append(matcher.trellis.tuning.defaultSigmaM)
    }
    #expect(sigmasM.prefix(16).allSatisfy { $0 == tuning.defaultSigmaM })
    #expect(sigmasM[40] < 15 && (8...13).contains(sigmasM[98]))
    // All paths have converged up to the last fix but one.
    #expect(matcher.errors.receiver.count == fixes.count - 1)
    #expect(matcher.errors.receiver.pairs == fixes.count - 2)
  }
}
