/// The estimates of a receiver's errors, which stay when another drive begins.
struct ReceiverErrors {
  /// Error estimate from the fixes with final answers.
  var receiver = NoiseEstimator()
  /// The number of the first step that `receiver` does not include.
  var firstUnlearnt = 0
  /// Estimate of the independent error of each fix.
  var white = WhiteNoiseEstimator()
  /// Estimate of the error that successive fixes share for seconds, from the matched roads.
  var shared = CorrelatedErrorFilter()
}
