/// The transition by which a state was reached from the previous step.
enum TransitionKind: Hashable, Sendable, BitwiseCopyable {
  /// Nothing came before.
  case start
  /// By road; `Trellis.path` returns the path.
  case drive(isBackward: Bool)
  /// Off-network from road to road, where the map has no path.
  case jump
  /// Onto a road from off-road, off the road, or staying off-road.
  case offRoad
}

/// A state of a step: a candidate, or being off-road.
struct TrellisState: Hashable, Sendable, BitwiseCopyable {
  /// Log-likelihood of the fix alone.
  var emission: Double
  /// The same as a likelihood.
  var likelihood: Double
  /// Log-likelihood of the likeliest path to this state (Viterbi); that of the best state of the
  /// step is near 0.
  var score = -Double.infinity
  /// Likelihood of all paths to this state together (forward), scaled so that the largest of a step
  /// is 1.
  var forward = 0.0
  /// Predecessor on the likeliest path; -1 at a start.
  var back: Int32 = -1
  var move = TransitionKind.start
  /// Whether the likeliest path leads from one edge directly to the next.
  var isNext = false
  /// Whether it is on a one-way road, against its direction.
  var isAgainst: Bool

  init(emission: Double, isAgainst: Bool = false) {
    self.emission = emission
    self.isAgainst = isAgainst
    likelihood = LogMath.exp(emission)
  }

  /// A state without any information.
  static let unweighed = TrellisState(emission: 0)

  /// Resets the paths to this state.
  mutating func clear() {
    score = -.infinity
    forward = 0
    back = -1
    move = .start
    isNext = false
  }
}
