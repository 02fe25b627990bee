/// What is known of the steps of a window by all that comes behind them: it begins at the last one, and goes back step by step.
///
/// The backward half of the forward-backward algorithm, in likelihoods of which the largest of a step is 1, and the likeliest way.
struct BackwardPass: ~Copyable {
  /// The state of the step it is at by which the likeliest way of all comes.
  private(set) var state: Int
  /// Likelihood of what comes behind, for each state of that step; more than it has are of other steps.
  private var known = Arena<Double>()
  /// The same with what the fix of the step says.
  private var behind = Arena<Double>()
  /// Whether a way that is still followed comes by each state.
  private var isFollowed = Arena<Bool>()
  private var wasFollowed = Arena<Bool>()
  private let leastLikelihood: Double

  /// At the last step of a window, whose steps have at most `capacity` states; states below `leastLikelihood` were not followed.
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

  /// Likelihood of what comes behind, for each state of the step it is at; more than it has are of other steps.
  var likelihoods: [Double] { known.withElements { Array($0) } }

  /// What is known of the step it is at.
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

  /// Places on roads of the step it is at that lie on ways still followed, one of them the likeliest.
  func followedPlaces(_ step: StepColumns) -> Int {
    let count = step.candidates.count
    return isFollowed.withElements { isFollowed in isFollowed[..<count].count { $0 } }
  }

  /// Goes back from `step` to the one before it.
  mutating func goBack(from step: StepColumns, to before: StepColumns) {
    let back = Int(step.states[state].back)
    if back >= 0 { state = back }
    weigh(step.states)
    step.transitions.backward(
      behind, of: step.states, to: before.states, above: leastLikelihood, into: &known)
    follow(step.states, to: before.states.count)
  }

  /// Lets `behind` say what the fix of a step says, too.
  private mutating func weigh(_ states: UnsafeBufferPointer<TrellisState>) {
    for state in states.indices {
      behind[state] = states[state].likelihood * known[state]
    }
  }

  /// Takes the followed states to those that they were come to from.
  private mutating func follow(_ states: UnsafeBufferPointer<TrellisState>, to count: Int) {
    swap(&isFollowed, &wasFollowed)
    for state in 0..<count { isFollowed[state] = false }
    for state in states.indices where wasFollowed[state] && states[state].back >= 0 {
      isFollowed[Int(states[state].back)] = true
    }
  }
}
