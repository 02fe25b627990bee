import Contraction
import RoadGraph

/// Scratch space for searches: grown once, reused, and owned by the caller.
///
/// A search does not need to clear the data of the last one, since each label contains its round.
public struct SearchSpace: ~Copyable {
  var forward = SearchHalf()
  var backward = SearchHalf()
  var climb = HierarchySearch()
  var table = HierarchyTable()
  var potential = HierarchyPotential()
  var timed = TimedLabels()

  public init() {}

  mutating func reset(stateCount: Int) {
    forward.reset(stateCount: stateCount)
    backward.reset(stateCount: stateCount)
  }

  mutating func resetForward(stateCount: Int) { forward.reset(stateCount: stateCount) }

  /// States settled by the last search, in both directions together.
  public var settled: Int { forward.settled + backward.settled }
}

/// The label of a state in a search.
struct SearchLabel: BitwiseCopyable {
  var costMS: UInt64
  /// The previous state (the next one for a backward search); from `SearchHalf.firstRoot` on, a
  /// seed.
  var parent: UInt32
  var round: UInt32
}

/// One direction of a search: labels by state, and a 4-ary heap.
struct SearchHalf: ~Copyable {
  static let firstRoot: UInt32 = 0xf000_0000
  /// Keys contain the cost in the upper bits and the state in these lower bits: one comparison
  /// decides, ties by state.
  static let stateBits: UInt64 = 28

  private(set) var labels: UnsafeMutableBufferPointer<SearchLabel>
  private var round: UInt32 = 0
  private var heap: UnsafeMutableBufferPointer<UInt64>
  private var count = 0
  private(set) var settled = 0

  init() {
    labels = .allocate(capacity: 0)
    heap = .allocate(capacity: 1)
  }

  deinit {
    labels.deallocate()
    heap.deallocate()
  }

  mutating func reset(stateCount: Int) {
    if labels.count < stateCount || round == .max {
      labels.deallocate()
      labels = .allocate(capacity: stateCount)
      labels.initialize(repeating: SearchLabel(costMS: 0, parent: 0, round: 0))
      round = 0
    }
    round += 1
    count = 0
    settled = 0
  }

  /// Cost of the state if this search has one.
  @inline(__always) func cost(_ state: Int) -> UInt64? {
    let label = labels[state]
    return label.round == round ? label.costMS : nil
  }

  /// Lowers the state's cost; returns false if the new cost is not lower.
  @inline(__always) mutating func relax(_ state: Int, _ costMS: UInt64, parent: UInt32) -> Bool {
    let label = labels[state]
    if label.round == round && label.costMS <= costMS { return false }
    labels[state] = SearchLabel(costMS: costMS, parent: parent, round: round)
    push(costMS << Self.stateBits | UInt64(state))
    return true
  }

  func parent(_ state: Int) -> UInt32 { labels[state].parent }

  /// Lowers the state's cost and queues it by that plus the bound ahead; returns false if it is not
  /// lower.
  mutating func relax(_ state: Int, _ costMS: UInt64, aheadMS: UInt64, parent: UInt32) -> Bool {
    let label = labels[state]
    if label.round == round && label.costMS <= costMS { return false }
    labels[state] = SearchLabel(costMS: costMS, parent: parent, round: round)
    push((costMS + aheadMS) << Self.stateBits | UInt64(state))
    return true
  }

  /// Removes the state at the front of the queue, whether or not its cost was lowered since.
  mutating func popFirst() -> (state: Int, keyMS: UInt64) {
    let key = removeFirst()
    settled += 1
    return (Int(key & (1 << Self.stateBits - 1)), key >> Self.stateBits)
  }

  /// The lowest cost that may still be settled.
  @inline(__always) var topMS: UInt64? { count == 0 ? nil : heap[0] >> Self.stateBits }

  /// Removes the state with the lowest cost; nil if its cost was lowered since.
  @inline(__always) mutating func pop() -> (state: Int, costMS: UInt64)? {
    let key = removeFirst()
    let state = Int(key & (1 << Self.stateBits - 1))
    let costMS = key >> Self.stateBits
    guard labels[state].costMS == costMS else { return nil }
    settled += 1
    return (state, costMS)
  }

  private mutating func push(_ key: UInt64) {
    if count == heap.count {
      let greater = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: heap.count * 2)
      _ = greater.initialize(from: heap[..<count])
      heap.deallocate()
      heap = greater
    }
    var at = count
    count += 1
    while at > 0 {
      let parent = (at - 1) >> 2
      if heap[parent] <= key { break }
      heap[at] = heap[parent]
      at = parent
    }
    heap[at] = key
  }

  private mutating func removeFirst() -> UInt64 {
    let first = heap[0]
    count -= 1
    let last = heap[count]
    var at = 0
    while true {
      let child = at << 2 + 1
      if child >= count { break }
      var least = child
      let end = min(child + 4, count)
      var other = child + 1
      while other < end {
        if heap[other] < heap[least] { least = other }
        other += 1
      }
      if heap[least] >= last { break }
      heap[at] = heap[least]
      at = least
    }
    if count > 0 { heap[at] = last }
    return first
  }
}
