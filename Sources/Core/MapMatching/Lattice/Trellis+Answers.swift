import Foundations
import Geodesy
import Positioning
import RoadGraph

extension Trellis {
  /// Returns the states of the path by which `state` of the step at `index` was reached, both ends
  /// included.
  ///
  /// It is empty if the path is unknown. The path is searched again, since few of the evaluated
  /// paths are ever reported. The array of the path `last` is returned if the path is the same
  /// road.
  func path(to state: Int, at index: Int, after last: [TravelState] = []) -> [TravelState] {
    guard index > 0, state < steps[index].candidateCount else { return [] }
    let here = steps.state(state, at: index)
    let from = Int(here.back)
    guard from >= 0, from < steps[index - 1].candidateCount,
      case .drive(let isBackward) = here.move
    else { return [] }
    let target = steps.candidate(state, at: index)
    let source = steps.candidate(from, at: index - 1)
    if isBackward { return [target.state] }
    if source.state == target.state, target.offsetM >= source.offsetM {
      return last.count == 1 && last[0] == source.state ? last : [source.state]
    }
    if here.isNext { return [source.state, target.state] }
    let step = steps[index]
    let motion = motion(from: steps[index - 1], to: step)
    return model.scratchPool.lend { scratch in
      scratch.trees.use(model)
      if step.isNear {
        let near = TreeLookup(
          source, motion: motion, network: network, tuning: tuning, trees: &scratch.trees)
        return near.path(to: target, tuning: tuning, scratch.trees)
      }
      let reaches = scratch.search.reaches(
        from: source, to: [target], fixPlace: step.fix.place,
        motion: step.isWide ? motion.widened : motion, in: network, tuning: tuning)
      guard let reach = reaches[0] else { return [] }
      return [source.state] + scratch.search.states(of: reach)
    }
  }

  /// Returns the probabilities of a state and of being off-road, given the fixes so far.
  func probabilities(of state: Int, at index: Int) -> (state: Double, offRoad: Double) {
    steps.withColumns { columns in
      let states = columns[index].states
      let total = states.reduce(0) { $0 + $1.forward }
      guard total > 0 else { return (0, 0) }
      return (states[state].forward / total, states[states.count - 1].forward / total)
    }
  }

  /// Returns the probability of the roads that `route` does not use, given the fixes so far; nil
  /// without a route.
  func offRouteProbability(at index: Int, route: Set<EdgeID>) -> Double? {
    guard !route.isEmpty else { return nil }
    return steps.withColumns { columns in
      let step = columns[index]
      var (total, off) = (0.0, 0.0)
      for state in step.states.indices {
        let likelihood = step.states[state].forward
        total += likelihood
        if state < step.candidates.count, !step.candidates[state].state.isOn(route) {
          off += likelihood
        }
      }
      return total > 0 ? Double.minimum(1, off / total) : nil
    }
  }

  /// The result for a step given all earlier and later fixes.
  struct Decoded {
    /// The likeliest state.
    var state: Int
    var probability: Double
    var offRoad: Double
    /// Number of other places on paths that are still followed; 0 if not requested.
    var alternatives = 0
  }

  /// Returns the results of the first `wanted` stored steps, computed in one backward pass.
  func decoded(_ wanted: Int, countsAlternatives: Bool = false) -> [Decoded] {
    guard wanted > 0 else { return [] }
    var result: [Decoded] = []
    result.reserveCapacity(min(wanted, steps.count))
    passBack { index, step, pass in
      guard index < wanted else { return }
      var known = pass.decoded(step)
      if countsAlternatives { known.alternatives = max(0, pass.followedPlaces(step) - 1) }
      result.append(known)
    }
    return result.reversed()
  }

  /// Calls `visit` with each stored step and the backward pass there, from the last step to the
  /// first.
  func passBack(_ visit: (Int, StepColumns, borrowing BackwardPass) -> Void) {
    guard !steps.isEmpty else { return }
    steps.withColumns { columns in
      var capacity = 0
      for index in steps.indices { capacity = max(capacity, columns[index].states.count) }
      var pass = BackwardPass(
        at: columns[steps.count - 1], capacity: capacity, leastLikelihood: model.leastLikelihood)
      for index in steps.indices.reversed() {
        visit(index, columns[index], pass)
        if index > 0 { pass.goBack(from: columns[index], to: columns[index - 1]) }
      }
    }
  }

  /// Returns the last step before `end` in which all followed paths share one state; nil if there
  /// is none.
  func convergence(before end: Int) -> Int? {
    guard !steps.isEmpty else { return nil }
    return steps.withColumns { columns in
      var isFollowed = columns[steps.count - 1].states.map(\.score.isFinite)
      var before: [Bool] = []
      for index in steps.indices.reversed().dropLast() {
        follow(columns[index].states, &isFollowed, to: columns[index - 1].states.count, &before)
        if index - 1 < end {
          let count = isFollowed.count { $0 }
          if count <= 1 { return count == 0 ? nil : index - 1 }
        }
      }
      return nil
    }
  }

  /// Moves the followed flags to the predecessors of the followed states.
  private func follow(
    _ states: UnsafeBufferPointer<TrellisState>, _ isFollowed: inout [Bool], to count: Int,
    _ before: inout [Bool]
  ) {
    before.removeAll(keepingCapacity: true)
    before.append(contentsOf: repeatElement(false, count: count))
    for (state, isHere) in zip(states, isFollowed) where isHere && state.back >= 0 {
      before[Int(state.back)] = true
    }
    swap(&isFollowed, &before)
  }

  /// Share of the likeliest path in the probability of all paths, as a logarithm.
  var pathShareLog: Double {
    guard !steps.isEmpty else { return 0 }
    return steps.withColumns { columns in
      let states = columns[steps.count - 1].states
      let total = states.reduce(0) { $0 + $1.forward }
      return (states.lazy.map(\.score).max() ?? 0) - LogMath.log(total)
    }
  }
}
