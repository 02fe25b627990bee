import Foundations
import Geodesy
import RoadGraph

extension Trellis {
  /// The influence of later fixes on each step, as far as they are known.
  struct Hindsight {
    /// Likelihood of the best path from each state to the last step; shape `[steps][states]`.
    var best: [[Double]]
    /// Probability of each state; the same shape.
    var shares: [[Double]]
  }

  /// Computes the results of each step given the last one; linear.
  func hindsight() -> Hindsight {
    var best: [[Double]] = []
    var shares: [[Double]] = []
    passBack { index, step, pass in
      let states = step.states
      shares.append(Self.normalized(zip(states, pass.likelihoods).map { $0.forward * $1 }))
      guard let behind = best.last else {
        return best.append(Array(repeating: 0, count: states.count))
      }
      let later = steps.states(at: index + 1)
      best.append(
        states.indices.map { from in
          later.indices.reduce(-Double.infinity) {
            Double.maximum(
              $0, nats(from: from, to: $1, at: index + 1) + later[$1].emission + behind[$1])
          }
        })
    }
    return Hindsight(best: best.reversed(), shares: shares.reversed())
  }

  /// Returns the results of each step as it was answered at once.
  func noHindsight() -> Hindsight {
    Hindsight(
      best: steps.map { Array(repeating: 0, count: $0.candidateCount + 1) },
      shares: steps.indices.map { Self.normalized(steps.states(at: $0).map(\.forward)) })
  }

  private static func normalized(_ likelihoods: [Double]) -> [Double] {
    let total = likelihoods.reduce(0, +)
    return likelihoods.map { total > 0 ? $0 / total : 0 }
  }

  /// Explains the answer for the step at `index`.
  func explanation(
    at index: Int, number: Int, route: Set<EdgeID>, by hindsight: Hindsight
  ) -> FixExplanation {
    let totals = zip(steps.states(at: index), hindsight.best[index]).map { $0.score + $1 }
    let top = totals.max() ?? 0
    let probabilities = hindsight.shares[index]
    let order = order(at: index, hindsight)
    let numbers = numbers(at: index, hindsight)
    let before = index > 0 ? self.numbers(at: index - 1, hindsight) : [:]
    let candidates = order.map { state in
      candidate(
        state, of: index, before: before, route: route, totalNats: totals[state] - top,
        probability: probabilities[state])
    }
    func path(_ state: Int?) -> FixExplanation.Path? {
      guard let state, let here = numbers[state] else { return nil }
      return self.path(
        through: state, at: index, here: here, before: before,
        totalNats: totals[state] - top, by: hindsight)
    }
    let reasons = candidates.count > 1 ? Self.reasons(candidates[0], candidates[1]) : []
    return FixExplanation(
      index: number, candidates: candidates, winner: path(order.first),
      runnerUp: path(order.dropFirst().first), reasons: reasons)
  }

  /// Returns the possible states of a step, the likeliest first.
  private func order(at index: Int, _ hindsight: Hindsight) -> [Int] {
    let totals = zip(steps.states(at: index), hindsight.best[index]).map { $0.score + $1 }
    return totals.indices.filter { totals[$0].isFinite }
      .sorted { (totals[$1], $0) < (totals[$0], $1) }
  }

  /// Returns the rank of each state in that order.
  private func numbers(at index: Int, _ hindsight: Hindsight) -> [Int: Int] {
    Dictionary(
      uniqueKeysWithValues: order(at: index, hindsight).enumerated().map {
        ($0.element, $0.offset)
      })
  }

  private func candidate(
    _ state: Int, of index: Int, before: [Int: Int], route: Set<EdgeID>, totalNats: Double,
    probability: Double
  ) -> FixExplanation.Candidate {
    let step = steps[index]
    let elapsedS = index > 0 ? step.time.seconds(since: steps[index - 1].time) : nil
    var numbers = tuning
    // The standard deviation used at that time.
    numbers.defaultSigmaM = step.sigmaM
    let model = Emission(fix: step.fix, elapsedS: elapsedS, tuning: numbers)
    var evidence = FixExplanation.Evidence()
    var place: MatchedPlace?
    if state < step.candidateCount {
      let candidate = steps.candidate(state, at: index)
      place = network.place(candidate, path: [], probability: probability, sigmaM: step.sigmaM)
      evidence = model.evidence(
        candidate, traits: network.traits(candidate.state.edge),
        isOnRoute: candidate.state.isOn(route))
    } else {
      evidence.total = steps.state(state, at: index).emission
      evidence.distance = evidence.total
    }
    return FixExplanation.Candidate(
      place: place, evidence: evidence,
      transition: transition(to: state, of: index, before: before),
      totalNats: totalNats, probability: probability)
  }

  private func transition(to state: Int, of index: Int, before: [Int: Int])
    -> FixExplanation.Transition
  {
    let here = steps.state(state, at: index)
    let from = Int(here.back)
    guard index > 0, from >= 0 else {
      return FixExplanation.Transition(kind: .start, nats: here.score - here.emission)
    }
    let kind: FixExplanation.Transition.Kind =
      switch here.move {
      case .start: .start
      case .drive(let isBackward): isBackward ? .back : .drive
      case .jump: .jump
      case .offRoad: .offRoad
      }
    var transition = FixExplanation.Transition(
      kind: kind, from: before[from], nats: nats(from: from, to: state, at: index))
    guard case .drive = here.move else { return transition }
    transition.expectedM = motion(from: steps[index - 1], to: steps[index]).expectedM
    let source = steps.candidate(from, at: index - 1)
    let target = steps.candidate(state, at: index)
    let states = path(to: state, at: index)
    guard states.count > 1 else {
      transition.lengthM = states.isEmpty ? nil : target.offsetM - source.offsetM
      return transition
    }
    transition.lengthM =
      kind == .back
      ? nil
      : states.dropLast().reduce(target.offsetM - source.offsetM) { $0 + network.lengthM($1) }
    return transition
  }

  private func path(
    through state: Int, at index: Int, here: Int, before: [Int: Int],
    totalNats: Double, by hindsight: Hindsight
  ) -> FixExplanation.Path {
    var states: [TravelState] = []
    func add(_ more: [TravelState]) {
      for one in more where one != states.last { states.append(one) }
    }
    let from = Int(steps.state(state, at: index).back)
    if index > 0, from >= 0 { add(path(to: state, at: index)) }
    if state < steps[index].candidateCount { add([steps.candidate(state, at: index).state]) }
    var after: Int?
    if index + 1 < steps.count {
      let next = steps.states(at: index + 1)
      let further = hindsight.best[index + 1]
      func total(_ later: Int) -> Double {
        nats(from: state, to: later, at: index + 1) + next[later].emission + further[later]
      }
      let best = next.indices.max { total($0) < total($1) }
      if let best {
        after = numbers(at: index + 1, hindsight)[best]
        if Int(next[best].back) == state { add(path(to: best, at: index + 1)) }
        if best < next.count - 1 { add([steps.candidate(best, at: index + 1).state]) }
      }
    }
    return FixExplanation.Path(
      before: index > 0 && from >= 0 ? before[from] : nil, here: here,
      after: after, segments: states.map { network.reference($0) }, totalNats: totalNats)
  }

  /// Returns the differences between the two likeliest candidates, the largest first.
  private static func reasons(
    _ best: FixExplanation.Candidate, _ next: FixExplanation.Candidate
  ) -> [String] {
    let fix: [(String, Double)] = [
      ("its distance from the fix", best.evidence.distance - next.evidence.distance),
      ("the course of the fix", best.evidence.course - next.evidence.course),
      ("the speed of the fix", best.evidence.speed - next.evidence.speed),
      ("the active route", best.evidence.route - next.evidence.route),
      ("the kind of road", best.evidence.road - next.evidence.road),
      ("the path from the previous fix", best.transition.nats - next.transition.nats),
    ]
    let known = fix.reduce(0) { $0 + $1.1 }
    let rest = (
      "the earlier path and the later fixes", -next.totalNats - known
    )
    return (fix + [rest]).filter { abs($0.1) >= 0.05 && $0.1.isFinite }
      .sorted { abs($0.1) > abs($1.1) }
      .map { what, nats in
        "\(what) favours \(nats > 0 ? "the first" : "the second") by "
          + "\((abs(nats) * 10).rounded() / 10) nats"
      }
  }

  /// Returns the logarithm of the transition from a state of the previous step to one of the step
  /// at `index`.
  private func nats(from: Int, to state: Int, at index: Int) -> Double {
    LogMath.log(steps.likelihood(from: from, to: state, at: index, above: model.leastLikelihood))
  }
}
