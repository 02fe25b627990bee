import Foundations
import Geodesy
import Positioning
import RoadGraph

// Answers given at once for a fix.
extension OnlineMatcher {
  mutating func hold(_ fix: Fix) -> Match {
    var held = lastMatch ?? filtered(isTeleport: false)
    if case .noMatch(let reason) = held.outcome, reason != .offRoad, reason != .noMapData {
      held = filtered(isTeleport: false)
    }
    held.fix = fix
    held.isTeleport = false
    advance = AdvanceFilter(speedMps: fix.speedMps.map { _ in 0 } ?? advance.speedMps)
    held.stand()
    return held
  }

  mutating func immediateMatch(to fix: Fix, _ assessment: FixAssessment) -> Match {
    switch assessment {
    case .stepped(let isTeleport): filtered(isTeleport: isTeleport)
    case .sameStep: hold(fix)
    case .refused(let reason): Match(outcome: .noMatch(reason), fix: fix)
    }
  }

  mutating func filtered(isTeleport: Bool) -> Match {
    let index = trellis.steps.count - 1
    let best = trellis.steps.withColumns { $0[index].best }
    let (probability, offRoad) = trellis.probabilities(of: best, at: index)
    var match = makeMatch(
      step: index, state: best, path: trellis.path(to: best, at: index), probability: probability,
      offRoad: offRoad, fix: trellis.steps[index].fix, isTeleport: isTeleport)
    match.offRouteProbability = trellis.offRouteProbability(at: index, route: route)
    guard case .matched(let projection) = match.outcome else { return match }
    let place = corrected(projection, of: match.fix, sigmaM: trellis.steps[index].sigmaM)
    match.outcome = .matched(place)
    guard let before = lastMatch?.place, let elapsedS = elapsedS(to: match.fix) else {
      advance = AdvanceFilter(speedMps: match.fix.speedMps)
      return match
    }
    let held = network.holding(
      place, at: before, of: match.fix, move: trellis.steps.state(best, at: index).move,
      withinM: 2 * trellis.steps[index].sigmaM)
    guard let measuredM = place.advanceM(from: before, network: network), held.state == place.state
    else {
      match.outcome = .matched(held)
      return match
    }
    let advanceM = advance.advanceM(
      measuredM: measuredM, elapsedS: elapsedS, toldMps: match.fix.speedMps,
      reachM: Double.minimum(10, trellis.steps[index].sigmaM), whiteM: errors.white.sigmaM,
      tuning: tuning)
    let isBack = measuredM < 0 && held == place
    match.outcome = .matched(
      isBack ? place : network.shifted(place, byM: advanceM - measuredM))
    return match
  }

  /// Returns `place` without the estimated error of the receiver along its road.
  private mutating func corrected(
    _ place: MatchedPlace, of fix: Fix, sigmaM: Double
  ) -> MatchedPlace {
    // A receiver that reports a speed smooths its positions itself.
    guard let time = fix.time, fix.speedMps == nil else { return place }
    errors.shared.update(
      fix.place, at: time, on: place, whiteM: errors.white.sigmaM, tuning: tuning)
    let alongM = errors.shared.alongM(bearingDeg: place.bearingDeg)
    // However certain the error is, the place stays near the position of the fix.
    return network.shifted(
      place, byM: Double.minimum(2 * sigmaM, Double.maximum(-2 * sigmaM, -alongM)))
  }

  private func elapsedS(to fix: Fix) -> Double? {
    guard let now = fix.time, let before = lastMatch?.fix.time else { return nil }
    return now.seconds(since: before)
  }

  /// Returns the answer for a state of a stored step and the path to it.
  func makeMatch(
    step index: Int, state: Int, path: [TravelState], probability: Double, offRoad: Double,
    fix: Fix, isTeleport: Bool
  ) -> Match {
    let count = trellis.steps[index].candidateCount
    guard state < count else {
      let isOutside =
        network.graph.boundingBox.map { !$0.expanded(byM: 1000).contains(fix.place) } ?? true
      return Match(
        outcome: .noMatch(count == 0 && isOutside ? .noMapData : .offRoad), fix: fix,
        offRoadProbability: offRoad, isTeleport: isTeleport, candidateCount: count)
    }
    var place = network.place(
      trellis.steps.candidate(state, at: index), path: path,
      probability: probability, sigmaM: trellis.steps[index].sigmaM)
    // In a stationary period the middle position of its fixes was evaluated.
    if trellis.steps[index].fix.place != fix.place {
      place.distanceM = fix.place.distanceM(to: place.coordinate)
    }
    return Match(
      outcome: .matched(place), fix: fix, offRoadProbability: offRoad, isTeleport: isTeleport,
      candidateCount: count)
  }
}

extension Match {
  /// Makes this the match of a vehicle that has not moved since the previous match.
  mutating func stand() {
    guard case .matched(var place) = outcome else { return }
    place.path = [place.state]
    // A held place keeps its real distance; MM-1 limits only new matches.
    place.distanceM = fix.place.distanceM(to: place.coordinate)
    outcome = .matched(place)
  }
}
