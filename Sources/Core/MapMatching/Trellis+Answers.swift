import EventTime
import Geodesy
import Positioning
import RoadGraph

extension Trellis {
  /// The states of the way by which `state` of the step at `index` was come to, both ends included; empty where
  /// that is not known.
  ///
  /// Searched anew: of all the ways weighed few are ever told.
  func path(to state: Int, at index: Int) -> [TravelState] {
    guard index > 0, state < steps[index].candidates.count else { return [] }
    let here = steps[index].states[state]
    let from = Int(here.back)
    guard from >= 0, from < steps[index - 1].candidates.count,
      case .drive(let isBackward) = here.move
    else { return [] }
    let target = steps[index].candidates[state]
    let source = steps[index - 1].candidates[from]
    if isBackward { return [target.state] }
    if source.state == target.state, target.offsetM >= source.offsetM { return [source.state] }
    if here.isNext { return [source.state, target.state] }
    let step = steps[index]
    let last = steps[index - 1]
    let motion = motion(from: last, to: step)
    return network.benches.lend { bench in
      bench.trees.use(model)
      if step.isNear {
        let near = NearSource(
          source, motion: motion, network: network, tuning: tuning, trees: &bench.trees)
        return near.path(to: target, network: network, tuning: tuning, &bench.trees)
      }
      let reaches = bench.search.reaches(
        from: source, to: [target], fixPlace: step.fix.place,
        motion: step.isWide ? motion.widened : motion, in: network, tuning: tuning)
      guard let reach = reaches[0] else { return [] }
      return [source.state] + bench.search.states(of: reach)
    }
  }

  /// Probability of a state by what is known so far, and of being on no road.
  func probabilities(of state: Int, at index: Int) -> (state: Double, offRoad: Double) {
    let total = steps[index].states.reduce(0) { $0 + $1.forward }
    guard total > 0 else { return (0, 0) }
    let offRoad = steps[index].states[steps[index].offRoadState].forward
    return (steps[index].states[state].forward / total, offRoad / total)
  }

  /// Probability of the roads that `route` does not use, by what is known so far; nil without a route.
  func offRouteProbability(at index: Int, route: Set<EdgeID>) -> Double? {
    guard !route.isEmpty else { return nil }
    let step = steps[index]
    var (total, off) = (0.0, 0.0)
    for (state, likelihood) in step.states.lazy.map(\.forward).enumerated() {
      total += likelihood
      if state < step.candidates.count, !step.candidates[state].state.isOn(route) {
        off += likelihood
      }
    }
    return total > 0 ? Double.minimum(1, off / total) : nil
  }

  /// What is known of a step by all that came before and after it.
  struct Decoded {
    /// The likeliest.
    var state: Int
    var probability: Double
    var offRoad: Double
    /// Other places on ways that are still followed; 0 where they are not asked for.
    var alternatives = 0
  }

  /// What is known of each of the first `wanted` steps kept, one pass back.
  func decoded(_ wanted: Int, countsAlternatives: Bool = false) -> [Decoded] {
    guard let last = steps.last, wanted > 0 else { return [] }
    var result: [Decoded] = []
    var isFollowed = countsAlternatives ? last.states.map(\.score.isFinite) : []
    result.reserveCapacity(min(wanted, steps.count))
    var state = last.best
    var backward = Array(repeating: 1.0, count: last.states.count)
    var behind: [Double] = []
    var before: [Bool] = []
    let leastLikelihood = model.leastLikelihood
    for index in steps.indices.reversed() {
      if index < wanted {
        result.append(
          steps[index].states.withUnsafeBufferPointer { states in
            var total = 0.0
            for (one, other) in zip(states, backward) { total += one.forward * other }
            func share(_ state: Int) -> Double {
              total > 0 ? states[state].forward * backward[state] / total : 0
            }
            return Decoded(
              state: state, probability: share(state), offRoad: share(states.count - 1))
          })
        if countsAlternatives {
          let places = isFollowed.dropLast().count { $0 }
          result[result.count - 1].alternatives = max(0, places - 1)
        }
      }
      guard index > 0 else { break }
      if countsAlternatives { follow(&isFollowed, to: index, &before) }
      let back = Int(steps[index].states[state].back)
      if back >= 0 { state = back }
      Self.backward(
        through: steps[index].states, steps[index].transitions, from: steps[index - 1].states,
        above: leastLikelihood, &backward, &behind)
    }
    return result.reversed()
  }

  /// Takes likelihoods of what comes behind the states of a step to those `before`; the largest is 1.
  ///
  /// States below `leastLikelihood` were not followed: nothing comes behind them.
  static func backward(
    through states: [TrellisState], _ transitions: [Double], from before: [TrellisState],
    above leastLikelihood: Double, _ backward: inout [Double], _ behind: inout [Double]
  ) {
    let count = states.count
    guard count > 0 else { return backward.removeAll() }
    // What does not depend on where one comes from is multiplied once.
    behind.removeAll(keepingCapacity: true)
    for (state, later) in zip(states, backward) { behind.append(state.likelihood * later) }
    backward.removeAll(keepingCapacity: true)
    var top = 0.0
    transitions.withUnsafeBufferPointer { transitions in
      behind.withUnsafeBufferPointer { behind in
        for from in before.indices {
          var total = 0.0
          if before[from].forward >= leastLikelihood {
            let row = from * count
            for state in 0..<count { total += transitions[row + state] * behind[state] }
            top = Double.maximum(top, total)
          }
          backward.append(total)
        }
      }
    }
    guard top > 0 else { return }
    for index in backward.indices { backward[index] /= top }
  }

  /// The last step before `end` that all ways still followed have in one state; nil where there is none.
  func convergence(before end: Int) -> Int? {
    guard let last = steps.last else { return nil }
    var isFollowed = last.states.map(\.score.isFinite)
    var before: [Bool] = []
    for index in steps.indices.reversed().dropLast() {
      follow(&isFollowed, to: index, &before)
      if index - 1 < end {
        let count = isFollowed.count { $0 }
        if count <= 1 { return count == 0 ? nil : index - 1 }
      }
    }
    return nil
  }

  /// Takes the followed states of the step at `index` to those before it that they were come to from.
  private func follow(_ isFollowed: inout [Bool], to index: Int, _ before: inout [Bool]) {
    before.removeAll(keepingCapacity: true)
    before.append(contentsOf: repeatElement(false, count: steps[index - 1].states.count))
    for (state, isHere) in zip(steps[index].states, isFollowed) where isHere && state.back >= 0 {
      before[Int(state.back)] = true
    }
    swap(&isFollowed, &before)
  }

  /// Share of the likeliest way in the probability of all ways, as a logarithm.
  var confidenceLog: Double {
    guard let last = steps.last else { return 0 }
    let total = last.states.reduce(0) { $0 + $1.forward }
    return (last.states.map(\.score).max() ?? 0) - Logs.log(total)
  }
}
