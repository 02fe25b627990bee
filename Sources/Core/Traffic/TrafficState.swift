public import Foundations
public import RoadGraph

/// The state of traffic on an edge.
public struct TrafficState: Hashable, Sendable {
  // -1 for unknown and the lowest number for no end: optionals would take half as much memory again
  // for each edge of a city.
  @usableFromInline var speedMps: Double
  @usableFromInline var jam: Double
  @usableFromInline var untilNS: Int64
  @usableFromInline var otherMps = -1.0
  /// How the value fades as it grows older.
  public var fading = SpeedFading.none
  /// Weight of the value at the moment for which the view was made, 1 to 0.
  public var weight = 1.0
  /// Seconds that incidents add to each metre.
  public var delaySPerM = 0.0
  /// Seconds per metre of incidents that count as part of the speed; they reappear as that fades
  /// along a trip.
  var hiddenDelaySPerM = 0.0
  /// Share of the edge's length without reports, which has its own speed.
  public var unknownShare: Float = 0
  public var source: SpeedSource
  /// The source of `fallbackMps`.
  var fallbackSource = SpeedSource.typical
  /// Whether the value below this one closes the road.
  var isFallbackClosed = false
  /// Whether this is a live value without an end: it fades along a trip.
  public var isOpenEnded = false

  public init(
    measuredSpeedMps: Double? = nil, measuredJamFactor: Double? = nil,
    source: SpeedSource = .live, until: Instant? = nil
  ) {
    speedMps = measuredSpeedMps ?? -1
    jam = measuredJamFactor ?? -1
    self.source = source
    untilNS = until?.nanoseconds ?? .min
  }

  /// The measured speed in m/s; nil if the feed reported only a jam factor.
  public var measuredSpeedMps: Double? {
    get { speedMps < 0 ? nil : speedMps }
    set { speedMps = newValue ?? -1 }
  }

  /// From 0, free, to 10, closed; nil if only a speed is known.
  public var measuredJamFactor: Double? {
    get { jam < 0 ? nil : jam }
    set { jam = newValue ?? -1 }
  }

  /// When it expires; nil if it is valid until replaced.
  public var until: Instant? {
    get { untilNS == .min ? nil : Instant(nanoseconds: untilNS) }
    set { untilNS = newValue?.nanoseconds ?? .min }
  }

  /// The speed towards which it fades, and that of parts without reports: forecast or typical.
  ///
  /// nil for free flow.
  public var fallbackMps: Double? {
    get { otherMps < 0 ? nil : otherMps }
    set { otherMps = newValue ?? -1 }
  }

  /// Whether a speed or a jam factor was reported, and not only an incident's delay.
  @inlinable public var isMeasured: Bool { speedMps >= 0 || jam >= 0 }

  /// Whether the road is closed; a closure counts in full until it has faded.
  @inlinable public var isClosed: Bool { (jam >= 10 || speedMps == 0) && weight > 0 }

  /// Whether incidents' delays are part of the speed, and reappear as it fades along a trip.
  public var hidesDelay: Bool { hiddenDelaySPerM > 0 }

  /// The state with live values without an end reduced to `share` of their weight; nil if nothing
  /// is left.
  ///
  /// The next value counts for the rest: a forecast, otherwise the typical speed, otherwise free
  /// flow. A closed road stays closed until its closure has no weight.
  @inlinable public func faded(to share: Double) -> TrafficState? {
    isOpenEnded && share < 1 ? fading(to: share) : self
  }

  @usableFromInline func fading(to share: Double) -> TrafficState? {
    let delaySPerM = delaySPerM + hiddenDelaySPerM * (1 - share)
    var state = self
    guard share <= 0 else {
      state.weight *= share
      state.delaySPerM = delaySPerM
      state.hiddenDelaySPerM *= share
      return state
    }
    if isFallbackClosed { return TrafficState(measuredJamFactor: 10, source: fallbackSource) }
    guard fallbackMps != nil || delaySPerM > 0 else { return nil }
    state = TrafficState(
      measuredSpeedMps: fallbackMps, source: fallbackMps == nil ? .predicted : fallbackSource)
    if fallbackMps == nil { state.weight = 0 }
    state.delaySPerM = delaySPerM
    return state
  }

  /// Speed of a motor vehicle on a road with the usual speed `freeFlowMps`, including incidents'
  /// delays.
  ///
  /// A measured speed takes precedence over a jam factor, and counts as at least 1 m/s. A heavy
  /// vehicle drives no faster than its own usual speed.
  @inlinable public func speedMps(freeFlowMps: Double, mode: TravelMode) -> Double {
    var speed =
      speedMps >= 0 ? speedMps : freeFlowMps * (1 - Double.minimum(10, Double.maximum(0, jam)) / 10)
    if weight < 1 {
      speed = weight * speed + (1 - weight) * (otherMps >= 0 ? otherMps : freeFlowMps)
    }
    let isSlow = mode == .truck || mode == .bus || mode == .scooter
    speed = Double.maximum(1, isSlow ? Double.minimum(speed, freeFlowMps) : speed)
    guard unknownShare > 0 || delaySPerM > 0 else { return speed }
    return 1 / slowness(speed, freeFlowMps, isSlow)
  }

  /// Seconds per metre of an edge that is only partly known, or has a delay.
  @usableFromInline func slowness(_ speed: Double, _ freeFlowMps: Double, _ isSlow: Bool) -> Double
  {
    var rest = otherMps >= 0 ? otherMps : freeFlowMps
    if isSlow { rest = Double.minimum(rest, freeFlowMps) }
    let unknown = Double(unknownShare)
    return (1 - unknown) / speed + unknown / Double.maximum(1, rest) + delaySPerM
  }

  /// The jam factor of the road: as measured, otherwise derived from the speed.
  public func jamFactor(freeFlowMps: Double) -> Double {
    if isClosed { return 10 }
    if jam >= 0, weight == 1, unknownShare == 0, delaySPerM == 0 { return Double.minimum(10, jam) }
    guard isMeasured || delaySPerM > 0, freeFlowMps > 0 else { return 0 }
    let isPlain = weight == 1 && unknownShare == 0 && delaySPerM == 0
    let speed = isPlain ? speedMps : speedMps(freeFlowMps: freeFlowMps, mode: .car)
    return 10 * Double.maximum(0, 1 - speed / freeFlowMps)
  }
}

/// The source of a speed, the best first: measured takes precedence over forecast, typical and free
/// flow.
public enum SpeedSource: String, Hashable, Sendable, CaseIterable {
  case live
  case predicted
  case typical
  case freeFlow = "free_flow"

  /// Of two sources for one road, the one with the lower rank counts.
  public var rank: Int {
    switch self {
    case .live: 0
    case .predicted: 1
    case .typical: 2
    case .freeFlow: 3
    }
  }
}
