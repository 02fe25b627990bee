import Foundations
import Positioning

/// The steps of a window in order, with their rows in columns: four arrays for any number of steps.
///
/// The rows of successive steps are contiguous in the order of processing, and no array is
/// allocated per fix. A new step replaces a removed one: constant time per step.
struct StepWindow: RandomAccessCollection, Sendable {
  private var slots: [TrellisStep] = []
  /// Index of the first step.
  private var head = 0
  private(set) var count = 0
  private var candidates = RowRing<Candidate>()
  private var states = RowRing<TrellisState>()
  private var drives = RowRing<Transitions.Drive>()

  init() {}

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> TrellisStep {
    @inline(__always) _read { yield slots[slot(index)] }
    @inline(__always) _modify { yield &slots[slot(index)] }
  }

  @inline(__always) private func slot(_ index: Int) -> Int {
    let slot = head + index
    return slot < slots.count ? slot : slot - slots.count
  }

  // MARK: Columns

  /// Returns the candidate of a step with this number.
  @inline(__always) func candidate(_ number: Int, at index: Int) -> Candidate {
    candidates.rows[self[index].rows.firstCandidate + number]
  }

  /// Returns the state of a step with this number.
  @inline(__always) func state(_ number: Int, at index: Int) -> TrellisState {
    states.rows[self[index].rows.firstState + number]
  }

  /// Returns a copy of the candidates of a step, numbered from 0.
  func candidates(at index: Int) -> [Candidate] {
    Array(candidates.rows[self[index].rows.candidates])
  }

  /// Returns a copy of the states of a step, numbered from 0.
  func states(at index: Int) -> [TrellisState] { Array(states.rows[self[index].rows.states]) }

  /// Returns a copy of the paths to a step from the previous one.
  func drives(at index: Int) -> [Transitions.Drive] { Array(drives.rows[self[index].rows.drives]) }

  /// Returns the likelihood of a transition to a state of the step at `index`, as defined by
  /// `Transitions.likelihood`.
  func likelihood(from: Int, to state: Int, at index: Int, above least: Double) -> Double {
    withColumns { columns in
      columns[index].transitions.likelihood(
        from: from, columns[index - 1].states, to: state, columns[index].states, above: least)
    }
  }

  /// The steps by index, valid during the access to the window.
  struct Columns {
    fileprivate let slots: UnsafeBufferPointer<TrellisStep>
    fileprivate let head: Int
    fileprivate let candidates: UnsafeBufferPointer<Candidate>
    fileprivate let states: UnsafeBufferPointer<TrellisState>
    fileprivate let drives: UnsafeBufferPointer<Transitions.Drive>

    subscript(index: Int) -> StepColumns {
      @inline(__always) get {
        let slot = head + index
        return StepColumns(
          slots, slot < slots.count ? slot : slot - slots.count, candidates, states, drives)
      }
    }
  }

  /// Calls `body` with the steps in place, for reading.
  @inline(__always) func withColumns<Result>(_ body: (Columns) -> Result) -> Result {
    slots.withUnsafeBufferPointer { slots in
      candidates.withRows { candidates in
        states.withRows { states in
          drives.withRows { drives in
            body(
              Columns(
                slots: slots, head: head, candidates: candidates, states: states, drives: drives))
          }
        }
      }
    }
  }

  /// Calls `body` with the newest step, for writing, and with the step before it, which is nil for
  /// the first.
  @inline(__always) mutating func withNewest(_ body: (NewestStep, StepColumns?) -> Void) {
    guard count > 0 else { return }
    let (newest, last) = (slot(count - 1), count > 1 ? slot(count - 2) : nil)
    // Everything is accessed for writing: read access to memory that the caller may write would
    // count references.
    slots.withUnsafeMutableBufferPointer { slots in
      candidates.withMutableRows { candidates in
        states.withMutableRows { states in
          drives.withMutableRows { drives in
            let candidates = UnsafeBufferPointer(candidates)
            body(
              NewestStep(slots, newest, candidates, states),
              last.map {
                StepColumns(
                  UnsafeBufferPointer(slots), $0, candidates, UnsafeBufferPointer(states),
                  UnsafeBufferPointer(drives))
              })
          }
        }
      }
    }
  }

  /// Calls `body` with the candidates of the step before the newest; the buffer is empty if there
  /// is none.
  @inline(__always) mutating func withCandidatesBefore(
    _ body: (UnsafeBufferPointer<Candidate>) -> Void
  ) {
    guard count > 1 else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    let rows = self[count - 2].rows.candidates
    candidates.withMutableRows {
      body(UnsafeBufferPointer(rebasing: UnsafeBufferPointer($0)[rows]))
    }
  }

  // MARK: Coming and going

  /// Appends a step that has no rows yet.
  mutating func append(_ fix: Fix, at time: Instant, isSparse: Bool) {
    if count == slots.count { enlarge(fix, time) }
    count += 1
    let newest = slot(count - 1)
    slots.withUnsafeMutableBufferPointer { slots in
      slots[newest].fix = fix
      slots[newest].time = time
      slots[newest].sigmaM = 0
      slots[newest].offNetwork = .none
      slots[newest].isNear = false
      slots[newest].isWide = false
      slots[newest].isSparse = isSparse
      slots[newest].rows = TrellisStep.Rows(
        firstCandidate: candidates.tail, firstState: states.tail, firstDrive: drives.tail)
    }
  }

  /// Makes space for a step at the end of the array.
  private mutating func enlarge(_ fix: Fix, _ time: Instant) {
    if head > 0 {
      slots = Array(slots[head...] + slots[..<head])
      head = 0
    }
    let count = slots.count + 1
    if count > slots.capacity { slots.reserveCapacity(count + count / 4) }
    slots.append(TrellisStep(fix: fix, time: time))
  }

  /// Stores the candidates of the newest step, which has no rows yet.
  ///
  /// Its states are still to be computed and contain stale values.
  mutating func store(_ found: UnsafeBufferPointer<Candidate>) {
    guard count > 0 else { return }
    let newest = count - 1
    let first =
      candidates.push(found.count, filler: found[0])
      ?? move(
        \.firstCandidate,
        to: candidates.layOut(ranges(\.candidates), more: found.count, filler: found[0]))
    candidates.write(found, at: first)
    self[newest].rows.firstCandidate = first
    self[newest].rows.firstState =
      states.push(found.count + 1, filler: .unweighed)
      ?? move(
        \.firstState,
        to: states.layOut(ranges(\.states), more: found.count + 1, filler: .unweighed))
    self[newest].rows.candidateCount = found.count
  }

  /// Stores the paths to the newest step, which has none yet.
  mutating func store(_ ways: UnsafeBufferPointer<Transitions.Drive>) {
    guard count > 0 else { return }
    let newest = count - 1
    let first =
      drives.push(ways.count, filler: ways[0])
      ?? move(
        \.firstDrive, to: drives.layOut(ranges(\.drives), more: ways.count, filler: ways[0]))
    drives.write(ways, at: first)
    self[newest].rows.firstDrive = first
    self[newest].rows.driveCount = ways.count
  }

  /// Appends a step with all its rows.
  mutating func append(
    _ step: TrellisStep, _ found: [Candidate], _ weighed: [TrellisState],
    _ ways: [Transitions.Drive]
  ) {
    append(step.fix, at: step.time, isSparse: step.isSparse)
    found.withUnsafeBufferPointer { store($0) }
    let newest = count - 1
    weighed.withUnsafeBufferPointer { states.write($0, at: self[newest].rows.firstState) }
    ways.withUnsafeBufferPointer { store($0) }
    let rows = self[newest].rows
    self[newest] = step
    self[newest].rows = rows
  }

  /// Returns the rows of all steps but the newest, and an empty range for the newest.
  private func ranges(_ rows: (TrellisStep.Rows) -> Range<Int>) -> [Range<Int>] {
    indices.dropLast().map { rows(self[$0].rows) } + [0..<0]
  }

  /// Updates the row starts of a column for each step after a new layout; returns the start for the
  /// newest step.
  @discardableResult private mutating func move(
    _ first: WritableKeyPath<TrellisStep.Rows, Int>, to places: [Int]
  ) -> Int {
    for index in places.indices { self[index].rows[keyPath: first] = places[index] }
    return places.last ?? 0
  }

  /// Reserves address space for this many steps with the usual number of rows: unwritten pages use
  /// no memory.
  mutating func reserve(_ count: Int) {
    slots.reserveCapacity(count)
    candidates.reserve(16 * count)
    states.reserve(17 * count)
    drives.reserve(24 * count)
  }

  /// Bytes of memory allocated.
  var byteCount: Int {
    slots.capacity * MemoryLayout<TrellisStep>.stride + candidates.byteCount + states.byteCount
      + drives.byteCount
  }

  /// Removes the first `count` steps and keeps memory for at most twice the remaining steps plus
  /// `spare`.
  mutating func removeFirst(_ count: Int, keeping spare: Int) {
    guard count < self.count else { return removeAll(keeping: 2 * spare + 4) }
    head = slot(count)
    self.count -= count
    candidates.drop(before: self[0].rows.firstCandidate)
    states.drop(before: self[0].rows.firstState)
    drives.drop(before: self[0].rows.firstDrive)
    // A window whose size fluctuates is not moved each time.
    if slots.count > 2 * (self.count + spare + 2) { giveBack() }
  }

  /// Releases the memory that the steps do not need.
  private mutating func giveBack() {
    slots = Array(self)
    head = 0
    move(\.firstCandidate, to: candidates.layOut(map(\.rows.candidates)))
    move(\.firstState, to: states.layOut(map(\.rows.states)))
    move(\.firstDrive, to: drives.layOut(map(\.rows.drives)))
  }

  /// Removes all steps and keeps their memory if its capacity is at most `limit` steps.
  mutating func removeAll(keeping limit: Int) {
    let keepsRoom = slots.count <= limit
    if !keepsRoom { slots = [] }
    (head, count) = (0, 0)
    candidates.removeAll(keepingRoom: keepsRoom)
    states.removeAll(keepingRoom: keepsRoom)
    drives.removeAll(keepingRoom: keepsRoom)
  }
}
