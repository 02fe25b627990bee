import EventTime
import Geodesy
import Positioning
import RoadGraph

extension Trellis {
  func sumForward(_ step: inout TrellisStep, _ last: TrellisStep) {
    let count = step.emission.count
    step.transitions.withUnsafeBufferPointer { transitions in
      last.forward.withUnsafeBufferPointer { forward in
        for state in 0..<count {
          var top = -Double.infinity
          for from in 0..<forward.count {
            top = Double.maximum(top, forward[from] + transitions[from * count + state])
          }
          guard top.isFinite else { continue }
          var total = 0.0
          for from in 0..<forward.count {
            let log = forward[from] + transitions[from * count + state] - top
            // Below e^-40 a share is lost in the rounding anyway.
            if log > -40 { total += Logs.exp(log) }
          }
          step.forward[state] = top + Logs.log(total) + step.emission[state]
        }
      }
    }
  }

  /// The states of the way by which `state` of the step at `index` was come to, both ends included; empty where
  /// that is not known.
  ///
  /// Searched anew: of all the ways weighed few are ever told.
  func path(to state: Int, at index: Int) -> [TravelState] {
    let step = steps[index]
    guard index > 0, state < step.candidates.count, step.back[state] >= 0,
      step.back[state] < steps[index - 1].candidates.count,
      case .drive(let isBackward) = step.moves[state]
    else { return [] }
    let target = step.candidates[state]
    let last = steps[index - 1]
    let source = last.candidates[step.back[state]]
    if isBackward { return [target.state] }
    if source.state == target.state, target.offsetM >= source.offsetM { return [source.state] }
    let motion = motion(from: last, to: step)
    var bench = network.benches.take()
    defer { network.benches.give(bench) }
    bench.trees.use(tuning)
    if step.isNear {
      let near = NearSource(
        source, motion: motion, network: network, tuning: tuning, trees: &bench.trees)
      return near.path(to: target, network: network, tuning: tuning, bench.trees)
    }
    let reaches = bench.search.reaches(
      from: source, to: step.candidates, fixPlace: step.fix.place, motion: motion, in: network,
      tuning: tuning)
    guard let reach = reaches[state] else { return [] }
    return [source.state] + bench.search.states(of: reach)
  }

  /// The likeliest state of each of the first `wanted` steps kept and its probability by all that
  /// is known, one pass back.
  func decoded(_ wanted: Int) -> [(state: Int, probability: Double, offRoad: Double)] {
    guard let last = steps.last, wanted > 0 else { return [] }
    var result: [(state: Int, probability: Double, offRoad: Double)] = []
    var state = last.best
    var backward = Array(repeating: 0.0, count: last.score.count)
    var both: [Double] = []
    for index in steps.indices.reversed() {
      if index < wanted {
        both.removeAll(keepingCapacity: true)
        let forward = steps[index].forward
        for (one, other) in zip(forward, backward) { both.append(one + other) }
        let total = Logs.sum(both)
        result.append(
          (
            state, Self.share(both[state], of: total),
            Self.share(both[steps[index].offRoadState], of: total)
          ))
      }
      guard index > 0 else { break }
      if steps[index].back[state] >= 0 { state = steps[index].back[state] }
      backward = Self.backward(through: steps[index], backward)
    }
    return result.reversed()
  }

  private static func share(_ log: Double, of total: Double) -> Double {
    total.isFinite ? Logs.exp(log - total) : 0
  }

  static func backward(through step: TrellisStep, _ backward: [Double]) -> [Double] {
    let count = step.score.count
    guard count > 0 else { return [] }
    return step.transitions.withUnsafeBufferPointer { transitions in
      withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { behind in
        // What does not depend on where one comes from is added once.
        for state in 0..<count { behind[state] = step.emission[state] + backward[state] }
        return (0..<(transitions.count / count)).map { from in
          let row = from * count
          // A state that was not followed has no way to any.
          guard transitions[row + count - 1] > -.infinity else { return -.infinity }
          var top = -Double.infinity
          for state in 0..<count {
            top = Double.maximum(top, transitions[row + state] + behind[state])
          }
          guard top.isFinite else { return top }
          var total = 0.0
          for state in 0..<count {
            let log = transitions[row + state] + behind[state] - top
            if log > -40 { total += Logs.exp(log) }
          }
          return top + Logs.log(total)
        }
      }
    }
  }

  /// The last step before `end` that all ways still followed have in one state; nil where there is none.
  func convergence(before end: Int) -> Int? {
    guard let last = steps.last else { return nil }
    var states = Set(last.score.indices.filter { last.score[$0].isFinite })
    for index in steps.indices.reversed().dropLast() {
      let back = steps[index].back
      states = Set(states.compactMap { back[$0] >= 0 ? back[$0] : nil })
      if states.count <= 1, index - 1 < end { return states.isEmpty ? nil : index - 1 }
    }
    return nil
  }

  /// Share of the likeliest way in the probability of all ways, as a logarithm.
  var confidenceLog: Double {
    guard let last = steps.last else { return 0 }
    return (last.score.max() ?? 0) - Logs.sum(last.forward)
  }
}
