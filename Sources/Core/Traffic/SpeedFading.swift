public import Foundations

/// The weight of a reported speed over time: full for its hold time, then decreasing in ten equal
/// steps to zero.
///
/// The weight depends only on the value's own stamps and on the moment, so that traffic made for
/// one moment and a road priced for a later one agree. Each step has the weight of its middle:
/// 0.95, 0.85 … 0.05.
@frozen
public struct SpeedFading: Hashable, Sendable {
  /// The moment from which the weight decreases; `.max` for never.
  @usableFromInline let fromNS: Int64
  @usableFromInline let stepNS: Int64

  @usableFromInline static let steps: Int64 = 10

  /// A value that counts in full until it is replaced or ends.
  public static let none = SpeedFading(fromNS: .max, stepNS: 0)

  @usableFromInline init(fromNS: Int64, stepNS: Int64) {
    self.fromNS = fromNS
    self.stepNS = stepNS
  }

  /// A value that counts in full for `holdS` seconds after its observation, and fades during the
  /// next `fadeS`.
  ///
  /// An infinite hold time is the same as `none`.
  public init(observed: Instant, holdS: Double, fadeS: Double) {
    let from = observed.advanced(bySeconds: Double.maximum(0, holdS))
    let stepS = Double.maximum(0, fadeS) / Double(Self.steps)
    self.init(
      fromNS: from.nanoseconds, stepNS: Instant(seconds: stepS).nanoseconds)
  }

  /// Weight of the value at a moment, 1 to 0.
  @inlinable public func weight(at moment: Instant) -> Double {
    guard moment.nanoseconds >= fromNS, fromNS != .max else { return 1 }
    guard let step = step(at: moment) else { return 0 }
    return Self.weight(ofStep: step)
  }

  /// The step that contains a moment after `fromNS`; nil after the last one.
  @inlinable func step(at moment: Instant) -> Int64? {
    let (age, isLarge) = moment.nanoseconds.subtractingReportingOverflow(fromNS)
    guard !isLarge, stepNS > 0, age / stepNS < Self.steps else { return nil }
    return age / stepNS
  }

  /// The moments between which the weight is that of `moment`; nil if there is no beginning or no
  /// end.
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

  /// The moment from which the weight decreases; nil for never.
  public var begin: Instant? { isNone ? nil : Instant(nanoseconds: fromNS) }

  /// The weights of the steps, the highest first, including full weight and zero.
  public static let weights: [Double] = [1] + (0..<steps).map { weight(ofStep: $0) } + [0]

  @inlinable static func weight(ofStep step: Int64) -> Double {
    1 - (Double(step) + 0.5) / Double(steps)
  }

  /// The moment from which the value has no weight; nil for never.
  public var end: Instant? {
    guard fromNS != .max else { return nil }
    let (endNS, isLarge) = fromNS.addingReportingOverflow(Self.steps &* stepNS)
    return Instant(nanoseconds: isLarge ? .max : endNS)
  }
}

/// How long speeds without an end count, by their source.
///
/// Live speeds hold for ten minutes and fade to forecast, typical or free-flow speeds in another
/// ten. Forecasts hold for an hour and fade in another. Typical speeds recur every week: they hold
/// for eight days. Free-flow speeds do not age.
public struct TrafficAges: Hashable, Sendable {
  public var liveHoldS = 600.0
  public var liveFadeS = 600.0
  public var forecastHoldS = 3600.0
  public var forecastFadeS = 3600.0
  /// How far ahead on a trip live speeds without an end have any weight.
  public var liveHorizonS = 5400.0

  public init() {}

  /// How live speeds without an end fade along a trip, by the time at which a road is reached.
  ///
  /// They count in full for the first third of `liveHorizonS` after `now`, and then decrease in ten
  /// equal steps.
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
