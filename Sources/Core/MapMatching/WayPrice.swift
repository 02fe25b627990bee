/// What the metres of a way take from its likelihood, by which a search compares ways to the same place.
///
/// The measure is that of the transitions (`Motion.log`). Any other finds a way that is not the likeliest: one that saves
/// metres by going the wrong way into a street, which costs more than they are worth.
struct WayPrice: Hashable, Sendable, BitwiseCopyable {
  /// Nats for each metre of driving cost.
  var natsPerCostM: Double
  /// Nats for each metre of length beside; negative where a longer way is worth its lower cost.
  var natsPerM: Double

  @inline(__always) func nats(costM: Double, lengthM: Double) -> Double {
    natsPerCostM * costM + natsPerM * lengthM
  }
}
