/// Cost per metre of a path, by which a search compares paths to the same place.
///
/// The measure is that of the transitions (`MotionConstraints.log`). Any other measure finds a path
/// that is not the likeliest: one that saves metres by entering a street the wrong way, which costs
/// more than the metres are worth.
struct TransitionCost: Hashable, Sendable, BitwiseCopyable {
  /// Nats for each metre of driving cost.
  var natsPerCostM: Double
  /// Nats for each metre of length in addition; negative if a longer path is worth its lower cost.
  var natsPerM: Double

  @inline(__always) func nats(costM: Double, lengthM: Double) -> Double {
    natsPerCostM * costM + natsPerM * lengthM
  }
}
