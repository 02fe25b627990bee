import EventTime
import Geodesy
import Positioning
import RoadGraph

/// How a state of a step was come to from the step before.
enum Move: Hashable, Sendable {
  /// Nothing came before.
  case start
  /// By road; the way is told by `Trellis.path`.
  case drive(isBackward: Bool)
  /// From road to road where the map shows no way.
  case jump
  /// Onto, on, or off what is no road.
  case offRoad
}

/// One fix of the trellis: what may be, and how likely it is.
///
/// Arrays have shape `[candidates + 1]`; the last state is to be on no road.
struct TrellisStep: Sendable {
  var fix: Fix
  var time: Instant
  var sigmaM: Double
  var candidates: [Candidate]
  /// Logarithm of the likeliest way here (Viterbi), the best of the step being near 0.
  var score: [Double]
  /// Logarithm of all ways here together (forward), by the same measure.
  var forward: [Double]
  var emission: [Double]
  /// State of the step before on the likeliest way; -1 at a start.
  var back: [Int]
  var moves: [Move]
  /// Logarithms, shape `[states before x states]`; empty at a start.
  var transitions: [Double]
  /// The ways here are those of `NearSource`, else those of `NetworkSearch`.
  var isNear: Bool

  /// A step that holds nothing yet.
  init(fix: Fix, time: Instant) {
    self.init(
      fix: fix, time: time, sigmaM: 0, candidates: [], score: [], forward: [], emission: [],
      back: [], moves: [], transitions: [], isNear: false)
  }

  init(
    fix: Fix, time: Instant, sigmaM: Double, candidates: [Candidate], score: [Double],
    forward: [Double], emission: [Double], back: [Int], moves: [Move], transitions: [Double],
    isNear: Bool
  ) {
    self.fix = fix
    self.time = time
    self.sigmaM = sigmaM
    self.candidates = candidates
    self.score = score
    self.forward = forward
    self.emission = emission
    self.back = back
    self.moves = moves
    self.transitions = transitions
    self.isNear = isNear
  }

  /// Makes the columns as long as the emissions, with nothing before.
  mutating func clear() {
    score.removeAll(keepingCapacity: true)
    forward.removeAll(keepingCapacity: true)
    back.removeAll(keepingCapacity: true)
    moves.removeAll(keepingCapacity: true)
    transitions.removeAll(keepingCapacity: true)
    for _ in emission {
      score.append(-.infinity)
      forward.append(-.infinity)
      back.append(-1)
      moves.append(.start)
    }
  }

  var offRoadState: Int { candidates.count }

  /// The likeliest state; of equals the first, which is the nearest.
  var best: Int {
    var best = 0
    for state in score.indices where score[state] > score[best] { best = state }
    return best
  }

  /// Probability of each state by what is known so far.
  var posterior: [Double] { Self.normalized(forward) }

  static func normalized(_ logs: [Double]) -> [Double] {
    let total = Logs.sum(logs)
    return logs.map { total.isFinite ? Logs.exp($0 - total) : 0 }
  }
}

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

  private func sumForward(_ step: inout TrellisStep, _ last: TrellisStep) {
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

  private static func backward(through step: TrellisStep, _ backward: [Double]) -> [Double] {
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

  /// Share of the likeliest way in the probability of all ways, as a logarithm.
  var confidenceLog: Double {
    guard let last = steps.last else { return 0 }
    return (last.score.max() ?? 0) - Logs.sum(last.forward)
  }
}
