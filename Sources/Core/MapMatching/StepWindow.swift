import EventTime
import Positioning

/// The steps of a window in their order, in a ring: one that is forgotten leaves its memory to one that comes.
///
/// A step holds three lists of its own; to make them anew for each fix costs more than to weigh some candidates.
struct StepWindow: RandomAccessCollection, MutableCollection, Sendable {
  private var slots: [TrellisStep] = []
  /// Where the first step is.
  private var head = 0
  private(set) var count = 0

  init() {}

  init(_ steps: [TrellisStep]) {
    slots = steps
    count = steps.count
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> TrellisStep {
    @inline(__always) _read { yield slots[slot(index)] }
    @inline(__always) _modify { yield &slots[slot(index)] }
  }

  /// Lets `body` read the steps where they lie, nil of an empty window: to take one out counts the references of its lists.
  func withPointers<Result>(_ body: (Pointers) -> Result) -> Result? {
    guard count > 0 else { return nil }
    return slots.withUnsafeBufferPointer { slots in
      slots.baseAddress.map { body(Pointers(base: $0, head: head, slotCount: slots.count)) }
    }
  }

  /// The steps by their indices.
  struct Pointers {
    fileprivate let base: UnsafePointer<TrellisStep>
    fileprivate let head: Int
    fileprivate let slotCount: Int

    subscript(index: Int) -> UnsafePointer<TrellisStep> {
      @inline(__always) get {
        let slot = head + index
        return base + (slot < slotCount ? slot : slot - slotCount)
      }
    }
  }

  @inline(__always) private func slot(_ index: Int) -> Int {
    let slot = head + index
    return slot < slots.count ? slot : slot - slots.count
  }

  /// Adds a step, whose lists hold what another left there; `body` fills it, with the step before beside it.
  mutating func append(
    _ fix: Fix, at time: Instant, _ body: (inout TrellisStep, UnsafePointer<TrellisStep>?) -> Void
  ) {
    if count == slots.count { enlarge(fix, time) }
    count += 1
    let newest = slot(count - 1)
    let last = count > 1 ? slot(count - 2) : nil
    // In place: a step is some hundred bytes itself, and is dear to move.
    slots.withUnsafeMutableBufferPointer { slots in
      slots[newest].fix = fix
      slots[newest].time = time
      body(
        &slots[newest], last.flatMap { last in slots.baseAddress.map { UnsafePointer($0 + last) } })
    }
  }

  private mutating func enlarge(_ fix: Fix, _ time: Instant) {
    if head > 0 {
      slots = Array(slots[head...] + slots[..<head])
      head = 0
    }
    slots.append(TrellisStep(fix: fix, time: time))
  }

  /// Steps whose memory is held, those of the window included.
  var slotCount: Int { slots.count }

  /// Forgets the first `count` steps, and keeps the memory of `spare` beside the window, or half as much again as the window.
  mutating func removeFirst(_ count: Int, keeping spare: Int) {
    head = self.count > count ? slot(count) : 0
    self.count -= count
    // A window that breathes is not moved each time.
    guard slots.count - self.count > Swift.max(spare, self.count / 2) else { return }
    let kept = (0..<Swift.min(slots.count, self.count + spare)).map { slots[slot($0)] }
    slots = kept
    head = 0
  }

  /// Forgets all, and keeps the memory of `spare` steps at most.
  mutating func removeAll(keeping spare: Int) { removeFirst(count, keeping: spare) }
}
