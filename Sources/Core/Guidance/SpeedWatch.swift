/// Warns of a speed above the limit, and says when it is kept again; once each.
///
/// Above the limit plus its offset is exceeded; at or below the limit plus half the offset is restored.
public struct SpeedWatch: Codable, Hashable, Sendable {
  public struct Tuning: Codable, Hashable, Sendable {
    public var lowOffsetMps = 0.0
    public var highOffsetMps = 0.0
    /// Limits from here on use the high offset.
    public var boundaryMps = 25.0
    public init() {}
  }

  public enum Warning: String, Codable, Hashable, Sendable {
    case exceeded
    case restored
  }

  public var tuning: Tuning
  public private(set) var isExceeded = false

  public init(tuning: Tuning = Tuning()) { self.tuning = tuning }

  /// What one more speed changes; an unknown limit or none ends a warning in silence.
  public mutating func moved(speedMps: Double?, limitMps: Double?) -> Warning? {
    guard let limitMps, limitMps.isFinite, limitMps > 0, let speedMps else {
      if limitMps == nil || limitMps == .infinity { isExceeded = false }
      return nil
    }
    let offset = limitMps < tuning.boundaryMps ? tuning.lowOffsetMps : tuning.highOffsetMps
    if !isExceeded, speedMps > limitMps + offset {
      isExceeded = true
      return .exceeded
    }
    if isExceeded, speedMps <= limitMps + offset / 2 {
      isExceeded = false
      return .restored
    }
    return nil
  }
}
