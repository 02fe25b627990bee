import Foundations
import Geodesy
import Positioning

/// Estimates the standard deviation of fixes without a reported accuracy from their residuals to
/// the matched roads.
///
/// The residuals show the size of the error. The correlation of successive residuals shows how much
/// of each fix is independent. In streets the errors of receivers are correlated for half a minute,
/// and then many fixes carry little more information than one. Fixes closer together than such
/// errors last are not informative here. Recent residuals have the highest weight, so that the
/// state is bounded.
struct NoiseEstimator {
  /// Metres from road to fix, to the east and to the north.
  struct Residual {
    var eastM: Double
    var northM: Double
  }

  /// Number of fixes of a trace in the sample, enough to estimate the error within a tenth.
  static let sampleCount = 128
  /// Number of such fixes after which the estimate is updated.
  static let learningCount = 8

  var squares = 0.0
  var count = 0
  var products = 0.0
  var pairs = 0
  var elapsedS = 0.0
  var last: Residual?

  /// Number of prior fixes with the default error, so that a few near fixes prove little.
  private static let doubtfulCount = 4.0
  /// Fewer successive pairs prove nothing.
  private static let leastPairs = 16
  /// Margin for a higher correlation than observed, in standard deviations of the observed one.
  private static let doubt = 0.25

  /// Whether the fixes are far enough apart to be informative; most traces need no evaluation.
  static func isSampleInformative(_ sample: ArraySlice<Fix>, _ tuning: MatcherTuning) -> Bool {
    guard let first = sample.first?.time, let last = sample.last?.time else { return true }
    // Steps are rarely twice as far apart as fixes.
    return last.seconds(since: first)
      >= tuning.errorTimeS * Double(max(leastPairs, sample.count / 2))
  }

  /// Adds the next fix of the trace, `elapsedS` after the previous one; nil for an off-road fix or
  /// one with a reported accuracy.
  mutating func update(_ residual: Residual?, elapsedS: Double) {
    defer { last = residual }
    guard let residual else { return }
    if count >= 2 * Self.sampleCount { halve() }
    squares += residual.eastM * residual.eastM + residual.northM * residual.northM
    count += 1
    guard let last else { return }
    products += residual.eastM * last.eastM + residual.northM * last.northM
    pairs += 1
    self.elapsedS += elapsedS
  }

  /// Separates the following fixes from the earlier ones.
  mutating func interrupt() { last = nil }

  /// Lowers the weight of old residuals: a receiver moves from streets to open country.
  private mutating func halve() {
    squares /= 2
    count /= 2
    products /= 2
    pairs /= 2
    elapsedS /= 2
  }

  /// Correlation between the errors of successive fixes, from 0 to 1.
  var likeness: Double {
    guard pairs > 0, squares > 0 else { return 0 }
    let share = products / Double(pairs) / (squares / Double(count))
    return Double.minimum(0.99, Double.maximum(0, share))
  }

  /// Returns the standard deviation to use for a fix, at most the default, which is also used after
  /// too few fixes.
  ///
  /// With a correlation rho, the mean of fixes is as wrong as if each error were larger by the root
  /// of (1 + rho) / (1 - rho).
  func sigmaM(_ tuning: MatcherTuning) -> Double {
    guard pairs >= Self.leastPairs, elapsedS >= tuning.errorTimeS * Double(pairs) else {
      return tuning.defaultSigmaM
    }
    let usualM = tuning.defaultSigmaM / tuning.reportedSigmas
    let square =
      (squares + Self.doubtfulCount * usualM * usualM) / (Double(count) + Self.doubtfulCount)
    let rho = Double.minimum(0.99, likeness + Self.doubt / Double(pairs).squareRoot())
    let sigmaM = tuning.reportedSigmas * (square * (1 + rho) / (1 - rho)).squareRoot()
    // A value slightly below the default is not worth a new start.
    return sigmaM < 0.9 * tuning.defaultSigmaM
      ? Double.maximum(tuning.leastSigmaM, sigmaM) : tuning.defaultSigmaM
  }
}

extension Trellis {
  /// Adds the residuals of the fixes of the steps with these indices.
  func update(_ known: ArraySlice<Decoded>, in error: inout NoiseEstimator) {
    for index in known.indices {
      let step = steps[index]
      if index == 0 { error.interrupt() }
      let elapsedS = index > 0 ? step.time.seconds(since: steps[index - 1].time) : 0
      let state = known[index].state
      guard state < step.candidateCount, step.fix.accuracyM == nil else {
        error.update(nil, elapsedS: elapsedS)
        continue
      }
      let plane = LocalPlane(origin: steps.candidate(state, at: index).coordinate)
      let point = plane.point(step.fix.place)
      error.update(
        NoiseEstimator.Residual(eastM: point.eastM, northM: point.northM), elapsedS: elapsedS)
    }
  }
}
