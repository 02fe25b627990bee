import EventTime
import Geodesy
import Positioning
import RoadGraph

/// The hidden Markov model: what a fix makes likely, and what the ways between two do.
///
/// A class, so that passing it about costs one reference.
final class MatchingModel: Sendable {
  let network: MatchingNetwork
  let tuning: MatcherTuning
  /// States whose forward likelihood is less are not followed; the largest of a step is 1.
  let leastLikelihood: Double
  /// What leaps cost by themselves.
  let leaps: Leaps
  /// No other model of the network has it: what was made ready for a model is so told from what was for another.
  let number: UInt64

  init(network: MatchingNetwork, tuning: MatcherTuning) {
    self.network = network
    self.tuning = tuning
    leastLikelihood = Logs.exp(-tuning.pruneNats)
    leaps = Leaps(tuning)
    number = network.benches.modelNumber()
  }

  /// The same that believes fixes which tell no accuracy by `sigmaM`.
  func believing(sigmaM: Double) -> MatchingModel {
    var tuning = tuning
    tuning.defaultSigmaM = sigmaM
    return MatchingModel(network: network, tuning: tuning)
  }

  /// What may be at the fix of a step, and how likely that is after the step before; nil for the first.
  func weigh(
    _ step: inout TrellisStep, after last: UnsafePointer<TrellisStep>?,
    elapsedS: Double, route: Set<EdgeID>, _ bench: inout Workbench
  ) {
    bench.cells.candidates(
      near: step.fix.place, previous: last?.pointee.candidates ?? [], route: route, tuning: tuning,
      network: network, into: &step.candidates)
    weighFix(of: &step, elapsedS: last == nil ? nil : elapsedS, route: route)
    if let last {
      connect(&step, to: last, &bench)
    } else {
      begin(&step, route: route)
    }
  }

  /// What the fix alone says of the candidates.
  private func weighFix(
    of step: inout TrellisStep, elapsedS: Double?, route: Set<EdgeID>
  ) {
    let emission = Emission(fix: step.fix, elapsedS: elapsedS, tuning: tuning)
    step.sigmaM = emission.sigmaM
    step.makeStates(roomCount: tuning.roomCount)
    step.withStates { candidates, states in
      for index in candidates.indices {
        let state = candidates[index].state
        let log = emission.log(
          candidates[index],
          traits: network.traits(ofAttributes: Int(candidates[index].lane.attributes)),
          isOnRoute: state.isOn(route))
        states[index] = TrellisState(emission: log, isAgainst: state.isAgainst)
      }
      states[candidates.count] = TrellisState(emission: emission.offRoadLog)
    }
  }

  private func begin(_ step: inout TrellisStep, route: Set<EdgeID>) {
    step.transitions.begin()
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
    step.scale(top: step.states.lazy.map(\.forward).max() ?? 0)
  }

  /// The motion from one step to the next.
  func motion(from last: TrellisStep.Seen, to step: TrellisStep.Seen, isPaced: Bool) -> Motion {
    Motion(
      beforeMps: last.speedMps, afterMps: step.speedMps,
      straightM: last.place.distanceM(to: step.place),
      elapsedS: step.time.seconds(since: last.time), mode: network.mode,
      sigmasM: last.sigmaM + step.sigmaM, isPaced: isPaced, tuning: tuning)
  }
}
