import EventTime
import Geodesy
import Positioning
import RoadGraph

/// How a state of a step was come to from the step before.
enum Move: Hashable, Sendable {
  /// Nothing came before.
  case start
  /// By road; the states after the one left, the one reached included.
  case drive([TravelState], lengthM: Double, isBackward: Bool)
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
  private var search = NetworkSearch()

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
    steps.removeFirst(count)
    firstSerial += count
  }

  /// Adds a fix; `elapsedS` since the one before.
  mutating func extend(with fix: Fix, at time: Instant, elapsedS: Double, route: Set<EdgeID>) {
    let candidates = network.candidates(
      near: fix.place, previous: steps.last?.candidates.map(\.state) ?? [], tuning: tuning)
    let model = Emission(
      fix: fix, elapsedS: steps.isEmpty ? nil : elapsedS, tuning: tuning)
    var emission = candidates.map { candidate in
      model.log(
        candidate, traits: network.traits(candidate.state.edge),
        isOnRoute: !candidate.state.isAgainst && route.contains(candidate.state.edge))
    }
    emission.append(model.offRoadLog)
    var step = TrellisStep(
      fix: fix, time: time, sigmaM: model.sigmaM, candidates: candidates, score: emission,
      forward: emission, emission: emission, back: Array(repeating: -1, count: emission.count),
      moves: Array(repeating: .start, count: emission.count), transitions: [])
    if let last = steps.last {
      connect(&step, to: last, elapsedS: elapsedS)
    } else {
      for (state, candidate) in candidates.enumerated() where candidate.state.isAgainst {
        step.score[state] -= tuning.wrongWayNats
        step.forward[state] -= tuning.wrongWayNats
      }
      step.score[step.offRoadState] -= tuning.leaveRoadNats
      step.forward[step.offRoadState] -= tuning.leaveRoadNats
    }
    let top = step.forward.max() ?? 0
    for state in step.score.indices {
      step.score[state] -= top
      step.forward[state] -= top
    }
    steps.append(step)
  }

  private mutating func connect(_ step: inout TrellisStep, to last: TrellisStep, elapsedS: Double) {
    let count = step.score.count
    let motion = Motion(
      before: last.fix, after: step.fix, straightM: last.fix.place.distanceM(to: step.fix.place),
      elapsedS: elapsedS, mode: network.mode, tuning: tuning)
    step.transitions = Array(repeating: -.infinity, count: last.score.count * count)
    var score = Array(repeating: -Double.infinity, count: count)
    let floor = (last.forward.max() ?? 0) - tuning.pruneNats
    for from in last.score.indices where last.forward[from] >= floor {
      let moves = moves(from: from, of: last, to: step, motion: motion)
      for (state, (move, nats)) in moves.enumerated() {
        step.transitions[from * count + state] = nats
        let total = last.score[from] + nats
        guard total > score[state] else { continue }
        score[state] = total
        step.back[state] = from
        step.moves[state] = move
      }
    }
    for state in 0..<count {
      let ways = last.score.indices.map {
        last.forward[$0] + step.transitions[$0 * count + state]
      }
      step.forward[state] = Logs.sum(ways) + step.emission[state]
      step.score[state] = score[state] + step.emission[state]
    }
  }

  /// The move from one state to each state of the next step, and its logarithm.
  private mutating func moves(
    from: Int, of last: TrellisStep, to step: TrellisStep, motion: Motion
  ) -> [(Move, Double)] {
    guard from < last.candidates.count else {
      let joins = step.candidates.map { _ in (Move.offRoad, -tuning.joinRoadNats) }
      return joins + [(.offRoad, 0)]
    }
    let source = last.candidates[from]
    let reaches = search.reaches(
      from: source, to: step.candidates, fixPlace: step.fix.place, motion: motion, in: network,
      tuning: tuning)
    var moves: [(Move, Double)] = reaches.enumerated().map { index, reach in
      // Without a way the vehicle may have used one that the map lacks.
      var jumpNats = tuning.offGridNats
      if step.candidates[index].state.isAgainst, !source.state.isAgainst {
        jumpNats += tuning.wrongWayNats
      }
      guard let reach,
        let nats = motion.log(lengthM: reach.lengthM, penaltyNats: reach.penaltyNats),
        nats > -jumpNats
      else { return (.jump, -jumpNats) }
      return (
        .drive(reach.states, lengthM: reach.lengthM, isBackward: reach.isBackward), nats
      )
    }
    moves.append((.offRoad, -tuning.leaveRoadNats))
    return moves
  }

  /// The likeliest state of each step kept and its probability by all that is known, one pass back.
  func decoded() -> [(state: Int, probability: Double, offRoad: Double)] {
    guard let last = steps.last else { return [] }
    var states = Array(repeating: 0, count: steps.count)
    var state = last.best
    for index in steps.indices.reversed() {
      states[index] = state
      if index > 0, steps[index].back[state] >= 0 { state = steps[index].back[state] }
    }
    var result: [(state: Int, probability: Double, offRoad: Double)] = []
    var backward = Array(repeating: 0.0, count: last.score.count)
    for index in steps.indices.reversed() {
      let step = steps[index]
      let posterior = TrellisStep.normalized(zip(step.forward, backward).map { $0 + $1 })
      result.append((states[index], posterior[states[index]], posterior[step.offRoadState]))
      if index > 0 { backward = Self.backward(through: step, backward) }
    }
    return result.reversed()
  }

  private static func backward(through step: TrellisStep, _ backward: [Double]) -> [Double] {
    let count = step.score.count
    guard count > 0 else { return [] }
    return (0..<(step.transitions.count / count)).map { from in
      Logs.sum(
        (0..<count).map { step.transitions[from * count + $0] + step.emission[$0] + backward[$0] })
    }
  }

  /// Share of the likeliest way in the probability of all ways, as a logarithm.
  var confidenceLog: Double {
    guard let last = steps.last else { return 0 }
    return (last.score.max() ?? 0) - Logs.sum(last.forward)
  }
}
