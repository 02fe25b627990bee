import ArgumentParser
import MapMatching

/// The numbers of the matcher's tuning by name, so that a sweep can set them.
enum TuningNames {
  private static var paths: [String: WritableKeyPath<MatcherTuning, Double>] {
    [
      "radiusM": \.radiusM, "defaultSigmaM": \.defaultSigmaM, "leastSigmaM": \.leastSigmaM,
      "betaM": \.betaM, "betaMps": \.betaMps, "turnBackNats": \.turnBackNats,
      "turnBackAtDeadEndNats": \.turnBackAtDeadEndNats, "wrongWayNats": \.wrongWayNats,
      "restrictedTurnNats": \.restrictedTurnNats, "offGridNats": \.offGridNats,
      "metersPerNat": \.metersPerNat, "backwardNatsPerM": \.backwardNatsPerM,
      "leaveRoadNats": \.leaveRoadNats, "joinRoadNats": \.joinRoadNats,
      "offRoadSigmas": \.offRoadSigmas, "leastOffRoadM": \.leastOffRoadM,
      "greatestOffRoadM": \.greatestOffRoadM, "pruneNats": \.pruneNats, "betaSigmas": \.betaSigmas,
      "slackSigmas": \.slackSigmas, "plausibleSigmas": \.plausibleSigmas,
      "standstillSigmas": \.standstillSigmas, "routeNats": \.routeNats,
      "startElsewhereNats": \.startElsewhereNats,
      "againstNats": \.againstNats, "nearNats": \.nearNats, "independentS": \.independentS,
      "minorRoadNats": \.minorRoadNats, "bywayNats": \.bywayNats,
      "advanceGain": \.advanceGain, "advanceSpeedGain": \.advanceSpeedGain,
      "sharedErrorS": \.sharedErrorS, "besideRoadM": \.besideRoadM,
      "whiteFromM": \.whiteFromM, "whiteFullM": \.whiteFullM,
      "toldSigmas": \.reportedSigmas, "headingSigmaDeg": \.headingSigmaDeg,
      "roadHeadingSigmaDeg": \.roadHeadingSigmaDeg,
      "forgetS": \.forgetS, "drivingNatsPerM": \.drivingNatsPerM, "offRoadWeight": \.offRoadWeight,
      "errorTimeS": \.errorTimeS, "greatestNews": \.greatestNews, "firstNews": \.firstNews,
      "jumpWeight": \.jumpWeight,
      "speedExponent": \.speedExponent,
      "candidateLimit": \.greatestCount,
      "turnM": \.turnM, "lagFixes": \.lagCount, "lagS": \.lagS,
      "stepSigmas": \.stepSigmas, "whiteStepSigmas": \.whiteStepSigmas,
      "longestStepSigmas": \.longestStepSigmas,
      "paceFromS": \.paceFromS, "pacedBetaS": \.pacedBetaS,
      "pacedDriving": \.pacedDriving, "earlyNats": \.earlyNats,
      "windingRatio": \.windingRatio, "detourSpeedShare": \.detourSpeedShare,
    ]
  }

  /// `tuning` with the numbers of `settings`, each a name, an equals sign and a number.
  static func apply(_ settings: [String], to tuning: MatcherTuning) throws -> MatcherTuning {
    var tuning = tuning
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let path = paths[parts[0]], let value = Double(parts[1]) else {
        throw ValidationError("--set \(setting): no number of the tuning by that name")
      }
      tuning[keyPath: path] = value
    }
    return tuning
  }
}

extension MatcherTuning {
  /// The lag in fixes, as numbers of a sweep are.
  fileprivate var lagCount: Double {
    get { Double(lagFixes) }
    set { lagFixes = Int(newValue) }
  }

  /// The candidates at most, likewise.
  fileprivate var greatestCount: Double {
    get { Double(candidateLimit) }
    set { candidateLimit = Int(newValue) }
  }
}
