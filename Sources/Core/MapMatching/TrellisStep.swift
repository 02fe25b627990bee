import EventTime
import Geodesy
import Positioning
import RoadGraph

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

  /// Forgets the ways here.
  mutating func clear() {
    score = -.infinity
    forward = 0
    back = -1
    move = .start
    isNext = false
  }
}

/// One fix of the trellis: what may be, and how likely it is.
struct TrellisStep: Sendable {
  var fix: Fix
  var time: Instant
  var sigmaM: Double
  var candidates: [Candidate]
  /// One for each candidate, and behind them being on no road.
  var states: [TrellisState]
  /// From the states of the step before; none at a start.
  var transitions: Transitions
  /// The ways here are those of `NearSource`, else those of `NetworkSearch`.
  var isNear: Bool
  /// Ways were searched for as far as they may count.
  var isWide: Bool

  /// It is as long after the fix before as that was after its own, and that is long.
  var isPaced: Bool

  /// What the fix tells of the motion, without all that a fix may carry.
  struct Seen: BitwiseCopyable {
    var place: Coordinate
    var time: Instant
    var speedMps: Double?
    var sigmaM: Double
  }

  var seen: Seen { Seen(place: fix.place, time: time, speedMps: fix.speedMps, sigmaM: sigmaM) }

  /// A step that holds nothing yet.
  init(fix: Fix, time: Instant) {
    self.init(
      fix: fix, time: time, sigmaM: 0, candidates: [], states: [], transitions: Transitions(),
      isNear: false, isWide: false, isPaced: false)
  }

  init(
    fix: Fix, time: Instant, sigmaM: Double, candidates: [Candidate], states: [TrellisState],
    transitions: Transitions, isNear: Bool, isWide: Bool, isPaced: Bool
  ) {
    self.fix = fix
    self.time = time
    self.sigmaM = sigmaM
    self.candidates = candidates
    self.states = states
    self.transitions = transitions
    self.isNear = isNear
    self.isWide = isWide
    self.isPaced = isPaced
  }

  var offRoadState: Int { candidates.count }

  /// Lets `body` write the states beside the candidates.
  @inline(__always) mutating func withStates(
    _ body: (UnsafeBufferPointer<Candidate>, UnsafeMutableBufferPointer<TrellisState>) -> Void
  ) {
    candidates.withUnsafeBufferPointer { candidates in
      states.withUnsafeMutableBufferPointer { states in body(candidates, states) }
    }
  }

  /// Lets there be a state for each candidate, and one on no road; what they hold is left from other steps.
  ///
  /// Where their list grows it has room for `roomCount`.
  mutating func makeStates(roomCount: Int) {
    let count = candidates.count + 1
    // One by one: a step has hardly more or fewer than the one whose memory it has.
    while states.count > count { states.removeLast() }
    guard states.count < count else { return }
    states.reserveCapacity(max(roomCount, count))
    while states.count < count { states.append(TrellisState(emission: 0)) }
  }

  /// Lets the largest forward likelihood, which is `top`, be 1.
  mutating func scale(top: Double) {
    guard top > 0 else { return }
    states.withUnsafeMutableBufferPointer { states in
      let (log, share) = (Logs.log(top), 1 / top)
      for state in states.indices {
        states[state].score -= log
        states[state].forward *= share
      }
    }
  }

  /// The likeliest state; of equals the first, which is the nearest.
  var best: Int {
    var best = 0
    for state in states.indices where states[state].score > states[best].score { best = state }
    return best
  }

  /// Probability of each state by what is known so far.
  var posterior: [Double] { Self.normalized(states.map(\.forward)) }

  static func normalized(_ likelihoods: [Double]) -> [Double] {
    let total = likelihoods.reduce(0, +)
    return likelihoods.map { total > 0 ? $0 / total : 0 }
  }
}

extension UnsafePointer<TrellisStep> {
  /// Lets `body` read the states where they lie.
  @inline(__always) func withStates<Result>(
    _ body: (UnsafeBufferPointer<TrellisState>) -> Result
  ) -> Result { pointee.states.withUnsafeBufferPointer(body) }

  /// Lets `body` read the candidates and the states where they lie: to take a step out, or a list, counts references.
  @inline(__always) func withColumns<Result>(
    _ body: (UnsafeBufferPointer<Candidate>, UnsafeBufferPointer<TrellisState>) -> Result
  ) -> Result {
    pointee.candidates.withUnsafeBufferPointer { candidates in
      pointee.states.withUnsafeBufferPointer { states in body(candidates, states) }
    }
  }
}
