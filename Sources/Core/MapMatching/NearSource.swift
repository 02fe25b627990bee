import RoadGraph

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
    /// The label of the tree that tells the states.
    var label: Int?
    /// It leaves one edge for the next, and no more.
    var isNext = false
  }

  private let source: Candidate
  private let motion: Motion
  /// The number of its tree; -1 where no way leaves its edge in reach.
  private let tree: Int
  /// The bits of the states in it.
  private let sketch: UInt64
  private let turnBackNats: Double
  /// Metres to the end of its edge.
  private let aheadM: Double
  /// What a metre of its edge costs a driver.
  private let weight: Double

  init(
    _ source: Candidate, motion: Motion, network: MatchingNetwork, tuning: MatcherTuning,
    trees: inout ReachTrees
  ) {
    self.source = source
    self.motion = motion
    weight = trees.weight(source.lane)
    turnBackNats =
      tuning.turnBackNats
      + network.wrongWayNats(from: source.state, to: source.lane.back, tuning: tuning)
    aheadM = source.lane.lengthM - source.offsetM
    let leftM = motion.nearM - aheadM
    tree = leftM >= 0 ? trees.tree(of: source.state, reachM: leftM, network: network) : -1
    sketch = tree >= 0 ? trees.sketch(of: tree) : 0
  }

  /// Whether there may be a way to a target: for most there is none.
  @inline(__always) func mayReach(_ target: Lane) -> Bool {
    sketch & hashedBit(of: target.state.code) != 0 || target.state == source.state
      || target.state == source.lane.back || target.end == source.lane.start
  }

  /// The cheapest way to `target`, nil where none is near.
  @inline(__always) func reach(
    _ target: Candidate, tuning: MatcherTuning, _ trees: ReachTrees
  ) -> Reach? {
    let known = direct(target, tuning: tuning)
    if let known, known.penaltyNats == 0 { return known }
    guard tree >= 0, let number = trees.label(of: target.state, in: tree) else { return known }
    let label = trees.labels[number]
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
      costM: weight * aheadM + label.costM + trees.weight(target.lane) * target.offsetM,
      label: number, isNext: label.parent < 0)
  }

  /// The states of the way to `target`, both ends included; empty where none is near.
  func path(
    to target: Candidate, tuning: MatcherTuning, _ trees: ReachTrees
  ) -> [TravelState] {
    guard let reach = reach(target, tuning: tuning, trees) else { return [] }
    if let label = reach.label { return [source.state] + trees.path(to: label) }
    return target.state == source.state ? [source.state] : [source.state, target.state]
  }

  /// Ways that leave no edge: ahead on the same one, back by noise, or turned around on the spot.
  @inline(__always) private func direct(_ target: Candidate, tuning: MatcherTuning) -> Reach? {
    if target.state == source.state {
      let length = target.offsetM - source.offsetM
      return length >= 0
        ? Reach(lengthM: length, penaltyNats: 0, costM: weight * length)
        : backward(-length, tuning)
    }
    if target.state == source.lane.back {
      let length = target.offsetM - aheadM
      return length >= 0
        ? Reach(
          lengthM: length, penaltyNats: turnBackNats, costM: weight * length, isNext: true)
        : nil
    }
    if target.lane.end == source.lane.start {
      return backward(source.offsetM + target.lane.lengthM - target.offsetM, tuning)
    }
    return nil
  }

  @inline(__always) private func backward(_ metres: Double, _ tuning: MatcherTuning) -> Reach? {
    guard metres <= motion.slackM else { return nil }
    return Reach(
      lengthM: -metres, penaltyNats: metres * tuning.backwardNatsPerM,
      costM: -weight * metres, isBackward: true)
  }
}
