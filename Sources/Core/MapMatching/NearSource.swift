import RoadGraph

/// A candidate with what the ways from it and to it need of the map.
struct PlacedState: Sendable, BitwiseCopyable {
  var state: TravelState
  var start: NodeID
  var end: NodeID
  var offsetM: Double
  var lengthM: Double
  /// What a metre of it costs a driver.
  var weight: Double
}

extension MatchingNetwork {
  @inline(__always) func placed(_ candidate: Candidate, weight: Double) -> PlacedState {
    let state = candidate.state
    return PlacedState(
      state: state, start: start(state), end: end(state), offsetM: candidate.offsetM,
      lengthM: lengthM(state), weight: weight)
  }
}

/// The ways from one candidate to others that are near, by its tree.
struct NearSource {
  /// The way found to a candidate.
  struct Reach {
    /// Metres driven; negative where noise threw the place back along its road.
    var lengthM: Double
    var penaltyNats: Double
    /// What it costs a driver, in metres of a road of 20 m/s; what `penaltyNats` says left out.
    var costM: Double
    var isBackward = false
    /// The states are told by the tree.
    var isByTree = false
    /// It leaves one edge for the next, and no more.
    var isNext = false
  }

  /// The number of its tree; -1 where no way leaves its edge in reach.
  let tree: Int
  private let source: PlacedState
  private let motion: Motion
  private let back: TravelState?
  private let turnBackNats: Double
  /// Metres to the end of its edge.
  private let aheadM: Double

  init(
    _ source: Candidate, motion: Motion, network: MatchingNetwork, tuning: MatcherTuning,
    trees: inout ReachTrees
  ) {
    self.source = network.placed(source, weight: trees.weight(source.state, network))
    self.motion = motion
    back = network.reversed(source.state)
    turnBackNats =
      tuning.turnBackNats
      + (back.map { network.wrongWayNats(from: source.state, to: $0, tuning: tuning) } ?? 0)
    aheadM = self.source.lengthM - source.offsetM
    let leftM = motion.nearM - aheadM
    tree =
      leftM >= 0
      ? trees.tree(of: source.state, reachM: leftM, network: network, tuning: tuning) : -1
  }

  /// The cheapest way to `target`, nil where none is near.
  func reach(
    _ target: Candidate, network: MatchingNetwork, tuning: MatcherTuning,
    _ trees: inout ReachTrees
  ) -> Reach? {
    let placed = network.placed(target, weight: trees.weight(target.state, network))
    return trees.withView(of: tree) { reach(placed, tuning: tuning, $0) }
  }

  @inline(__always) func reach(
    _ target: PlacedState, tuning: MatcherTuning, _ view: ReachTrees.View
  ) -> Reach? {
    let known = direct(target, tuning: tuning)
    if let known, known.penaltyNats == 0 { return known }
    guard let label = view.label(target.state) else { return known }
    let atStart = aheadM + label.lengthM
    let lengthM = atStart + target.offsetM
    let penaltyM = label.penaltyNats * tuning.metersPerNat
    guard atStart + penaltyM <= motion.nearM, lengthM <= motion.limitM else { return known }
    if let known, abs(known.lengthM) + known.penaltyNats * tuning.metersPerNat <= lengthM + penaltyM
    {
      return known
    }
    return Reach(
      lengthM: lengthM, penaltyNats: label.penaltyNats,
      costM: source.weight * aheadM + label.costM + target.weight * target.offsetM, isByTree: true,
      isNext: label.parent < 0)
  }

  /// The states of the way to `target`, both ends included; empty where none is near.
  func path(
    to target: Candidate, network: MatchingNetwork, tuning: MatcherTuning,
    _ trees: inout ReachTrees
  ) -> [TravelState] {
    guard let reach = reach(target, network: network, tuning: tuning, &trees) else { return [] }
    if reach.isByTree { return [source.state] + trees.path(to: target.state, in: tree) }
    return target.state == source.state ? [source.state] : [source.state, target.state]
  }

  /// Ways that leave no edge: ahead on the same one, back by noise, or turned around on the spot.
  @inline(__always) private func direct(_ target: PlacedState, tuning: MatcherTuning) -> Reach? {
    if target.state == source.state {
      let length = target.offsetM - source.offsetM
      return length >= 0
        ? Reach(lengthM: length, penaltyNats: 0, costM: source.weight * length)
        : backward(-length, tuning)
    }
    if target.state == back {
      let length = target.offsetM - aheadM
      return length >= 0
        ? Reach(
          lengthM: length, penaltyNats: turnBackNats, costM: source.weight * length, isNext: true)
        : nil
    }
    if target.end == source.start {
      return backward(source.offsetM + target.lengthM - target.offsetM, tuning)
    }
    return nil
  }

  @inline(__always) private func backward(_ metres: Double, _ tuning: MatcherTuning) -> Reach? {
    guard metres <= motion.slackM else { return nil }
    return Reach(
      lengthM: -metres, penaltyNats: metres * tuning.backwardNatsPerM,
      costM: -source.weight * metres, isBackward: true)
  }
}
