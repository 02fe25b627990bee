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
    var search = network.searches.take()
    for from in last.score.indices where last.forward[from] >= floor {
      connect(from, of: last, to: &step, motion: motion, &score, &search)
    }
    network.searches.give(search)
    var ways = last.forward
    for state in 0..<count {
      for from in last.score.indices {
        ways[from] = last.forward[from] + step.transitions[from * count + state]
      }
      step.forward[state] = Logs.sum(ways) + step.emission[state]
      step.score[state] = score[state] + step.emission[state]
    }
  }

  /// Moves from one state to each state of the next step, where the likeliest way may lead by it.
  private func connect(
    _ from: Int, of last: TrellisStep, to step: inout TrellisStep, motion: Motion,
    _ score: inout [Double], _ search: inout NetworkSearch
  ) {
    let count = step.score.count
    guard from < last.candidates.count else {
      for state in 0..<count {
        let nats = state == step.offRoadState ? 0 : -tuning.joinRoadNats
        step.transitions[from * count + state] = nats
        note(from, last.score[from] + nats, state, .offRoad, &step, &score)
      }
      return
    }
    let source = last.candidates[from]
    let reaches = search.reaches(
      from: source, to: step.candidates, fixPlace: step.fix.place, motion: motion, in: network,
      tuning: tuning)
    for (state, reach) in reaches.enumerated() {
      // Without a way the vehicle may have used one that the map lacks.
      var jumpNats = tuning.offGridNats
      if step.candidates[state].state.isAgainst, !source.state.isAgainst {
        jumpNats += tuning.wrongWayNats
      }
      var nats = -jumpNats
      var taken: Reach?
      if let reach,
        let driven = motion.log(lengthM: reach.lengthM, penaltyNats: reach.penaltyNats),
        driven > -jumpNats
      {
        nats = driven
        taken = reach
      }
      step.transitions[from * count + state] = nats
      let total = last.score[from] + nats
      guard total > score[state] else { continue }
      let move = taken.map {
        Move.drive(search.states(of: $0), lengthM: $0.lengthM, isBackward: $0.isBackward)
      }
      note(from, total, state, move ?? .jump, &step, &score)
    }
    step.transitions[from * count + step.offRoadState] = -tuning.leaveRoadNats
    note(
      from, last.score[from] - tuning.leaveRoadNats, step.offRoadState, .offRoad, &step, &score)
  }

  /// Takes a way to a state where none that is known is likelier.
  private func note(
    _ from: Int, _ total: Double, _ state: Int, _ move: Move, _ step: inout TrellisStep,
    _ score: inout [Double]
  ) {
    guard total > score[state] else { return }
    score[state] = total
    step.back[state] = from
    step.moves[state] = move
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
    // What does not depend on where one comes from is added once.
    let behind = (0..<count).map { step.emission[$0] + backward[$0] }
    var ways = behind
    return (0..<(step.transitions.count / count)).map { from in
      for state in 0..<count {
        ways[state] = step.transitions[from * count + state] + behind[state]
      }
      return Logs.sum(ways)
    }
  }

  /// Share of the likeliest way in the probability of all ways, as a logarithm.
  var confidenceLog: Double {
    guard let last = steps.last else { return 0 }
    return (last.score.max() ?? 0) - Logs.sum(last.forward)
  }
}
