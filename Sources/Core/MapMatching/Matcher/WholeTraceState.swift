/// The state of a matcher that gets all fixes before it answers; without effect online.
struct WholeTraceState {
  /// Whether all fixes arrive before any answer.
  var isActive = false
  /// The remaining stationary periods.
  var stationaryPeriods: ArraySlice<StationaryPeriod> = []
  /// The final matches, which precede the fixes still to be smoothed.
  var finished: [Match] = []
  /// Number of steps at which steps that can no longer change are next searched for.
  var nextConvergenceCheck = OnlineMatcher.longestWindow
  /// Numbers of the fixes that are to be explained; nil for none.
  var explained: Range<Int>?
  var explanations: [FixExplanation] = []
}
