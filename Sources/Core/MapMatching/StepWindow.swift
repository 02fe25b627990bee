import EventTime
import Positioning

/// The steps of a window in their order, and in columns what may be at each: four lists, however many steps there are.
///
/// What a step needs lies behind what the one before needs, in the order in which it is gone through, and no list is made for a fix.
/// A step that comes takes the place of one that is forgotten: constant time a step.
struct StepWindow: RandomAccessCollection, Sendable {
  private var slots: [TrellisStep] = []
  /// Where the first step is.
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

  /// The candidate of that number of a step.
  @inline(__always) func candidate(_ number: Int, at index: Int) -> Candidate {
    candidates.rows[self[index].rows.firstCandidate + number]
  }

  /// The state of that number of a step.
  @inline(__always) func state(_ number: Int, at index: Int) -> TrellisState {
    states.rows[self[index].rows.firstState + number]
  }

  /// The candidates of a step, numbered from 0; a copy.
  func candidates(at index: Int) -> [Candidate] {
    Array(candidates.rows[self[index].rows.candidates])
  }

  /// The states of a step, numbered from 0; a copy.
  func states(at index: Int) -> [TrellisState] { Array(states.rows[self[index].rows.states]) }

  /// The ways to a step from the one before; a copy.
  func drives(at index: Int) -> [Transitions.Drive] { Array(drives.rows[self[index].rows.drives]) }

  /// The likelihood of the transition from a state of the step before to one of the step at `index`, as `Transitions.likelihood` tells.
  func likelihood(from: Int, to state: Int, at index: Int, above least: Double) -> Double {
    withColumns { columns in
      columns[index].transitions.likelihood(
        from: from, columns[index - 1].states, to: state, columns[index].states, above: least)
    }
  }

  /// The steps by their indices, as long as the window lends them.
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

  /// Lets `body` read the steps where they lie.
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

  /// Lets `body` write the newest step, with the one before beside it; nil for the first.
  @inline(__always) mutating func withNewest(_ body: (NewestStep, StepColumns?) -> Void) {
    guard count > 0 else { return }
    let (newest, last) = (slot(count - 1), count > 1 ? slot(count - 2) : nil)
    // As if all were written: to lend for reading what the caller may write counts references.
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

  /// Lets `body` read the candidates of the step before the newest; none where there is none.
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

  /// Adds a step that has no rows yet.
  mutating func append(_ fix: Fix, at time: Instant, isPaced: Bool) {
    if count == slots.count { enlarge(fix, time) }
    count += 1
    let newest = slot(count - 1)
    slots.withUnsafeMutableBufferPointer { slots in
      slots[newest].fix = fix
      slots[newest].time = time
      slots[newest].sigmaM = 0
      slots[newest].leaps = .none
      slots[newest].isNear = false
      slots[newest].isWide = false
      slots[newest].isPaced = isPaced
      slots[newest].rows = TrellisStep.Rows(
        firstCandidate: candidates.tail, firstState: states.tail, firstDrive: drives.tail)
    }
  }

  /// Makes room for a step, at the end of the list.
  private mutating func enlarge(_ fix: Fix, _ time: Instant) {
    if head > 0 {
      slots = Array(slots[head...] + slots[..<head])
      head = 0
    }
    let count = slots.count + 1
    if count > slots.capacity { slots.reserveCapacity(count + count / 4) }
    slots.append(TrellisStep(fix: fix, time: time))
  }

  /// Takes the candidates of the newest step, which has no rows yet; its states are still to be weighed, and hold what is left from others.
  mutating func take(_ found: UnsafeBufferPointer<Candidate>) {
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

  /// Takes the ways to the newest step, which has none yet.
  mutating func take(_ ways: UnsafeBufferPointer<Transitions.Drive>) {
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

  /// Adds a step with all its rows.
  mutating func append(
    _ step: TrellisStep, _ found: [Candidate], _ weighed: [TrellisState],
    _ ways: [Transitions.Drive]
  ) {
    append(step.fix, at: step.time, isPaced: step.isPaced)
    found.withUnsafeBufferPointer { take($0) }
    let newest = count - 1
    weighed.withUnsafeBufferPointer { states.write($0, at: self[newest].rows.firstState) }
    ways.withUnsafeBufferPointer { take($0) }
    let rows = self[newest].rows
    self[newest] = step
    self[newest].rows = rows
  }

  /// The rows of all steps but the newest, and where those of that are to be.
  private func ranges(_ rows: (TrellisStep.Rows) -> Range<Int>) -> [Range<Int>] {
    indices.dropLast().map { rows(self[$0].rows) } + [0..<0]
  }

  /// Notes where the rows of a column begin for each step, since they were laid out anew; where those of the newest do.
  @discardableResult private mutating func move(
    _ first: WritableKeyPath<TrellisStep.Rows, Int>, to places: [Int]
  ) -> Int {
    for index in places.indices { self[index].rows[keyPath: first] = places[index] }
    return places.last ?? 0
  }

  /// Keeps address space for so many steps, as most have rows: what is not written costs no memory.
  mutating func reserve(_ count: Int) {
    slots.reserveCapacity(count)
    candidates.reserve(16 * count)
    states.reserve(17 * count)
    drives.reserve(24 * count)
  }

  /// Bytes of memory held.
  var byteCount: Int {
    slots.capacity * MemoryLayout<TrellisStep>.stride + candidates.byteCount + states.byteCount
      + drives.byteCount
  }

  /// Forgets the first `count` steps, and keeps memory for `spare` more than are left, or for as many again.
  mutating func removeFirst(_ count: Int, keeping spare: Int) {
    guard count < self.count else { return removeAll(keeping: 2 * spare + 4) }
    head = slot(count)
    self.count -= count
    candidates.drop(before: self[0].rows.firstCandidate)
    states.drop(before: self[0].rows.firstState)
    drives.drop(before: self[0].rows.firstDrive)
    // A window that breathes is not moved each time.
    if slots.count > 2 * (self.count + spare + 2) { giveBack() }
  }

  /// Gives back the memory that the steps do not need.
  private mutating func giveBack() {
    slots = Array(self)
    head = 0
    move(\.firstCandidate, to: candidates.layOut(map(\.rows.candidates)))
    move(\.firstState, to: states.layOut(map(\.rows.states)))
    move(\.firstDrive, to: drives.layOut(map(\.rows.drives)))
  }

  /// Forgets all steps, and keeps their memory where it is room for `limit` of them at most.
  mutating func removeAll(keeping limit: Int) {
    let keepsRoom = slots.count <= limit
    if !keepsRoom { slots = [] }
    (head, count) = (0, 0)
    candidates.removeAll(keepingRoom: keepsRoom)
    states.removeAll(keepingRoom: keepsRoom)
    drives.removeAll(keepingRoom: keepsRoom)
  }
}
