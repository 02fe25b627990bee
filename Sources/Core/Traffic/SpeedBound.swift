public import RoadGraph

/// The maximum plausible speed of traffic on a road.
///
/// It is 1.5 times the legal limit or the free-flow speed of cars, whichever is higher, and 70 m/s
/// without a limit. Higher reported speeds are clipped to it.
public enum SpeedBound {
  public static let factor = 1.5
  public static let unlimitedMps = 70.0

  /// In metres per second; infinite for roads without a known limit or speed.
  public static func mps(_ road: RoadAttributes) -> Double {
    let limit = road.speedLimitMps ?? 0
    if limit.isInfinite { return unlimitedMps }
    let usual = Double.maximum(limit, road.freeFlowMps(.car))
    return usual > 0 ? factor * usual : .infinity
  }
}
