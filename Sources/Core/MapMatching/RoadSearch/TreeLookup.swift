import RoadGraph

/// The paths from one candidate to nearby candidates, found in its tree.
struct TreeLookup {
  /// The path found to a candidate.
  struct RoutedTransition {
    /// Metres driven; negative if noise moved the place back along its road.
    var lengthM: Double
    var penaltyNats: Double
    /// Driving cost in metres of a 20 m/s road, without `penaltyNats`.
    var costM: Double
    var isBackward = false
    /// The label of the tree that determines the states.
    var label: Int?
    /// Whether the path leads from one edge directly to the next.
    var isNext = false
  }

  private let source: Candidate
  private let motion: MotionConstraints
  /// The labels of its tree; empty if no path leaves its edge within reach.
  private let labels: Range<Int>
  private let turnBackNats: Double
  /// Metres to the end of its edge.
  private let aheadM: Double
  /// Driving cost per metre of its edge.
  private let weight: Double

  init(
    _ source: Candidate, motion: MotionConstraints, network: MatchingNetwork, tuning: MatcherTuning,
    trees: inout ShortestPathTreeCache
  ) {
    self.source = source
    self.motion = motion
    weight = trees.weight(source.directed)
    turnBackNats =
      tuning.turnBackNats
      + network.wrongWayNats(from: source.state, to: source.directed.back, tuning: tuning)
    aheadM = source.directed.lengthM - source.offsetM
    let leftM = motion.nearM - aheadM
    guard leftM >= 0 else {
      labels = 0..<0
      return
    }
    labels = trees.labels(of: trees.tree(of: source.state, reachM: leftM, network: network))
  }

  /// Calls `visit` with the index of each reachable target and the cheapest path to it.
  ///
  /// Linear in the targets and in the labels of the tree, not in their product. The exception are
  /// the few targets that a path without a change of edge may reach. Most targets are unreachable.
  @inline(__always) func forEachReach(
    to targets: UnsafeBufferPointer<Candidate>, _ numbers: borrowing CandidateLookup,
    tuning: MatcherTuning, _ trees: borrowing ShortestPathTreeCache,
    _ visit: (Int, RoutedTransition) -> Void
  ) {
    for number in targets.indices where isBeside(targets[number].directed) {
      guard let reach = reach(targets[number], tuning: tuning, trees) else { continue }
      visit(number, reach)
    }
    trees.forEachState(of: labels) { label, state in
      guard let number = numbers.number(of: state, among: targets),
        !isBeside(targets[number].directed),
        let reach = reach(targets[number], by: label, else: nil, tuning: tuning, trees)
      else { return }
      visit(number, reach)
    }
  }

  /// Whether a path without a change of edge may lead to the target.
  @inline(__always) private func isBeside(_ target: DirectedEdge) -> Bool {
    target.state == source.state || target.state == source.directed.back
      || target.end == source.directed.start
  }

  /// Returns the cheapest path to `target`; nil if none is near.
  @inline(__always) func reach(
    _ target: Candidate, tuning: MatcherTuning, _ trees: borrowing ShortestPathTreeCache
  ) -> RoutedTransition? {
    let known = isBeside(target.directed) ? direct(target, tuning: tuning) : nil
    if let known, known.penaltyNats == 0 { return known }
    guard let label = trees.label(of: target.state, among: labels) else { return known }
    return reach(target, by: label, else: known, tuning: tuning, trees)
  }

  /// Returns the path to `target` by a label, or `known` if that is cheaper or the other is not
  /// near.
  @inline(__always) private func reach(
    _ target: Candidate, by number: Int, else known: RoutedTransition?, tuning: MatcherTuning,
    _ trees: borrowing ShortestPathTreeCache
  ) -> RoutedTransition? {
    let label = trees.labels[number]
    let atStart = aheadM + label.lengthM
    let lengthM = atStart + target.offsetM
    let penaltyM = label.penaltyNats * tuning.metersPerNat
    guard atStart + penaltyM <= motion.nearM, lengthM <= motion.limitM else { return known }
    if let known, abs(known.lengthM) + known.penaltyNats * tuning.metersPerNat <= lengthM + penaltyM
    {
      return known
    }
    return RoutedTransition(
      lengthM: lengthM, penaltyNats: label.penaltyNats,
      costM: weight * aheadM + label.costM + trees.weight(target.directed) * target.offsetM,
      label: number, isNext: label.isNext)
  }

  /// Returns the states of the path to `target`, both ends included; empty if none is near.
  func path(
    to target: Candidate, tuning: MatcherTuning, _ trees: borrowing ShortestPathTreeCache
  ) -> [TravelState] {
    guard let reach = reach(target, tuning: tuning, trees) else { return [] }
    if let label = reach.label { return [source.state] + trees.path(to: label, among: labels) }
    return target.state == source.state ? [source.state] : [source.state, target.state]
  }

  /// Returns a path that leaves no edge: ahead on the same one, back by noise, or turned around on
  /// the spot; nil if there is none.
  @inline(__always) private func direct(_ target: Candidate, tuning: MatcherTuning)
    -> RoutedTransition?
  {
    if target.state == source.state {
      let length = target.offsetM - source.offsetM
      return length >= 0
        ? RoutedTransition(lengthM: length, penaltyNats: 0, costM: weight * length)
        : backward(-length, tuning)
    }
    if target.state == source.directed.back {
      let length = target.offsetM - aheadM
      return length >= 0
        ? RoutedTransition(
          lengthM: length, penaltyNats: turnBackNats, costM: weight * length, isNext: true)
        : nil
    }
    if target.directed.end == source.directed.start {
      return backward(source.offsetM + target.directed.lengthM - target.offsetM, tuning)
    }
    return nil
  }

  @inline(__always) private func backward(_ metres: Double, _ tuning: MatcherTuning)
    -> RoutedTransition?
  {
    guard metres <= motion.slackM else { return nil }
    return RoutedTransition(
      lengthM: -metres, penaltyNats: metres * tuning.backwardNatsPerM,
      costM: -weight * metres, isBackward: true)
  }
}
