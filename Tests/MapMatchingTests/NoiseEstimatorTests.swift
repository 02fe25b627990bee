import EventTime
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// How far fixes that tell no accuracy are believed.
@Suite struct NoiseEstimatorTests {
  private let tuning = MatcherTuning.wholeTrace

  /// Residuals across a road to the north, each with `likeness` of the one before in it.
  private func error(
    sigmaM: Double, likeness: Double = 0, count: Int = 128, everyS: Double = 10, seed: UInt64 = 1
  ) -> NoiseEstimator {
    var random = SplitMix64(seed: seed)
    var error = NoiseEstimator()
    var eastM = sigmaM * random.gaussian()
    for _ in 0..<count {
      error.note(NoiseEstimator.Residual(eastM: eastM, northM: 0), elapsedS: everyS)
      eastM =
        likeness * eastM + (1 - likeness * likeness).squareRoot() * sigmaM * random.gaussian()
    }
    return error
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `fixes that err by 5 m and each anew are believed by twice that`(seed: UInt64) {
    let sigmaM = error(sigmaM: 5, seed: seed).sigmaM(tuning)
    #expect(sigmaM > 8.5 && sigmaM < 13.5)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `fixes that err like the one before are believed no more than by default`(seed: UInt64) {
    let alike = error(sigmaM: 6, likeness: 0.75, seed: seed)
    #expect(alike.likeness > 0.5)
    #expect(alike.sigmaM(tuning) == tuning.defaultSigmaM)
  }

  @Test func `great errors, few fixes and near ones leave the default`() {
    #expect(error(sigmaM: 10).sigmaM(tuning) == tuning.defaultSigmaM)
    #expect(error(sigmaM: 5, count: 16).sigmaM(tuning) == tuning.defaultSigmaM)
    #expect(error(sigmaM: 5, everyS: 1).sigmaM(tuning) == tuning.defaultSigmaM)
    #expect(NoiseEstimator().sigmaM(tuning) == tuning.defaultSigmaM)
  }

  @Test func `what a receiver erred long ago counts less and less`() {
    var error = error(sigmaM: 9, count: 1_000)
    #expect(error.sigmaM(tuning) > 16)
    var random = SplitMix64(seed: 5)
    for _ in 0..<1_000 {
      error.note(NoiseEstimator.Residual(eastM: 3 * random.gaussian(), northM: 0), elapsedS: 10)
    }
    #expect(error.sigmaM(tuning) < 9)
  }

  private func uncertainties(count: Int, tellsAccuracy: Bool = false) throws -> Set<Double> {
    var map = TinyMap()
    map.line((0...100).map { map.node(Double($0) * 100, 0) })
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    var drive = Drive(seed: 3, sigmaM: 5, hasSpeed: false)
    drive.along([(10, 0), (9990, 0)], speedMps: 10, intervalS: 10)
    var fixes = Array(drive.fixes.prefix(count))
    if !tellsAccuracy {
      for index in fixes.indices { fixes[index].accuracyM = nil }
    }
    let trace = network.match(trace: fixes)
    // The fixes that were looked at first are matched once.
    #expect(trace.matches.map(\.fix) == fixes)
    // What explains a match weighs the fixes as the match did.
    let explained = try #require(network.explain(trace: fixes, wanted: 10..<11).first)
    let sigmas = Set(trace.matches.compactMap { $0.place?.uncertaintyM })
    #expect(Set(explained.candidates.compactMap { $0.place?.uncertaintyM }) == sigmas)
    return sigmas
  }

  @Test func `a whole trace is matched by the error that its own fixes show`() throws {
    let found = try uncertainties(count: 99)
    #expect(found.count == 1)
    let sigmaM = try #require(found.first)
    #expect(sigmaM > 8 && sigmaM < 14)
    #expect(try uncertainties(count: 16) == [tuning.defaultSigmaM])
    // What is told counts, whatever the others show.
    let reported = try uncertainties(count: 99, tellsAccuracy: true)
    #expect(reported.count == 1 && abs((reported.first ?? 0) - 2 * 7.5 / 1.51) < 1e-9)
  }

  @Test func `a whole trace learns as it goes, from each fix once, MM-13`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(30_000, 0)])
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    var drive = Drive(seed: 3, sigmaM: 5, hasSpeed: false)
    drive.along([(10, 0), (29_990, 0)], speedMps: 20, intervalS: 15)
    let fixes = drive.fixes.map { Fix(place: $0.place, time: $0.time) }
    var matcher = OnlineMatcher(network: network, tuning: tuning)
    var believed: [Double] = []
    for fix in fixes {
      matcher.take(fix)
      matcher.learnFromConvergedSteps()
      believed.append(matcher.trellis.tuning.defaultSigmaM)
    }
    #expect(believed.prefix(16).allSatisfy { $0 == tuning.defaultSigmaM })
    #expect(believed[40] < 15 && (8...13).contains(believed[98]))
    // All ways are one until the last fix but one.
    #expect(matcher.receiverError.count == fixes.count - 1)
    #expect(matcher.receiverError.pairs == fixes.count - 2)
  }
}
