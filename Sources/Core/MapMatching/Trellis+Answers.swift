import EventTime
import Geodesy
import Positioning
import RoadGraph

extension Trellis {
  /// The states of the way by which `state` of the step at `index` was come to, both ends included; empty where
  /// that is not known.
  ///
  /// Searched anew: of all the ways weighed few are ever told. The list of the way `last` where it is the same road.
  func path(to state: Int, at index: Int, after last: [TravelState] = []) -> [TravelState] {
    guard index > 0, state < steps[index].candidates.count else { return [] }
    let here = steps[index].states[state]
    let from = Int(here.back)
    guard from >= 0, from < steps[index - 1].candidates.count,
      case .drive(let isBackward) = here.move
    else { return [] }
    let target = steps[index].candidates[state]
    let source = steps[index - 1].candidates[from]
    if isBackward { return [target.state] }
    if source.state == target.state, target.offsetM >= source.offsetM {
      return last.count == 1 && last[0] == source.state ? last : [source.state]
    }
    if here.isNext { return [source.state, target.state] }
    let step = steps[index]
    let motion = motion(from: steps[index - 1], to: step)
    return network.benches.lend { bench in
      bench.trees.use(model)
      if step.isNear {
        let near = NearSource(
          source, motion: motion, network: network, tuning: tuning, trees: &bench.trees)
        return near.path(to: target, tuning: tuning, bench.trees)
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

  /// Calls `visit` with each step kept and what is known there, from the last to the first.
  func passBack(_ visit: (Int, UnsafePointer<TrellisStep>, borrowing BackwardPass) -> Void) {
    _ = steps.withPointers { pointers in
      var capacity = 0
      for index in steps.indices { capacity = max(capacity, pointers[index].pointee.states.count) }
      var pass = BackwardPass(
        at: pointers[steps.count - 1], capacity: capacity, leastLikelihood: model.leastLikelihood)
      for index in steps.indices.reversed() {
        visit(index, pointers[index], pass)
        if index > 0 { pass.goBack(from: pointers[index], to: pointers[index - 1]) }
      }
    }
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
