public import RoadGraph

/// The greatest speed that is believed of traffic on a road.
///
/// 1.5 times the legal limit or the free-flow speed of cars, whichever is greater; 70 m/s where there is no limit. Faster
/// reports are clipped to it.
public enum SpeedBound {
  public static let factor = 1.5
  public static let unlimitedMps = 70.0

  /// In metres a second; infinite for roads of which the map knows neither limit nor speed.
  public static func mps(_ road: RoadAttributes) -> Double {
    let limit = road.speedLimitMps ?? 0
    if limit.isInfinite { return unlimitedMps }
    let usual = Double.maximum(limit, road.freeFlowMps(.car))
    return usual > 0 ? factor * usual : .infinity
  }
}
