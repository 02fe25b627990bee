public import Foundations
public import Geodesy

/// Warns of a speed above the limit, and reports when it is respected again; once each.
///
/// A speed above the limit plus its offset, for the hold time, counts as exceeded. A speed at or
/// below the limit plus half the offset counts as restored.
public struct SpeedLimitMonitor: Codable, Hashable, Sendable {
  public struct Tuning: Codable, Hashable, Sendable {
    /// Tolerances above low and high limits, in m/s; nil: 5 % of the limit, at least 5 km/h.
    public var lowOffsetMps: Double?
    public var highOffsetMps: Double?
    /// Limits from here on use the high offset.
    public var boundaryMps = 25.0
    /// Seconds for which a speed must be too high before it is reported.
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
  /// Start of the period in which the speed is too high without a pause; nil if it is not.
  private var since: Instant?
  private var placed = PositionSpeedEstimator()
  /// Speed limit at the last position, in m/s.
  private var placedLimitMps: Double?

  public init(tuning: Tuning = Tuning(), isExceeded: Bool = false) {
    self.tuning = tuning
    self.isExceeded = isExceeded
  }

  /// Updates the warning with the next position if no speed was measured.
  ///
  /// A speed is too fast only if the positions support it.
  public mutating func moved(
    to place: Coordinate, accuracyM: Double?, limitMps: Double?, at now: Instant
  ) -> Warning? {
    // A speed driven under a higher limit does not exceed the new one.
    if let limitMps, limitMps < placedLimitMps ?? .infinity { placed.forget() }
    placedLimitMps = limitMps
    let speed = placed.moved(to: place, accuracyM: accuracyM, at: now)
    let mps = speed.map { isExceeded ? $0.nowMps : min($0.leastMps, $0.nowMps) }
    return moved(speedMps: mps, limitMps: limitMps, at: now)
  }

  mutating func clockSet(bySeconds seconds: Double) {
    since = since?.advanced(bySeconds: seconds)
    placed.forget()
  }

  /// Returns the change caused by the next speed; if no limit is known, a warning ends silently.
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
      // A warning that starts below the limit ends where it began.
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
