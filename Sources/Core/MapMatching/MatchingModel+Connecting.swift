import Geodesy
import Positioning
import RoadGraph

extension MatchingModel {
  /// Finds the ways from the states of one step to those of the next, and what they make likely.
  func connect(
    _ step: inout TrellisStep, to last: UnsafePointer<TrellisStep>, _ bench: inout Workbench
  ) {
    let motion = motion(from: last.pointee.seen, to: step.seen, isPaced: step.isPaced)
    bench.trees.use(self)
    bench.targets.removeAll(keepingCapacity: true)
    for candidate in step.candidates {
      let weight = bench.trees.weight(candidate.state, network)
      bench.targets.append(network.placed(candidate, weight: weight))
    }
    if motion.nearM <= ReachTrees.greatestReachM {
      connect(&step, to: last, motion, isNear: true, &bench)
      if !isLikely(step.states, after: last.pointee.states, motion) {
        connect(&step, to: last, motion, isNear: false, &bench)
      }
    } else {
      connect(&step, to: last, motion, isNear: false, &bench)
    }
    step.isWide = !step.isNear && mayMissBest(step.states, after: last.pointee.states, motion)
    if step.isWide { connect(&step, to: last, motion.widened, isNear: false, &bench) }
    for index in step.states.indices {
      step.states[index].score += step.states[index].emission
      step.states[index].forward *= step.states[index].likelihood
    }
  }

  /// Whether the near ways tell all that matters: the best state is come to at no great price, and no state is
  /// much likelier by its fix alone.
  private func isLikely(
    _ states: [TrellisState], after before: [TrellisState], _ motion: Motion
  ) -> Bool {
    var best = 0
    var (score, top) = (-Double.infinity, -Double.infinity)
    for (index, state) in states.enumerated() {
      top = Double.maximum(top, state.emission)
      guard state.score + state.emission > score else { continue }
      (best, score) = (index, state.score + state.emission)
    }
    let state = states[best]
    guard state.back >= 0 else { return false }
    let transition = state.score - before[Int(state.back)].score
    return transition + motion.offRoadNats > -tuning.nearNats
      && state.emission > top - tuning.nearNats
  }

  /// Whether a longer way than was searched for could lead to a state likelier than the best.
  private func mayMissBest(
    _ states: [TrellisState], after before: [TrellisState], _ motion: Motion
  ) -> Bool {
    guard let leftOut = motion.leftOutLog else { return false }
    var (score, top, earlier) = (-Double.infinity, -Double.infinity, -Double.infinity)
    for state in states.dropLast() { top = Double.maximum(top, state.emission) }
    for state in states { score = Double.maximum(score, state.score + state.emission) }
    for state in before.dropLast() { earlier = Double.maximum(earlier, state.score) }
    return earlier + leftOut + top > score
  }

  private func connect(
    _ step: inout TrellisStep, to last: UnsafePointer<TrellisStep>, _ motion: Motion, isNear: Bool,
    _ bench: inout Workbench
  ) {
    let before = last.pointee.states
    let places = last.pointee.candidates
    let count = step.states.count
    step.transitions.removeAll(keepingCapacity: true)
    let size = before.count * count
    if bench.zeros.count < size { bench.zeros = Array(repeating: 0, count: 2 * size) }
    step.transitions.append(contentsOf: bench.zeros[..<size])
    for index in 0..<count { step.states[index].clear() }
    step.isNear = isNear
    let prices = LeapPrices(tuning, motion)
    let offRoad = count - 1
    bench.sources.removeAll(keepingCapacity: true)
    for from in before.indices where before[from].forward >= leastLikelihood {
      bench.sources.append(from)
    }
    // The likeliest first: they tell what ways from the others are worth searching for.
    if !isNear {
      bench.sources.sort { (before[$1].score, $0) < (before[$0].score, $1) }
      let top = step.states.dropLast().lazy.map(\.emission).max() ?? 0
      bench.worth.behindNats.removeAll(keepingCapacity: true)
      for state in step.states.dropLast() { bench.worth.behindNats.append(top - state.emission) }
    }
    step.transitions.withUnsafeMutableBufferPointer { transitions in
      step.states.withUnsafeMutableBufferPointer { states in
        for from in bench.sources {
          let row = TransitionRow(from: from, before[from], transitions, states)
          guard from < places.count else {
            for state in 0..<offRoad { row.note(prices.join, .offRoad, state) }
            row.note(prices.stay, .offRoad, offRoad)
            continue
          }
          if isNear {
            reachNear(places[from], row, motion, prices, &bench)
          } else {
            reachFar(
              places[from], row, to: step.candidates, at: step.fix.place, motion, prices,
              &bench)
          }
          row.note(prices.leave, .offRoad, offRoad)
        }
      }
    }
  }

  private func reachNear(
    _ source: Candidate, _ row: TransitionRow, _ motion: Motion, _ prices: LeapPrices,
    _ bench: inout Workbench
  ) {
    let near = NearSource(
      source, motion: motion, network: network, tuning: tuning, trees: &bench.trees)
    let targets = bench.targets
    bench.trees.withView(of: near.tree) { view in
      for (state, target) in targets.enumerated() {
        let reach = near.reach(target, tuning: tuning, view)
        if let reach,
          let driven = motion.log(
            lengthM: reach.lengthM, penaltyNats: reach.penaltyNats, costM: reach.costM),
          driven > prices.jump(from: source.state, to: target.state).nats
        {
          row.note(
            (driven, Logs.exp(driven)), .drive(isBackward: reach.isBackward), state,
            isNext: reach.isNext)
        } else {
          row.note(prices.jump(from: source.state, to: target.state), .jump, state)
        }
      }
    }
  }

  private func reachFar(
    _ source: Candidate, _ row: TransitionRow, to candidates: [Candidate], at place: Coordinate,
    _ motion: Motion, _ prices: LeapPrices, _ bench: inout Workbench
  ) {
    var lead = -Double.infinity
    for state in candidates.indices { lead = Double.maximum(lead, row.lead(state)) }
    bench.worth.nats = lead + motion.grantedNats
    let reaches = bench.search.reaches(
      from: source, to: candidates, fixPlace: place, motion: motion,
      worth: bench.worth, in: network, tuning: tuning)
    for (state, reach) in reaches.enumerated() {
      let jump = prices.jump(from: source.state, to: candidates[state].state)
      if let reach,
        let driven = motion.log(
          lengthM: reach.lengthM, penaltyNats: reach.penaltyNats, costM: reach.costM),
        driven > jump.nats
      {
        row.note((driven, Logs.exp(driven)), .drive(isBackward: reach.isBackward), state)
      } else {
        row.note(jump, .jump, state)
      }
    }
  }
}

/// A price as a logarithm and as a likelihood.
private typealias Price = (nats: Double, likelihood: Double)

/// What transitions cost that are no drive.
private struct LeapPrices {
  let leave: Price
  let join: Price
  /// Staying on no road.
  let stay: Price
  private let jump: Price
  private let jumpAgainst: Price

  init(_ tuning: MatcherTuning, _ motion: Motion) {
    func price(_ nats: Double) -> Price { (-nats, Logs.exp(-nats)) }
    stay = price(motion.offRoadNats)
    leave = price(motion.offRoadNats + tuning.leaveRoadNats)
    join = price(motion.offRoadNats + tuning.joinRoadNats)
    jump = price(motion.jumpNats)
    jumpAgainst = price(motion.jumpNats + tuning.wrongWayNats)
  }

  /// Without a way the vehicle may have used one that the map lacks.
  @inline(__always) func jump(from: TravelState, to: TravelState) -> Price {
    to.isAgainst && !from.isAgainst ? jumpAgainst : jump
  }
}

/// The transitions from one state of the step before.
private struct TransitionRow {
  private let from: Int32
  private let score: Double
  private let forward: Double
  /// Where it begins in `transitions`.
  private let first: Int
  private let transitions: UnsafeMutableBufferPointer<Double>
  private let states: UnsafeMutableBufferPointer<TrellisState>

  /// The row of `from` in `transitions`, to `states`; both outlive it.
  init(
    from: Int, _ state: TrellisState, _ transitions: UnsafeMutableBufferPointer<Double>,
    _ states: UnsafeMutableBufferPointer<TrellisState>
  ) {
    self.from = Int32(from)
    score = state.score
    forward = state.forward
    first = from * states.count
    self.transitions = transitions
    self.states = states
  }

  /// How much likelier it is to be where this row begins than to have come to a state by any way known.
  @inline(__always) func lead(_ state: Int) -> Double { score - states[state].score }

  /// Notes a transition, and takes it where none that is known is likelier.
  @inline(__always) func note(_ price: Price, _ move: Move, _ state: Int, isNext: Bool = false) {
    transitions[first + state] = price.likelihood
    states[state].forward += forward * price.likelihood
    let total = score + price.nats
    guard total > states[state].score else { return }
    states[state].score = total
    states[state].back = from
    states[state].move = move
    states[state].isNext = isNext
  }
}
