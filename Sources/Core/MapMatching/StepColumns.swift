/// A step where it lies in its window, with its rows: good as long as the window lends it.
struct StepColumns {
  private let steps: UnsafeBufferPointer<TrellisStep>
  private let index: Int
  let candidates: UnsafeBufferPointer<Candidate>
  /// One for each candidate, and behind them being on no road.
  let states: UnsafeBufferPointer<TrellisState>
  /// The ways from the states of the step before.
  let drives: UnsafeBufferPointer<Transitions.Drive>

  @inline(__always) init(
    _ steps: UnsafeBufferPointer<TrellisStep>, _ index: Int,
    _ candidates: UnsafeBufferPointer<Candidate>, _ states: UnsafeBufferPointer<TrellisState>,
    _ drives: UnsafeBufferPointer<Transitions.Drive>
  ) {
    let rows = steps[index].rows
    self.steps = steps
    self.index = index
    self.candidates = UnsafeBufferPointer(rebasing: candidates[rows.candidates])
    self.states = UnsafeBufferPointer(rebasing: states[rows.states])
    self.drives = UnsafeBufferPointer(rebasing: drives[rows.drives])
  }

  var step: TrellisStep {
    @inline(__always) _read { yield steps[index] }
  }

  var transitions: Transitions { Transitions(drives: drives, leaps: step.leaps) }

  /// The likeliest state; of equals the first, which is the nearest.
  var best: Int {
    var best = 0
    for state in states.indices where states[state].score > states[best].score { best = state }
    return best
  }
}

/// The newest step of a window while it is weighed: good as long as the window lends it.
struct NewestStep {
  private let steps: UnsafeMutableBufferPointer<TrellisStep>
  private let index: Int
  let candidates: UnsafeBufferPointer<Candidate>
  let states: UnsafeMutableBufferPointer<TrellisState>

  @inline(__always) init(
    _ steps: UnsafeMutableBufferPointer<TrellisStep>, _ index: Int,
    _ candidates: UnsafeBufferPointer<Candidate>, _ states: UnsafeMutableBufferPointer<TrellisState>
  ) {
    let rows = steps[index].rows
    self.steps = steps
    self.index = index
    self.candidates = UnsafeBufferPointer(rebasing: candidates[rows.candidates])
    self.states = UnsafeMutableBufferPointer(rebasing: states[rows.states])
  }

  var step: TrellisStep {
    @inline(__always) _read { yield steps[index] }
    @inline(__always) nonmutating _modify { yield &steps[index] }
  }

  var offRoadState: Int { candidates.count }

  /// Lets the largest forward likelihood, which is `top`, be 1.
  func scale(top: Double) {
    guard top > 0 else { return }
    let (log, share) = (Logs.log(top), 1 / top)
    for state in states.indices {
      states[state].score -= log
      states[state].forward *= share
    }
  }
}
