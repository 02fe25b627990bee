import Foundations
import Geodesy
import Positioning
import RoadGraph

/// The hidden Markov model: the emission probabilities of fixes and the transition probabilities
/// between them.
///
/// It is a class, so that passing it costs one reference.
final class MatchingModel: Sendable {
  let network: MatchingNetwork
  let tuning: MatcherTuning
  let scratchPool: ScratchPool
  /// States with a lower forward likelihood are not followed; the largest of a step is 1.
  let leastLikelihood: Double
  /// Base costs of the off-network transitions.
  let offNetwork: OffNetworkCosts
  /// Number of this model, unique in the network: it separates data prepared for this model from
  /// that of others.
  let number: UInt64

  init(network: MatchingNetwork, tuning: MatcherTuning) {
    self.network = network
    self.tuning = tuning
    scratchPool = network.scratchPools.pool(for: tuning)
    leastLikelihood = LogMath.exp(-tuning.pruneNats)
    offNetwork = OffNetworkCosts(tuning)
    number = network.scratchPools.modelNumber()
  }

  /// Returns the same model with `sigmaM` as the standard deviation of fixes without a reported
  /// accuracy.
  func withSigma(_ sigmaM: Double) -> MatchingModel {
    var tuning = tuning
    tuning.defaultSigmaM = sigmaM
    return MatchingModel(network: network, tuning: tuning)
  }

  /// Appends the step of a fix to a window, with its candidates and their likelihoods after the
  /// earlier steps.
  ///
  /// `elapsedS` is the time since the previous fix.
  func extend(
    _ steps: inout StepWindow, with fix: Fix, at time: Instant, elapsedS: Double, isSparse: Bool,
    route: Set<EdgeID>
  ) {
    steps.append(fix, at: time, isSparse: isSparse)
    let place = fix.place
    scratchPool.lend { scratch in
      steps.withCandidatesBefore {
        scratch.cells.find(near: place, previous: $0, route: route, by: self)
      }
      scratch.cells.found.withElements { steps.store($0) }
      scratch.drives.removeAll()
      steps.withNewest { newest, last in
        weighFix(of: newest, elapsedS: last == nil ? nil : elapsedS, route: route)
        if let last {
          connect(newest, to: last, &scratch)
        } else {
          start(newest, route: route)
        }
      }
      scratch.drives.withElements { steps.store($0) }
    }
  }

  /// Computes the emission of each candidate from the fix alone.
  private func weighFix(of newest: NewestStep, elapsedS: Double?, route: Set<EdgeID>) {
    let emission = Emission(fix: newest.step.fix, elapsedS: elapsedS, tuning: tuning)
    newest.step.sigmaM = emission.sigmaM
    let (candidates, states) = (newest.candidates, newest.states)
    for index in candidates.indices {
      let state = candidates[index].state
      let log = emission.log(
        candidates[index],
        traits: network.traits(ofAttributes: Int(candidates[index].directed.attributes)),
        isOnRoute: state.isOn(route))
      states[index] = TrellisState(emission: log, isAgainst: state.isAgainst)
    }
    states[candidates.count] = TrellisState(emission: emission.offRoadLog)
  }

  private func start(_ newest: NewestStep, route: Set<EdgeID>) {
    let (candidates, states) = (newest.candidates, newest.states)
    var top = 0.0
    for state in states.indices {
      var log = states[state].emission
      if state == newest.offRoadState {
        log -= tuning.leaveRoadNats
      } else {
        if candidates[state].state.isAgainst { log -= tuning.wrongWayNats }
        if !route.isEmpty, !candidates[state].state.isOn(route) { log -= tuning.startElsewhereNats }
      }
      states[state].score = log
      states[state].forward = LogMath.exp(log)
      top = Double.maximum(top, states[state].forward)
    }
    newest.scale(top: top)
  }

  /// Returns the motion from one step to the next.
  func motion(from last: TrellisStep.Seen, to step: TrellisStep.Seen, isSparse: Bool)
    -> MotionConstraints
  {
    MotionConstraints(
      beforeMps: last.speedMps, afterMps: step.speedMps,
      straightM: last.place.distanceM(to: step.place),
      elapsedS: step.time.seconds(since: last.time), mode: network.mode,
      sigmasM: last.sigmaM + step.sigmaM, isSparse: isSparse, tuning: tuning)
  }
}
