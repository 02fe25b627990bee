/// What ways from a candidate are worth searching for: no other to the same place, or to a better one, has outdone them
/// by `MatcherTuning.outdoneNats`.
///
/// All by the `WayPrice` of the search.
struct WayWorth {
  /// Nats of a way from here to any target that is as likely as the likeliest from elsewhere.
  var nats: Double
  /// For each target, in their order, nats by which the fix speaks less for it than for the best: a way to it outdoes
  /// those to others that take so much more.
  var behindNats: [Double]
}
