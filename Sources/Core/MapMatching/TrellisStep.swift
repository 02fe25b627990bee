import EventTime
import Geodesy
import Positioning
import RoadGraph

/// How a state of a step was come to from the step before.
enum Move: Hashable, Sendable {
  /// Nothing came before.
  case start
  /// By road; the way is told by `Trellis.path`.
  case drive(isBackward: Bool)
  /// From road to road where the map shows no way.
  case jump
  /// Onto, on, or off what is no road.
  case offRoad
}

/// One fix of the trellis: what may be, and how likely it is.
///
/// Arrays have shape `[candidates + 1]`; the last state is to be on no road.
struct TrellisStep: Sendable {
  var fix: Fix
  var time: Instant
  var sigmaM: Double
  var candidates: [Candidate]
  /// Logarithm of the likeliest way here (Viterbi), the best of the step being near 0.
  var score: [Double]
  /// Logarithm of all ways here together (forward), by the same measure.
  var forward: [Double]
  var emission: [Double]
  /// State of the step before on the likeliest way; -1 at a start.
  var back: [Int]
  var moves: [Move]
  /// Logarithms, shape `[states before x states]`; empty at a start.
  var transitions: [Double]
  /// The ways here are those of `NearSource`, else those of `NetworkSearch`.
  var isNear: Bool

  /// A step that holds nothing yet.
  init(fix: Fix, time: Instant) {
    self.init(
      fix: fix, time: time, sigmaM: 0, candidates: [], score: [], forward: [], emission: [],
      back: [], moves: [], transitions: [], isNear: false)
  }

  init(
    fix: Fix, time: Instant, sigmaM: Double, candidates: [Candidate], score: [Double],
    forward: [Double], emission: [Double], back: [Int], moves: [Move], transitions: [Double],
    isNear: Bool
  ) {
    self.fix = fix
    self.time = time
    self.sigmaM = sigmaM
    self.candidates = candidates
    self.score = score
    self.forward = forward
    self.emission = emission
    self.back = back
    self.moves = moves
    self.transitions = transitions
    self.isNear = isNear
  }

  /// Makes the columns as long as the emissions, with nothing before.
  mutating func clear() {
    score.removeAll(keepingCapacity: true)
    forward.removeAll(keepingCapacity: true)
    back.removeAll(keepingCapacity: true)
    moves.removeAll(keepingCapacity: true)
    transitions.removeAll(keepingCapacity: true)
    for _ in emission {
      score.append(-.infinity)
      forward.append(-.infinity)
      back.append(-1)
      moves.append(.start)
    }
  }

  var offRoadState: Int { candidates.count }

  /// The likeliest state; of equals the first, which is the nearest.
  var best: Int {
    var best = 0
    for state in score.indices where score[state] > score[best] { best = state }
    return best
  }

  /// Probability of each state by what is known so far.
  var posterior: [Double] { Self.normalized(forward) }

  static func normalized(_ logs: [Double]) -> [Double] {
    let total = Logs.sum(logs)
    return logs.map { total.isFinite ? Logs.exp($0 - total) : 0 }
  }
}
