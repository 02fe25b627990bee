import EventTime
import Geodesy
import Positioning
import RoadGraph

/// The window of steps over which the likeliest way is sought.
///
/// Viterbi's algorithm in logarithms and the forward-backward algorithm in likelihoods scaled at each step, side by
/// side (L. Rabiner, "A Tutorial on Hidden Markov Models", Proc. IEEE 77, 1989).
struct Trellis: Sendable {
  let network: MatchingNetwork
  private(set) var tuning: MatcherTuning
  private(set) var steps: [TrellisStep] = []
  /// Number of the first step kept.
  private(set) var firstSerial = 0
  /// Steps forgotten, whose memory is used again.
  private var spare: [TrellisStep] = []
  /// How many of those are kept.
  var spareLimit = 2

  init(network: MatchingNetwork, tuning: MatcherTuning) {
    self.network = network
    self.tuning = tuning
  }

  /// When the fix of a step was taken; nil for one that is forgotten.
  func time(of serial: Int) -> Instant? {
    let index = serial - firstSerial
    return steps.indices.contains(index) ? steps[index].time : nil
  }

  /// Believes fixes that tell no accuracy by `sigmaM` from now on.
  mutating func believe(sigmaM: Double) { tuning.defaultSigmaM = sigmaM }

  var lastSerial: Int { firstSerial + steps.count - 1 }

  mutating func clear() {
    firstSerial += steps.count
    steps.removeAll(keepingCapacity: true)
  }

  mutating func take(_ steps: [TrellisStep], firstSerial: Int) {
    self.steps = steps
    self.firstSerial = firstSerial
  }

  /// Forgets the steps before `serial`.
  mutating func forget(before serial: Int) {
    let count = min(max(0, serial - firstSerial), max(0, steps.count - 1))
    guard count > 0 else { return }
    spare += steps.prefix(min(count, max(0, spareLimit - spare.count)))
    steps.removeFirst(count)
    firstSerial += count
  }

  /// Adds a fix; `elapsedS` since the one before, `isPaced` where the vehicle always reports that far apart.
  mutating func extend(
    with fix: Fix, at time: Instant, elapsedS: Double, isPaced: Bool = false, route: Set<EdgeID>
  ) {
    var step = spare.popLast() ?? TrellisStep(fix: fix, time: time)
    step.fix = fix
    step.time = time
    step.isPaced = isPaced
    weigh(&step, elapsedS: elapsedS, route: route)
    scale(&step)
    steps.append(step)
  }

  /// What may be at the fix of a step, and how likely that is after the steps kept.
  private func weigh(_ step: inout TrellisStep, elapsedS: Double, route: Set<EdgeID>) {
    step.transitions.removeAll(keepingCapacity: true)
    step.states.removeAll(keepingCapacity: true)
    network.benches.lend { bench in
      let last = steps.last
      bench.cells.candidates(
        near: step.fix.place, previous: last?.candidates ?? [], route: route, tuning: tuning,
        network: network, into: &step.candidates)
      let model = Emission(fix: step.fix, elapsedS: last == nil ? nil : elapsedS, tuning: tuning)
      step.sigmaM = model.sigmaM
      step.states.reserveCapacity(step.candidates.count + 1)
      for candidate in step.candidates {
        let log = model.log(
          candidate, traits: network.traits(candidate.state.edge),
          isOnRoute: candidate.state.isOn(route))
        step.states.append(TrellisState(emission: log))
      }
      step.states.append(TrellisState(emission: model.offRoadLog))
      if let last {
        connect(&step, to: last, &bench)
      } else {
        begin(&step, route: route)
      }
    }
  }

  private func begin(_ step: inout TrellisStep, route: Set<EdgeID>) {
    for state in step.states.indices {
      var log = step.states[state].emission
      if state == step.offRoadState {
        log -= tuning.leaveRoadNats
      } else if step.candidates[state].state.isAgainst {
        log -= tuning.wrongWayNats
      }
      if state != step.offRoadState, !route.isEmpty, !step.candidates[state].state.isOn(route) {
        log -= tuning.startElsewhereNats
      }
      step.states[state].score = log
      step.states[state].forward = Logs.exp(log)
    }
  }

  /// Lets the largest forward likelihood be 1.
  private func scale(_ step: inout TrellisStep) {
    var top = 0.0
    for state in step.states { top = Double.maximum(top, state.forward) }
    guard top > 0 else { return }
    let log = Logs.log(top)
    for index in step.states.indices {
      step.states[index].score -= log
      step.states[index].forward /= top
    }
  }

  func motion(from last: TrellisStep, to step: TrellisStep) -> Motion {
    Motion(
      before: last.fix, after: step.fix, straightM: last.fix.place.distanceM(to: step.fix.place),
      elapsedS: step.time.seconds(since: last.time), mode: network.mode,
      sigmasM: last.sigmaM + step.sigmaM, isPaced: step.isPaced, tuning: tuning)
  }
}

extension TravelState {
  /// Whether it is one of the roads of `route`, in its direction.
  @inline(__always) func isOn(_ route: Set<EdgeID>) -> Bool {
    !route.isEmpty && !isAgainst && route.contains(edge)
  }
}
