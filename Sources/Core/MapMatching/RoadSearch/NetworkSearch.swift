import Geodesy
import RoadGraph

/// The path found from one candidate to another.
struct RoutedTransition: Hashable, Sendable {
  /// Metres driven; negative if noise moved the place back along its road.
  var lengthM: Double
  var penaltyNats: Double
  /// Driving cost in metres of a 20 m/s road, without `penaltyNats`.
  var costM: Double
  var way: Way
  var isBackward: Bool

  /// The states after that of the first candidate, up to and including that of the last.
  enum Way: Hashable, Sendable {
    /// No states: both candidates are on the same state.
    case none
    case single(TravelState)
    /// The end of the search; `NetworkSearch.states` returns the whole path.
    case found(road: Int32, back: TravelState?)
  }
}

/// A bounded search from one candidate to all candidates of the next fix.
///
/// A* over directed edges by `TransitionCost`; the estimate is the straight line to the next fix.
/// It ends when all targets are settled, or when the rest is pruned (`DominanceBounds`) or longer
/// than the time allows. It searches a `TurnExpandedGraphCache`, which it keeps for the next
/// search. Its memory is as large as that or the largest search.
struct NetworkSearch: ~Copyable {
  /// The accumulated cost of a path.
  struct Driven: BitwiseCopyable {
    /// Driving cost, without `penaltyNats`.
    var costM = 0.0
    var lengthM = 0.0
    var penaltyNats = 0.0
  }

  /// The label of a road of `turnGraph`, by the same number.
  struct Label: BitwiseCopyable {
    /// The path to the start of the road.
    var driven = Driven()
    /// Its cost by the `TransitionCost` of the search.
    var nats = 0.0
    /// Lower bound of the distance from its start to any place of `goal`.
    var leftM = 0.0
    /// The previous road; -1 after the source, -2 after a turn back at the source.
    var parent: Int32 = -1
    /// The search and the goal to which this label belongs.
    var round: UInt32 = 0
    var goal: UInt32 = 0
    var isSettled = false
    var isTarget = false
    /// Nats from its start to the target, and by how much the fix favours another target.
    var behindNats = 0.0
  }

  private var turnGraph: TurnExpandedGraphCache
  private var labels = Arena<Label>()
  private var heap = CostHeap()
  private var goal = Goal(Coordinate(latitudeDeg: 0, longitudeDeg: 0))
  private var round: UInt32 = 0
  private var price = TransitionCost(natsPerCostM: 0, natsPerM: 0)
  /// Lowest cost of each remaining metre.
  private var leastNatsPerM = 0.0

  init(turnGraph: consuming TurnExpandedGraphCache = TurnExpandedGraphCache()) {
    self.turnGraph = turnGraph
  }

  /// Returns the path from `source` to each of `targets`; nil where none is within `motion.limitM`.
  ///
  /// Paths that `bounds` marks as dominated may be left out; without `bounds` none are.
  mutating func reaches(
    from source: Candidate, to targets: [Candidate], fixPlace: Coordinate,
    motion: MotionConstraints,
    bounds: DominanceBounds? = nil, in network: MatchingNetwork, tuning: MatcherTuning
  ) -> [RoutedTransition?] {
    prepare(fixPlace, motion, tuning, network)
    let back = network.reversed(source.state)
    var reaches = targets.map { target in
      direct(
        from: source, to: target, back: back, motion: motion, network: network, tuning: tuning)
    }
    var open = targets.count
    var boundNats = (bounds?.nats ?? .infinity) + tuning.dominanceNats
    for (position, target) in targets.enumerated() {
      let number = touch(target.state, network)
      labels[number].isTarget = true
      let weight = turnGraph.driving.weight(target.state, network)
      labels[number].behindNats =
        (bounds?.behindNats[position] ?? .infinity)
        + price.nats(costM: weight * target.offsetM, lengthM: target.offsetM)
    }
    let weight = turnGraph.driving.weight(source.state, network)
    let aheadM = network.lengthM(source.state) - source.offsetM
    expand(
      touch(source.state, network),
      Driven(costM: weight * aheadM, lengthM: aheadM), parent: -1, motion, network, tuning)
    if let back {
      let driven = Driven(
        costM: weight * source.offsetM, lengthM: source.offsetM,
        penaltyNats: turnBackNats(source.state, back, network, tuning))
      expand(touch(back, network), driven, parent: -2, motion, network, tuning)
    }
    while open > 0, let number = heap.pop() {
      guard !labels[number].isSettled else { continue }
      labels[number].isSettled = true
      let label = labels[number]
      guard label.nats + leastNatsPerM * label.leftM <= boundNats else { break }
      if label.isTarget {
        open -= 1
        boundNats = Double.minimum(
          boundNats, label.nats + label.behindNats + tuning.dominanceNats)
      }
      let road = turnGraph.roads[number]
      var driven = label.driven
      driven.costM += road.costM
      driven.lengthM += road.lengthM
      expand(number, driven, parent: Int32(number), motion, network, tuning)
    }
    for (position, target) in targets.enumerated() {
      let number = touch(target.state, network)
      let label = labels[number]
      guard label.isSettled else { continue }
      var driven = label.driven
      driven.lengthM += target.offsetM
      driven.costM += turnGraph.driving.weight(target.state, network) * target.offsetM
      guard driven.lengthM <= motion.limitM else { continue }
      if let known = reaches[position],
        price.nats(costM: abs(known.costM), lengthM: abs(known.lengthM)) + known.penaltyNats
          <= nats(driven)
      {
        continue
      }
      reaches[position] = RoutedTransition(
        lengthM: driven.lengthM, penaltyNats: driven.penaltyNats, costM: driven.costM,
        way: .found(road: Int32(number), back: back), isBackward: false)
    }
    return reaches
  }

  /// Returns a path that leaves no edge: ahead on the same one, back by noise, or turned around on
  /// the spot; nil if there is none.
  private func direct(
    from source: Candidate, to target: Candidate, back: TravelState?, motion: MotionConstraints,
    network: MatchingNetwork, tuning: MatcherTuning
  ) -> RoutedTransition? {
    let weight = turnGraph.driving.weight(source.state, network)
    if target.state == source.state {
      let length = target.offsetM - source.offsetM
      if length >= 0 {
        return RoutedTransition(
          lengthM: length, penaltyNats: 0, costM: weight * length, way: .none, isBackward: false)
      }
      return backward(-length, weight, .none, motion, tuning)
    }
    if target.state == back {
      let length = target.offsetM - (network.lengthM(source.state) - source.offsetM)
      guard length >= 0, let back else { return nil }
      return RoutedTransition(
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
    _ lengthM: Double, _ weight: Double, _ way: RoutedTransition.Way, _ motion: MotionConstraints,
    _ tuning: MatcherTuning
  ) -> RoutedTransition? {
    guard lengthM <= motion.slackM else { return nil }
    return RoutedTransition(
      lengthM: -lengthM, penaltyNats: lengthM * tuning.backwardNatsPerM,
      costM: -weight * lengthM, way: way,
      isBackward: true)
  }

  private func turnBackNats(
    _ state: TravelState, _ back: TravelState, _ network: MatchingNetwork, _ tuning: MatcherTuning
  ) -> Double {
    tuning.turnBackNats + network.wrongWayNats(from: state, to: back, tuning: tuning)
  }

  private func nats(_ driven: Driven) -> Double {
    price.nats(costM: driven.costM, lengthM: driven.lengthM) + driven.penaltyNats
  }

  /// Relaxes the turns at the end of a road.
  private mutating func expand(
    _ number: Int, _ driven: Driven, parent: Int32, _ motion: MotionConstraints,
    _ network: MatchingNetwork,
    _ tuning: MatcherTuning
  ) {
    guard driven.lengthM <= motion.limitM else { return }
    let turns = turnGraph.turns(from: number, network)
    labels.fill(to: turnGraph.roads.count, with: Label())
    let soFar = nats(driven)
    for index in turns {
      let turn = turnGraph.turns[index]
      let next = Int(turn.road)
      if labels[next].round != round { renew(next) }
      // All turns begin at the same node; none is taken where the remaining path is too long.
      guard driven.lengthM + labels[next].leftM <= motion.limitM else { return }
      let costM = turnGraph.costM(ofTurn: index, from: number, network)
      let nats = soFar + turn.nats + price.natsPerCostM * costM
      guard nats < labels[next].nats, !labels[next].isSettled else { continue }
      labels[next].nats = nats
      labels[next].driven = driven
      labels[next].driven.costM += costM
      labels[next].driven.penaltyNats += turn.nats
      labels[next].parent = parent
      heap.push(cost: nats + leastNatsPerM * labels[next].leftM, number: next)
    }
  }

  /// Returns the states of a path found by the last search.
  ///
  /// Most paths found are never used; therefore their states are determined only on request.
  func states(of reach: RoutedTransition) -> [TravelState] {
    switch reach.way {
    case .none: []
    case .single(let state): [state]
    case .found(let road, let back): path(to: road, back: back)
    }
  }

  private func path(to road: Int32, back: TravelState?) -> [TravelState] {
    var states: [TravelState] = []
    var at = road
    while at >= 0 {
      states.append(turnGraph.roads[Int(at)].state)
      at = labels[Int(at)].parent
    }
    if at == -2, let back { states.append(back) }
    return states.reversed()
  }

  // MARK: Labels by road

  private mutating func prepare(
    _ fixPlace: Coordinate, _ motion: MotionConstraints, _ tuning: MatcherTuning,
    _ network: MatchingNetwork
  ) {
    if turnGraph.prepare(tuning, network) || round == .max {
      labels.removeAll()
      round = 0
      goal.number = 0
    }
    round += 1
    price = motion.transitionCost
    leastNatsPerM = Double.maximum(0, price.nats(costM: turnGraph.driving.leastWeight, lengthM: 1))
    if goal.number == 0 || goal.place != fixPlace { goal = Goal(fixPlace, number: round) }
    heap.clear()
  }

  /// Returns the number of `state` and makes sure that its label belongs to this search.
  private mutating func touch(_ state: TravelState, _ network: MatchingNetwork) -> Int {
    let number = turnGraph.number(of: state, network)
    labels.fill(to: turnGraph.roads.count, with: Label())
    if labels[number].round != round { renew(number) }
    return number
  }

  /// Resets a label of an older search for this one.
  @inline(__always) private mutating func renew(_ number: Int) {
    if labels[number].goal != goal.number {
      labels[number].goal = goal.number
      labels[number].leftM = goal.leftM(from: turnGraph.roads[number])
    }
    labels[number].round = round
    labels[number].nats = .infinity
    labels[number].isSettled = false
    labels[number].isTarget = false
  }
}

/// The target area of a search and the remaining distance to any candidate of the next fix.
private struct Goal {
  let place: Coordinate
  /// The first search with this goal; 0 for none.
  var number: UInt32
  private let plane: LocalPlane

  /// Radius in metres around the fix that contains every target.
  private static let marginM = 55.0

  init(_ place: Coordinate, number: UInt32 = 0) {
    self.place = place
    self.number = number
    plane = LocalPlane(origin: place)
  }

  /// Returns the lower bound of the distance from the start of `road`.
  @inline(__always) func leftM(from road: TurnExpandedGraphCache.Road) -> Double {
    let point = plane.point(
      Coordinate(
        latitudeDeg: Double(road.latitudeE7) / 1e7, longitudeDeg: Double(road.longitudeE7) / 1e7))
    let distance = (point.eastM * point.eastM + point.northM * point.northM).squareRoot()
    // The projection stretches distant places by less than a hundredth.
    return Double.maximum(0, 0.99 * distance - Self.marginM)
  }
}
