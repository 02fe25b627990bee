public import EventTime
public import RoadGraph

/// What traffic does on a piece of road.
public struct TrafficState: Hashable, Sendable {
  /// What the feed measured: a speed, or nothing but how jammed it is.
  public var measuredSpeedMps: Double?
  /// From 0, free, to 10, closed; nil where only a speed is known.
  public var measuredJamFactor: Double?
  public var source: SpeedSource
  /// Until when it holds; nil until it is replaced.
  public var until: Instant?

  public init(
    measuredSpeedMps: Double? = nil, measuredJamFactor: Double? = nil,
    source: SpeedSource = .live, until: Instant? = nil
  ) {
    self.measuredSpeedMps = measuredSpeedMps
    self.measuredJamFactor = measuredJamFactor
    self.source = source
    self.until = until
  }

  @inlinable public var isClosed: Bool { (measuredJamFactor ?? 0) >= 10 || measuredSpeedMps == 0 }

  /// Speed of a motor vehicle where the road's usual one is `freeFlowMps`: at least 1 m/s.
  ///
  /// A measured speed counts before a jam factor. A heavy vehicle goes no faster than its own usual speed.
  @inlinable public func speedMps(freeFlowMps: Double, mode: TravelMode) -> Double {
    let factor = 1 - Double.minimum(10, measuredJamFactor ?? 0) / 10
    let speed = measuredSpeedMps ?? freeFlowMps * factor
    let isSlow = mode == .truck || mode == .bus || mode == .scooter
    return Double.maximum(1, isSlow ? Double.minimum(speed, freeFlowMps) : speed)
  }

  /// How jammed the road is: as measured, else from the speed.
  public func jamFactor(freeFlowMps: Double) -> Double {
    if isClosed { return 10 }
    if let measuredJamFactor { return Double.maximum(0, Double.minimum(10, measuredJamFactor)) }
    guard let measuredSpeedMps, freeFlowMps > 0 else { return 0 }
    return 10 * Double.maximum(0, 1 - measuredSpeedMps / freeFlowMps)
  }
}

/// Where a speed comes from.
public enum SpeedSource: String, Hashable, Sendable, CaseIterable {
  case live
  case predicted
  case typical
  case freeFlow = "free_flow"
}
