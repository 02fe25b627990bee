import Geodesy
import Positioning

// Fixes of which none is answered before the last has come (MM-13).
extension OnlineMatcher {
  /// Steps that a whole trace keeps before it looks for what can change no more.
  static let longestWindow = 1024
  /// Where a fix is taken at a stand, and whether it is a step of its own.
  struct Standing {
    var place: Coordinate
    var isStep: Bool

    /// A fix as it would have been seen without its error.
    func seen(_ fix: Fix) -> Fix {
      var fix = fix
      fix.place = place
      return fix
    }
  }

  /// Steps behind those that are settled: what comes later changes no probability by so much.
  private static let settledMargin = 256

  /// Settles the fixes of a long trace up to where all likely ways were one.
  ///
  /// Memory is so bounded by the window and not by the trace (Goh et al. 2012).
  private mutating func settleConverged() {
    guard let index = trellis.convergence(before: trellis.steps.count - Self.settledMargin),
      index > 0
    else { return }
    let last = trellis.firstSerial + index
    let count = entries.firstIndex { ($0.serial ?? -1) >= last } ?? entries.count
    explainSteps(count)
    finish(count, trellis.decoded(index + 1, countsAlternatives: true))
    entries.removeFirst(count)
    // The step before the first that is still to be told says where its way comes from.
    trellis.forget(before: last - 1)
  }

  /// Takes one fix of a whole trace; `finish` answers.
  mutating func take(_ fix: Fix) {
    if !isWholeTrace { borrow() }
    note(fix, weigh(fix, bridgesGap: false, standing: standing(finished.count + entries.count)))
    if trellis.steps.count >= nextSettling {
      settleConverged()
      nextSettling = max(Self.longestWindow, 2 * trellis.steps.count)
    }
  }

  /// Where the vehicle stands at the fix of that number; nil where it does not.
  private mutating func standing(_ number: Int) -> Standing? {
    while let stand = stands.first, stand.fixes.upperBound < number { stands.removeFirst() }
    guard let stand = stands.first, number >= stand.fixes.lowerBound else { return nil }
    // Two steps tell of a stand: when it came there, and when it left.
    return Standing(
      place: stand.place,
      isStep: number == stand.fixes.lowerBound || number == stand.fixes.upperBound)
  }

  /// Takes the memory that the last whole trace gave back.
  private mutating func borrow() {
    isWholeTrace = true
    var memory = StepWindow()
    trellis.model.benches.lend { bench in
      swap(&entries, &bench.trace.entries)
      swap(&memory, &bench.trace.steps)
    }
    memory.reserve(2 * Self.longestWindow)
    trellis.use(memory)
    entries.removeAll(keepingCapacity: true)
  }

  /// Gives back the memory of a whole trace that is told.
  mutating func giveBack() {
    let steps = trellis.giveBack()
    let isUsual = entries.capacity <= TraceMemory.entryLimit
    trellis.model.benches.lend { bench in
      if isUsual { swap(&entries, &bench.trace.entries) }
      bench.trace.steps = steps
    }
  }
}
