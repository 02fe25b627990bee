import EventTime
import Positioning

/// The steps of a window in their order, and in columns what may be at each: four lists, however many steps there are.
///
/// What a step needs lies behind what the one before needs, in the order in which it is gone through, and no list is made for a fix.
/// Steps that are forgotten stay in the columns until they are some, so that the others are seldom moved: constant time a step.
struct StepWindow: RandomAccessCollection, Sendable {
  private var steps: [TrellisStep] = []
  private var candidates: [Candidate] = []
  /// Behind the rows of the last step are some that are of none.
  private var states: [TrellisState] = []
  private var drives: [Transitions.Drive] = []
  /// Steps at the front that are forgotten.
  private var forgotten = 0

  init() {}

  var startIndex: Int { 0 }
  var endIndex: Int { steps.count - forgotten }

  subscript(index: Int) -> TrellisStep {
    @inline(__always) _read { yield steps[forgotten + index] }
    @inline(__always) _modify { yield &steps[forgotten + index] }
  }

  // MARK: Columns

  /// The candidate of that number of a step.
  @inline(__always) func candidate(_ number: Int, at index: Int) -> Candidate {
    candidates[self[index].rows.firstCandidate + number]
  }

  /// The state of that number of a step.
  @inline(__always) func state(_ number: Int, at index: Int) -> TrellisState {
    states[self[index].rows.firstState + number]
  }

  /// The candidates of a step, numbered from 0; a copy.
  func candidates(at index: Int) -> [Candidate] { Array(candidates[self[index].rows.candidates]) }

  /// The states of a step, numbered from 0; a copy.
  func states(at index: Int) -> [TrellisState] { Array(states[self[index].rows.states]) }

  /// The ways to a step from the one before; a copy.
  func drives(at index: Int) -> [Transitions.Drive] { Array(drives[self[index].rows.drives]) }

  /// The likelihood of the transition from a state of the step before to one of the step at `index`, as `Transitions.likelihood` tells.
  func likelihood(from: Int, to state: Int, at index: Int, above least: Double) -> Double {
    withColumns { columns in
      columns[index].transitions.likelihood(
        from: from, columns[index - 1].states, to: state, columns[index].states, above: least)
    }
  }

  /// The steps by their indices, as long as the window lends them.
  struct Columns {
    fileprivate let steps: UnsafeBufferPointer<TrellisStep>
    fileprivate let forgotten: Int
    fileprivate let candidates: UnsafeBufferPointer<Candidate>
    fileprivate let states: UnsafeBufferPointer<TrellisState>
    fileprivate let drives: UnsafeBufferPointer<Transitions.Drive>

    subscript(index: Int) -> StepColumns {
      @inline(__always) get {
        StepColumns(steps, forgotten + index, candidates, states, drives)
      }
    }
  }

  /// Lets `body` read the steps where they lie.
  @inline(__always) func withColumns<Result>(_ body: (Columns) -> Result) -> Result {
    steps.withUnsafeBufferPointer { steps in
      candidates.withUnsafeBufferPointer { candidates in
        states.withUnsafeBufferPointer { states in
          drives.withUnsafeBufferPointer { drives in
            body(
              Columns(
                steps: steps, forgotten: forgotten, candidates: candidates, states: states,
                drives: drives))
          }
        }
      }
    }
  }

  /// Lets `body` write the newest step, with the one before beside it; nil for the first.
  @inline(__always) mutating func withNewest(_ body: (NewestStep, StepColumns?) -> Void) {
    let (newest, hasLast) = (steps.count - 1, count > 1)
    guard count > 0 else { return }
    // As if all were written: to lend for reading what the caller may write counts references.
    steps.withUnsafeMutableBufferPointer { steps in
      candidates.withUnsafeMutableBufferPointer { candidates in
        states.withUnsafeMutableBufferPointer { states in
          drives.withUnsafeMutableBufferPointer { drives in
            let candidates = UnsafeBufferPointer(candidates)
            body(
              NewestStep(steps, newest, candidates, states),
              hasLast
                ? StepColumns(
                  UnsafeBufferPointer(steps), newest - 1, candidates, UnsafeBufferPointer(states),
                  UnsafeBufferPointer(drives)) : nil)
          }
        }
      }
    }
  }

  /// Lets `body` read the candidates of the step before the newest; none where there is none.
  @inline(__always) mutating func withCandidatesBefore(
    _ body: (UnsafeBufferPointer<Candidate>) -> Void
  ) {
    guard count > 1 else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    let rows = steps[steps.count - 2].rows.candidates
    candidates.withUnsafeMutableBufferPointer {
      body(UnsafeBufferPointer(rebasing: UnsafeBufferPointer($0)[rows]))
    }
  }

  // MARK: Coming and going

  /// Adds a step that has no rows yet but that of being on no road.
  @inline(__always) mutating func append(_ fix: Fix, at time: Instant, isPaced: Bool) {
    Self.makeRoom(for: 1, in: &steps)
    steps.append(
      TrellisStep(
        fix: fix, time: time, isPaced: isPaced,
        rows: TrellisStep.Rows(
          firstCandidate: candidates.count,
          firstState: steps.isEmpty ? 0 : steps[steps.count - 1].rows.states.upperBound,
          firstDrive: drives.count)))
  }

  /// Takes the candidates of the newest step, which has none yet; its states are still to be weighed, and hold what is left from others.
  mutating func take(_ found: UnsafeBufferPointer<Candidate>) {
    guard count > 0 else { return }
    Self.makeRoom(for: found.count, in: &candidates)
    candidates.append(contentsOf: found)
    steps[steps.count - 1].rows.candidateCount = found.count
    let missing = steps[steps.count - 1].rows.states.upperBound - states.count
    if missing > 0 {
      states.append(contentsOf: repeatElement(.unweighed, count: missing + states.count / 4))
    }
  }

  /// Takes the ways to the newest step, which has none yet.
  mutating func take(_ ways: UnsafeBufferPointer<Transitions.Drive>) {
    guard count > 0 else { return }
    Self.makeRoom(for: ways.count, in: &drives)
    drives.append(contentsOf: ways)
    steps[steps.count - 1].rows.driveCount = ways.count
  }

  /// Adds a step with all its rows.
  mutating func append(
    _ step: TrellisStep, _ found: [Candidate], _ weighed: [TrellisState],
    _ ways: [Transitions.Drive]
  ) {
    append(step.fix, at: step.time, isPaced: step.isPaced)
    found.withUnsafeBufferPointer { take($0) }
    states.replaceSubrange(steps[steps.count - 1].rows.states, with: weighed)
    ways.withUnsafeBufferPointer { take($0) }
    let rows = steps[steps.count - 1].rows
    steps[steps.count - 1] = step
    steps[steps.count - 1].rows = rows
  }

  /// Lets a list grow by a quarter where it must: a process has thousands of vehicles, whose windows soon grow no more.
  @inline(__always) private static func makeRoom<Row>(for more: Int, in rows: inout [Row]) {
    let count = rows.count + more
    if count > rows.capacity { rows.reserveCapacity(count + count / 4) }
  }

  /// Keeps address space for so many steps, as most have rows: what is not written costs no memory.
  mutating func reserve(_ count: Int) {
    steps.reserveCapacity(count)
    candidates.reserveCapacity(16 * count)
    states.reserveCapacity(17 * count)
    drives.reserveCapacity(24 * count)
  }

  /// Steps for which there is room.
  private var capacity: Int { steps.capacity }

  /// Bytes of memory held.
  var byteCount: Int {
    func bytes<Row>(_ rows: [Row]) -> Int { rows.capacity * MemoryLayout<Row>.stride }
    return bytes(steps) + bytes(candidates) + bytes(states) + bytes(drives)
  }

  /// Forgets the first `count` steps; `spare` of those forgotten may stay in the columns, or half as many as are left.
  mutating func removeFirst(_ count: Int, keeping spare: Int) {
    forgotten += Swift.min(count, self.count)
    guard forgotten > Swift.max(spare, self.count / 2) else { return }
    let first =
      steps.dropFirst(forgotten).first?.rows
      ?? TrellisStep.Rows(
        firstCandidate: candidates.count, firstState: states.count, firstDrive: drives.count)
    let isLarge = capacity > 4 * (self.count + spare + 4)
    Self.removeFirst(forgotten, of: &steps, givingBack: isLarge)
    Self.removeFirst(first.firstCandidate, of: &candidates, givingBack: isLarge)
    Self.removeFirst(first.firstState, of: &states, givingBack: isLarge)
    Self.removeFirst(first.firstDrive, of: &drives, givingBack: isLarge)
    forgotten = 0
    for index in steps.indices {
      steps[index].rows.firstCandidate -= first.firstCandidate
      steps[index].rows.firstState -= first.firstState
      steps[index].rows.firstDrive -= first.firstDrive
    }
  }

  @inline(__always) private static func removeFirst<Row>(
    _ count: Int, of rows: inout [Row], givingBack isLarge: Bool
  ) {
    if isLarge { rows = Array(rows[count...]) } else { rows.removeFirst(count) }
  }

  /// Forgets all steps, and keeps their memory where it is room for `limit` of them at most.
  mutating func removeAll(keeping limit: Int) {
    let keepsRoom = capacity <= limit
    steps.removeAll(keepingCapacity: keepsRoom)
    candidates.removeAll(keepingCapacity: keepsRoom)
    if !keepsRoom { states = [] }
    drives.removeAll(keepingCapacity: keepsRoom)
    forgotten = 0
  }
}
