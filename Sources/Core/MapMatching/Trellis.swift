import EventTime
import Geodesy
import Positioning
import RoadGraph

/// The window of steps over which the likeliest way is sought.
///
/// Viterbi's algorithm and the forward-backward algorithm side by side (L. Rabiner, "A Tutorial on
/// Hidden Markov Models", Proc. IEEE 77, 1989), in logarithms.
struct Trellis: Sendable {
  let network: MatchingNetwork
  let tuning: MatcherTuning
  private(set) var steps: [TrellisStep] = []
  /// Number of the first step kept.
  private(set) var firstSerial = 0
  /// Steps forgotten, whose memory is used again.
  private var spare: [TrellisStep] = []

  init(network: MatchingNetwork, tuning: MatcherTuning) {
    self.network = network
    self.tuning = tuning
  }

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
    if spare.count < 2 { spare.append(steps[0]) }
    steps.removeFirst(count)
    firstSerial += count
  }

  /// Adds a fix; `elapsedS` since the one before.
  mutating func extend(with fix: Fix, at time: Instant, elapsedS: Double, route: Set<EdgeID>) {
    var bench = network.benches.take()
    var step = spare.popLast() ?? TrellisStep(fix: fix, time: time)
    step.fix = fix
    step.time = time
    bench.cells.candidates(
      near: fix.place, previous: steps.last?.candidates ?? [], tuning: tuning, network: network,
      into: &step.candidates)
    let model = Emission(fix: fix, elapsedS: steps.isEmpty ? nil : elapsedS, tuning: tuning)
    step.sigmaM = model.sigmaM
    step.emission.removeAll(keepingCapacity: true)
    for candidate in step.candidates {
      step.emission.append(
        model.log(
          candidate, traits: network.traits(candidate.state.edge),
          isOnRoute: !route.isEmpty && !candidate.state.isAgainst
            && route.contains(candidate.state.edge)))
    }
    step.emission.append(model.offRoadLog)
    step.clear()
    if let last = steps.last {
      connect(&step, to: last, elapsedS: elapsedS, &bench)
    } else {
      begin(&step)
    }
    network.benches.give(bench)
    var top = -Double.infinity
    for log in step.forward where log > top { top = log }
    for state in step.score.indices {
      step.score[state] -= top
      step.forward[state] -= top
    }
    steps.append(step)
  }

  private func begin(_ step: inout TrellisStep) {
    for state in step.emission.indices {
      var log = step.emission[state]
      if state == step.offRoadState {
        log -= tuning.leaveRoadNats
      } else if step.candidates[state].state.isAgainst {
        log -= tuning.wrongWayNats
      }
      step.score[state] = log
      step.forward[state] = log
    }
  }

  func motion(from last: TrellisStep, to step: TrellisStep) -> Motion {
    Motion(
      before: last.fix, after: step.fix, straightM: last.fix.place.distanceM(to: step.fix.place),
      elapsedS: step.time.seconds(since: last.time), mode: network.mode, tuning: tuning)
  }

  private func connect(
    _ step: inout TrellisStep, to last: TrellisStep, elapsedS: Double, _ bench: inout Workbench
  ) {
    let motion = motion(from: last, to: step)
    if motion.nearM <= ReachTrees.greatestReachM {
      connect(&step, to: last, motion, isNear: true, &bench)
      if !isLikely(step, after: last) { connect(&step, to: last, motion, isNear: false, &bench) }
    } else {
      connect(&step, to: last, motion, isNear: false, &bench)
    }
    sumForward(&step, last)
  }

  /// Whether the near ways tell all that matters: the best state is come to at no great price, and no state is
  /// much likelier by its fix alone.
  private func isLikely(_ step: TrellisStep, after last: TrellisStep) -> Bool {
    let best = step.best
    guard step.back[best] >= 0 else { return false }
    let transition = step.score[best] - step.emission[best] - last.score[step.back[best]]
    var top = -Double.infinity
    for log in step.emission where log > top { top = log }
    return transition > -tuning.nearNats && step.emission[best] > top - tuning.nearNats
  }

  private func connect(
    _ step: inout TrellisStep, to last: TrellisStep, _ motion: Motion, isNear: Bool,
    _ bench: inout Workbench
  ) {
    let count = step.emission.count
    step.transitions.removeAll(keepingCapacity: true)
    step.transitions.append(
      contentsOf: repeatElement(-.infinity, count: last.score.count * count))
    for state in 0..<count {
      step.score[state] = -.infinity
      step.back[state] = -1
      step.moves[state] = .start
    }
    step.isNear = isNear
    var floor = -Double.infinity
    for log in last.forward where log > floor { floor = log }
    floor -= tuning.pruneNats
    bench.trees.use(tuning)
    for from in last.score.indices where last.forward[from] >= floor {
      guard from < last.candidates.count else {
        for state in 0..<count {
          let nats = state == step.offRoadState ? 0 : -tuning.joinRoadNats
          note(from, last, nats, state, .offRoad, &step)
        }
        continue
      }
      if isNear {
        reachNear(from, of: last, to: &step, motion, &bench.trees)
      } else {
        reachFar(from, of: last, to: &step, motion, &bench.search)
      }
      note(from, last, -tuning.leaveRoadNats, step.offRoadState, .offRoad, &step)
    }
    for state in 0..<count { step.score[state] += step.emission[state] }
  }

  private func reachNear(
    _ from: Int, of last: TrellisStep, to step: inout TrellisStep, _ motion: Motion,
    _ trees: inout ReachTrees
  ) {
    let source = last.candidates[from]
    let near = NearSource(
      source, motion: motion, network: network, tuning: tuning, trees: &trees)
    for state in step.candidates.indices {
      let reach = near.reach(step.candidates[state], network: network, tuning: tuning, trees)
      take(
        reach.map { ($0.lengthM, $0.penaltyNats, $0.isBackward) }, from, last, state, motion, &step)
    }
  }

  private func reachFar(
    _ from: Int, of last: TrellisStep, to step: inout TrellisStep, _ motion: Motion,
    _ search: inout NetworkSearch
  ) {
    let reaches = search.reaches(
      from: last.candidates[from], to: step.candidates, fixPlace: step.fix.place, motion: motion,
      in: network, tuning: tuning)
    for (state, reach) in reaches.enumerated() {
      take(
        reach.map { ($0.lengthM, $0.penaltyNats, $0.isBackward) }, from, last, state, motion, &step)
    }
  }

  private func take(
    _ reach: (lengthM: Double, nats: Double, isBackward: Bool)?, _ from: Int, _ last: TrellisStep,
    _ state: Int, _ motion: Motion, _ step: inout TrellisStep
  ) {
    // Without a way the vehicle may have used one that the map lacks.
    var jumpNats = tuning.offGridNats
    if step.candidates[state].state.isAgainst, !last.candidates[from].state.isAgainst {
      jumpNats += tuning.wrongWayNats
    }
    if let reach, let driven = motion.log(lengthM: reach.lengthM, penaltyNats: reach.nats),
      driven > -jumpNats
    {
      note(from, last, driven, state, .drive(isBackward: reach.isBackward), &step)
    } else {
      note(from, last, -jumpNats, state, .jump, &step)
    }
  }

  /// Notes a transition, and takes it where none that is known is likelier.
  @inline(__always) private func note(
    _ from: Int, _ last: TrellisStep, _ nats: Double, _ state: Int, _ move: Move,
    _ step: inout TrellisStep
  ) {
    step.transitions[from * step.emission.count + state] = nats
    let total = last.score[from] + nats
    guard total > step.score[state] else { return }
    step.score[state] = total
    step.back[state] = from
    step.moves[state] = move
  }
}
