import Geodesy
import Positioning

// Matching of whole traces, where no fix is answered before the last has arrived (MM-13).
extension OnlineMatcher {
  /// Number of steps that a whole trace keeps before it looks for steps that can no longer change.
  static let longestWindow = 1024
  /// The place of a fix in a stationary period, and whether the fix is a step of its own.
  struct Standing {
    var place: Coordinate
    var isStep: Bool

    /// Returns the fix as it would be without its error.
    func seen(_ fix: Fix) -> Fix {
      var fix = fix
      fix.place = place
      return fix
    }
  }

  /// Number of steps after the settled ones: later fixes change no probability noticeably.
  private static let settledMargin = 256

  /// Settles the fixes of a long trace up to the step in which all likely paths converge.
  ///
  /// Therefore the memory is bounded by the window, not by the trace (Goh et al. 2012).
  private mutating func settleConverged() {
    guard let index = trellis.convergence(before: trellis.steps.count - Self.settledMargin),
      index > 0
    else { return }
    let last = trellis.firstSerial + index
    let count = entries.firstIndex { ($0.serial ?? -1) >= last } ?? entries.count
    explainSteps(count)
    finish(count, trellis.decoded(index + 1, countsAlternatives: true))
    entries.removeFirst(count)
    // The step before the first pending one determines where its path comes from.
    trellis.forget(before: last - 1)
  }

  /// Processes one fix of a whole trace; `finish` returns the answers.
  mutating func take(_ fix: Fix) {
    if !isWholeTrace { borrow() }
    note(fix, weigh(fix, bridgesGap: false, standing: standing(finished.count + entries.count)))
    if trellis.steps.count >= nextSettling {
      settleConverged()
      nextSettling = max(Self.longestWindow, 2 * trellis.steps.count)
    }
  }

  /// Returns the stationary place at the fix with this number; nil if the vehicle moves there.
  private mutating func standing(_ number: Int) -> Standing? {
    while let stand = stands.first, stand.fixes.upperBound < number { stands.removeFirst() }
    guard let stand = stands.first, number >= stand.fixes.lowerBound else { return nil }
    // Two steps represent a stationary period: its arrival and its departure.
    return Standing(
      place: stand.place,
      isStep: number == stand.fixes.lowerBound || number == stand.fixes.upperBound)
  }

  /// Takes over the memory that the last whole trace returned.
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

  /// Returns the memory of a completed whole trace.
  mutating func giveBack() {
    let steps = trellis.giveBack()
    let isUsual = entries.capacity <= TraceBuffers.entryLimit
    trellis.model.benches.lend { bench in
      if isUsual { swap(&entries, &bench.trace.entries) }
      bench.trace.steps = steps
    }
  }
}
