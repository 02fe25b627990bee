import EventTime
import Geodesy
import Positioning

/// How far fixes that tell no accuracy are to be believed, by how they lie beside the roads that they were matched to.
///
/// The distance tells how much they err, and whether a fix errs as the one before does tells how much of it is news: receivers in
/// streets err alike for half a minute, and then many fixes say little more than one. Fixes closer together than such errors last
/// tell nothing here. What was noted last counts most: bounded.
struct ReceiverError {
  /// Metres from road to fix, to the east and to the north.
  struct Residual {
    var eastM: Double
    var northM: Double
  }

  /// Fixes of a trace that are looked at: as many as tell the error within a tenth.
  static let sampleCount = 128
  /// Fixes of these after which more is learnt each time.
  static let learningCount = 8

  var squares = 0.0
  var count = 0
  var products = 0.0
  var pairs = 0
  var elapsedS = 0.0
  var last: Residual?

  /// Fixes that are taken to have erred by the default before any was seen, so that a few near ones prove little.
  private static let doubtfulCount = 4.0
  /// Fewer fixes in a row prove nothing.
  private static let leastPairs = 16
  /// By how much fixes may err more alike than was seen, in standard deviations of that.
  private static let doubt = 0.25

  /// Whether fixes lie far enough apart to tell anything; most traces need not be looked at.
  static func canTell(_ sample: ArraySlice<Fix>, _ tuning: MatcherTuning) -> Bool {
    guard let first = sample.first?.time, let last = sample.last?.time else { return true }
    // Steps are rarely twice as far apart as fixes.
    return last.seconds(since: first)
      >= tuning.errorTimeS * Double(max(leastPairs, sample.count / 2))
  }

  /// Notes the next fix of the trace, `elapsedS` behind the one before; nil for one on no road or that tells its accuracy.
  mutating func note(_ residual: Residual?, elapsedS: Double) {
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

  /// What comes next has nothing to do with what came before.
  mutating func interrupt() { last = nil }

  /// Lets what was seen long ago count less: a receiver comes from streets to fields.
  private mutating func halve() {
    squares /= 2
    count /= 2
    products /= 2
    pairs /= 2
    elapsedS /= 2
  }

  /// How alike a fix and the one before err, 0 (not at all) to 1.
  var likeness: Double {
    guard pairs > 0, squares > 0 else { return 0 }
    let share = products / Double(pairs) / (squares / Double(count))
    return Double.minimum(0.99, Double.maximum(0, share))
  }

  /// The sigma by which a fix is to be believed, at most the default; that where too few fixes were seen.
  ///
  /// The mean of fixes that err alike by rho is as wrong as if each erred by the root of (1 + rho) / (1 - rho) as much.
  func sigmaM(_ tuning: MatcherTuning) -> Double {
    guard pairs >= Self.leastPairs, elapsedS >= tuning.errorTimeS * Double(pairs) else {
      return tuning.defaultSigmaM
    }
    let usualM = tuning.defaultSigmaM / tuning.toldSigmas
    let square =
      (squares + Self.doubtfulCount * usualM * usualM) / (Double(count) + Self.doubtfulCount)
    let rho = Double.minimum(0.99, likeness + Self.doubt / Double(pairs).squareRoot())
    let sigmaM = tuning.toldSigmas * (square * (1 + rho) / (1 - rho)).squareRoot()
    // Little less than the default is not worth beginning anew.
    return sigmaM < 0.9 * tuning.defaultSigmaM
      ? Double.maximum(tuning.leastSigmaM, sigmaM) : tuning.defaultSigmaM
  }
}

extension Trellis {
  /// Notes how the fixes of the steps of those indices err.
  func note(_ known: ArraySlice<Decoded>, in error: inout ReceiverError) {
    for index in known.indices {
      let step = steps[index]
      if index == 0 { error.interrupt() }
      let elapsedS = index > 0 ? step.time.seconds(since: steps[index - 1].time) : 0
      let state = known[index].state
      guard state < step.candidateCount, step.fix.accuracyM == nil else {
        error.note(nil, elapsedS: elapsedS)
        continue
      }
      let plane = LocalPlane(origin: steps.candidate(state, at: index).coordinate)
      let point = plane.point(step.fix.place)
      error.note(
        ReceiverError.Residual(eastM: point.eastM, northM: point.northM), elapsedS: elapsedS)
    }
  }
}
