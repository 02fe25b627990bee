/// What ways from a candidate are worth searching for: no other to the same place, or to a better one, has outdone them.
struct WayWorth {
  /// Nats beyond which a way from elsewhere has outdone one from here to any target.
  var nats: Double
  /// For each target how much less the fix speaks for it than for the best.
  ///
  /// A way to the one outdoes those to others that take so much more, and `MatcherTuning.outdoneNats`.
  var behindNats: [Double]
}
