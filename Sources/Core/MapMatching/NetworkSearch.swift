import Geodesy
import RoadGraph

/// The way found from one candidate to another.
struct Reach: Hashable, Sendable {
  /// Metres driven; negative where noise threw the place back along its road.
  var lengthM: Double
  var penaltyNats: Double
  /// What it costs a driver, in metres of a road of 20 m/s; what `penaltyNats` says left out.
  var costM: Double
  var way: Way
  var isBackward: Bool

  /// The states after the first candidate's, the last candidate's included.
  enum Way: Hashable, Sendable {
    /// None: both are on the same state.
    case none
    case single(TravelState)
    /// Where the search has ended; told in full by `NetworkSearch.states`.
    case found(label: Int32, back: TravelState?)
  }
}

/// One bounded search from a candidate to all candidates of the next fix.
///
/// A* over directed edges by `DrivingCost`, with the straight line to the next fix as the estimate; it ends when all
/// targets are settled or what is left is longer than the time allows. Its memory is as large as the largest search was.
struct NetworkSearch: Sendable {
  private struct Label {
    var state: TravelState
    /// What the way to the start of the state costs a driver, and metres for nats.
    var cost: Double
    var lengthM: Double
    var penaltyNats: Double
    /// Slot of the label before; -1 behind the source, -2 behind a turn back at the source.
    var parent: Int32
    var isSettled: Bool
  }

  private var labels: [Label] = []
  /// Open addressing: index of a label plus one in this round; 0 empty.
  private var slots: [UInt32]
  private var heap = CostHeap()
  private var driving = DrivingCost()

  init() { slots = Array(repeating: 0, count: 256) }

  /// Metres around the fix within which every target lies.
  private static let marginM = 55.0

  /// The way from `source` to each of `targets`, nil where none is within `motion.limitM`.
  mutating func reaches(
    from source: Candidate, to targets: [Candidate], fixPlace: Coordinate, motion: Motion,
    in network: MatchingNetwork, tuning: MatcherTuning
  ) -> [Reach?] {
    clear()
    driving.use(tuning, network)
    let back = network.reversed(source.state)
    let lengthM = network.lengthM(source.state)
    var reaches = targets.map { target in
      direct(
        from: source, to: target, back: back, motion: motion, network: network, tuning: tuning)
    }
    let goal = Goal(fixPlace, network: network, marginM: Self.marginM)
    let weight = driving.weight(source.state, network)
    expand(
      source.state, lengthM: lengthM - source.offsetM, cost: weight * (lengthM - source.offsetM),
      penaltyNats: 0, parent: -1, limitM: motion.limitM, goal: goal, network: network,
      tuning: tuning)
    if let back {
      let nats = turnBackNats(source.state, back, network, tuning)
      expand(
        back, lengthM: source.offsetM, cost: weight * source.offsetM + nats * tuning.metersPerNat,
        penaltyNats: nats, parent: -2, limitM: motion.limitM, goal: goal, network: network,
        tuning: tuning)
    }
    var open = targets.count
    while open > 0, let entry = heap.pop() {
      let index = Int(entry.label)
      guard !labels[index].isSettled else { continue }
      labels[index].isSettled = true
      let label = labels[index]
      if targets.contains(where: { $0.state == label.state }) { open -= 1 }
      let lengthM = network.lengthM(label.state)
      expand(
        label.state, lengthM: label.lengthM + lengthM,
        cost: label.cost + driving.weight(label.state, network) * lengthM,
        penaltyNats: label.penaltyNats, parent: Int32(index), limitM: motion.limitM, goal: goal,
        network: network, tuning: tuning)
    }
    for (position, target) in targets.enumerated() {
      guard let slot = find(target.state), labels[slot].isSettled else { continue }
      let length = labels[slot].lengthM + target.offsetM
      guard length <= motion.limitM else { continue }
      let weight = driving.weight(target.state, network)
      let cost = labels[slot].cost + weight * target.offsetM
      if let known = reaches[position],
        weight * abs(known.lengthM) + known.penaltyNats * tuning.metersPerNat <= cost
      {
        continue
      }
      reaches[position] = Reach(
        lengthM: length, penaltyNats: labels[slot].penaltyNats,
        costM: cost - labels[slot].penaltyNats * tuning.metersPerNat,
        way: .found(label: Int32(slot), back: back), isBackward: false)
    }
    return reaches
  }

  /// Ways that leave no edge: ahead on the same one, back by noise, or turned around on the spot.
  private func direct(
    from source: Candidate, to target: Candidate, back: TravelState?, motion: Motion,
    network: MatchingNetwork, tuning: MatcherTuning
  ) -> Reach? {
    let weight = driving.weight(source.state, network)
    if target.state == source.state {
      let length = target.offsetM - source.offsetM
      if length >= 0 {
        return Reach(
          lengthM: length, penaltyNats: 0, costM: weight * length, way: .none, isBackward: false)
      }
      return backward(-length, weight, .none, motion, tuning)
    }
    if target.state == back {
      let length = target.offsetM - (network.lengthM(source.state) - source.offsetM)
      guard length >= 0, let back else { return nil }
      return Reach(
        lengthM: length, penaltyNats: turnBackNats(source.state, back, network, tuning),
        costM: weight * length, way: .single(back), isBackward: false)
    }
    if network.end(target.state) == network.start(source.state) {
      let length = source.offsetM + network.lengthM(target.state) - target.offsetM
      return backward(length, weight, .single(target.state), motion, tuning)
    }
    return nil
  }

  private func backward(
    _ lengthM: Double, _ weight: Double, _ way: Reach.Way, _ motion: Motion,
    _ tuning: MatcherTuning
  ) -> Reach? {
    guard lengthM <= motion.slackM else { return nil }
    return Reach(
      lengthM: -lengthM, penaltyNats: lengthM * tuning.backwardNatsPerM,
      costM: -weight * lengthM, way: way,
      isBackward: true)
  }

  private func turnBackNats(
    _ state: TravelState, _ back: TravelState, _ network: MatchingNetwork, _ tuning: MatcherTuning
  ) -> Double {
    tuning.turnBackNats + network.wrongWayNats(from: state, to: back, tuning: tuning)
  }

  private mutating func expand(
    _ state: TravelState, lengthM: Double, cost: Double, penaltyNats: Double, parent: Int32,
    limitM: Double, goal: Goal, network: MatchingNetwork, tuning: MatcherTuning
  ) {
    guard lengthM <= limitM, lengthM + goal.estimate(at: network.end(state), network) <= limitM
    else { return }
    network.forEachSuccessor(of: state, tuning: tuning) { next, nats in
      let penalty = penaltyNats + nats
      let cost =
        cost + nats * tuning.metersPerNat + driving.turnM(from: state, to: next, network, tuning)
      let (slot, isNew) = slot(for: next)
      guard isNew || (cost < labels[slot].cost && !labels[slot].isSettled) else { return }
      labels[slot].cost = cost
      labels[slot].lengthM = lengthM
      labels[slot].penaltyNats = penalty
      labels[slot].parent = parent
      heap.push(
        cost: cost + DrivingCost.leastWeight * goal.estimate(next, network), label: UInt32(slot))
    }
  }

  /// The states of a reach of the last search; most of the ways found are never taken, so that
  /// they are told only when asked for.
  func states(of reach: Reach) -> [TravelState] {
    switch reach.way {
    case .none: []
    case .single(let state): [state]
    case .found(let label, let back): path(to: label, back: back)
    }
  }

  private func path(to label: Int32, back: TravelState?) -> [TravelState] {
    var states: [TravelState] = []
    var at = label
    while at >= 0 {
      states.append(labels[Int(at)].state)
      at = labels[Int(at)].parent
    }
    if at == -2, let back { states.append(back) }
    return states.reversed()
  }

  // MARK: Labels by state

  private mutating func clear() {
    for label in labels {
      var at = hash(label.state)
      while slots[at] != 0 {
        slots[at] = 0
        at = (at + 1) & (slots.count - 1)
      }
    }
    labels.removeAll(keepingCapacity: true)
    heap.clear()
  }

  private func hash(_ state: TravelState) -> Int {
    Int(truncatingIfNeeded: (state.code &* 0x9e37_79b9_7f4a_7c15) >> 33) & (slots.count - 1)
  }

  private func find(_ state: TravelState) -> Int? {
    var at = hash(state)
    while slots[at] != 0 {
      let index = Int(slots[at]) - 1
      if labels[index].state == state { return index }
      at = (at + 1) & (slots.count - 1)
    }
    return nil
  }

  private mutating func slot(for state: TravelState) -> (index: Int, isNew: Bool) {
    if 2 * (labels.count + 1) > slots.count { grow() }
    var at = hash(state)
    while slots[at] != 0 {
      let index = Int(slots[at]) - 1
      if labels[index].state == state { return (index, false) }
      at = (at + 1) & (slots.count - 1)
    }
    labels.append(
      Label(
        state: state, cost: .infinity, lengthM: 0, penaltyNats: 0, parent: -1, isSettled: false))
    slots[at] = UInt32(labels.count)
    return (labels.count - 1, true)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (index, label) in labels.enumerated() {
      var at = hash(label.state)
      while slots[at] != 0 { at = (at + 1) & (slots.count - 1) }
      slots[at] = UInt32(index + 1)
    }
  }
}

/// The least that is left to drive from a node to any candidate of the next fix.
private struct Goal {
  let plane: LocalPlane
  let marginM: Double

  init(_ place: Coordinate, network: MatchingNetwork, marginM: Double) {
    plane = LocalPlane(origin: place)
    self.marginM = marginM
  }

  @inline(__always) func estimate(at node: NodeID, _ network: MatchingNetwork) -> Double {
    let point = plane.point(network.graph.coordinate(node))
    let distance = (point.eastM * point.eastM + point.northM * point.northM).squareRoot()
    // The plane stretches far places by less than a hundredth.
    return Double.maximum(0, 0.99 * distance - marginM)
  }

  @inline(__always) func estimate(_ state: TravelState, _ network: MatchingNetwork) -> Double {
    estimate(at: network.start(state), network)
  }
}
