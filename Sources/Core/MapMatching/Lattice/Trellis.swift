import Foundations
import Geodesy
import Positioning
import RoadGraph

/// The window of steps in which the likeliest path is searched for.
///
/// The Viterbi algorithm in logarithms and the forward-backward algorithm in likelihoods scaled at
/// each step, side by side (L. Rabiner, "A Tutorial on Hidden Markov Models", Proc. IEEE 77, 1989).
struct Trellis: Sendable {
  private(set) var model: MatchingModel
  private(set) var steps = StepWindow()
  /// Number of the first stored step.
  private(set) var firstSerial = 0
  /// Removed steps that may stay in the columns, and steps for which memory is kept when all are
  /// removed.
  private var spareCount = 2
  private var keptCount = 16

  init(network: MatchingNetwork, tuning: MatcherTuning) {
    model = MatchingModel(network: network, tuning: tuning)
  }

  var network: MatchingNetwork { model.network }
  var tuning: MatcherTuning { model.tuning }

  /// Returns the time of the fix of a step; nil for a removed step.
  func time(of serial: Int) -> Instant? {
    let index = serial - firstSerial
    return steps.indices.contains(index) ? steps[index].time : nil
  }

  /// Sets the standard deviation of fixes without a reported accuracy from now on.
  mutating func applyNoiseEstimate(sigmaM: Double) {
    guard sigmaM != model.tuning.defaultSigmaM else { return }
    model = model.withSigma(sigmaM)
  }

  var lastSerial: Int { firstSerial + steps.count - 1 }

  mutating func clear() {
    firstSerial += steps.count
    steps.removeAll(keeping: keptCount)
  }

  /// Takes over the steps of another trellis.
  mutating func adopt(_ steps: StepWindow, firstSerial: Int) {
    self.steps = steps
    self.firstSerial = firstSerial
  }

  /// Continues in the memory of an empty window, as a whole trace does, and releases little of it.
  mutating func use(_ memory: consuming StepWindow) {
    steps = memory
    spareCount = TraceBuffers.spareCount
    keptCount = TraceBuffers.keptCount
  }

  /// Removes all steps and hands over their memory.
  mutating func giveBack() -> StepWindow {
    var memory = StepWindow()
    swap(&memory, &steps)
    memory.removeAll(keeping: keptCount)
    return memory
  }

  /// Removes the steps before `serial`.
  mutating func forget(before serial: Int) {
    let count = min(max(0, serial - firstSerial), max(0, steps.count - 1))
    guard count > 0 else { return }
    steps.removeFirst(count, keeping: spareCount)
    firstSerial += count
  }

  /// Adds a fix; `elapsedS` is the time since the previous one, and `isSparse` is true if the
  /// vehicle always reports at that interval.
  mutating func extend(
    with fix: Fix, at time: Instant, elapsedS: Double, isSparse: Bool = false, route: Set<EdgeID>
  ) {
    model.extend(
      &steps, with: fix, at: time, elapsedS: elapsedS, isSparse: isSparse, route: route)
  }

  func motion(from last: TrellisStep, to step: TrellisStep) -> MotionConstraints {
    model.motion(from: last.seen, to: step.seen, isSparse: step.isSparse)
  }
}

extension TravelState {
  /// Whether it is one of the roads of `route`, in its direction.
  @inline(__always) func isOn(_ route: Set<EdgeID>) -> Bool {
    !route.isEmpty && !isAgainst && route.contains(edge)
  }
}
