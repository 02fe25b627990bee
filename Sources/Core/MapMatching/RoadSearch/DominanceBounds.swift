/// Dominance bounds for the paths from a candidate, by which a search prunes.
///
/// A path is pruned if another one to the same place, or to a better one, is better by
/// `MatcherTuning.dominanceNats`. All values use the `TransitionCost` of the search.
struct DominanceBounds {
  /// Cost in nats of a path from here to any target that is as likely as the likeliest from another
  /// candidate.
  var nats: Double
  /// For each target in order, by how many nats its fit to the fix is worse than the best.
  ///
  /// A path to a target dominates paths to other targets that cost more by this difference.
  var behindNats: [Double]
}
