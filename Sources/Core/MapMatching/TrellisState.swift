/// How a state of a step was come to from the step before.
enum Move: Hashable, Sendable, BitwiseCopyable {
  /// Nothing came before.
  case start
  /// By road; the way is told by `Trellis.path`.
  case drive(isBackward: Bool)
  /// From road to road where the map shows no way.
  case jump
  /// Onto, on, or off what is no road.
  case offRoad
}

/// A state of a step: a candidate, or being on no road.
struct TrellisState: Hashable, Sendable, BitwiseCopyable {
  /// Logarithm of what the fix alone says.
  var emission: Double
  /// The same as a likelihood.
  var likelihood: Double
  /// Logarithm of the likeliest way here (Viterbi), the best of the step being near 0.
  var score = -Double.infinity
  /// Likelihood of all ways here together (forward), by the same measure: the largest of a step is 1.
  var forward = 0.0
  /// State of the step before on the likeliest way; -1 at a start.
  var back: Int32 = -1
  var move = Move.start
  /// The likeliest way here leaves one edge for the next, and no more.
  var isNext = false
  /// It is on a one-way road, against its direction.
  var isAgainst: Bool

  init(emission: Double, isAgainst: Bool = false) {
    self.emission = emission
    self.isAgainst = isAgainst
    likelihood = Logs.exp(emission)
  }

  /// One that nothing is known of.
  static let unweighed = TrellisState(emission: 0)

  /// Forgets the ways here.
  mutating func clear() {
    score = -.infinity
    forward = 0
    back = -1
    move = .start
    isNext = false
  }
}
