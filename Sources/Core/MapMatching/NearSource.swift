import RoadGraph

/// The ways from one candidate to others that are near, by its tree.
struct NearSource {
  /// The way found to a candidate.
  struct Reach {
    /// Metres driven; negative where noise threw the place back along its road.
    var lengthM: Double
    var penaltyNats: Double
    var isBackward: Bool
    /// The states are told by the tree.
    var isByTree: Bool
  }

  let source: Candidate
  private let motion: Motion
  private let back: TravelState?
  private let lengthM: Double
  private let tree: Int

  init(
    _ source: Candidate, motion: Motion, network: MatchingNetwork, tuning: MatcherTuning,
    trees: inout ReachTrees
  ) {
    self.source = source
    self.motion = motion
    back = network.reversed(source.state)
    lengthM = network.lengthM(source.state)
    let leftM = motion.nearM - (lengthM - source.offsetM)
    tree =
      leftM >= 0
      ? trees.tree(of: source.state, reachM: leftM, network: network, tuning: tuning) : -1
  }

  /// The cheapest way to `target`, nil where none is near.
  @inline(__always) func reach(
    _ target: Candidate, network: MatchingNetwork, tuning: MatcherTuning, _ trees: ReachTrees
  ) -> Reach? {
    let known = direct(target, network: network, tuning: tuning)
    if let known, known.penaltyNats == 0 { return known }
    guard tree >= 0, let label = trees.label(target.state, in: tree) else { return known }
    let atStart = lengthM - source.offsetM + label.lengthM
    guard atStart + label.penaltyNats * tuning.metersPerNat <= motion.nearM,
      atStart + target.offsetM <= motion.limitM
    else { return known }
    let cost = atStart + target.offsetM + label.penaltyNats * tuning.metersPerNat
    if let known, abs(known.lengthM) + known.penaltyNats * tuning.metersPerNat <= cost {
      return known
    }
    return Reach(
      lengthM: atStart + target.offsetM, penaltyNats: label.penaltyNats, isBackward: false,
      isByTree: true)
  }

  /// The states of the way to `target`, both ends included; empty where none is near.
  func path(
    to target: Candidate, network: MatchingNetwork, tuning: MatcherTuning, _ trees: ReachTrees
  ) -> [TravelState] {
    guard let reach = reach(target, network: network, tuning: tuning, trees) else { return [] }
    if reach.isByTree { return [source.state] + trees.path(to: target.state, in: tree) }
    return target.state == source.state ? [source.state] : [source.state, target.state]
  }

  /// Ways that leave no edge: ahead on the same one, back by noise, or turned around on the spot.
  @inline(__always) private func direct(
    _ target: Candidate, network: MatchingNetwork, tuning: MatcherTuning
  ) -> Reach? {
    if target.state == source.state {
      let length = target.offsetM - source.offsetM
      return length >= 0
        ? Reach(lengthM: length, penaltyNats: 0, isBackward: false, isByTree: false)
        : backward(-length, tuning)
    }
    if target.state == back {
      let length = target.offsetM - (lengthM - source.offsetM)
      guard length >= 0 else { return nil }
      return Reach(
        lengthM: length,
        penaltyNats: tuning.turnBackNats
          + network.wrongWayNats(from: source.state, to: target.state, tuning: tuning),
        isBackward: false, isByTree: false)
    }
    if network.end(target.state) == network.start(source.state) {
      return backward(source.offsetM + network.lengthM(target.state) - target.offsetM, tuning)
    }
    return nil
  }

  private func backward(_ metres: Double, _ tuning: MatcherTuning) -> Reach? {
    guard metres <= motion.slackM else { return nil }
    return Reach(
      lengthM: -metres, penaltyNats: metres * tuning.backwardNatsPerM, isBackward: true,
      isByTree: false)
  }
}
