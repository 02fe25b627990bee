/// A view of a step and its rows in a window, valid during the access to the window.
struct StepColumns {
  private let steps: UnsafeBufferPointer<TrellisStep>
  private let index: Int
  let candidates: UnsafeBufferPointer<Candidate>
  /// One state for each candidate, followed by the off-road state.
  let states: UnsafeBufferPointer<TrellisState>
  /// The paths from the states of the previous step.
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

  var transitions: Transitions { Transitions(drives: drives, offNetwork: step.offNetwork) }

  /// The likeliest state; among equals the first, which is the nearest.
  var best: Int {
    var best = 0
    for state in states.indices where states[state].score > states[best].score { best = state }
    return best
  }
}

/// A mutable view of the newest step of a window, valid during the access to the window.
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

  /// Scales the forward likelihoods so that the largest, `top`, becomes 1.
  func scale(top: Double) {
    guard top > 0 else { return }
    let (log, share) = (LogMath.log(top), 1 / top)
    for state in states.indices {
      states[state].score -= log
      states[state].forward *= share
    }
  }
}
