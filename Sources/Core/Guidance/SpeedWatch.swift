public import EventTime
public import Geodesy

/// Warns of a speed above the limit, and says when it is kept again; once each.
///
/// Above the limit plus its offset, for the hold time, is exceeded; at or below the limit plus half
/// the offset is restored.
public struct SpeedWatch: Codable, Hashable, Sendable {
  public struct Tuning: Codable, Hashable, Sendable {
    /// nil: 5 % of the limit, and 5 km/h at least.
    public var lowOffsetMps: Double?
    public var highOffsetMps: Double?
    /// Limits from here on use the high offset.
    public var boundaryMps = 25.0
    /// Seconds that a speed must be too high before it is told.
    public var holdS = 3.0
    public init() {}

    func offsetMps(_ limitMps: Double) -> Double {
      let offset = limitMps < boundaryMps ? lowOffsetMps : highOffsetMps
      return offset ?? max(5 / 3.6, limitMps * 0.05)
    }
  }

  public enum Warning: String, Codable, Hashable, Sendable {
    case exceeded
    case restored
  }

  public var tuning: Tuning
  public private(set) var isExceeded = false
  /// Since when the speed is too high without a pause; nil where it is not.
  private var since: Instant?
  private var placed = PlacedSpeed()
  /// The limit that applied at the last place.
  private var placedLimitMps: Double?

  public init(tuning: Tuning = Tuning(), isExceeded: Bool = false) {
    self.tuning = tuning
    self.isExceeded = isExceeded
  }

  /// What one more place changes where no speed was measured: only what the places support is too fast.
  public mutating func moved(
    to place: Coordinate, accuracyM: Double?, limitMps: Double?, at now: Instant
  ) -> Warning? {
    // What was driven under a higher limit is no excess of this one.
    if let limitMps, limitMps < placedLimitMps ?? .infinity { placed.forget() }
    placedLimitMps = limitMps
    let speed = placed.moved(to: place, accuracyM: accuracyM, at: now)
    let mps = speed.map { isExceeded ? $0.nowMps : min($0.leastMps, $0.nowMps) }
    return moved(speedMps: mps, limitMps: limitMps, at: now)
  }

  /// What one more speed changes; where no limit is known a warning ends in silence.
  public mutating func moved(speedMps: Double?, limitMps: Double?, at now: Instant) -> Warning? {
    guard let limitMps else {
      isExceeded = false
      since = nil
      return nil
    }
    guard let speedMps else { return nil }
    let offset = tuning.offsetMps(limitMps)
    guard speedMps > limitMps + offset else {
      since = nil
      // A warning before the limit is reached ends where it began.
      guard isExceeded, speedMps <= limitMps + min(offset, offset / 2) else { return nil }
      isExceeded = false
      return .restored
    }
    let start = since ?? now
    since = start
    guard !isExceeded, now.seconds(since: start) >= tuning.holdS else { return nil }
    isExceeded = true
    return .exceeded
  }
}
