import Geodesy
import Positioning
import RoadGraph

extension MatchingModel {
  /// Finds the paths from the states of one step to those of the next and updates the likelihoods
  /// of the states.
  func connect(_ newest: NewestStep, to last: StepColumns, _ scratch: inout ScratchSpace) {
    let motion = motion(
      from: last.step.seen, to: newest.step.seen, isSparse: newest.step.isSparse)
    scratch.trees.use(self)
    var isNear = motion.nearM <= ShortestPathTreeCache.greatestReachM
    var leading = connect(newest, to: last, motion, isNear: isNear, &scratch)
    if isNear, !isLikely(leading, newest, after: last, motion) {
      isNear = false
      leading = connect(newest, to: last, motion, isNear: false, &scratch)
    }
    newest.step.isWide = !isNear && mayMissBest(leading, newest, after: last, motion)
    if newest.step.isWide {
      leading = connect(newest, to: last, motion.widened, isNear: false, &scratch)
    }
    newest.scale(top: leading.forward)
  }

  /// The leading values among the states of a step.
  private struct Leading {
    /// The likeliest state by the paths found here, and its score.
    var state = 0
    var score = -Double.infinity
    /// The largest emission, including that of being off-road, and the largest forward likelihood.
    var emission = -Double.infinity
    var forward = 0.0

    @inline(__always) mutating func include(_ number: Int, _ state: TrellisState) {
      if state.emission > emission { emission = state.emission }
      if state.forward > forward { forward = state.forward }
      if state.score > score { (self.state, score) = (number, state.score) }
    }
  }

  /// Whether the near paths suffice: the transition to the best state is cheap, and no state is
  /// much likelier by its fix alone.
  private func isLikely(
    _ leading: Leading, _ newest: NewestStep, after last: StepColumns, _ motion: MotionConstraints
  ) -> Bool {
    let state = newest.states[leading.state]
    guard state.back >= 0 else { return false }
    let transition = state.score - state.emission - last.states[Int(state.back)].score
    return transition + motion.offRoadNats > -tuning.nearNats
      && state.emission > leading.emission - tuning.nearNats
  }

  /// Whether a path longer than the search limit could lead to a state likelier than the best.
  private func mayMissBest(
    _ leading: Leading, _ newest: NewestStep, after last: StepColumns, _ motion: MotionConstraints
  ) -> Bool {
    guard let leftOut = motion.leftOutLog else { return false }
    var (top, earlier) = (-Double.infinity, -Double.infinity)
    for state in newest.states.dropLast() { top = Double.maximum(top, state.emission) }
    for state in last.states.dropLast() { earlier = Double.maximum(earlier, state.score) }
    return earlier + leftOut + top > leading.score
  }

  /// Finds the paths and updates the likelihoods with them and the fix; returns the leading values.
  private func connect(
    _ newest: NewestStep, to last: StepColumns, _ motion: MotionConstraints, isNear: Bool,
    _ scratch: inout ScratchSpace
  ) -> Leading {
    newest.step.isNear = isNear
    let offNetwork = OffNetworkCosts(offNetwork, motion)
    newest.step.offNetwork = offNetwork
    scratch.drives.removeAll()
    let (states, sources) = (newest.states, last.candidates)
    relaxOffNetwork(to: states, from: last.states, offNetwork)
    if isNear {
      scratch.targets.insert(newest.candidates)
      for from in sources.indices where last.states[from].forward >= leastLikelihood {
        let row = TransitionRow(from: from, last.states[from], states, offNetwork)
        connectNear(sources[from], row, to: newest.candidates, motion, &scratch)
      }
    } else {
      connectFar(
        sources, last.states, states, offNetwork, to: newest.candidates, at: newest.step.fix.place,
        motion, &scratch)
    }
    var leading = Leading()
    for index in states.indices {
      states[index].score += states[index].emission
      states[index].forward *= states[index].likelihood
      leading.include(index, states[index])
    }
    return leading
  }

  /// Adds the off-network transitions from all states that are followed.
  ///
  /// They cost the same from every state; therefore only the likeliest source is kept as the
  /// predecessor.
  private func relaxOffNetwork(
    to states: UnsafeMutableBufferPointer<TrellisState>,
    from before: UnsafeBufferPointer<TrellisState>, _ offNetwork: OffNetworkCosts
  ) {
    let offRoad = before.count - 1
    var (along, against, beside) = (OffNetworkSource(), OffNetworkSource(), OffNetworkSource())
    for from in before.indices where before[from].forward >= leastLikelihood {
      if from == offRoad {
        beside.add(from, before[from])
      } else if before[from].isAgainst {
        against.add(from, before[from])
      } else {
        along.add(from, before[from])
      }
    }
    let last = states.count - 1
    for state in 0..<last {
      states[state].clear()
      let isAgainst = states[state].isAgainst
      states[state].relaxOffNetwork(from: along, offNetwork.jump(isTurning: isAgainst), .jump)
      states[state].relaxOffNetwork(from: against, offNetwork.jump(isTurning: false), .jump)
      states[state].relaxOffNetwork(from: beside, offNetwork.join, .offRoad)
    }
    states[last].clear()
    states[last].relaxOffNetwork(from: along, offNetwork.leave, .offRoad)
    states[last].relaxOffNetwork(from: against, offNetwork.leave, .offRoad)
    states[last].relaxOffNetwork(from: beside, offNetwork.stay, .offRoad)
  }

  private func connectNear(
    _ source: Candidate, _ row: TransitionRow, to targets: UnsafeBufferPointer<Candidate>,
    _ motion: MotionConstraints, _ scratch: inout ScratchSpace
  ) {
    let near = TreeLookup(
      source, motion: motion, network: network, tuning: tuning, trees: &scratch.trees)
    near.forEachReach(to: targets, scratch.targets, tuning: tuning, scratch.trees) { state, reach in
      guard
        let driven = motion.log(
          lengthM: reach.lengthM, penaltyNats: reach.penaltyNats, costM: reach.costM)
      else { return }
      row.drive(
        to: state, driven, isBackward: reach.isBackward, isNext: reach.isNext, &scratch.drives)
    }
  }

  private func connectFar(
    _ sources: UnsafeBufferPointer<Candidate>, _ before: UnsafeBufferPointer<TrellisState>,
    _ states: UnsafeMutableBufferPointer<TrellisState>, _ offNetwork: OffNetworkCosts,
    to candidates: UnsafeBufferPointer<Candidate>, at place: Coordinate,
    _ motion: MotionConstraints,
    _ scratch: inout ScratchSpace
  ) {
    let targets = Array(candidates)
    let top = states.dropLast().lazy.map(\.emission).max() ?? 0
    scratch.bounds.behindNats.removeAll(keepingCapacity: true)
    for state in states.dropLast() { scratch.bounds.behindNats.append(top - state.emission) }
    // The likeliest source first: its paths decide which paths from the others are worth searching
    // for.
    let order = sources.indices.filter { before[$0].forward >= leastLikelihood }
      .sorted { (before[$1].score, $0) < (before[$0].score, $1) }
    for from in order {
      let row = TransitionRow(from: from, before[from], states, offNetwork)
      var lead = -Double.infinity
      for state in targets.indices { lead = Double.maximum(lead, row.lead(state)) }
      scratch.bounds.nats = lead + motion.grantedNats
      let reaches = scratch.search.reaches(
        from: sources[from], to: targets, fixPlace: place, motion: motion,
        bounds: scratch.bounds, in: network, tuning: tuning)
      for (state, reach) in reaches.enumerated() {
        guard let reach,
          let driven = motion.log(
            lengthM: reach.lengthM, penaltyNats: reach.penaltyNats, costM: reach.costM)
        else { continue }
        row.drive(
          to: state, driven, isBackward: reach.isBackward, isNext: false, &scratch.drives)
      }
    }
  }
}

/// The states of a kind whose off-network transitions have the same cost.
private struct OffNetworkSource {
  /// The likeliest state.
  private(set) var from: Int32 = -1
  private(set) var score = -Double.infinity
  /// Sum of the forward likelihoods.
  private(set) var forward = 0.0

  mutating func add(_ from: Int, _ state: TrellisState) {
    forward += state.forward
    guard state.score > score else { return }
    score = state.score
    self.from = Int32(from)
  }
}

extension TrellisState {
  /// Adds off-network transitions to this state and selects the likeliest unless a known path is
  /// likelier.
  @inline(__always) fileprivate mutating func relaxOffNetwork(
    from source: OffNetworkSource, _ price: OffNetworkCosts.Price, _ move: TransitionKind
  ) {
    forward += source.forward * price.likelihood
    improve(source.score + price.nats, from: source.from, move, isNext: false)
  }

  @inline(__always) fileprivate mutating func improve(
    _ total: Double, from: Int32, _ move: TransitionKind, isNext: Bool
  ) {
    guard total > score else { return }
    score = total
    back = from
    self.move = move
    self.isNext = isNext
  }
}

/// The transitions from one state of the previous step.
private struct TransitionRow {
  private let from: Int32
  private let source: TrellisState
  private let states: UnsafeMutableBufferPointer<TrellisState>
  private let offNetwork: OffNetworkCosts

  /// Creates the row from `from` to `states`, which must outlive it.
  init(
    from: Int, _ source: TrellisState, _ states: UnsafeMutableBufferPointer<TrellisState>,
    _ offNetwork: OffNetworkCosts
  ) {
    self.from = Int32(from)
    self.source = source
    self.states = states
    self.offNetwork = offNetwork
  }

  /// Returns by how much being at the source of this row is likelier than reaching a state by any
  /// known path.
  @inline(__always) func lead(_ state: Int) -> Double { source.score - states[state].score }

  /// Adds a path if it is likelier than an off-network transition, and selects it unless a known
  /// one is likelier.
  @inline(__always) func drive(
    to state: Int, _ nats: Double, isBackward: Bool, isNext: Bool,
    _ drives: inout Arena<Transitions.Drive>
  ) {
    let breakage = offNetwork.jump(isTurning: states[state].isAgainst && !source.isAgainst)
    // Without such a path the vehicle may have used a road that the map lacks.
    guard nats > breakage.nats else { return }
    let gain = LogMath.exp(nats) - breakage.likelihood
    drives.append(Transitions.Drive(from: from, to: Int32(state), gain: gain))
    states[state].forward += source.forward * gain
    states[state].improve(
      source.score + nats, from: from, .drive(isBackward: isBackward), isNext: isNext)
  }
}
