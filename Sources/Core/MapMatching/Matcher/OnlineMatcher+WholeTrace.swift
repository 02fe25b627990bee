import Geodesy
import Positioning

// Matching of whole traces, where no fix is answered before the last has arrived (MM-13).
extension OnlineMatcher {
  /// Number of steps that a whole trace keeps before it looks for steps that can no longer change.
  static let longestWindow = 1024
  /// The place of a fix in a stationary period, and whether the fix is a step of its own.
  struct StationaryFix {
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
  private static let convergenceMargin = 256

  /// Settles the fixes of a long trace up to the step in which all likely paths converge.
  ///
  /// Therefore the memory is bounded by the window, not by the trace (Goh et al. 2012).
  private mutating func finalizeConverged() {
    guard let index = trellis.convergence(before: trellis.steps.count - Self.convergenceMargin),
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
  mutating func process(_ fix: Fix) {
    if !wholeTrace.isActive { borrow() }
    record(
      fix,
      assess(
        fix, bridgesGap: false, stationary: stationaryFix(wholeTrace.finished.count + entries.count)
      )
    )
    if trellis.steps.count >= wholeTrace.nextConvergenceCheck {
      finalizeConverged()
      wholeTrace.nextConvergenceCheck = max(Self.longestWindow, 2 * trellis.steps.count)
    }
  }

  /// Returns the stationary place at the fix with this number; nil if the vehicle moves there.
  private mutating func stationaryFix(_ number: Int) -> StationaryFix? {
    while let stand = wholeTrace.stationaryPeriods.first, stand.fixes.upperBound < number {
      wholeTrace.stationaryPeriods.removeFirst()
    }
    guard let stand = wholeTrace.stationaryPeriods.first, number >= stand.fixes.lowerBound else {
      return nil
    }
    // Two steps represent a stationary period: its arrival and its departure.
    return StationaryFix(
      place: stand.place,
      isStep: number == stand.fixes.lowerBound || number == stand.fixes.upperBound)
  }

  /// Takes over the memory that the last whole trace returned.
  private mutating func borrow() {
    wholeTrace.isActive = true
    var memory = StepWindow()
    trellis.model.scratchPool.lend { scratch in
      swap(&entries, &scratch.trace.entries)
      swap(&memory, &scratch.trace.steps)
    }
    memory.reserve(2 * Self.longestWindow)
    trellis.use(memory)
    entries.removeAll(keepingCapacity: true)
  }

  /// Returns the memory of a completed whole trace.
  mutating func giveBack() {
    let steps = trellis.giveBack()
    let isUsual = entries.capacity <= TraceBuffers.entryLimit
    trellis.model.scratchPool.lend { scratch in
      if isUsual { swap(&entries, &scratch.trace.entries) }
      scratch.trace.steps = steps
    }
  }
}
