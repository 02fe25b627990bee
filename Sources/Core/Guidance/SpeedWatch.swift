public import EventTime

/// Warns of a speed above the limit, and says when it is kept again; once each.
///
/// Above the limit plus its offset, for the hold time, is exceeded; at or below the limit plus half
/// the offset is restored.
public struct SpeedWatch: Codable, Hashable, Sendable {
  public struct Tuning: Codable, Hashable, Sendable {
    public var lowOffsetMps = 0.0
    public var highOffsetMps = 0.0
    /// Limits from here on use the high offset.
    public var boundaryMps = 25.0
    /// Seconds that a speed must be too high before it is told.
    public var holdS = 0.0
    public init() {}
  }

  public enum Warning: String, Codable, Hashable, Sendable {
    case exceeded
    case restored
  }

  public var tuning: Tuning
  public private(set) var isExceeded = false
  /// Since when the speed is too high without a pause; nil where it is not.
  private var since: Instant?

  public init(tuning: Tuning = Tuning(), isExceeded: Bool = false) {
    self.tuning = tuning
    self.isExceeded = isExceeded
  }

  /// What one more speed changes; where no limit is known a warning ends in silence.
  public mutating func moved(speedMps: Double?, limitMps: Double?, at now: Instant) -> Warning? {
    guard let limitMps else {
      isExceeded = false
      since = nil
      return nil
    }
    guard let speedMps else { return nil }
    let offset = limitMps < tuning.boundaryMps ? tuning.lowOffsetMps : tuning.highOffsetMps
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
