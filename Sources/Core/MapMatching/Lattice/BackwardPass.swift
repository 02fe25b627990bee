/// Evaluates the steps of a window with all later fixes, from the last step backwards.
///
/// This is the backward half of the forward-backward algorithm, together with the backtracking of
/// the likeliest path. The largest likelihood of a step is 1.
struct BackwardPass: ~Copyable {
  /// The state of the current step on the likeliest path overall.
  private(set) var state: Int
  /// Likelihood of the later fixes for each state of the current step; elements beyond its states
  /// belong to other steps.
  private var known = Arena<Double>()
  /// The same, including the evidence of the current step's fix.
  private var behind = Arena<Double>()
  /// Whether a path that is still followed passes through each state.
  private var isFollowed = Arena<Bool>()
  private var wasFollowed = Arena<Bool>()
  private let leastLikelihood: Double

  /// Starts at the last step of a window, whose steps have at most `capacity` states; states below
  /// `leastLikelihood` were not followed.
  init(at last: StepColumns, capacity: Int, leastLikelihood: Double) {
    self.leastLikelihood = leastLikelihood
    state = last.best
    known.fill(to: capacity, with: 1)
    behind.fill(to: capacity, with: 1)
    wasFollowed.fill(to: capacity, with: false)
    isFollowed.fill(to: capacity, with: false)
    for (number, state) in last.states.enumerated() {
      isFollowed[number] = state.score.isFinite
    }
  }

  /// Likelihood of the later fixes for each state of the current step; elements beyond its states
  /// belong to other steps.
  var likelihoods: [Double] { known.withElements { Array($0) } }

  /// Returns the posterior result of the current step.
  func decoded(_ step: StepColumns) -> Trellis.Decoded {
    let states = step.states
    var total = 0.0
    for state in states.indices { total += states[state].forward * known[state] }
    func share(_ state: Int) -> Double {
      total > 0 ? states[state].forward * known[state] / total : 0
    }
    return Trellis.Decoded(
      state: state, probability: share(state), offRoad: share(states.count - 1))
  }

  /// Returns the number of road places of the current step on paths that are still followed, the
  /// likeliest included.
  func followedPlaces(_ step: StepColumns) -> Int {
    let count = step.candidates.count
    return isFollowed.withElements { isFollowed in isFollowed[..<count].count { $0 } }
  }

  /// Moves from `step` back to the step before it.
  mutating func goBack(from step: StepColumns, to before: StepColumns) {
    let back = Int(step.states[state].back)
    if back >= 0 { state = back }
    weigh(step.states)
    step.transitions.backward(
      behind, of: step.states, to: before.states, above: leastLikelihood, into: &known)
    follow(step.states, to: before.states.count)
  }

  /// Sets `behind` to `known` times the likelihood of the fix of the step.
  private mutating func weigh(_ states: UnsafeBufferPointer<TrellisState>) {
    for state in states.indices {
      behind[state] = states[state].likelihood * known[state]
    }
  }

  /// Moves the followed flags to the predecessors of the followed states.
  private mutating func follow(_ states: UnsafeBufferPointer<TrellisState>, to count: Int) {
    swap(&isFollowed, &wasFollowed)
    for state in 0..<count { isFollowed[state] = false }
    for state in states.indices where wasFollowed[state] && states[state].back >= 0 {
      isFollowed[Int(states[state].back)] = true
    }
  }
}
