public import EventTime

/// How long a reported speed counts: in full for its hold time, then less in ten equal steps, then not at all.
///
/// The weight is a function of the value's own stamps and of the moment alone, so that traffic made for one moment and a
/// road priced for a later one agree. Each step has the weight of its middle: 0.95, 0.85 … 0.05.
@frozen
public struct SpeedFading: Hashable, Sendable {
  /// The moment from which the weight falls; `.max` for never.
  @usableFromInline let fromNS: Int64
  @usableFromInline let stepNS: Int64

  @usableFromInline static let steps: Int64 = 10

  /// A value that counts in full until it is replaced or ends.
  public static let none = SpeedFading(fromNS: .max, stepNS: 0)

  @usableFromInline init(fromNS: Int64, stepNS: Int64) {
    self.fromNS = fromNS
    self.stepNS = stepNS
  }

  /// A value observed at a moment that counts in full for `holdS` seconds, and for `fadeS` more ever less.
  ///
  /// An infinite hold time is the same as `none`.
  public init(observed: Instant, holdS: Double, fadeS: Double) {
    let from = observed.advanced(bySeconds: Double.maximum(0, holdS))
    let stepS = Double.maximum(0, fadeS) / Double(Self.steps)
    self.init(
      fromNS: from.nanoseconds, stepNS: Instant(seconds: stepS).nanoseconds)
  }

  /// Share of the value that counts at a moment, 1 to 0.
  @inlinable public func weight(at moment: Instant) -> Double {
    guard moment.nanoseconds >= fromNS, fromNS != .max else { return 1 }
    guard let step = step(at: moment) else { return 0 }
    return Self.weight(ofStep: step)
  }

  /// The step in which a moment from `fromNS` on lies; nil after the last one.
  @inlinable func step(at moment: Instant) -> Int64? {
    let (age, isLarge) = moment.nanoseconds.subtractingReportingOverflow(fromNS)
    guard !isLarge, stepNS > 0, age / stepNS < Self.steps else { return nil }
    return age / stepNS
  }

  /// The moments between which the weight is that of `moment`; nil where it has no beginning or no end.
  public func period(around moment: Instant) -> (since: Instant?, until: Instant?) {
    guard fromNS != .max else { return (nil, nil) }
    guard moment.nanoseconds >= fromNS else { return (nil, Instant(nanoseconds: fromNS)) }
    guard let step = step(at: moment) else { return (end, nil) }
    return (
      Instant(nanoseconds: fromNS + step * stepNS),
      Instant(nanoseconds: fromNS + (step + 1) * stepNS)
    )
  }

  /// Whether the value never fades.
  @inlinable public var isNone: Bool { fromNS == .max }

  /// The moment from which the weight falls; nil for never.
  public var begin: Instant? { isNone ? nil : Instant(nanoseconds: fromNS) }

  /// The weights of the steps, the greatest first: those of a value that counts in full and of one that is over included.
  public static let weights: [Double] = [1] + (0..<steps).map { weight(ofStep: $0) } + [0]

  @inlinable static func weight(ofStep step: Int64) -> Double {
    1 - (Double(step) + 0.5) / Double(steps)
  }

  /// The moment from which the value does not count at all; nil for never.
  public var end: Instant? {
    guard fromNS != .max else { return nil }
    let (endNS, isLarge) = fromNS.addingReportingOverflow(Self.steps &* stepNS)
    return Instant(nanoseconds: isLarge ? .max : endNS)
  }
}

/// For how long speeds without an end count, by what they rest on.
///
/// Live speeds hold for ten minutes and fade to what is forecast, typical or free flow in ten more; forecasts hold for an
/// hour and fade in another. Typical speeds recur every week: they hold for eight days. Free-flow speeds do not age.
public struct TrafficAges: Hashable, Sendable {
  public var liveHoldS = 600.0
  public var liveFadeS = 600.0
  public var forecastHoldS = 3600.0
  public var forecastFadeS = 3600.0
  /// How far ahead of a trip live speeds without an end count at all.
  public var liveHorizonS = 5400.0

  public init() {}

  /// How live speeds without an end fade along a trip, by the moment at which a road is reached.
  ///
  /// They count in full for the first third of `liveHorizonS` after `now`, and then less in ten equal steps.
  public func alongTrip(from now: Instant) -> SpeedFading {
    SpeedFading(observed: now, holdS: liveHorizonS / 3, fadeS: liveHorizonS * 2 / 3)
  }

  /// How a value without an end fades.
  public func fading(_ source: SpeedSource, observed: Instant) -> SpeedFading {
    switch source {
    case .live: SpeedFading(observed: observed, holdS: liveHoldS, fadeS: liveFadeS)
    case .predicted: SpeedFading(observed: observed, holdS: forecastHoldS, fadeS: forecastFadeS)
    case .typical: SpeedFading(observed: observed, holdS: 8 * 86_400, fadeS: 86_400)
    case .freeFlow: .none
    }
  }
}
